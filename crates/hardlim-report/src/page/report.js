// The report of the page: its payload, the networks, and what they answer to a row of features.
const report = (() => {
  const report = JSON.parse(document.getElementById("payload").textContent);
  report.nets = report.networks.map(Net.decode);
  report.codingsOf = (column) => report.coding.slice(column.codings[0], column.codings[0] + column.codings[1]);
  const width = ({ kind, reading }) => (kind.category && !reading ? kind.category.levels.length - (kind.category.levels.length === 2 ? 1 : 0) : 1);
  report.dimension = report.coding.reduce((sum, coding) => sum + width(coding), 0);
  report.columns.forEach((column, c) => {
    column.variables = [];
    column.time = report.codingsOf(column).some(({ reading }) => reading?.time);
  });
  report.variables.forEach((variable, v) => report.columns[variable.column].variables.push(v));

  // The least and the greatest number of a variable, and the deviation.
  report.rangeOf = (v) => {
    const column = report.columns[report.variables[v].column];
    const range = column.ranges[column.variables.indexOf(v)];
    if (!range) return [0, 1, 1];
    return range[0] === range[1] ? [range[0] - 0.5, range[1] + 0.5, 1] : [range[0], range[1], range[2] || 1];
  };
  report.isWhole = (v) => report.samples.every(({ cells }) => cells[v] === null || Number.isInteger(cells[v]));

  // Groups of neurons that read the same variables, for each network of two layers.
  const owner = [];
  report.variables.forEach(({ states, feature, missing }, v) => {
    const features = states ? states.map((state) => state.on) : [feature, missing];
    features.forEach((f) => { if (f !== null && f !== undefined) owner[f] = v; });
  });
  report.groups = report.nets.map(({ layers, amplitudes }) => {
    const found = new Map();
    if (layers.length > 1) return [];
    const { starts, inputs } = layers[0];
    amplitudes.forEach((amplitude, k) => {
      const variables = [...new Set(Array.from(inputs.subarray(starts[k], starts[k + 1]), (f) => owner[f]))].sort((a, b) => a - b);
      if (amplitude === 0 || !variables.length) return;
      const key = variables.join();
      if (!found.has(key)) found.set(key, { variables, neurons: [] });
      found.get(key).neurons.push(k);
    });
    return [...found.values()];
  });

  report.answer = (x) => {
    const found = report.nets.map((net) => Net.evaluate(net, x)), outputs = found.map((one) => one.output);
    const classes = report.target.classes;
    return { found, outputs, place: classes ? Net.classOf(outputs) : null, probabilities: classes ? Net.probabilities(outputs, report.loss, report.calibration) : null };
  };

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

  report.predict = (fields) => {
    const { outputs, place, probabilities } = report.answer(encode(fields));
    return { prediction: place === null ? outputs[0] : report.target.classes[place], outputs, probabilities };
  };

  // Writes the cell of a variable into a row of features: a number, null if it is missing, or the place of a state.
  report.put = (x, v, cell) => {
    const variable = report.variables[v];
    if (variable.states) variable.states.forEach((state, k) => { if (state.on !== null) x[state.on] = k === cell ? 1 : 0; });
    else {
      x[variable.feature] = cell ?? variable.fill ?? 0;
      if (variable.missing !== undefined) x[variable.missing] = cell === null ? 1 : 0;
    }
  };

  // The cell of a variable in a row of features.
  report.cellOf = (x, v) => {
    const variable = report.variables[v];
    if (!variable.states) return variable.missing !== undefined && x[variable.missing] === 1 ? null : x[variable.feature];
    const on = variable.states.findIndex((state) => state.on !== null && x[state.on] === 1);
    return on >= 0 ? on : variable.states.findIndex((state) => state.on === null);
  };

  return report;
})();
