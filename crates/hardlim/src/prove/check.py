#!/usr/bin/env python3
"""Checks a proof of hardlim: python3 check.py [DATA.csv]

Needs Python 3.10 alone. The proof is the folder of this file: statement.json says how the table is read and what the
networks are; core.txt has the table in integers, and the proof. Everything is computed in integers and fractions.

The theorem: L(f(X)) + beta sum |a| >= bound for every network f(x) = sum a d(x) of a class, with any number of neurons
d(x) of 0 or 1, where L(f(X)) is the sum of s l(f(x), y) over all targets y of rows x, with weights s. The reason:
l(u, y) >= t u - l*(t, y) for any t, where l*(t, y) = max over u of t u - l(u, y). The proof has a t for each target,
and theta z for each row, the sum of its s t. Summed up, L(f(X)) >= sum theta z f(x) - sum s l*(t, y). The first sum is
at least -beta sum |a| if theta |sum z d(x)| <= beta for every neuron of the class (the price; without the bars if no a
is negative: theta sum z d(x) >= -beta) and if sum z = 0 where f adds a constant. So the rest is the bound.
"""

import csv
import json
import math
import re
import sys
from decimal import Decimal, getcontext
from fractions import Fraction
from itertools import accumulate, chain, combinations, combinations_with_replacement, compress, groupby
from pathlib import Path

GRID = 1 << 256  # numbers that are no integers become multiples of 1/GRID, rounded to the safe side
getcontext().prec = 60  # of logarithms and exponentials, which Python rounds correctly


def need(holds, step):
    holds or sys.exit(f"NOT PROVEN: it does not hold that {step}")


