// Networks of threshold neurons, evaluated as the library does: a neuron fires if x·w + b >= 0 for the real numbers, not
// for their rounded sum, and output weights lie on a grid where sums are exact. So outputs agree to the last bit.
const Net = (() => {
  const EPSILON = 2 ** -52, SPLIT = 2 ** 27 + 1;

  function doubles(text) {
    const letters = atob(text), view = new DataView(new ArrayBuffer(letters.length));
    for (let k = 0; k < letters.length; k++) view.setUint8(k, letters.charCodeAt(k));
    const values = new Float64Array(letters.length / 8);
    for (let k = 0; k < values.length; k++) values[k] = view.getFloat64(8 * k, true);
    return values;
  }

  function layer({ sizes, inputs, weights, biases }) {
    const starts = new Uint32Array(sizes.length + 1);
    sizes.forEach((size, k) => { starts[k + 1] = starts[k] + size; });
    return { starts, inputs: Uint32Array.from(inputs), weights: doubles(weights), biases: doubles(biases) };
  }

  const decode = ({ offset, amplitudes, layers, words, fires }) =>
    ({ offset, amplitudes: doubles(amplitudes), layers: layers.map(layer), words, fires });

  // The rounded sum of neuron k, and how far it may be from the real number.
  function sum({ starts, inputs, weights, biases }, k, x) {
    let t = biases[k], size = Math.abs(t);
    for (let i = starts[k]; i < starts[k + 1]; i++) {
      const product = x[inputs[i]] * weights[i];
      t += product;
      size += Math.abs(product);
    }
    return [t, (starts[k + 1] - starts[k] + 4) * EPSILON * size];
  }

  // The sign of the real number, from a sum of doubles that do not overlap (Shewchuk 1997).
  function exactSign({ starts, inputs, weights, biases }, k, x) {
    let parts = [];
    const add = (value) => {
      let carry = value;
      const kept = [];
      for (const part of parts) {
        const total = carry + part, virtual = total - carry;
        const error = (carry - (total - virtual)) + (part - virtual);
        if (error !== 0) kept.push(error);
        carry = total;
      }
      if (carry !== 0) kept.push(carry);
      parts = kept;
    };
    add(biases[k]);
    for (let i = starts[k]; i < starts[k + 1]; i++) {
      const a = x[inputs[i]], b = weights[i], product = a * b;
      const ca = SPLIT * a, ah = ca - (ca - a), al = a - ah;
      const cb = SPLIT * b, bh = cb - (cb - b), bl = b - bh;
      add(product);
      add(((ah * bh - product) + ah * bl + al * bh) + al * bl);
    }
    return parts.length ? parts[parts.length - 1] : 0;
  }

  function fires(layer, k, x) {
    const [t, error] = sum(layer, k, x);
    return (Math.abs(t) > error ? t : exactSign(layer, k, x)) >= 0;
  }

  const answers = (layer, x) => Float64Array.from(layer.biases, (_, k) => (fires(layer, k, x) ? 1 : 0));

  // The answers of the last layer, from those of the first.
  const above = (net, first) => net.layers.slice(1).reduce((x, layer) => answers(layer, x), first);

  function total({ amplitudes, offset }, on) {
    let u = offset;
    for (let k = 0; k < on.length; k++) if (on[k]) u += amplitudes[k];
    return u;
  }

  const evaluate = (net, x) => {
    const first = answers(net.layers[0], x), last = above(net, first);
    return { first, last, output: total(net, last) };
  };

  // The index of the answer: the sign for one network, the largest output for several, the first if there are ties.
  const classOf = (outputs) => outputs.length === 1 ? Number(outputs[0] >= 0)
    : outputs.reduce((best, u, k) => (u > outputs[best] ? k : best), 0);

  // The probability of each class, or null if there is none.
  function probabilities(outputs, loss, scale) {
    const pair = (p) => [1 - p, p];
    const most = Math.max(...outputs);
    if (scale !== null) {
      if (outputs.length === 1) return pair(1 / (1 + Math.exp(-scale * outputs[0])));
      return shared(outputs.map((u) => Math.exp(scale * (u - most))));
    }
    if (outputs.length === 1) {
      const u = outputs[0];
      return pair(loss === "logistic" ? 1 / (1 + Math.exp(-u)) : Math.min(1, Math.max(0, (1 + u) / 2)));
    }
    if (loss !== "logistic") return null;
    const top = Math.min(0, most);
    return shared(outputs.map((u) => 1 / (Math.exp(top) + Math.exp(top - u))));
  }

  function shared(shares) {
    let all = 0;
    for (const share of shares) all += share;
    return shares.map((share) => share / all);
  }

  return { decode, evaluate, above, total, classOf, probabilities, sum };
})();
