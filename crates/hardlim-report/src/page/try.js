// A row that can be changed, and the answer of the network to it.
const Try = (() => {
  const { el, number, short, signed, percent, cut, many, folded, bar } = Draw;
  const CONTROLS = 10, NEURONS = 10;
  const { classes, name: targetName } = report.target;
  const row = { x: new Float64Array(report.dimension) };
  const controls = []; // functions that show the row
  const panel = { top: el("div", { "aria-live": "polite", "aria-atomic": "true" }), middle: el("div"), last: el("div") };

  // --- controls -----------------------------------------------------------------------------------------------------

  function numberControl(column, v, id) {
    const [least, most] = report.rangeOf(v), variable = report.variables[v];
    const slider = el("input", { type: "range", id, min: least, max: most, step: report.isWhole(v) ? 1 : "any" });
    const field = el("input", { type: "text", inputmode: "decimal", "aria-label": `${column.name}, exact value`, class: "exact" });
    const gone = variable.missing === undefined ? null : el("input", { type: "checkbox", id: `${id}-missing` });
    const set = (cell) => { report.put(row.x, v, cell); field.removeAttribute("aria-invalid"); };
    slider.addEventListener("input", () => {
      field.value = String(Number(Number(slider.value).toPrecision(6)));
      set(Number(field.value));
      if (gone) gone.checked = false;
      changed();
    });
    field.addEventListener("input", () => {
      try {
        row.x.set(Read.encode(report.codingsOf(column), field.value), column.feature);
        field.removeAttribute("aria-invalid");
      } catch {
        return field.setAttribute("aria-invalid", "true");
      }
      show(false);
      changed();
    });
    gone?.addEventListener("change", () => { set(gone.checked ? null : Number(slider.value)); show(true); changed(); });
    function show(text) {
      const cell = report.cellOf(row.x, v);
      if (cell !== null) slider.value = cell;
      slider.disabled = cell === null;
      if (gone) gone.checked = cell === null;
      if (text) field.value = cell === null ? "" : String(cell);
    }
    controls.push(() => show(true));
    return [el("span", { class: "pair" }, slider, field), gone ? el("label", { class: "missing" }, gone, " missing") : null];
  }

  function labelControl(v, id) {
    const { states } = report.variables[v];
    const select = el("select", { id }, states.map((state, k) => el("option", { value: k }, state.name)));
    select.addEventListener("change", () => { report.put(row.x, v, Number(select.value)); changed(); });
    controls.push(() => { select.value = report.cellOf(row.x, v); });
    return [select];
  }

  function timeControl(column, id) {
    const codings = report.codingsOf(column);
    const field = el("input", { type: "text", id });
    field.addEventListener("input", () => {
      try {
        row.x.set(Read.encode(codings, field.value), column.feature);
        field.removeAttribute("aria-invalid");
        changed();
      } catch {
        field.setAttribute("aria-invalid", "true");
      }
    });
    const gap = codings.findIndex(({ reading }) => reading?.missing);
    controls.push(() => {
      const own = row.x.subarray(column.feature, column.feature + codings.length);
      field.value = gap >= 0 && own[gap] === 1 ? "" : Read.dateText(codings, own);
    });
    return [field];
  }

  function control(column) {
    const id = `input-${report.columns.indexOf(column)}`;
    const v = column.variables[0];
    const parts = column.time ? timeControl(column, id) : report.variables[v].states ? labelControl(v, id) : numberControl(column, v, id);
    return el("div", { class: "control" }, el("label", { for: id, title: column.name }, cut(column.name, 40)), ...parts.filter((part) => part));
  }

  // --- the answer ---------------------------------------------------------------------------------------------------

  function headline({ outputs, place, probabilities }) {
    if (!classes) return [el("p", { class: "big" }, number(outputs[0])), el("p", null, `${targetName} = ${outputs[0]}`)];
    const shown = probabilities ? ` with probability ${percent(probabilities[place])}` : "";
    const list = outputs.length === 1 ? [el("p", null, `output ${outputs[0]}; from 0 on the answer is ${classes[1]}`)]
      : [el("ul", { class: "bars wide" }, outputs.map((u, k) => el("li", null, el("span", { class: "bar-name", title: classes[k] }, cut(classes[k], 20)),
        probabilities ? bar(probabilities[k]) : null, el("span", { class: "bar-value" }, probabilities ? `${percent(probabilities[k])} ` : "", el("span", { class: "hint" }, `output ${short(u)}`)))))];
    return [el("p", { class: "big" }, cut(classes[place], 40)), el("p", null, `${targetName}${shown}`), ...list];
  }

  // What each group of columns adds, above or below its mean on the rows.
  function contributions({ found, place }) {
    const k = report.nets.length > 1 ? place : 0, net = report.nets[k], on = found[k].last;
    const list = report.groups[k].map(({ variables, neurons }) => ({ variables, sum: neurons.reduce((sum, j) => sum + net.amplitudes[j] * (on[j] - net.fires[j] / report.rows), 0) }))
      .sort((a, b) => Math.abs(b.sum) - Math.abs(a.sum));
    if (!list.length) return null;
    const most = Math.max(1e-300, ...list.map(({ sum }) => Math.abs(sum)));
    const name = (variables) => (variables.length > 3 ? `${variables.length} inputs` : variables.map((v) => report.variables[v].name).join(", "));
    const line = ({ variables, sum }) => el("li", null, el("span", { class: "bar-name", title: variables.slice(0, 20).map((v) => report.variables[v].name).join(", ") }, cut(name(variables), 30)),
      bar(Math.abs(sum) / most, sum < 0), el("span", { class: "bar-value" }, signed(sum)));
    return [el("h3", null, "What moves this answer"), el("p", { class: "hint" }, "Above (+) or below (−) the mean of the rows."), el("ul", { class: "bars wide" }, list.slice(0, 6).map(line)),
      list.length > 6 ? folded(many(list.length - 6, "more group"), () => el("ul", { class: "bars wide" }, list.slice(6, 60).map(line))) : null];
  }

  function neurons({ found, place }) {
    const k = report.nets.length > 1 ? place : 0, net = report.nets[k], on = found[k].last;
    const all = net.words.map(({ place: j, rule }) => [j, rule]);
    const used = Array.from(net.amplitudes.keys()).filter((j) => net.amplitudes[j] !== 0), firing = used.filter((j) => on[j]).length;
    const line = ([j, rule]) => el("li", { class: on[j] ? "on" : "off" }, el("span", { class: "state" }, on[j] ? "● fires" : "○ rests"), el("span", { class: "rule" }, rule), el("span", { class: "bar-value" }, on[j] ? signed(net.amplitudes[j]) : "0"));
    const of = report.nets.length > 1 ? ` of the network for ${cut(classes[k], 20)}` : "";
    return [el("h3", null, "Which neurons fire"), el("p", { class: "hint" }, `${firing} of ${many(used.length, "neuron")}${of}; the most important come first${all.length < used.length ? `, ${all.length} of them in words` : ""}.`),
      el("ul", { class: "neurons" }, all.slice(0, NEURONS).map(line)),
      all.length > NEURONS ? folded(many(all.length - NEURONS, "more neuron"), () => el("ul", { class: "neurons" }, all.slice(NEURONS).map(line))) : null];
  }

  // --- putting it together ------------------------------------------------------------------------------------------

  function flipList(now) {
    const list = Flips.nearest(row.x, now);
    const line = ({ v, cell, text, place }) => el("li", null, el("span", { class: "rule" }, `${cut(report.variables[v].name, 30)}: ${text} gives ${cut(classes[place], 20)} `),
      el("button", { type: "button", "aria-label": `change ${report.variables[v].name}`, onclick: () => { report.put(row.x, v, cell); refresh(); } }, "change"));
    return [el("h3", null, "Nearest changes of one input"), list.length ? el("ul", { class: "neurons" }, list.slice(0, 4).map(line))
      : el("p", { class: "hint" }, "No change of a single input, within the range of the data, gives another answer.")];
  }

  let waiting = 0;
  function changed() {
    const now = report.answer(row.x);
    panel.top.replaceChildren(...headline(now));
    panel.middle.replaceChildren(...[contributions(now), neurons(now)].flat().filter((part) => part));
    clearTimeout(waiting);
    if (classes) waiting = setTimeout(() => panel.last.replaceChildren(...flipList(now)), 60);
  }
  function refresh() {
    controls.forEach((show) => show());
    changed();
  }

  function load(place) {
    const sample = report.samples[place];
    sample.cells.forEach((cell, v) => report.put(row.x, v, cell));
    picker.value = place;
    truth.textContent = sample.target === undefined ? "" : `True answer of row ${sample.row}: ${classes ? classes[sample.target] : number(sample.target)}`;
    refresh();
  }

  const wrong = new Set((report.quality?.errors ?? []).filter(() => classes).map((error) => error.row));
  const option = (sample, k) => el("option", { value: k }, `row ${sample.row}${sample.target === undefined ? "" : `, ${classes ? cut(classes[sample.target], 20) : short(sample.target)}`}`);
  const picker = el("select", { id: "picker", onchange: () => load(Number(picker.value)) }, [["rows", false], ["wrong answers", true]].map(([label, kind]) => {
    const list = report.samples.flatMap((sample, k) => (wrong.has(sample.row) === kind ? [option(sample, k)] : []));
    return list.length ? el("optgroup", { label }, list) : null;
  }));
  const truth = el("span", { class: "hint" });

  function show(section) {
    const read = report.columns.filter((column) => column.read && column.variables.length).sort((a, b) => b.share - a.share);
    const list = (columns) => el("div", { class: "controls" }, columns.map(control));
    const rest = read.length > CONTROLS ? folded(many(read.length - CONTROLS, "more input"), () => {
      const made = list(read.slice(CONTROLS));
      controls.forEach((refreshed) => refreshed());
      return made;
    }) : null;
    const step = (by, words, sign) => el("button", { type: "button", "aria-label": words, onclick: () => load((Number(picker.value) + by + report.samples.length) % report.samples.length) }, sign);
    section.append(el("p", null, "Change the inputs: the network in this page gives the same answer as hardlim predict, to the last digit."),
      el("p", { class: "start" }, el("label", { for: "picker" }, "Start from "), picker,
        el("span", { class: "steps" }, step(-1, "previous row", "‹"), " ", step(1, "next row", "›")), truth),
      el("div", { class: "try" }, el("div", { class: "inputs" }, list(read.slice(0, CONTROLS)), rest), el("div", { class: "answer" }, Object.values(panel))));
    load(0);
  }

  return { show, load, row };
})();
