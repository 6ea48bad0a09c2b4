// How good the answers are on the rows.
const Quality = (() => {
  const { el, svg, number, signed, percent, cut, many, frame, points, table, folded, card } = Draw;

  function confusion({ confusion: rows }, classes) {
    const head = ["true class", ...classes.map((name) => `answer ${cut(name, 16)}`), "rows", "found"];
    return table("Confusion: true classes downward, answers across", head, rows.map((row, k) => {
      const all = row.reduce((a, b) => a + b, 0);
      return [cut(classes[k], 24), ...row.map((count, j) => (j === k ? el("strong", null, String(count)) : String(count))), String(all), all ? percent(row[k] / all) : "–"];
    }));
  }

  const square = (label, x, y) => frame({ width: 300, height: 280, label, x: { from: 0, to: 1, label: x, ticks: [0, 0.5, 1] }, y: { from: 0, to: 1, label: y, ticks: [0, 0.5, 1] } });

  function roc(curve) {
    const { root, px, py } = square(`receiver operating characteristic, area ${number(curve.auc)}`, "false positives", "true positives");
    root.append(svg("line", { class: "zero", x1: px(0), y1: py(0), x2: px(1), y2: py(1) }),
      svg("polyline", { class: "line", points: points(curve.roc.map(([a, b]) => [px(a), py(b)])) }));
    return card(`ROC of ${cut(curve.class, 20)}`, `area ${number(curve.auc && Number(curve.auc.toPrecision(4)))}`, root);
  }

  function calibration(curve) {
    const { root, px, py } = square("calibration: predicted probability against the part that is of the class", "predicted probability", "observed part");
    root.append(svg("line", { class: "zero", x1: px(0), y1: py(0), x2: px(1), y2: py(1) }),
      svg("polyline", { class: "line thin", points: points(curve.calibration.map(([p, q]) => [px(p), py(q)])) }));
    curve.calibration.forEach(([p, q, n]) => {
      const error = Math.sqrt(Math.max(q * (1 - q), 0.25 / n) / n);
      root.append(svg("line", { class: "whisker", x1: px(p), x2: px(p), y1: py(Math.max(0, q - error)), y2: py(Math.min(1, q + error)) }),
        svg("circle", { class: "dot", cx: px(p), cy: py(q), r: 3.5 }, svg("title", null, `${percent(p)} predicted, ${percent(q)} of ${many(n, "row")}`)));
    });
    return card(`Calibration of ${cut(curve.class, 20)}`, "on the line, probabilities are right", root);
  }

  function scatter({ points: list }, name) {
    const all = list.flat(), [from, to] = [Math.min(...all), Math.max(...all)];
    const { root, px, py } = frame({ width: 300, height: 280, label: `answers against ${name} of ${many(list.length, "row")}`, x: { from, to, label: name }, y: { from, to, label: "answer" } });
    root.append(svg("line", { class: "zero", x1: px(from), y1: py(from), x2: px(to), y2: py(to) }),
      ...list.map(([y, u]) => svg("circle", { class: "dot pale", cx: px(y), cy: py(u), r: 2.5 })));
    return card("Answers", "on the line they are right", root);
  }

  function residuals({ residuals: { from, to, counts } }, name) {
    const most = Math.max(1, ...counts), width = (to - from) / counts.length;
    const { root, px, py } = frame({ width: 300, height: 280, label: `histogram of answer minus ${name}`, x: { from, to: from === to ? to + 1 : to, label: `answer minus ${cut(name, 30)}` }, y: { from: 0, to: most, label: "rows" } });
    counts.forEach((count, k) => root.append(svg("rect", { class: "rows", x: px(from + k * width), y: py(count), width: Math.max(1, px(from + width) - px(from) - 1), height: Math.max(0, py(0) - py(count)) },
      svg("title", null, many(count, "row")))));
    return card("Residuals", "", root);
  }

  function errors(load) {
    const { errors: list, wrong } = report.quality, classes = report.target.classes;
    if (!list.length) return el("p", null, "No answer is wrong.");
    const name = (v) => (classes ? cut(classes[v], 24) : number(v));
    const known = new Set(report.samples.map((sample) => sample.row));
    const go = (row) => (known.has(row) ? el("button", { type: "button", onclick: () => load(row), "aria-label": `try row ${row}` }, "try") : "–");
    const head = ["row", "true", "answer", classes ? "probability" : "off by", "look"];
    const line = (e) => [String(e.row), name(e.target), name(e.answer), classes ? (e.probability === null ? "–" : percent(e.probability)) : signed(e.answer - e.target), go(e.row)];
    const words = classes ? `${many(wrong, "wrong answer")} of ${report.quality.n}; ${list.length < wrong ? `the ${list.length} that are most certain` : "the most certain first"}.` : `The ${list.length} rows that are furthest off.`;
    const made = (part, caption) => table(caption, head, part.map(line), [1, 2]);
    return [el("h3", null, classes ? "Wrong answers" : "Largest errors"), el("p", null, words), made(list.slice(0, 8), classes ? "Wrong answers" : "Largest errors"),
      list.length > 8 ? folded(many(list.length - 8, "more row"), () => made(list.slice(8), "More of them")) : null];
  }

  function show(section, load) {
    const { quality: q, target, measured: score } = report;
    if (!q) return section.append(el("p", null, `The data have no column ${target.name}, so the answers cannot be scored.`));
    section.append(el("p", null, `Measured ${score.on}.`));
    const fact = (name, value) => el("div", null, el("dt", null, name), el("dd", null, value));
    const facts = q.kind === "classes"
      ? [fact("accuracy", `${percent(q.accuracy)}${score.error ? ` ± ${score.error}` : ""}`), fact("most frequent class", percent(q.most)), fact("AUC", q.auc === null ? "undefined" : q.auc.toFixed(4)), q.log_loss === null ? null : fact("log-loss", q.log_loss.toFixed(4))]
      : [fact("R²", q.r2 === null ? "undefined" : `${q.r2.toFixed(4)}${score.error ? ` ± ${score.error}` : ""}`), fact("mean absolute error", number(q.mae)), fact("error of always answering the mean", number(q.mae_of_mean))];
    section.append(el("dl", { class: "facts" }, facts.filter((f) => f)));
    if (q.kind === "classes") {
      const curves = q.curves.filter((curve) => curve.roc.length), cards = (list) => el("div", { class: "cards" }, list.flatMap((curve) => [roc(curve), curve.calibration.length ? calibration(curve) : null]).filter((c) => c));
      section.append(confusion(q, target.classes), cards(curves.slice(0, 3)));
      if (curves.length > 3) section.append(folded(many(curves.length - 3, "more class", "more classes"), () => cards(curves.slice(3))));
    } else section.append(el("div", { class: "cards" }, scatter(q, target.name), residuals(q, target.name)));
    section.append(...[errors(load)].flat().filter((part) => part));
  }

  return { show };
})();
