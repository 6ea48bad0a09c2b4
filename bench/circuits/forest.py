"""Trees and random forests of scikit-learn as the programs that emlearn makes of them."""

import emlearn
import numpy as np
from emlearn.trees import quantize_probabilities_into_byte
from sklearn.ensemble import RandomForestClassifier

# How many trees, how deep, the features a split may choose from, bits of leaves: 0 counts votes, 8 adds up shares. One
# tree sees all rows.
SIZES = [(1, d, "all", 0) for d in (1, 2, 3, 4, 6, 8)]
SIZES += [(n, d, f, b) for n in (5, 20) for d in (3, 5, 8) for f in ("some", "all") for b in (0, 8)]
WORDS = "{} trees, depth {}, {} features, leaves {}"
PROGRAM, FUNCTION, FLAGS = "forest.c", "forest_predict", [f"-I{emlearn.includedir}"]


class Forest:
    """A forest that reads codes of eight bits, for which emlearn writes the smallest programs.

    The codes are even. The program asks for less than a threshold where scikit-learn asks for at most, and cuts halves
    off, so between neighbours its answers would be off by one.
    """

    def __init__(self, count, depth, features, x, y):
        self.low, self.span = x.min(0), np.where(np.ptp(x, axis=0) > 0, np.ptp(x, axis=0), 1)
        features = "sqrt" if features == "some" else None
        model = RandomForestClassifier(
            count, max_depth=depth, max_features=features, bootstrap=count > 1, random_state=0
        )
        self.model = model.fit(self.codes(x), y)

    def codes(self, x):
        return 2 * np.clip(np.rint((x - self.low) / self.span * 127), 0, 127)


def leaves(tree, codes):
    """The leaf of every row, as the program finds it."""
    at, rows = np.zeros(len(codes), int), np.arange(len(codes))
    while (inner := tree.children_left[at] >= 0).any():
        left = codes[rows, tree.feature[at]] < np.floor(tree.threshold[at])
        at = np.where(inner, np.where(left, tree.children_left[at], tree.children_right[at]), at)
    return at


class Program:
    def __init__(self, forest, leaf_bits):
        self.forest, self.leaf_bits = forest, leaf_bits

    def predict(self, x):
        """What the program answers: the class with the most votes, or the largest sum of rounded shares."""
        codes, total = self.forest.codes(x), 0
        for tree in (estimator.tree_ for estimator in self.forest.model.estimators_):
            if self.leaf_bits:
                values = np.array([quantize_probabilities_into_byte(v[0], self.leaf_bits) for v in tree.value], int)
            else:
                values = np.eye(2, dtype=int)[tree.value[:, 0].argmax(1)]
            total = total + values[leaves(tree, codes)]
        return self.forest.model.classes_[total.argmax(1)]

    def converted(self):
        return emlearn.convert(self.forest.model, dtype="uint8_t", method="inline", leaf_bits=self.leaf_bits)


class Family:
    """All sizes, trained once for each number of trees, depth and features."""

    def __init__(self, arguments, work):
        self.forests = {}

    def fit(self, x, y, key, size):
        if (key, size[:3]) not in self.forests:
            self.forests[key, size[:3]] = Forest(*size[:3], x, y)
        return Program(self.forests[key, size[:3]], size[3])

    def verilog(self, model):
        return None

    def program(self, model, folder):
        folder.mkdir(exist_ok=True)
        (folder / PROGRAM).write_text(model.converted().save(name="forest", format="c", include_proba=False))

    def read(self, model, x):
        """What the program reads of these rows."""
        return model.forest.codes(x).astype(int).tolist()