def up(x):
    """The fraction x in units of 1/GRID, rounded up."""
    return -(-x.numerator * GRID // x.denominator)


def log_up(x):
    """At least log x in units of 1/GRID: logarithms of integers have 60 digits, the last ten are given away."""
    return up(Fraction(Decimal(x.numerator).ln()) - Fraction(Decimal(x.denominator).ln()) + Fraction(1, 10**50))


def find_loss(name, p):
    """The name of a loss, its formula, its least and largest slope in u, and whether it is curved between them.
    The targets of a function of y u are 1 and -1, and the slopes those at y = 1."""
    return name, *{
        "squared": ("(u - y)^2 / 2", -math.inf, math.inf, True),
        "absolute": ("|u - y|", -1, 1, False),
        "quantile": (f"{p} max(y - u, 0) + {1 - p} max(u - y, 0)", -p, 1 - p, False),
        "huber": (f"(u - y)^2 / 2, continued by lines where |u - y| > {p}", -p, p, True),
        "hinge": ("max(1 - y u, 0)", -1, 0, False),
        "squared_hinge": ("max(1 - y u, 0)^2 / 2", -math.inf, 0, True),
        "logistic": ("log(1 + exp(-y u))", -1, 0, True),
    }[name]


def conjugate(loss, t, y):
    """l*(t, y) in units of 1/GRID, rounded up."""
    name, formula, low, high, curved = loss
    t, y = (t * y, 1) if "y u" in formula else (t, y)
    need(low <= t <= high, f"{t} is a slope of the {name} loss at the target {y}")
    if name == "logistic":
        return sum(math.ceil(p * log_up(p)) for p in (-t, 1 + t) if p > 0)
    return up(y * t + (t * t / 2 if curved else 0))


def value(loss, u, y):
    """l(u, y) in units of 1/GRID, rounded up: a part of a parabola that two lines continue, or two lines."""
    name, formula, low, high, curved = loss
    u, y = (u * y, 1) if "y u" in formula else (u, y)
    if name == "logistic":  # log(1 + exp(-u)) = max(-u, 0) + log(1 + exp(-|u|))
        far = Decimal(math.floor(min(abs(u), 100) * 10**50)).scaleb(-50)
        return up(max(-u, Fraction(0))) + log_up(1 + Fraction((-far).exp()) + Fraction(1, 10**50))
    t = max(low, min(u - y, high)) if curved else low if u < y else high
    return up(t * (u - y) - (Fraction(t * t, 2) if curved else 0))


def fires(weights, x, bias):  # zero counts as on
    return sum(w * v for w, v in zip(weights, x)) + bias >= 0


def prefix(x, z):
    """The sums of z over the rows with x <= t, for every value t of x in order."""
    return list(accumulate(sum(w for _, w in equal) for _, equal in groupby(sorted(zip(x, z)), lambda row: row[0])))


def axes(rows, z, bias, price):
    """Neurons of one input are on for x <= t, for x >= t, for all rows or none; without a bias t = 0, never none."""
    total = sum(z)
    price([0] * bias + [total], "all rows")
    for j, x in enumerate(zip(*rows), 1):
        halves = [sum(w for v, w in zip(x, z) if sign * v >= 0) for sign in (-1, 1)]
        price([part for s in prefix(x, z) for part in (s, total - s)] if bias else halves, f"column {j}")


def corners(rows, z, price):
    """ANDs of two conditions x_j <= s or x_j > s, x_k <= t or x_k > t, and their complements, which are the ORs."""
    columns, total = list(zip(*rows)), sum(z)
    price([0, total], "all rows")
    for j, k in combinations_with_replacement(range(len(columns)), 2):
        place = {v: i for i, v in enumerate(sorted(set(columns[k])))}
        below, sums = prefix(columns[k], z), [0] * len(place)
        for _, equal in groupby(sorted(range(len(rows)), key=columns[j].__getitem__), key=columns[j].__getitem__):
            for i in equal:
                sums[place[columns[k][i]]] += z[i]
            ands = list(accumulate(sums))  # x_j <= s and x_k <= t, for one s and every t
            others = [a - b for a, b in zip(below, ands)]  # x_j > s and x_k <= t
            ends = [f(part) for part in (ands, others) for f in (min, max)]
            ends += [part[-1] - f(part) for part in (ands, others) for f in (min, max)]  # the same with x_k > t
            price(ends + [total - s for s in ends], f"columns {j + 1} and {k + 1}")


def cones(rows, z, inputs, words, price):
    """Neurons of some inputs and a bias: for every choice of columns, trees of cones that cover all weights."""
    for columns in combinations(range(len(rows[0])), inputs):
        step = ["c", *(str(j + 1) for j in columns)]
        need([next(words) for _ in step] == step, f"the trees of {step} come next")
        merged = {}
        for x, w in zip(rows, z):
            key = (*(x[j] for j in columns), 1)
            merged[key] = merged.get(key, 0) + w
        for root in range(1 << inputs + 1):
            signs = [-1 if root >> k & 1 else 1 for k in range(inputs + 1)]
            tree([(w, *(s * v for s, v in zip(signs, key))) for key, w in merged.items()], words, price, step)


def tree(rows, words, price, step):
    """Reads a tree below a cone. A row is its z and its products with the generators v of the cone; it is on in all of
    it if none is negative, and off if none is positive (each pattern has weights with a larger bias, 0 at no row).
    A leaf is 0. A split k m p q g gives two cones that cover this one: (p v_k + q v_m)/g in place of v_k, or of v_m."""
    stack = [(rows, 0)]
    while stack:
        rows, on = stack.pop()
        on += sum(row[0] for row in rows if min(row[1:]) >= 0)
        rows = [row for row in rows if min(row[1:]) < 0 < max(row[1:])]
        if (k := int(next(words))) == 0:
            price([on + sum(min(row[0], 0) for row in rows), on + sum(max(row[0], 0) for row in rows)], step)
            continue
        m, p, q, g = (int(next(words)) for _ in "mpqg")
        need(1 <= k < m and min(p, q, g) > 0, f"a split has k < m and p, q, g > 0 ({step})")
        middles = [divmod(p * row[k] + q * row[m], g) for row in rows]
        need(not any(rest for _, rest in middles), f"a split is in integers ({step})")
        for place in (m, k):
            stack.append(([(*row[:place], v, *row[place + 1 :]) for row, (v, _) in zip(rows, middles)], on))


def core(path, network):
    """Checks a proof and a network. Returns the problem, the bound, the theorem in words, and each row's targets."""
    words = (word for line in open(path, encoding="ascii") for word in line.split())  # noqa: SIM115

    def read(name, count, number=int):
        need(next(words, "") == name, f"{name} comes next in {path.name}")
        return [number(next(words)) for _ in range(count)]

    need(read("hardlim-proof", 1) == [1], "the version is 1")
    loss = find_loss(read("loss", 1, str)[0], Fraction(int(next(words)), int(next(words))))
    beta, theta, bound = (Fraction(*read(name, 2)) for name in ("beta", "theta", "bound"))
    flags = [("0", "1").index(*read(name, 1, str)) == 1 for name in ("bias", "output_bias", "non_negative")]
    (kind,) = read("class", 1, str)
    number = int(next(words)) if kind in ("cones", "dictionary") else 0
    (width,), (y_den, s_den, z_den), (count,) = read("columns", 1), read("scale", 3), read("rows", 1)
    need(min(beta, theta, y_den, s_den, z_den) > 0, "beta, theta and the scales are positive")
    z, table, total = [], {}, 0
    for _ in range(count):
        *x, weight, targets = (int(next(words)) for _ in range(width + 2))
        row, left = table.setdefault(tuple(x), {}), weight
        for _ in range(targets):
            y, s, share = Fraction(int(next(words)), y_den), Fraction(int(next(words)), s_den), int(next(words))
            need(s > 0 and y not in row and ("y u" not in loss[1] or abs(y) == 1), f"{y} is a new target, {s} a weight")
            row[y], left = s, left - share
            total += math.ceil(s * conjugate(loss, theta * share / z_den / s, y))
        need(left == 0, f"the shares of a row add up to {weight}")
        z.append(weight)
    need(len(table) == count and not (flags[1] and sum(z)), "no row comes twice; z adds up to 0 with an output bias")
    need(bound * GRID <= -total, f"the bound {bound} is at most {Fraction(-total, GRID)}")
    read("proof", 0)
    rows, most, dictionary = list(table), math.floor(beta * z_den / theta), None

    def price(sums, step):
        need(min(sums) >= -most and (flags[2] or max(sums) <= most), f"the sums of z are within {most} ({step})")

    if kind == "complete":
        price([sum(min(w, 0) for w in z), sum(max(w, 0) for w in z)], "all sets of rows")
        neurons = "sets of rows, which are the answers of all threshold networks of any depth"
    elif kind == "dictionary":
        listed = [[int(next(words)) for _ in range(width + 1)] for _ in range(number)]
        dictionary = {tuple(fires(w, x, b) for x in rows) for *w, b in listed}
        price([0, *(sum(compress(z, d)) for d in dictionary)], "neurons of the dictionary")
        neurons = f"the {len(listed)} neurons of {path.name}"
    elif kind == "axes":
        axes(rows, z, flags[0], price)
        neurons = f"neurons of one input{' and a bias' * flags[0]}"
    else:
        need(flags[0] and kind == ("cones" if 0 < number <= width else "corners"), f"there is a class {kind} {number}")
        corners(rows, z, price) if kind == "corners" else cones(rows, z, number, words, price)
        neurons = f"neurons with a bias that read {f'at most {number} inputs' if number else 'two such of one input'}"
    need([*words] == ["end"], "the proof ends")
    need(Fraction(network["lower_bound"]) == bound, "both files have the same bound")
    best = objective(network, table, loss, beta, flags, kind, number, dictionary)
    need(best <= Fraction(network["objective"]) * GRID, f"the network has the objective {network['objective']}")
    weights, plain = [s for row in table.values() for s in row.values()], lambda x: float(x) if float(x) == x else x
    text = f"sum s l(f(x), y) + {plain(beta)} sum |a| >= {plain(bound)}, l(u, y) = {loss[1]}, f(x) = sum a d(x)"
    text += f"{' + a constant' * flags[1]}, a {'>= 0' if flags[2] else 'of any sign'}, d {neurons}; {count} rows x of"
    text += f" {width} inputs, {len(weights)} targets y of weights s, which add up to {plain(sum(weights))}"
    return (loss, beta, flags, table.keys()), bound, text, table


def objective(network, table, loss, beta, flags, kind, number, dictionary):
    """L(f(X)) + beta sum |a| of a network of the class, in units of 1/GRID, rounded up."""
    ints = lambda neuron: [[int(word) for word in neuron[name].split()] for name in ("inputs", "weights", "bias")]
    layers = [[ints(neuron) for neuron in layer] for layer in network["layers"]]
    amplitudes, offset = [Fraction(a) for a in network["amplitudes"]], Fraction(network["output_bias"])
    need(flags[1] or offset == 0, "the network has no output bias")
    need(not flags[2] or min(amplitudes, default=0) >= 0, "no output weight of the network is negative")
    need(flags[0] or kind == "complete" or not any(n[2][0] for n in chain(*layers)), "no neuron has a bias")
    need(len(layers) == {"complete": len(layers) or 1, "corners": 2}.get(kind, 1), "it has the layers of its class")
    most = [{"cones": number, "axes": 1, "corners": 1}.get(kind, math.inf), 2 if kind == "corners" else math.inf]
    need(all(len(n[0]) <= k for layer, k in zip(layers, most) for n in layer), "its neurons read few inputs")
    total, answers = up(beta * sum(map(abs, amplitudes))), []
    for x, targets in table.items():
        for layer in layers:
            x = [fires(weights, [x[j - 1] for j in inputs], bias) for inputs, weights, (bias,) in layer]
        answers.append(x)
        u = offset + sum(a for a, on in zip(amplitudes, x, strict=True) if on)
        total += sum(math.ceil(s * value(loss, u, y)) for y, s in targets.items())
    need(dictionary is None or dictionary.issuperset(zip(*answers)), "its neurons are in the dictionary")
    return total


def field(text):
    """The field of a table: None if the value is missing, a number, or a label."""
    text = text.strip()
    if text in ("", "?", "NA", "N/A", "n/a", "null", "NULL", "<NA>") or text.lower().lstrip("+-") == "nan":
        return None
    return float(text) + 0.0 if re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", text, re.ASCII) else text


def same(cell, level, any_case):
    return cell == field(level) or (any_case and isinstance(cell, str) and cell.lower() == level.lower())


def encode(how, cell):
    """The value of one input of a row, as the statement says."""
    if how["kind"] in ("missing", "other"):
        known = [same(cell, level, how["any_case"]) for level in how.get("levels", [])]
        return Fraction((cell is None) == (how["kind"] == "missing") and not any(known))
    if how["kind"] == "label":
        cell = field(how.get("fill", "")) if cell is None else cell
        return Fraction(cell is not None and same(cell, how["level"], how["any_case"]))
    need(how["kind"] == "number", f"{how['column']} has plain numbers: only hardlim reads others, and dates")
    return Fraction(how.get("fill", 0) if cell is None else cell)


def read_table(path, table, label, inputs):
    """The rows of a file with the weights of their targets, as the network of a label sees them."""
    lines = [line for line in Path(path).read_text("utf-8-sig").splitlines(keepends=True) if line.strip()]
    target, factors = table["target"], dict(table.get("label_weights", []))
    used = [*inputs, target, *([table["weight"]] if "weight" in table else [])]
    head, *rows, found = *csv.reader(lines, delimiter=max(",;\t|", key=lines[0].count)), {}
    places = {c["column"]: c["position"] for c in used}
    if table["named"]:
        places = {name.strip(): j for j, name in enumerate(head)}
    rows, names = (rows, len(places)) if table["named"] else ([head, *rows], len(head))
    need({c["column"] for c in used} <= {*places} and len(rows) == table["rows"], f"{path} has these columns and rows")
    need({len(row) for row in rows} == {names}, f"all rows of {path} have {names} fields, of different names")
    for i in sorted({*range(len(rows))} - {*table["held_out"]}):
        cells = {name: field(rows[i][j]) for name, j in places.items()}
        row = found.setdefault(tuple(encode(how, cells[how["column"]]) / Fraction(how["unit"]) for how in inputs), {})
        y, weight = cells[target["column"]], cells[table["weight"]["column"]] if "weight" in table else 1.0
        if "labels" in target:
            names = [name for case in (False, target["any_case"]) for name in target["labels"] if same(y, name, case)]
            need(names, f"{y} is a label of the target")
            weight *= float(Fraction(factors.get(names[0], 1)))
            y = 1 if names[0] == (label or target["labels"][1]) else -1
        if weight:
            row[Fraction(y)] = row.get(Fraction(y), 0) + Fraction(weight)
    return found


def main(folder):
    statement = json.loads((folder / "statement.json").read_text("utf-8"))
    table, networks = statement["table"], statement["networks"]
    classes, labels = table["target"].get("labels", []), [network.get("label") for network in networks]
    need(labels == (classes if len(classes) > 2 else [None]), "there is one network for each class")
    proven = [core(folder / network["core"], network) for network in networks]
    need(all(one[0] == proven[0][0] for one in proven), "all networks have one loss, beta, signs, biases, and inputs")
    for label, (_, _, text, rows) in zip(labels, proven):
        if len(sys.argv) > 1:
            need(read_table(sys.argv[1], table, label, table["inputs"]) == rows, "the rows are those of the file")
        print(f"{label or table['target']['column']}: {text}")
    print(f"Compared with a file: {'yes' if sys.argv[1:] else 'no'}. Held out: {len({*table['held_out']})} rows.")
    low = math.nextafter(float(sum(bound for _, bound, *_ in proven)), -math.inf)
    high = math.nextafter(float(sum(Fraction(network["objective"]) for network in networks)), math.inf)
    print(f"PROVEN: no network of the class is below {low!r}, and this one is at most {high!r}")


try:
    main(Path(__file__).resolve().parent)
except Exception as error:  # a file that is not written as it should be
    need(False, f"all files are complete and well-formed: {error!r}")
