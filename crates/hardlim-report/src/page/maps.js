// Two inputs together: the exact cells of the neurons that read both.
const Maps = (() => {
  const { svg, signed, short, cut, many, frame, points, table, card } = Draw;
  const LINES = 60, SIDE = 48, OUTLINED = 40;

  // The part of the output that some neurons of two layers give.
  function part(net, neurons, x) {
    const { starts, inputs, weights, biases } = net.layers[0];
    let sum = 0;
    for (const k of neurons) {
      let t = biases[k];
      for (let i = starts[k]; i < starts[k + 1]; i++) t += x[inputs[i]] * weights[i];
      if (t >= 0) sum += net.amplitudes[k];
    }
    return sum;
  }

  // The mean of that part on the rows.
  const meanOf = (net, { neurons }) => neurons.reduce((sum, k) => sum + (net.amplitudes[k] * net.fires[k]) / report.rows, 0);

  // A convex polygon cut by a line, into what is on both sides.
  function split(polygon, a, b, c) {
    const sides = [[], []];
    polygon.forEach(([x, y], k) => {
      const [v, w] = polygon[(k + 1) % polygon.length], s = a * x + b * y + c, t = a * v + b * w + c;
      if (s >= 0) sides[0].push([x, y]);
      if (s <= 0) sides[1].push([x, y]);
      if ((s > 0 && t < 0) || (s < 0 && t > 0)) {
        const r = s / (s - t), at = [x + r * (v - x), y + r * (w - y)];
        sides[0].push(at);
        sides[1].push(at);
      }
    });
    return sides.filter((side) => side.length > 2 && Math.abs(area(side)) > 1e-9);
  }
  const area = (p) => p.reduce((sum, [x, y], k) => sum + x * p[(k + 1) % p.length][1] - y * p[(k + 1) % p.length][0], 0) / 2;

  // The cells of two numbers, on a unit square: polygons with a value each.
  function cells(net, group, ranges) {
    const [f, g] = group.variables.map((v) => report.variables[v].feature);
    const x = new Float64Array(report.dimension), { starts, inputs, weights, biases } = net.layers[0];
    const at = (p, q) => {
      x[f] = ranges[0][0] + p * (ranges[0][1] - ranges[0][0]);
      x[g] = ranges[1][0] + q * (ranges[1][1] - ranges[1][0]);
      return part(net, group.neurons, x);
    };
    let polygons = [[[0, 0], [1, 0], [1, 1], [0, 1]]];
    if (group.neurons.length > LINES) {
      const list = [];
      for (let i = 0; i < SIDE; i++) for (let j = 0; j < SIDE; j++) {
        const [p, q] = [i / SIDE, j / SIDE], d = 1 / SIDE;
        list.push({ polygon: [[p, q], [p + d, q], [p + d, q + d], [p, q + d]], value: at(p + d / 2, q + d / 2) });
      }
      return { list, exact: false };
    }
    for (const k of group.neurons) {
      let [a, b, c] = [0, 0, biases[k]];
      for (let i = starts[k]; i < starts[k + 1]; i++) {
        if (inputs[i] === f) { a = weights[i] * (ranges[0][1] - ranges[0][0]); c += weights[i] * ranges[0][0]; }
        if (inputs[i] === g) { b = weights[i] * (ranges[1][1] - ranges[1][0]); c += weights[i] * ranges[1][0]; }
      }
      const norm = Math.hypot(a, b);
      if (norm > 0) polygons = polygons.flatMap((polygon) => split(polygon, a / norm, b / norm, c / norm));
    }
    const middle = (p) => [0, 1].map((d) => p.reduce((sum, point) => sum + point[d], 0) / p.length);
    return { list: polygons.map((polygon) => ({ polygon, value: at(...middle(polygon)) })), exact: true };
  }

  // Blue above zero, orange below, paler towards zero; many cells have no outlines, which would hide them.
  const shade = (value, most, fine = false) => ({ class: `cell ${value < 0 ? "minus" : "plus"}${fine ? " fine" : ""}`, "fill-opacity": (0.08 + 0.82 * Math.min(1, Math.abs(value) / (most || 1))).toFixed(3) });

  function legend(most) {
    const boxes = [-1, -0.5, 0, 0.5, 1].map((r, k) => svg("g", null,
      svg("rect", { ...shade(r * most, most), x: 20 + 60 * k, y: 0, width: 60, height: 10 }),
      svg("text", { x: 50 + 60 * k, y: 22, "text-anchor": "middle" }, signed(r * most))));
    return svg("svg", { viewBox: "0 0 340 26", class: "chart legend", role: "img", "aria-label": `colours from ${short(-most)} to ${short(most)}` }, boxes);
  }

  function numberMap(net, group, names) {
    const ranges = group.variables.map((v) => report.rangeOf(v));
    const { list, exact } = cells(net, group, ranges);
    const mean = meanOf(net, group);
    const most = Math.max(...list.map(({ value }) => Math.abs(value - mean)));
    const { root, px, py } = frame({ height: 260, label: `map of ${names.join(" and ")}: ${many(list.length, "cell")}, from ${short(-most)} to ${short(most)}`,
      x: { from: ranges[0][0], to: ranges[0][1], label: names[0] }, y: { from: ranges[1][0], to: ranges[1][1], label: names[1] } });
    const place = ([p, q]) => [px(ranges[0][0] + p * (ranges[0][1] - ranges[0][0])), py(ranges[1][0] + q * (ranges[1][1] - ranges[1][0]))];
    list.forEach(({ polygon, value }) => root.append(svg("polygon", { ...shade(value - mean, most, list.length > OUTLINED), points: points(polygon.map(place)) },
      svg("title", null, signed(value - mean)))));
    return { body: [root, legend(most)], exact };
  }

  // Maps with labels on one side or both: a table of exact values.
  function labelMap(net, group, names) {
    const [a, b] = group.variables.map((v) => report.variables[v]);
    const x = new Float64Array(report.dimension);
    const put = (variable, state) => variable.states.forEach((s, k) => { if (s.on !== null) x[s.on] = k === state ? 1 : 0; });
    const values = (variable, other, otherState) => {
      put(other, otherState);
      if (variable.states) return variable.states.map((s, k) => { put(variable, k); return [s.name, part(net, group.neurons, x)]; });
      const cuts = [], { starts, inputs, weights, biases } = net.layers[0];
      for (const k of group.neurons) {
        let w = 0, c = biases[k];
        for (let i = starts[k]; i < starts[k + 1]; i++) if (inputs[i] === variable.feature) w = weights[i]; else c += weights[i] * x[inputs[i]];
        if (w !== 0) cuts.push(-c / w);
      }
      const [least, most] = report.rangeOf(group.variables[report.variables[group.variables[0]] === variable ? 0 : 1]);
      const inside = [...new Set(cuts.filter((v) => v > least && v < most))].sort((p, q) => p - q), edges = [least, ...inside, most];
      return edges.slice(1).map((to, k) => { x[variable.feature] = (edges[k] + to) / 2; return [edges[k], to, part(net, group.neurons, x)]; });
    };
    const [rows, columns] = a.states ? [a, b] : [b, a];
    const [rowName, columnName] = a.states ? names : [names[1], names[0]];
    const lines = rows.states.map((state, k) => [state.name, values(columns, rows, k)]);
    const all = lines.flatMap(([, list]) => list.map((item) => item[item.length - 1]));
    const mean = meanOf(net, group), most = Math.max(...all.map((v) => Math.abs(v - mean)));
    if (columns.states) {
      const head = [`${rowName} \\ ${columnName}`, ...columns.states.map((s) => cut(s.name, 14))];
      return { body: [table(`${rowName} and ${columnName}`, head, lines.map(([name, list]) => [cut(name, 22), ...list.map(([, v]) => signed(v - mean))]))], exact: true };
    }
    const [least, greatest] = report.rangeOf(group.variables[a.states ? 1 : 0]);
    const height = 60 + 26 * lines.length;
    const { root, px } = frame({ height, left: 96, label: `map of ${names.join(" and ")}`, x: { from: least, to: greatest, label: columnName },
      y: { from: 0, to: 1, ticks: [] } });
    lines.forEach(([name, list], k) => {
      const y = 10 + 26 * k;
      root.append(svg("text", { x: 90, y: y + 16, "text-anchor": "end" }, cut(name, 14)));
      list.forEach(([from, to, value]) => root.append(svg("rect", { ...shade(value - mean, most, list.length > OUTLINED), x: px(from), y, width: Math.max(0.5, px(to) - px(from)), height: 22 },
        svg("title", null, `${name}, ${short(from)} to ${short(to)}: ${signed(value - mean)}`))));
    });
    return { body: [root, legend(most)], exact: true };
  }

  function map(net, group) {
    const names = group.variables.map((v) => report.variables[v].name);
    const numbers = group.variables.every((v) => !report.variables[v].states);
    const { body, exact } = (numbers ? numberMap : labelMap)(net, group, names);
    const note = `${exact ? "exact cells" : "on a grid of points"} of ${many(group.neurons.length, "neuron")} that read both`;
    return card(names.map((name) => cut(name, 24)).join(" and "), note, ...body);
  }

  return { map };
})();
