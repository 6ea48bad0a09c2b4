// What each input does: exact steps, means with a band, and the rules.
const Effects = (() => {
  const { el, svg, number, short, signed, percent, cut, many, frame, points, table, folded, card, bar } = Draw;
  const SHOWN = 6, RULES = 10, MAPS = 4;

  function ends(values) {
    const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
    const room = 0.08 * (high - low || 1);
    return [low - room, high + room];
  }

  // Bars below a picture: how many rows have each value.
  function rowsBelow(axis, px, floor, root) {
    const { from, to, counts } = axis.bins, most = Math.max(1, ...counts), width = (to - from) / counts.length;
    counts.forEach((count, k) => {
      if (!count) return;
      const [a, b] = [px(from + k * width), px(from + (k + 1) * width)], height = Math.max(1, (26 * count) / most);
      root.append(svg("rect", { class: "rows", x: Math.min(a, b), y: floor - height, width: Math.max(1, b - a - 0.5), height },
        svg("title", null, many(count, "row"))));
    });
  }

  function numberChart(effect, curve, unit) {
    const { axis } = effect;
    const whole = axis.bins.from < axis.least;
    let [from, to] = whole ? [axis.bins.from, axis.bins.to] : [axis.least, axis.most];
    if (from === to) [from, to] = [from - 0.5, to + 0.5];
    const all = [...curve.values, ...(curve.low ?? []), ...(curve.high ?? []), ...(curve.missing === undefined ? [] : [curve.missing])];
    const [low, high] = ends(all);
    const words = curve.exact ? `exact step function of ${effect.name}` : `mean effect of ${effect.name} with a band`;
    const { root, px, py, left, right, floor } = frame({ height: 230, bottom: 68, label: `${words}, from ${short(Math.min(...all))} to ${short(Math.max(...all))}`,
      x: { from, to, ticks: [] }, y: { from: low, to: high, label: unit } });
    const bottom = 192;
    root.append(svg("line", { class: "zero", x1: left, x2: right, y1: py(0), y2: py(0) }));
    rowsBelow(axis, px, bottom, root);
    const word = effect.days ? (v) => new Date(864e5 * v).toISOString().slice(0, 10) : short;
    Draw.ticks(from, to, effect.days ? 2 : 5).filter((v) => !whole || Number.isInteger(v)).forEach((v) => root.append(svg("text", { x: px(v), y: bottom + 14, "text-anchor": "middle" }, word(v))));
    root.append(svg("text", { class: "name", x: (left + right) / 2, y: 226, "text-anchor": "middle" }, cut(effect.name, 40)),
      svg("text", { x: left - 6, y: bottom - 8, "text-anchor": "end" }, "rows"));
    const clamp = (v) => Math.min(to, Math.max(from, v));
    if (curve.exact) {
      const line = [];
      curve.values.forEach((value, k) => {
        const [a, b] = [k === 0 ? from : curve.at[k - 1], k === curve.at.length ? to : curve.at[k]].map(clamp);
        if (a < b || curve.values.length === 1) line.push([px(a), py(value)], [px(b), py(value)]);
      });
      root.append(svg("polyline", { class: "line", points: points(line) }));
    } else if (whole && curve.at.length <= 12) {
      curve.at.forEach((v, k) => {
        const [a, b] = [px(v - 0.35), px(v + 0.35)], [y, top, low2] = [curve.values[k], curve.high[k], curve.low[k]].map(py);
        root.append(svg("rect", { class: "band", x: a, y: top, width: b - a, height: Math.max(0, low2 - top) }),
          svg("line", { class: "line", x1: a, x2: b, y1: y, y2: y }));
      });
    } else {
      const band = [...curve.at.map((v, k) => [px(v), py(curve.high[k])]), ...curve.at.map((v, k) => [px(v), py(curve.low[k])]).reverse()];
      root.append(svg("polygon", { class: "band", points: points(band) }),
        svg("polyline", { class: "line", points: points(curve.at.map((v, k) => [px(v), py(curve.values[k])])) }));
    }
    const missing = curve.missing === undefined ? null
      : el("p", { class: "hint" }, `missing (${many(axis.missing, "row")}): ${signed(curve.missing)}`);
    return [root, missing];
  }

  function labelChart(effect, curve) {
    const most = Math.max(1e-300, ...curve.values.map(Math.abs)), all = Math.max(1, ...effect.axis.counts);
    const rows = effect.axis.states.map((state, k) => [k, curve.values[k]]).sort((a, b) => b[1] - a[1]);
    return el("ul", { class: "bars" }, rows.map(([k, value]) => el("li", null,
      el("span", { class: "bar-name", title: effect.axis.states[k] }, cut(effect.axis.states[k], 22)),
      el("span", { class: "both", "aria-hidden": "true" },
        el("span", { class: value < 0 ? "minus" : "plus", style: `width:${((50 * Math.abs(value)) / most).toFixed(1)}%` })),
      el("span", { class: "bar-value" }, signed(value)),
      el("span", { class: "bar-rows" }, bar(effect.axis.counts[k] / all), many(effect.axis.counts[k], "row")),
      curve.low ? el("span", { class: "span hint" }, `four fifths from ${signed(curve.low[k])} to ${signed(curve.high[k])}`) : null)));
  }

  function chart(effect, k, unit) {
    const curve = effect.curves[k];
    const note = curve.exact ? "exact" : effect.axis.kind === "number" ? "mean over rows; the band holds four fifths of them" : "mean over rows";
    const body = effect.axis.kind === "number" ? numberChart(effect, curve, unit) : labelChart(effect, curve);
    return card(cut(effect.name, 40), note, ...[body].flat());
  }

  // Where a rule holds on rows whose column is there, and what it answers on the others.
  const there = ({ fires, missing }) => number(fires - (missing?.holds ? missing.rows : 0));
  const gone = ({ missing }) => (missing ? `${missing.holds ? "holds" : "no"} (${number(missing.rows)})` : "");

  function rules(list, lower, rows) {
    const gaps = (rules) => (rules.some(({ missing }) => missing) ? [gone] : []), heads = (gaps) => gaps.map(() => "if missing");
    const own = gaps(list), head = ["reads", "rule", "weight", `holds on, of ${rows}`, ...heads(own), "changes"];
    const line = (rule) => [cut(rule.reads.join(", ") || "–", 30), rule.rule, signed(rule.weight), there(rule), ...own.map((gap) => gap(rule)), short(rule.change)];
    const made = (part, caption) => table(caption, head, part.map(line), [0, 1], "rules");
    const more = list.length > RULES ? folded(many(list.length - RULES, "more rule"), () => made(list.slice(RULES), "More rules")) : null;
    return [el("h3", null, "Rules"),
      el("p", null, "A neuron is a rule. Where it holds, its weight is added to the output. The rules that change the output most come first; neurons that give the same answers on these rows are one rule."),
      made(list.slice(0, RULES), "Rules, those that change the output most first"), more,
      ...lower.map((layer, k) => folded(`layer ${lower.length - k}: ${many(layer.length, "neuron")}`, () => table(`Neurons of layer ${lower.length - k}`,
        ["neuron", "rule", `fires on, of ${rows}`, ...heads(gaps(layer))], layer.map((neuron) => [neuron.name, neuron.rule, there(neuron), ...gaps(layer).map((gap) => gap(neuron))]), [0, 1])))];
  }

  function scorecard(card) {
    if (!card) return [];
    return [el("h3", null, "Points"),
      el("p", null, "The score is the sum of the points of the rules that hold."),
      table("Points of each rule", ["rule", "points"], card.rules.map(([rule, count]) => [rule, signed(count)]), [0], "rules"),
      table("Probability of each score", ["score", `probability of ${card.target}`], card.scores, [])];
  }

  function shares() {
    const list = report.columns.filter((c) => c.share > 0).sort((a, b) => b.share - a.share);
    const most = Math.max(1e-300, ...list.map((c) => c.share));
    const line = (c) => el("li", null, el("span", { class: "bar-name", title: c.name }, cut(c.name, 26)), bar(c.share / most), el("span", { class: "bar-value" }, percent(c.share)));
    const unread = report.columns.filter((c) => !c.read).length;
    return [el("h3", null, "What matters"),
      el("p", null, "How much of the changes of the output comes from each column. This is a description of the network, not a proof."),
      el("ul", { class: "bars wide" }, list.slice(0, 10).map(line)),
      list.length > 10 ? folded(many(list.length - 10, "more column"), () => el("ul", { class: "bars wide" }, list.slice(10).map(line))) : null,
      unread ? el("p", { class: "hint" }, `${many(unread, "column")} ${unread === 1 ? "is" : "are"} not read.`) : null];
  }

  function lost(list) {
    const most = Math.max(1e-300, ...list.map((c) => Math.max(c.at_least, c.found)));
    const line = (c) => el("li", null, el("span", { class: "bar-name", title: c.name }, cut(c.name, 26)), bar(c.at_least / most),
      el("span", { class: "bar-value" }, `${percent(c.at_least)} `, el("span", { class: "hint" }, `(found: ${percent(c.found)})`)));
    return [el("h3", null, "What is lost without an input"),
      el("p", null, "Proven: the objective of every network of the same class that does not read the column is larger by at least this much. Found: the best such network."),
      el("ul", { class: "bars wide" }, list.slice(0, 12).map(line)),
      list.length > 12 ? folded(many(list.length - 12, "more column"), () => el("ul", { class: "bars wide" }, list.slice(12).map(line))) : null];
  }

  function ofNetwork(k) {
    const net = report.nets[k];
    const unit = report.target.classes ? "output" : cut(report.target.name, 20);
    const list = report.effects.filter((effect) => effect.curves[k].values.some((value) => value !== 0));
    const made = list.map((effect) => () => chart(effect, k, unit));
    const pairs = report.groups[k].filter((group) => group.variables.length === 2)
      .map((group) => [group, group.neurons.reduce((sum, j) => sum + Math.abs(net.amplitudes[j]), 0)]).sort((a, b) => b[1] - a[1]);
    const maps = pairs.map(([group]) => () => Maps.map(net, group));
    const exact = list.every((effect) => effect.curves[k].exact);
    if (!net.amplitudes.some((a) => a !== 0)) return [el("p", null, `This network has no neuron: its output is ${number(net.offset)} for every row.`)];
    const all = report.columns.filter((column) => column.read).length <= report.effects.length;
    const words = exact && !all ? "Neurons read one input each, so these effects are exact; those of the inputs that change the output most are shown."
      : exact ? "Neurons read one input each, so these pictures are the whole network: the output is the sum of these effects and a constant."
      : "An exact effect is the whole part of the network that reads the input. Where neurons read several inputs, the picture shows the mean over rows.";
    return [el("p", null, `Each picture shows how far the output moves above or below its mean as the input changes. ${words}`),
      el("div", { class: "cards" }, made.slice(0, SHOWN).map((make) => make())),
      made.length > SHOWN ? folded(many(made.length - SHOWN, "more input"), () => el("div", { class: "cards" }, made.slice(SHOWN).map((make) => make()))) : null,
      ...(maps.length ? [el("h3", null, "Two inputs together"), el("div", { class: "cards" }, maps.slice(0, MAPS).map((make) => make()))] : []),
      maps.length > MAPS ? folded(many(maps.length - MAPS, "more pair"), () => el("div", { class: "cards" }, maps.slice(MAPS, MAPS + 40).map((make) => make()))) : null,
      ...rules(report.rules[k], report.lower[k], report.rows), ...scorecard(report.card)];
  }

  function show(section) {
    report.effects.forEach((effect) => { effect.days = effect.name.endsWith(".days") && report.columns[report.variables[effect.variable].column].time; });
    const place = el("div");
    const draw = (k) => place.replaceChildren(...ofNetwork(k).filter((part) => part));
    if (report.nets.length > 1) {
      section.append(el("p", null, el("label", { for: "effect-class" }, "The network of the class "),
        el("select", { id: "effect-class", onchange: (event) => draw(Number(event.target.value)) },
          report.target.classes.map((name, k) => el("option", { value: k }, name)))));
    }
    draw(0);
    section.append(place, ...shares().filter((part) => part), ...(report.lost ? lost(report.lost).filter((part) => part) : []));
  }

  return { show };
})();
