// The page: a row that can be changed, and the answer of the network to it.
(() => {
  const { el, number, short, signed, percent, cut, many, folded, bar } = Draw;
  const CONTROLS = 10, NEURONS = 10, TEMPERATE = 300;
  const report = JSON.parse(document.getElementById("payload").textContent);
  report.nets = report.networks.map(Net.decode);
  report.codingsOf = (column) => report.coding.slice(column.codings[0], column.codings[0] + column.codings[1]);
  const width = ({ kind, reading }) => (kind.category && !reading ? kind.category.levels.length - (kind.category.levels.length === 2 ? 1 : 0) : 1);
  report.dimension = report.coding.reduce((sum, coding) => sum + width(coding), 0);
  report.columns.forEach((column, c) => {
    column.variables = report.variables.flatMap((variable, v) => (variable.column === c ? [v] : []));
    column.time = report.codingsOf(column).some(({ reading }) => reading?.time);
  });
  report.rangeOf = (v) => {
    const column = report.columns[report.variables[v].column];
    const range = column.ranges[column.variables.indexOf(v)];
    if (!range) return [0, 1, 1];
    return range[0] === range[1] ? [range[0] - 0.5, range[1] + 0.5, 1] : [range[0], range[1], range[2] || 1];
  };
  const wholeNumbers = (v) => report.samples.every(({ cells }) => cells[v] === null || Number.isInteger(cells[v]));

  function answer(x) {
    const found = report.nets.map((net) => Net.evaluate(net, x)), outputs = found.map((one) => one.output);
    const classes = report.target.classes;
    return { found, outputs, place: classes ? Net.classOf(outputs) : null, probabilities: classes ? Net.probabilities(outputs, report.loss, report.calibration) : null };
  }

  // The features of a row of raw fields, by the names of their columns.
  function encode(fields) {
    const x = new Float64Array(report.dimension);
    for (const column of report.columns) {
      if (!Object.hasOwn(fields, column.name)) {
        if (column.read) throw new Error(`the column ${column.name} is missing`);
        continue;
      }
      try {
        x.set(Read.encode(report.codingsOf(column), fields[column.name]), column.feature);
      } catch (error) {
        throw new Error(`column ${column.name}: ${error.message}`);
      }
    }
    return x;
  }

  function predict(fields) {
    const { outputs, place, probabilities } = answer(encode(fields));
    return { prediction: place === null ? outputs[0] : report.target.classes[place], outputs, probabilities };
  }

  // The cell of a variable in a row of features, and back.
  function put(x, v, cell) {
    const variable = report.variables[v];
    if (variable.states) variable.states.forEach((state, k) => { if (state.on !== null) x[state.on] = k === cell ? 1 : 0; });
    else {
      x[variable.feature] = cell ?? variable.fill ?? 0;
      if (variable.missing !== undefined) x[variable.missing] = cell === null ? 1 : 0;
    }
  }
  function cellOf(x, v) {
    const variable = report.variables[v];
    if (!variable.states) return variable.missing !== undefined && x[variable.missing] === 1 ? null : x[variable.feature];
    const on = variable.states.findIndex((state) => state.on !== null && x[state.on] === 1);
    return on >= 0 ? on : variable.states.findIndex((state) => state.on === null);
  }

  const row = { x: new Float64Array(report.dimension) };
  const controls = [];
  const panel = el("div", { class: "answer" });

  // --- controls -----------------------------------------------------------------------------------------------------

  function numberControl(column, v, id) {
    const [least, most] = report.rangeOf(v), variable = report.variables[v];
    const slider = el("input", { type: "range", id, min: least, max: most, step: wholeNumbers(v) ? 1 : "any" });
    const field = el("input", { type: "text", inputmode: "decimal", "aria-label": `${column.name}, exact value`, class: "exact" });
    const gone = variable.missing === undefined ? null : el("input", { type: "checkbox", id: `${id}-missing` });
    const set = (cell) => { put(row.x, v, cell); field.removeAttribute("aria-invalid"); };
    slider.addEventListener("input", () => { set(Number(slider.value)); field.value = String(Number(Number(slider.value).toPrecision(6))); set(Number(field.value)); if (gone) gone.checked = false; changed(); });
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
      const cell = cellOf(row.x, v);
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
    select.addEventListener("change", () => { put(row.x, v, Number(select.value)); changed(); });
    controls.push(() => { select.value = cellOf(row.x, v); });
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
    const { classes, name } = report.target;
    if (!classes) return [el("p", { class: "big" }, number(outputs[0])), el("p", null, `${name} = ${outputs[0]}`)];
    const shown = probabilities ? ` with probability ${percent(probabilities[place])}` : "";
    const list = outputs.length === 1 ? [el("p", null, `output ${outputs[0]}; from 0 on the answer is ${classes[1]}`)]
      : [el("ul", { class: "bars wide" }, outputs.map((u, k) => el("li", null, el("span", { class: "bar-name", title: classes[k] }, cut(classes[k], 20)),
        probabilities ? bar(probabilities[k]) : null, el("span", { class: "bar-value" }, probabilities ? `${percent(probabilities[k])} ` : "", el("span", { class: "hint" }, `output ${short(u)}`)))))];
    return [el("p", { class: "big" }, cut(classes[place], 40)), el("p", null, `${name}${shown}`), ...list];
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
    const of = report.nets.length > 1 ? ` of the network for ${cut(report.target.classes[k], 20)}` : "";
    return [el("h3", null, "Which neurons fire"), el("p", { class: "hint" }, `${firing} of ${many(used.length, "neuron")}${of}; the most important come first${all.length < used.length ? `, ${all.length} of them in words` : ""}.`),
      el("ul", { class: "neurons" }, all.slice(0, NEURONS).map(line)),
      all.length > NEURONS ? folded(many(all.length - NEURONS, "more neuron"), () => el("ul", { class: "neurons" }, all.slice(NEURONS).map(line))) : null];
  }

  // --- the nearest change of one input --------------------------------------------------------------------------------

  // The number with the fewest digits strictly between two numbers, nearest to the first.
  function roundBetween(a, b, whole) {
    const [low, high] = a < b ? [a, b] : [b, a];
    const first = Math.floor(Math.log10(Math.max(Math.abs(low), Math.abs(high), 1e-300)));
    for (let power = whole ? 0 : Math.min(first, 15); power > first - 17; power--) {
      const step = Number(`1e${power}`), up = a < b;
      const near = up ? Math.floor(a / step) + 1 : Math.ceil(a / step) - 1;
      const value = Number((near * step).toPrecision(15));
      if (value > low && value < high) return value;
      if (whole) return null;
    }
    return null;
  }

  // The nearest number of a variable that gives another class, or null.
  function numberFlip(v, now) {
    const variable = report.variables[v], f = variable.feature, x = row.x;
    if (cellOf(x, v) === null) return null;
    const [least, most] = report.rangeOf(v), at = x[f], whole = wholeNumbers(v);
    const cuts = [];
    report.nets.forEach((net, n) => {
      const layer = net.layers[0];
      for (let k = 0; k < layer.biases.length; k++) {
        for (let i = layer.starts[k]; i < layer.starts[k + 1]; i++) {
          if (layer.inputs[i] !== f) continue;
          const cutAt = at - Net.sum(layer, k, x)[0] / layer.weights[i];
          if (cutAt > least && cutAt < most) cuts.push([cutAt, n, k]);
        }
      }
    });
    let best = null;
    for (const up of [true, false]) {
      const side = cuts.filter(([c]) => (up ? c >= at : c <= at)).sort((a, b) => (up ? a[0] - b[0] : b[0] - a[0]));
      const first = now.found.map((one) => one.first.slice()), outputs = now.outputs.slice();
      for (let i = 0; i < Math.min(side.length, TEMPERATE); i++) {
        const [c, n, k] = side[i], next = i + 1 < side.length ? side[i + 1][0] : up ? most : least;
        if (best && Math.abs(c - at) >= Math.abs(best - at)) break;
        const net = report.nets[n];
        first[n][k] = 1 - first[n][k];
        if (net.layers.length === 1) outputs[n] += first[n][k] ? net.amplitudes[k] : -net.amplitudes[k];
        else if (next !== c) outputs[n] = Net.total(net, Net.above(net, first[n]));
        if (next === c || Net.classOf(outputs) === now.place) continue;
        const value = roundBetween(c, next, whole);
        if (value === null) continue;
        const changed = x.slice();
        changed[f] = value;
        if (answer(changed).place === now.place) continue; // rounding has the last word
        best = value;
        break;
      }
    }
    return best === null ? null : { v, cell: best, distance: Math.abs(best - at) / report.rangeOf(v)[2], text: `${short2(at)} → ${short2(best)}`, place: placeOf(v, best) };
  }
  const short2 = (value) => number(Number(value.toPrecision(6)));

  function placeOf(v, cell) {
    const x = row.x.slice();
    put(x, v, cell);
    return answer(x).place;
  }

  function labelFlip(v, now) {
    const { states } = report.variables[v], own = cellOf(row.x, v);
    const other = states.findIndex((_, k) => k !== own && placeOf(v, k) !== now.place);
    return other < 0 ? null : { v, cell: other, distance: 1, text: `${cut(states[own]?.name ?? "–", 20)} → ${cut(states[other].name, 20)}`, place: placeOf(v, other) };
  }

  function flips(now) {
    const list = [];
    for (const column of report.columns) {
      if (!column.read || column.time) continue;
      const v = column.variables[0], found = report.variables[v].states ? labelFlip(v, now) : numberFlip(v, now);
      if (found) list.push(found);
    }
    return list.sort((a, b) => a.distance - b.distance);
  }

  function flipList(now) {
    const list = flips(now);
    const line = ({ v, cell, text, place }) => el("li", null, el("span", { class: "rule" }, `${cut(report.variables[v].name, 30)}: ${text} gives ${cut(report.target.classes[place], 20)} `),
      el("button", { type: "button", "aria-label": `change ${report.variables[v].name}`, onclick: () => { put(row.x, v, cell); refresh(); } }, "change"));
    return [el("h3", null, "Nearest changes of one input"), list.length ? el("ul", { class: "neurons" }, list.slice(0, 4).map(line))
      : el("p", { class: "hint" }, "No change of a single input, within the range of the data, gives another answer.")];
  }

  // --- putting it together ------------------------------------------------------------------------------------------

  const top = el("div", { "aria-live": "polite", "aria-atomic": "true" }), middle = el("div"), last = el("div");
  let waiting = 0;

  function changed() {
    const now = answer(row.x);
    top.replaceChildren(...headline(now));
    middle.replaceChildren(...[contributions(now), neurons(now)].flat().filter((part) => part));
    clearTimeout(waiting);
    if (report.target.classes) waiting = setTimeout(() => last.replaceChildren(...flipList(now)), 60);
  }
  function refresh() {
    controls.forEach((show) => show());
    changed();
  }

  function load(place) {
    const sample = report.samples[place];
    sample.cells.forEach((cell, v) => put(row.x, v, cell));
    picker.value = place;
    const classes = report.target.classes;
    truth.textContent = sample.target === undefined ? "" : `True answer of row ${sample.row}: ${classes ? classes[sample.target] : number(sample.target)}`;
    refresh();
  }

  const wrong = new Set((report.quality?.errors ?? []).filter(() => report.target.classes).map((error) => error.row));
  const option = (sample, k) => el("option", { value: k }, `row ${sample.row}${sample.target === undefined ? "" : `, ${report.target.classes ? cut(report.target.classes[sample.target], 20) : short(sample.target)}`}`);
  const groups = [["rows", (s) => !wrong.has(s.row)], ["wrong answers", (s) => wrong.has(s.row)]];
  const picker = el("select", { id: "picker", onchange: () => load(Number(picker.value)) }, groups.map(([label, test]) => {
    const list = report.samples.flatMap((sample, k) => (test(sample) ? [option(sample, k)] : []));
    return list.length ? el("optgroup", { label }, list) : null;
  }));
  const truth = el("span", { class: "hint" });

  function tryIt(section) {
    const read = report.columns.filter((column) => column.read && column.variables.length).sort((a, b) => b.share - a.share);
    const rest = read.length > CONTROLS ? folded(many(read.length - CONTROLS, "more input"), () => { const made = el("div", { class: "controls" }, read.slice(CONTROLS).map(control)); controls.forEach((show) => show()); return made; }) : null;
    const step = (by) => load((Number(picker.value) + by + report.samples.length) % report.samples.length);
    section.append(el("p", null, "Change the inputs: the network in this page gives the same answer as hardlim predict, to the last digit."),
      el("p", { class: "start" }, el("label", { for: "picker" }, "Start from "), picker,
        el("button", { type: "button", onclick: () => step(-1), "aria-label": "previous row" }, "‹"), el("button", { type: "button", onclick: () => step(1), "aria-label": "next row" }, "›"), " ", truth),
      el("div", { class: "try" }, el("div", { class: "inputs" }, el("div", { class: "controls" }, read.slice(0, CONTROLS).map(control)), rest), panel));
    panel.append(top, middle, last);
  }

  report.groups = report.nets.map((net) => Effects.groups(report, net));
  const section = (id) => document.getElementById(id);
  section("title").textContent = `${report.title} on ${report.source}`;
  Quality.verdict(report, section("verdict"));
  tryIt(section("try"));
  Effects.show(report, section("effects"));
  Quality.show(report, section("quality"), (number) => {
    load(report.samples.findIndex((sample) => sample.row === number));
    section("try").scrollIntoView();
    picker.focus();
  });
  Quality.origin(report, section("origin"));
  load(0);
  window.hardlim = { predict, report, row, answer, load };
})();
