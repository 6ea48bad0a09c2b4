// The verdict: what was trained, how good it is, and what is proven.
const Verdict = (() => {
  const { el, number, short, many, folded } = Draw;

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

  function show(section) {
    const { verdict: v, score } = report;
    const [mark, kind] = v.holds === true ? ["✓ Certified", "good"] : v.holds === false ? ["✗ Does not hold", "bad"] : ["– Not checked", "open"];
    const classes = report.target.classes;
    const what = classes ? `${classes.length === 2 ? "two classes" : `${classes.length} classes`} of ${report.target.name}` : `${report.target.name}, a number,`;
    section.append(el("p", { class: "lead" }, `Predicts ${what} from ${many(report.columns.length, "column")}, of which it reads ${report.columns.filter((c) => c.read).length}; looked at on ${many(report.rows, "row")} of ${report.source}.`));
    if (score) {
      section.append(el("div", { class: "score" },
        el("p", { class: "big" }, score.value, score.error ? el("span", { class: "error" }, ` ± ${score.error}`) : null),
        el("p", null, el("strong", null, score.what), ` ${score.on}. ${score.compare}`)));
    }
    section.append(el("div", { class: "proof" },
      el("p", null, el("span", { class: `mark ${kind}` }, mark), " ", v.statement.replace(/^Certified: n/, "N").replace(/e-(\d)/g, "e−$1").replace(/ %/g, "\u00a0%")),
      el("p", { class: "hint" }, `The problem: ${v.problem}.`),
      ...v.bars.map(certificate),
      v.parts.length ? folded(`the ${v.parts.length} classes one by one`, () => v.parts.map((part) => certificate({ ...part, name: `network for ${part.name}` }))) : null,
      el("p", { class: "hint" }, v.checked)));
  }

  return { show };
})();
