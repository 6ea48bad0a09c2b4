"""Small proofs made at random, and altered ones: what `hardlim-check` must believe, and what it must not.

    python3 problems.py HARDLIM-CHECK FOLDER [SEED]

Patterns are listed one by one, by another way than the checker's. The dual point is random, scaled to the largest
price, and the bound is computed with fractions: so the proof with this bound is believed, a bound a little above the
dual value is not, nor a beta a little below the price. Networks are drawn to see that none is below the bound.
"""

import copy
import functools
import itertools
import math
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction as F
from pathlib import Path

LOSSES = ["squared", "absolute", "quantile", "hinge", "squared_hinge", "huber", "logistic"]
CLASSES = ["axes", "axes0", "corners", "cones 1", "cones 2", "cones 3", "complete", "dictionary"]


def fires(x, w, b):
    return sum(a * v for a, v in zip(x, w)) + b >= 0


def half_lines(values):
    """The subsets of the rows that one column cuts off, as tuples of bits."""
    cuts = sorted(set(values))
    cuts = [cuts[0] - 1, *cuts]
    up = {tuple(v > c for v in values) for c in cuts}
    return up | {tuple(not bit for bit in p) for p in up}


def det(m):
    if not m:
        return 1
    return sum((-1) ** j * m[0][j] * det([row[:j] + row[j + 1 :] for row in m[1:]]) for j in range(len(m)) if m[0][j])


@functools.cache
def halfspaces(points):
    """Patterns of all affine halfspaces: each has weights close to a vertex of the arrangement of the rows."""
    rows = [[*p, 1] for p in points]
    r = len(rows[0])
    patterns = set()
    unit = [[int(i == j) for i in range(r)] for j in range(r)]
    for chosen in itertools.combinations(rows + unit, r - 1):  # a line of weights, then a step off it for each choice
        w = [(-1) ** j * det([list(row[:j]) + list(row[j + 1 :]) for row in chosen]) for j in range(r)]
        if not any(w):
            continue
        big = [v * 10**6 for v in w]
        for step in itertools.product((-997, -1, 0, 1, 991), repeat=r):
            for s in (1, -1):
                v = [s * a + b for a, b in zip(big, step)]
                patterns.add(tuple(sum(a * c for a, c in zip(row, v)) >= 0 for row in rows))
    return patterns


def all_patterns(kind, rows, d, neurons):
    n = len(rows)
    column = [[x[j] for x in rows] for j in range(d)]
    if kind == "axes":
        return set().union(*map(half_lines, column))
    if kind == "axes0":
        signs = [(v >= 0 for v in c) for c in column] + [(v <= 0 for v in c) for c in column]
        return {tuple(s) for s in signs} | {(True,) * n}
    if kind == "corners":
        questions = set().union(*map(half_lines, column))
        both = {tuple(a and b for a, b in zip(p, q)) for p in questions for q in questions}
        return both | {tuple(not bit for bit in p) for p in both}
    if kind == "complete":
        return set(itertools.product((False, True), repeat=n))
    if kind == "dictionary":
        return {tuple(fires(x, w, b) for x in rows) for w, b in neurons}
    k = min(int(kind.split()[1]), d)
    return set().union(
        *(halfspaces(tuple(tuple(x[j] for j in js) for x in rows)) for js in itertools.combinations(range(d), k))
    )


