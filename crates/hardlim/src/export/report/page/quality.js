// The verdict, how good the answers are, and how the model came about.
const Quality = (() => {
  const { el, svg, number, short, signed, percent, cut, many, frame, points, table, folded, card, bar } = Draw;

  // A certificate as a bar: up to the lower bound it is proven, above it is the gap.
  function certificate({ name, objective, lower_bound: bound, relative_gap: gap, bound: how }) {
    const share = objective > 0 ? Math.max(0, Math.min(1, bound / objective)) : 1;
    const thin = 1 - share < 0.004;
    const words = `lower bound ${number(bound)}, objective ${number(objective)}, gap ${short(100 * gap)} per cent`;
    return el("div", { class: "certificate" },
      el("p", { class: "bar-title" }, `Over every ${name}`),
      el("div", { class: "bar", role: "img", "aria-label": words },
        el("span", { class: "proven", style: `width:${(100 * share).toFixed(2)}%` }),
        el("span", { class: "gap", style: `width:${(100 * (1 - share)).toFixed(2)}%` })),
      el("dl", { class: "facts" },
        el("div", null, el("dt", null, "lower bound"), el("dd", null, number(bound))),
        el("div", null, el("dt", null, "objective"), el("dd", null, number(objective))),
        el("div", null, el("dt", null, "gap"), el("dd", null, `${short(100 * gap)} %${thin ? ", too thin to see" : ""}`)),
        el("div", null, el("dt", null, "bound by"), el("dd", null, how))));
  }

  function verdict(report, section) {
    const { verdict: v, score } = report;
    const [mark, kind] = v.holds === true ? ["✓ Certified", "good"] : v.holds === false ? ["✗ Does not hold", "bad"] : ["– Not checked", "open"];
    const classes = report.target.classes;
    const what = classes ? `${classes.length === 2 ? "two classes" : `${classes.length} classes`} of ${report.target.name}` : `${report.target.name}, a number,`;
    section.append(el("p", { class: "lead" }, `Predicts ${what} from ${many(report.columns.length, "column")}, of which ${report.columns.filter((c) => c.read).length} are read; looked at on ${many(report.rows, "row")} of ${report.source}.`));
    if (score) {
      section.append(el("div", { class: "score" },
        el("p", { class: "big" }, score.value, score.error ? el("span", { class: "error" }, ` ± ${score.error}`) : null),
        el("p", null, el("strong", null, score.what), ` ${score.on}. ${score.compare}`)));
    }
    section.append(el("div", { class: "proof" },
      el("p", null, el("span", { class: `mark ${kind}` }, mark), " ", v.statement.replace(/^Certified: n/, "N").replace(/e-(\d)/g, "e−$1").replace(/ %/g, "\u00a0%")),
      ...v.bars.map(certificate),
      v.parts.length ? folded(`the ${v.parts.length} classes one by one`, () => v.parts.map((part) => certificate({ ...part, name: `network for ${part.name}` }))) : null,
      el("p", { class: "hint" }, v.checked)));
  }

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

  function residuals({ residuals: { from, to, counts } }) {
    const most = Math.max(1, ...counts), width = (to - from) / counts.length;
    const { root, px, py } = frame({ width: 300, height: 280, label: "histogram of answer minus target", x: { from, to: from === to ? to + 1 : to, label: "answer minus target" }, y: { from: 0, to: most, label: "rows" } });
    counts.forEach((count, k) => root.append(svg("rect", { class: "rows", x: px(from + k * width), y: py(count), width: Math.max(1, px(from + width) - px(from) - 1), height: Math.max(0, py(0) - py(count)) },
      svg("title", null, many(count, "row")))));
    return card("Residuals", "", root);
  }

  function errors(report, load) {
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

  function show(report, section, load) {
    const { quality: q, target, measured: score } = report;
    if (!q) return section.append(el("p", null, `The data have no column ${target.name}, so the answers cannot be scored.`));
    section.append(el("p", null, `Measured ${score.on}.`));
    const fact = (name, value) => el("div", null, el("dt", null, name), el("dd", null, value));
    const facts = q.kind === "classes"
      ? [fact("accuracy", `${percent(q.accuracy)}${score.error ? ` ± ${score.error}` : ""}`), fact("most frequent class", percent(q.most)), fact("AUC", q.auc === null ? "undefined" : q.auc.toFixed(4)), q.log_loss === null ? null : fact("log-loss", q.log_loss.toFixed(4))]
      : [fact("R²", q.r2 === null ? "undefined" : q.r2.toFixed(4)), fact("mean absolute error", number(q.mae)), fact("of answering the mean", number(q.mae_of_mean))];
    section.append(el("dl", { class: "facts" }, facts.filter((f) => f)));
    if (q.kind === "classes") {
      const curves = q.curves.filter((curve) => curve.roc.length), cards = (list) => el("div", { class: "cards" }, list.flatMap((curve) => [roc(curve), curve.calibration.length ? calibration(curve) : null]).filter((c) => c));
      section.append(confusion(q, target.classes), cards(curves.slice(0, 3)));
      if (curves.length > 3) section.append(folded(many(curves.length - 3, "more class").replace("classs", "classes"), () => cards(curves.slice(3))));
    } else section.append(el("div", { class: "cards" }, scatter(q, target.name), residuals(q)));
    section.append(...[errors(report, load)].flat().filter((part) => part));
  }

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
    return card("Convergence", "objective (solid) and lower bound (dashed)", root);
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

  function origin(report, section) {
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

  return { verdict, show, origin };
})();
