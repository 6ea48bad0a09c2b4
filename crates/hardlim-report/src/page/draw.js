// Elements, numbers and pictures. Texts are set as text, never as markup.
const Draw = (() => {
  const SVG = "http://www.w3.org/2000/svg";

  function fill(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes ?? {})) {
      if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return element;
  }
  const el = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
  const svg = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

  // Five significant digits, with a real minus sign, at which no line is broken.
  function number(value) {
    if (value === null || value === undefined) return "–";
    const size = Math.abs(value);
    const text = Number.isInteger(value) && size < 1e15 ? String(value)
      : size >= 1e-3 && size < 1e7 ? String(Number(value.toPrecision(5))) : value.toExponential(3).replace(/\.?0*e\+?/, "e");
    return text.replaceAll("-", "−");
  }
  // Three significant digits; large numbers as powers of ten.
  const short = (value) => (Math.abs(value) < 1e6 ? number(Number(value.toPrecision(3)))
    : value.toExponential(2).replace(/\.?0*e\+?/, "e").replace("-", "−"));
  const signed = (value) => (value > 0 ? "+" : "") + short(value);
  const percent = (share) => `${number(Math.round(1000 * share) / 10)} %`;
  const cut = (text, most = 28) => ([...text].length > most ? [...text].slice(0, most - 1).join("") + "…" : text);
  const many = (count, one, several = `${one}s`) => `${count} ${count === 1 ? one : several}`;

  // Round values between two ends.
  function ticks(from, to, most = 5) {
    const raw = (to - from) / most;
    if (!(raw > 0)) return [from];
    const power = 10 ** Math.floor(Math.log10(raw));
    const step = power * [1, 2, 5, 10].find((k) => k * power >= raw);
    const list = [];
    for (let k = Math.ceil(from / step - 1e-9); k * step <= to + 1e-9 * step; k++) list.push(Number((k * step).toPrecision(12)));
    return list;
  }

  const scale = (from, to, low, high) => (v) => (to === from ? (low + high) / 2 : low + ((v - from) / (to - from)) * (high - low));

  // A frame with axes: `x` and `y` are { from, to, label, ticks }, ticks may be [value, text] pairs.
  function frame({ width = 340, height = 220, left, right = 12, top = 10, bottom = 38, x, y, label }) {
    const pair = (tick) => (Array.isArray(tick) ? tick : [tick, short(tick)]);
    const heights = (y.ticks ?? ticks(y.from, y.to, 5)).map(pair);
    left ??= 28 + 6.4 * Math.max(2, ...heights.map(([, text]) => text.length));
    const px = scale(x.from, x.to, left, width - right), py = scale(y.from, y.to, height - bottom, top);
    const root = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label, class: "chart" });
    for (const [value, text] of heights) {
      root.append(svg("line", { class: "grid", x1: left, x2: width - right, y1: py(value), y2: py(value) }),
        svg("text", { x: left - 6, y: py(value) + 4, "text-anchor": "end" }, text));
    }
    for (const [value, text] of (x.ticks ?? ticks(x.from, x.to, 5)).map(pair)) {
      root.append(svg("line", { class: "tick", x1: px(value), x2: px(value), y1: height - bottom, y2: height - bottom + 4 }),
        svg("text", { x: px(value), y: height - bottom + 16, "text-anchor": "middle" }, text));
    }
    root.append(svg("line", { class: "axis", x1: left, x2: width - right, y1: height - bottom, y2: height - bottom }));
    if (x.label) root.append(svg("text", { class: "name", x: (left + width - right) / 2, y: height - 5, "text-anchor": "middle" }, cut(x.label, 44)));
    if (y.label) {
      const at = [11, (top + height - bottom) / 2];
      root.append(svg("text", { class: "name", x: at[0], y: at[1], "text-anchor": "middle", transform: `rotate(-90 ${at[0]} ${at[1]})` }, cut(y.label, 26)));
    }
    return { root, px, py, left, right: width - right, top, floor: height - bottom };
  }

  const points = (list) => list.map(([x, y]) => `${x.toFixed(2)},${y.toFixed(2)}`).join(" ");

  // A table; rows are lists of texts or elements, `left` the columns that hold words, `kind` a class for its style.
  function table(caption, head, rows, left = [0], kind = "") {
    const side = (k) => (left.includes(k) ? null : "number");
    const cell = (value, k) => el(k === 0 ? "th" : "td", { class: side(k), scope: k === 0 ? "row" : null }, value);
    return el("div", { class: `scroll ${kind}`, tabindex: 0, role: "region", "aria-label": caption },
      el("table", null, el("caption", null, caption),
        el("thead", null, el("tr", null, head.map((text, k) => el("th", { scope: "col", class: side(k) }, text)))),
        el("tbody", null, rows.map((row) => el("tr", null, row.map(cell))))));
  }

  // What is long is folded, and made when it is opened. What is open is printed.
  function folded(summary, make) {
    let made = false;
    const box = el("details", { class: "more" }, el("summary", null, summary));
    const open = () => { if (!made) { made = true; box.append(...[make()].flat()); } };
    box.addEventListener("toggle", () => { if (box.open) open(); });
    return box;
  }

  // A card with a heading and a picture.
  const card = (title, note, ...children) => el("figure", { class: "card" },
    el("figcaption", null, el("strong", null, title), note ? el("span", { class: "hint" }, note) : null), ...children);

  // A horizontal bar from zero, for lists.
  function bar(share, negative = false) {
    const width = `${Math.max(0, Math.min(100, 100 * share)).toFixed(1)}%`;
    return el("span", { class: "track", "aria-hidden": "true" }, el("span", { class: negative ? "fill minus" : "fill", style: `width:${width}` }));
  }

  return { el, svg, number, short, signed, percent, cut, many, ticks, scale, frame, points, table, folded, card, bar };
})();
