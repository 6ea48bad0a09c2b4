// The nearest change of a single input that gives another class.
const Flips = (() => {
  const { number, cut } = Draw;
  const CUTS = 300; // the most switches of neurons on each side that are followed
  // How far beyond a switch a round number may be: relative to the change, and to the deviation of the data.
  const CLOSE = 0.02, NEAR = 0.01;

  // The number with the fewest digits strictly between two numbers, nearest to the first.
  function roundBetween(a, b) {
    const [low, high] = a < b ? [a, b] : [b, a];
    const first = Math.floor(Math.log10(Math.max(Math.abs(low), Math.abs(high), 1e-300)));
    for (let power = Math.min(first, 15); power > first - 17; power--) {
      const step = Number(`1e${power}`);
      const near = a < b ? Math.floor(a / step) + 1 : Math.ceil(a / step) - 1;
      const value = Number((near * step).toPrecision(15));
      if (value > low && value < high) return value;
    }
    return null;
  }

  // Where neurons of the first layers switch as a variable changes, in the range of the data.
  function switches(v, x) {
    const f = report.variables[v].feature, [least, most] = report.rangeOf(v), found = [];
    report.nets.forEach(({ layers: [layer] }, n) => {
      for (let k = 0; k < layer.biases.length; k++) {
        for (let i = layer.starts[k]; i < layer.starts[k + 1]; i++) {
          if (layer.inputs[i] !== f) continue;
          const at = x[f] - Net.sum(layer, k, x)[0] / layer.weights[i];
          if (at >= least && at <= most) found.push({ at, n, k, rises: layer.weights[i] > 0 });
        }
      }
    });
    return found;
  }

  const placeWith = (x, v, cell) => {
    const changed = x.slice();
    report.put(changed, v, cell);
    return report.answer(changed).place;
  };

  // The first number on one side of the row that gives another class, or null.
  function oneSide(v, x, now, found, up, whole) {
    const at = x[report.variables[v].feature], [least, most, deviation] = report.rangeOf(v), end = up ? most : least;
    const side = found.filter((one) => (up ? one.at >= at : one.at <= at)).sort((a, b) => (up ? a.at - b.at : b.at - a.at));
    const first = now.found.map((one) => one.first.slice()), outputs = now.outputs.slice();
    for (let i = 0; i < Math.min(side.length, CUTS); i++) {
      const { at: from, n, k, rises } = side[i], net = report.nets[n];
      const next = i + 1 < side.length ? side[i + 1].at : end, on = rises === up ? 1 : 0;
      if (net.layers.length === 1) outputs[n] += (on - first[n][k]) * net.amplitudes[k];
      first[n][k] = on;
      if (next === from && i + 1 < side.length) continue;
      if (net.layers.length > 1) now.found.forEach((_, m) => { outputs[m] = Net.total(report.nets[m], Net.above(report.nets[m], first[m])); });
      if (Net.classOf(outputs) === now.place) continue;
      // A whole number may be the switch itself. The network has the last word.
      const room = Math.max(CLOSE * Math.abs(from - at), NEAR * deviation), limit = up ? Math.min(next, from + room) : Math.max(next, from - room);
      const values = !whole ? [roundBetween(from, limit) ?? limit] : up ? [Math.ceil(from), Math.floor(from) + 1] : [Math.floor(from), Math.ceil(from) - 1];
      const value = values.find((value) => (up ? value > at && value <= end : value < at && value >= end) && placeWith(x, v, value) !== now.place);
      if (value !== undefined) return value;
    }
    return null;
  }

  function ofNumber(v, x, now) {
    const at = report.cellOf(x, v);
    if (at === null) return null;
    const found = switches(v, x), whole = report.isWhole(v);
    const sides = [true, false].map((up) => oneSide(v, x, now, found, up, whole)).filter((value) => value !== null);
    if (!sides.length) return null;
    const cell = sides.reduce((a, b) => (Math.abs(b - at) < Math.abs(a - at) ? b : a));
    const text = (value) => number(Number(value.toPrecision(6)));
    return { v, cell, distance: Math.abs(cell - at) / report.rangeOf(v)[2], text: `${text(at)} → ${text(cell)}`, place: placeWith(x, v, cell) };
  }

  function ofLabel(v, x, now) {
    const { states } = report.variables[v], own = report.cellOf(x, v);
    const cell = states.findIndex((_, k) => k !== own && placeWith(x, v, k) !== now.place);
    return cell < 0 ? null : { v, cell, distance: 1, text: `${cut(states[own]?.name ?? "–", 20)} → ${cut(states[cell].name, 20)}`, place: placeWith(x, v, cell) };
  }

  // For each input the nearest change, if there is one; the nearest of all comes first. Numbers are measured in deviations.
  function nearest(x, now) {
    const inputs = report.columns.filter((column) => column.read && !column.time).map((column) => column.variables[0]);
    return inputs.map((v) => (report.variables[v].states ? ofLabel : ofNumber)(v, x, now)).filter((found) => found).sort((a, b) => a.distance - b.distance);
  }

  return { nearest };
})();
