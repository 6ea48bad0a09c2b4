"""Boosted trees as a circuit, as TreeLUT writes them: keys, trees of multiplexers, one sum, one comparison.

Features are even codes of a few bits. A key is a comparison of a code with a constant, shared by all trees. The leaves
of every tree are shifted to start at zero and rounded to a few bits, what was shifted goes into one bias, and the class is
the sign of the sum.
"""

import numpy as np
from sklearn.ensemble import GradientBoostingClassifier


class Trees:
    def __init__(self, trees, depth, feature_bits, leaf_bits, seed=0):
        self.count, self.depth, self.seed = trees, depth, seed
        self.feature_bits, self.leaf_bits = feature_bits, leaf_bits

    def fit(self, x, y):
        self.low, self.span = x.min(0), np.ptp(x, axis=0)
        self.span[self.span == 0] = 1
        rate = min(1.0, max(0.1, 5 / self.count))  # few trees need long steps
        model = GradientBoostingClassifier(
            n_estimators=self.count, max_depth=self.depth, learning_rate=rate, random_state=self.seed
        )
        model.fit(self.codes(x), y)
        share = np.mean(y == model.classes_[1])
        self.classes, trees = model.classes_, [estimator.tree_ for estimator in model.estimators_[:, 0]]
        leaves = [model.learning_rate * tree.value[:, 0, 0] for tree in trees]
        least = [values[tree.children_left < 0].min() for tree, values in zip(trees, leaves)]
        spread = max((values[tree.children_left < 0].max() - low) for tree, values, low in zip(trees, leaves, least))
        unit = max(spread, 1e-12) / (2**self.leaf_bits - 1)
        self.trees = [
            (tree, np.rint((values - low) / unit).astype(int)) for tree, values, low in zip(trees, leaves, least)
        ]
        # The sum of the leaves is at least this where the class is the second one.
        self.needed = int(np.ceil(-(np.log(share / (1 - share)) + sum(least)) / unit))
        return self

    def codes(self, x):
        most = 2**self.feature_bits - 1
        return np.clip(np.rint((x - self.low) / self.span * most), 0, most).astype(int)

    def predict(self, x):
        codes = self.codes(x).astype(np.float32)
        total = sum(leaves[tree.apply(codes)] for tree, leaves in self.trees)
        return self.classes[(total >= self.needed).astype(int)]

    def verilog(self, name):
        keys, wires, sums = {}, [], []

        def node(tree, leaves, at):
            if tree.children_left[at] < 0:
                return f"{self.leaf_bits}'d{leaves[at]}"
            above = int(np.floor(tree.threshold[at])) + 1  # codes are integers: left is x <= threshold
            key = keys.setdefault((int(tree.feature[at]), above), f"k{len(keys)}")
            left, right = (node(tree, leaves, child[at]) for child in (tree.children_left, tree.children_right))
            return f"({key} ? {right} : {left})"

        for k, (tree, leaves) in enumerate(self.trees):
            wires.append(f"    wire [{self.leaf_bits - 1}:0] t{k} = {node(tree, leaves, 0)};\n")
            sums.append(f"t{k}")
        width = max(1, int(np.ceil(np.log2(len(sums) * (2**self.leaf_bits - 1) + 1))))
        total, level = [(s, self.leaf_bits) for s in sums], 0
        while len(total) > 1:  # a tree of adders
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
        used = sorted({feature for feature, _ in keys})
        ports = "".join(f"    input [{self.feature_bits - 1}:0] x{j},\n" for j in used)
        compared = "".join(f"    wire {key} = x{j} >= {above};\n" for (j, above), key in keys.items())
        sign = f"{total[0][0]} >= {self.needed}" if self.needed > 0 else "1'b1"
        return f"module {name}(\n{ports}    output y\n);\n{compared}{''.join(wires)}    assign y = {sign};\nendmodule\n"
