"""Boosted trees as a circuit, as TreeLUT writes them: keys, trees of multiplexers, one sum, one comparison.

Features are even codes of a few bits. A key is a comparison of a code with a constant, shared by all trees. The leaves
of every tree are shifted to start at zero and rounded to a few bits, what was shifted goes into one bias, and the class is
the sign of the sum. Trees are grown on histograms with the defaults of XGBoost for leaves: a penalty of 1, single rows
allowed.
"""

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier

# How many, how deep, bits of features, bits of leaves; at most 400 leaves.
SIZES = [
    (n, d, f, b)
    for n in (1, 3, 10, 30)
    for d in (1, 2, 3, 5)
    for f, b in ((2, 2), (4, 2), (4, 3), (8, 4))
    if n * 2**d <= 400
]
WORDS = "{} trees, depth {}, {} bits, leaves {}"


class Grown:
    """The trees before their leaves are rounded."""

    def __init__(self, count, depth, bits, x, y):
        self.bits, self.low, self.span = bits, x.min(0), np.where(np.ptp(x, axis=0) > 0, np.ptp(x, axis=0), 1)
        model = HistGradientBoostingClassifier(
            max_iter=count,
            max_depth=depth,
            max_leaf_nodes=None,
            min_samples_leaf=1,
            l2_regularization=1,
            learning_rate=min(1.0, max(0.1, 5 / count)),  # few trees need long steps
            early_stopping=False,
        )
        model.fit(self.codes(x), y)
        self.classes, self.start = model.classes_, model._baseline_prediction.item()
        self.trees = [predictors[0].nodes for predictors in model._predictors]

    def codes(self, x):
        most = 2**self.bits - 1
        return np.clip(np.rint((x - self.low) / self.span * most), 0, most).astype(int)


class Trees:
    def __init__(self, grown, leaf_bits):
        self.grown, self.leaf_bits = grown, leaf_bits
        leaves = [nodes["value"][nodes["is_leaf"] == 1] for nodes in grown.trees]
        unit = max(1e-12, max(np.ptp(values) for values in leaves)) / (2**leaf_bits - 1)
        least = [values.min() for values in leaves]
        self.trees = [
            (nodes, np.rint((nodes["value"] - low) / unit).astype(int)) for nodes, low in zip(grown.trees, least)
        ]
        # The sum of the leaves is at least this where the class is the second one.
        self.needed = int(np.ceil(-(grown.start + sum(least)) / unit))

    def predict(self, x):
        codes, total = self.grown.codes(x), 0
        for nodes, leaves in self.trees:
            at, rows = np.zeros(len(x), int), np.arange(len(x))
            while not nodes["is_leaf"][at].all():
                left = codes[rows, nodes["feature_idx"][at]] <= nodes["num_threshold"][at]
                at = np.where(nodes["is_leaf"][at], at, np.where(left, nodes["left"][at], nodes["right"][at]))
            total = total + leaves[at]
        return self.grown.classes[(total >= self.needed).astype(int)]

    def verilog(self, name, like_ours=False):
        """The circuit: comparisons and a tree of adders, or tables of keys and columns of full adders as hardlim has."""
        keys, wires, sums = {}, [], []

        def node(nodes, leaves, at):
            if nodes["is_leaf"][at]:
                return f"{self.leaf_bits}'d{leaves[at]}"
            above = int(np.floor(nodes["num_threshold"][at])) + 1  # codes are integers: left is x <= threshold
            key = keys.setdefault((int(nodes["feature_idx"][at]), above), f"k{len(keys)}")
            left, right = (node(nodes, leaves, nodes[side][at]) for side in ("left", "right"))
            return f"({key} ? {right} : {left})"

        for k, (nodes, leaves) in enumerate(self.trees):
            wires.append(f"    wire [{self.leaf_bits - 1}:0] t{k} = {node(nodes, leaves, 0)};\n")
            sums.append((f"t{k}", int(leaves[nodes["is_leaf"] == 1].max())))
        sign = self.in_columns(sums, wires) if like_ours else self.in_a_tree(sums, wires)
        used = sorted({feature for feature, _ in keys})
        ports = "".join(f"    input [{self.grown.bits - 1}:0] x{j},\n" for j in used)
        compared = "".join(
            f"    wire {key} = {self.key(j, above) if like_ours else f'x{j} >= {above}'};\n"
            for (j, above), key in keys.items()
        )
        return f"module {name}(\n{ports}    output y\n);\n{compared}{''.join(wires)}    assign y = {sign};\nendmodule\n"

    def key(self, j, above):
        size = 2**self.grown.bits
        return f"{size}'h{sum(1 << code for code in range(above, size)):x} >> x{j}"

    def in_a_tree(self, sums, wires):
        """The class by a tree of adders and a comparison."""
        width = max(1, int(np.ceil(np.log2(len(sums) * (2**self.leaf_bits - 1) + 1))))
        total, level = [(name, self.leaf_bits) for name, _ in sums], 0
        while len(total) > 1:
            pairs = [total[i : i + 2] for i in range(0, len(total), 2)]
            total = []
            for i, pair in enumerate(pairs):
                if len(pair) == 1:
                    total.append(pair[0])
                    continue
                bits = min(width, max(b for _, b in pair) + 1)
                wires.append(f"    wire [{bits - 1}:0] a{level}_{i} = {pair[0][0]} + {pair[1][0]};\n")
                total.append((f"a{level}_{i}", bits))
            level += 1
        return f"{total[0][0]} >= {self.needed}" if self.needed > 0 else "1'b1"

    def in_columns(self, sums, wires):
        """The class by columns of full adders: the constant goes in with the others, the highest bit comes out."""
        most = sum(largest for _, largest in sums)
        if not 0 < self.needed <= most:
            return f"1'b{int(self.needed <= 0)}"
        place = int(max(self.needed, most - self.needed + 1, 2) - 1).bit_length()
        columns = [[] for _ in range(place + self.leaf_bits + 2)]
        for name, largest in sums:
            for b in range(largest.bit_length()):
                columns[b].append(f"{name}[{b}]")
        for b in range(place):
            if (2**place - self.needed) >> b & 1:
                columns[b].append("1'd1")
        for b in range(place + 1):
            while len(columns[b]) > 1:
                columns[b].sort(key="1'd1".__eq__)
                three, columns[b] = columns[b][:3], columns[b][3:]
                name = f"c{len(wires)}"
                wires.append(f"    wire [1:0] {name} = {' + '.join(three)};\n")
                columns[b].append(f"{name}[0]")
                columns[b + 1].append(f"{name}[1]")
        return columns[place][0] if columns[place] else "1'b0"


class Family:
    """All sizes, trained once for each number of trees, depth and code."""

    def __init__(self, arguments, work):
        self.grown = {}

    def fit(self, x, y, key, size):
        count, depth, bits, leaf_bits = size
        if (key, size[:3]) not in self.grown:
            self.grown[key, size[:3]] = Grown(count, depth, bits, x, y)
        return Trees(self.grown[key, size[:3]], leaf_bits)

    def verilog(self, model, like_ours=False):
        return model.verilog("trees", like_ours)