def tree(points, r, on, low, high, depth=0):
    """The tree of a cone in tokens, where `points` are (z, coordinates) of open rows; None if the total is too high."""
    opened = []
    for z, x in points:
        if min(x) >= 0:
            on += z
        elif max(x) > 0:
            opened.append((z, x))
    if low <= on + sum(min(z, 0) for z, _ in opened) and on + sum(max(z, 0) for z, _ in opened) <= high:
        return ["0"]
    if not opened:
        return None
    _, x = max(opened, key=lambda p: abs(p[0]))
    k, m = next((k, m) for k, m in itertools.combinations(range(r), 2) if x[k] * x[m] < 0)
    g = math.gcd(x[k], x[m])
    p, q = abs(x[m]) // g, abs(x[k]) // g
    new = [p * y[k] + q * y[m] for _, y in opened]
    # The divisor must divide the generator, too; the greatest that divides all rows does as well here.
    h = math.gcd(*new) or 1
    out = [str(k + 1), str(m + 1), str(p), str(q), str(h)]
    for i in (k, m):
        child = [(z, [v // h if j == i else a for j, a in enumerate(y)]) for (z, y), v in zip(opened, new)]
        below = tree(child, r, on, low, high, depth + 1)
        if below is None:
            return None
        out += below
    return out


def trees(rows, z, d, k, low, high):
    out = []
    for js in itertools.combinations(range(d), k):
        out += ["c", *(str(j + 1) for j in js)]
        for t in range(2 ** (k + 1)):
            signs = [-1 if t >> i & 1 else 1 for i in range(k + 1)]
            points = [(v, [s * a for s, a in zip(signs, [*(x[j] for j in js), 1])]) for v, x in zip(z, rows)]
            tokens = tree(points, k + 1, 0, low, high)
            if tokens is None:
                return None
            out += tokens
    return out


def domain(loss, parameter, y):
    if loss in ("hinge", "logistic"):
        return (-1, 0) if y > 0 else (0, 1)
    if loss == "squared_hinge":
        return (-3, 0) if y > 0 else (0, 3)
    return {"quantile": (-parameter, 1 - parameter), "huber": (-parameter, parameter), "absolute": (-1, 1)}.get(
        loss, (-3, 3)
    )


def conjugate(loss, t, y):
    """l*(t, y), as a float for the logistic loss alone."""
    if loss in ("absolute", "quantile", "hinge"):
        return t * y
    if loss == "logistic":
        a = -t * y
        return sum(float(p) * math.log(p) for p in (a, 1 - a) if p)
    return t * t / 2 + t * y


def value(loss, parameter, u, y):
    gap = u - y
    if loss == "huber" and abs(gap) > parameter:
        return parameter * abs(gap) - parameter**2 / 2
    miss = max(1 - y * u, 0)
    return {
        "squared": lambda: gap**2 / 2,
        "huber": lambda: gap**2 / 2,
        "absolute": lambda: abs(gap),
        "quantile": lambda: max(-parameter * gap, (1 - parameter) * gap),
        "hinge": lambda: miss,
        "squared_hinge": lambda: miss**2 / 2,
        "logistic": lambda: math.log1p(math.exp(-float(y * u))),
    }[loss]()


class Problem:
    def __init__(self, rng, number):
        self.loss, self.kind = LOSSES[number % 7], CLASSES[number // 7 % 8]
        labels = self.loss in ("hinge", "squared_hinge", "logistic")
        self.d = d = rng.choice([1, 2, 3]) if self.kind != "cones 3" else rng.choice([1, 3])
        n = (
            rng.choice([1, 2, 3, 5, 6, 7])
            if "cones" not in self.kind or self.kind == "cones 1"
            else rng.choice([1, 2, 4, 6])
        )
        span = rng.choice([1, 2, 9])  # ties and columns that are constant
        self.rows = sorted({tuple(rng.randint(-span, span) for _ in range(d)) for _ in range(n)})
        self.neurons = [
            (tuple(rng.randint(-3, 3) for _ in range(d)), rng.randint(-3, 3)) for _ in range(rng.choice([1, 4]))
        ]
        self.bias = self.kind != "axes0"
        self.non_negative, self.output_bias = rng.random() < 0.3, rng.random() < 0.3
        self.parameter = {"quantile": F(rng.randint(1, 4), 5), "huber": F(rng.randint(1, 5), 2)}.get(self.loss, F(0))
        self.y_den, self.s_den, self.z_den = (1 if labels else rng.choice([1, 2, 4])), rng.choice([1, 2]), 1000
        self.atoms = []
        for _ in self.rows:
            some = []
            for _ in range(rng.choice([1, 1, 1, 2, 3, 0])):
                y = rng.choice([-1, 1]) if labels else F(rng.randint(-6, 6), self.y_den)
                s = F(rng.randint(1, 4), self.s_den)
                low, high = domain(self.loss, self.parameter, y)
                share = rng.choice([F(0), low, high, *[low + (high - low) * F(rng.randint(1, 99), 100)] * 4]) * s
                some.append([F(y), s, math.floor(share * self.z_den) if share > 0 else math.ceil(share * self.z_den)])
            self.atoms.append(some)
        self.theta = F(rng.choice([1, 1, 3]), rng.choice([1, 4]) * 4)
        z = self.z()
        if self.output_bias:  # take from the shares, towards zero, until they balance
            while sum(z):
                a = rng.choice([a for some in self.atoms for a in some if a[2] * sum(z) > 0])
                a[2] -= (1 if a[2] > 0 else -1) * min(abs(a[2]), abs(sum(z)))
                z = self.z()
        self.patterns, self.price, dual = self.measure()
        self.beta = max(self.price, 1) * self.theta / self.z_den
        # Terms that are rounded down may lose a little; those of the logistic loss are floats here.
        self.bound, self.above = dual - F(1, 2**200), dual + F(1, 2**60)
        if self.loss == "logistic":
            self.bound, self.above = F(math.floor(dual * 2**40 - 1), 2**40), F(dual) + F(1, 2**30)
        self.body = self.proof(self.beta)

    def measure(self):
        """All patterns, the largest total that counts, and the dual value."""
        z = self.z()
        patterns = all_patterns(self.kind, self.rows, self.d, self.neurons)
        totals = [sum(v for v, on in zip(z, p) if on) for p in patterns]
        price = max(0, -min(totals)) if self.non_negative else max(map(abs, totals))
        terms = [
            s * conjugate(self.loss, self.theta * zk / self.z_den / s, y) for some in self.atoms for y, s, zk in some
        ]
        return patterns, price, -sum(terms, F(0))

    def holds(self):
        """Whether the proof is right, by the definitions."""
        for some in self.atoms:
            for y, s, zk in some:
                low, high = domain(self.loss, self.parameter, y)
                curved = self.loss in ("squared", "squared_hinge")
                low, high = (4 * low**3, 4 * high**3) if curved else (low, high)  # no ends but zero
                if not low * s <= self.theta * zk / self.z_den <= high * s:
                    return False
        _, price, dual = self.measure()
        balanced = not self.output_bias or sum(self.z()) == 0
        slack = F(1, 10**9) if self.loss == "logistic" else 0
        return balanced and price * self.theta <= self.beta * self.z_den and dual + slack >= self.bound

    def altered(self, rng):
        """A change of the table or the statement, below the same proof."""
        other = copy.deepcopy(self)
        atoms = [a for some in other.atoms for a in some] or [[0, 1, 0]]
        atom, row = rng.choice(atoms), rng.randrange(len(self.rows))
        x = list(other.rows[row])
        x[rng.randrange(self.d)] += rng.choice([-1, 1])
        what = rng.randrange(7)
        if what == 0:
            atom[2] += rng.choice([-1, 1, -atom[2], -2 * atom[2], 7 * self.z_den])
        elif what == 1:
            atom[0] = -atom[0]
        elif what == 2:
            atom[1] += F(rng.choice([-1, 1, 5]), self.s_den)
            atom[1] = max(atom[1], F(1, self.s_den))
        elif what == 3:
            other.rows[row] = tuple(x)
        elif what == 4:
            other.theta *= rng.choice([F(1, 2), F(99, 100), F(101, 100), 2])
        elif what == 5:
            other.output_bias, other.non_negative = rng.random() < 0.5, not self.non_negative
        else:
            other.parameter = max(0, other.parameter + F(rng.choice([-1, 1]), 8))
        return other

    def z(self):
        return [sum(a[2] for a in some) for some in self.atoms]

    def proof(self, beta):
        """What stands between `proof` and `end`."""
        if self.kind == "dictionary":
            return [" ".join(map(str, [*w, b])) for w, b in self.neurons]
        if not self.kind.startswith("cones"):
            return []
        z, k = self.z(), min(int(self.kind[6:]), self.d)
        high = math.floor(beta * self.z_den / self.theta)
        most = max(high, sum(max(v, 0) for v in z)) if self.non_negative else high
        # Where the price is too high there is no tree; leaves alone must not be believed.
        choices = itertools.combinations(range(1, self.d + 1), k)
        leaves = [t for js in choices for t in ["c", *map(str, js), *["0"] * 2 ** (k + 1)]]
        return trees(self.rows, z, self.d, k, -high, most) or leaves

    def text(self, bound=None, beta=None, body=None, output_bias=None):
        bound = self.bound if bound is None else bound
        beta = self.beta if beta is None else beta
        kind, count = self.kind.replace("0", "").split()[0], ""
        if kind == "cones":
            count = f" {min(int(self.kind[6:]), self.d)}"
        if kind == "dictionary":
            count = f" {len(self.neurons)}"
        head = f"""hardlim-proof 1
loss {self.loss} {self.parameter.numerator} {self.parameter.denominator}
beta {beta.numerator} {beta.denominator}
theta {self.theta.numerator} {self.theta.denominator}
bound {bound.numerator} {bound.denominator}
bias {int(self.bias)}
output_bias {int(self.output_bias if output_bias is None else output_bias)}
non_negative {int(self.non_negative)}
class {kind}{count}
columns {self.d}
scale {self.y_den} {self.s_den} {self.z_den}
rows {len(self.rows)}
"""
        lines = []
        for x, v, some in zip(self.rows, self.z(), self.atoms):
            atoms = [n for y, s, zk in some for n in (y * self.y_den, s * self.s_den, zk)]
            lines.append(" ".join(map(str, [*x, v, len(some), *atoms])))
        return head + "\n".join([*lines, "proof", *(self.body if body is None else body), "end", ""])

    def objective(self, rng):
        """A network of the class near one that fits, at random."""
        patterns = sorted(self.patterns)
        u = [F(rng.randint(-4, 4), 3) if self.output_bias else F(0)] * len(self.rows)
        paid = F(0)
        for _ in range(rng.randint(0, 3)):
            a = F(rng.randint(0 if self.non_negative else -9, 9), 4)
            u = [v + a * on for v, on in zip(u, rng.choice(patterns))]
            paid += abs(a)
        loss = sum(s * value(self.loss, self.parameter, v, y) for v, some in zip(u, self.atoms) for y, s, _ in some)
        return loss + self.beta * paid


def main():
    check, folder = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    cases = []  # the name, the text, and whether it must be believed; None where the proof may be too short
    below = []
    for number in range(7 * 8 * 5):
        p = Problem(rng, number)
        name = f"{number} {p.loss}, {p.kind}"
        good = p.text()
        cases.append((name, good, True))
        cases.append((f"{name}, a bound above the dual value", p.text(bound=p.above), False))
        cases.append((f"{name}, no beta", p.text(beta=F(0), body=p.proof(F(0))), False))
        if p.price > 1:
            less = p.beta * (1 - F(1, 2 * p.price))
            cases.append((f"{name}, a beta below the price", p.text(beta=less, body=p.proof(less)), False))
        if sum(p.z()):
            cases.append((f"{name}, not balanced", p.text(output_bias=True), False))
        words = good.split()
        cases.append((f"{name}, cut", " ".join(words[: rng.randrange(len(words))]), False))
        i = rng.randrange(len(words))
        cases.append((f"{name}, a word that is none", " ".join([*words[:i], "x", *words[i + 1 :]]), False))
        cases.append((f"{name}, a word too many", good + " 0", False))
        for _ in range(4):
            q = p.altered(rng)
            cases.append((f"{name}, altered", q.text(), None if q.holds() else False))
        below += [name for _ in range(20) if p.objective(rng) < p.bound - (F(1, 10**9) if p.loss == "logistic" else 0)]

    def run(case):
        number, (name, text, true) = case
        at = folder / str(number)
        at.mkdir(parents=True, exist_ok=True)
        (at / "core.txt").write_text(text)
        done = subprocess.run([check, at], capture_output=True, text=True)
        believed = done.returncode == 0 and "proven: " in done.stdout
        right = believed == true if true is not None else True
        right = right and (believed or (done.returncode == 1 and done.stderr != ""))
        return None if right else f"{at}: {name}: {'refused' if true else 'believed'}: {done.stdout}{done.stderr}"

    with ThreadPoolExecutor(2) as pool:
        wrong = [w for w in pool.map(run, enumerate(cases)) if w]
    for w in wrong:
        print(w.strip())
    for name in below:
        print(f"{name}: a network is below the bound")
    failed = len(wrong) + len(below)
    print(f"{len(cases) - failed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
