// How the model came about, and the commands that make it again.
const Origin = (() => {
  const { el, svg, short, many, frame, points, card } = Draw;

  function copied(text, button) {
    const done = () => { button.textContent = "copied"; setTimeout(() => { button.textContent = "copy"; }, 1500); };
    const byHand = () => {
      const area = el("textarea", { "aria-hidden": "true", class: "away" });
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
      done();
    };
    if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, byHand);
    else byHand();
  }

  // Objective and lower bound from check to check.
  function convergence(trace) {
    const all = trace.flat(), [low, high] = [Math.min(...all), Math.max(...all)], room = 0.06 * (high - low || 1);
    const { root, px, py } = frame({ width: 360, height: 240, label: `objective from ${short(trace[0][0])} to ${short(trace[trace.length - 1][0])}, lower bound from ${short(trace[0][1])} to ${short(trace[trace.length - 1][1])}`,
      x: { from: 1, to: Math.max(2, trace.length), label: "checks" }, y: { from: low - room, to: high + room, label: "objective" } });
    const line = (k) => points(trace.map((point, i) => [px(i + 1), py(point[k])]));
    root.append(svg("polyline", { class: "line", points: line(0) }), svg("polyline", { class: "line lower", points: line(1) }));
    return card("Convergence", report.nets.length > 1 ? "objective (solid) and lower bound (dashed) of all classes, trained one after the other" : "objective (solid) and lower bound (dashed)", root);
  }

  // What cross-validation found for each strength.
  function strengths({ ratios, compared, scores, ratio, folds }, classes) {
    const at = ratios.map((r) => Math.log10(r)), [low, high] = [Math.min(...compared), Math.max(...compared)], room = 0.08 * (high - low || 1);
    const [from, to] = [Math.min(...at), Math.max(...at)];
    const name = scores ? (classes ? "accuracy" : "R²") : classes ? "log-loss" : "loss";
    const powers = Draw.ticks(from, to === from ? from + 1 : to, 4);
    const { root, px, py } = frame({ width: 360, height: 240, label: `${name} of ${many(ratios.length, "strength")}; ${short(ratio)} was chosen`,
      x: { from, to: to === from ? from + 1 : to, label: "beta / beta_max", ticks: powers.map((p) => [p, short(10 ** p)]) }, y: { from: low - room, to: high + room, label: name } });
    root.append(svg("polyline", { class: "line", points: points(at.map((a, k) => [px(a), py(compared[k])])) }),
      ...at.map((a, k) => svg("circle", { class: "dot", cx: px(a), cy: py(compared[k]), r: ratios[k] === ratio ? 5.5 : 2.5 }, svg("title", null, `${short(ratios[k])}: ${short(compared[k])}${ratios[k] === ratio ? ", chosen" : ""}`))));
    return card("Choice of the strength", `${name} on rows not trained on, ${folds} folds; the large dot was chosen`, root);
  }

  function show(section) {
    const { facts, notes, commands, trace, validation } = report.origin;
    section.append(el("dl", { class: "long" }, facts.map(([name, value]) => el("div", null, el("dt", null, name), el("dd", null, value)))));
    const pictures = [trace.length > 1 ? convergence(trace) : null, validation && validation.ratios.length > 1 ? strengths(validation, report.target.classes) : null].filter((picture) => picture);
    if (pictures.length) section.append(el("div", { class: "cards" }, pictures));
    if (notes.length) section.append(el("h3", null, "What was decided about the columns"), el("ul", null, notes.map((note) => el("li", null, note))));
    if (commands.length) {
      section.append(el("h3", null, "Make it again"), ...commands.map((text) => {
        const button = el("button", { type: "button", "aria-label": `copy the command ${text}` }, "copy");
        button.addEventListener("click", () => copied(text, button));
        return el("div", { class: "command" }, el("code", null, text), button);
      }));
    }
    section.append(el("p", { class: "hint" }, "This page is one file. It loads nothing and sends nothing. In the console of the browser, hardlim.predict({ column: \"value\" }) answers a row."));
  }

  return { show };
})();
