"""Altered proofs, statements, tables and models of small problems. Whatever is still believed must be true: brute force
lists all neurons of the class, trains a network on them, reads the table and evaluates the network of the statement."""

import copy
import csv
import functools
import hashlib
import itertools
import json
import math
import random
import re
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path

CLASSES = [
    "--max-inputs 1",
    "--max-inputs 1 --no-bias",
    "--max-inputs 1 --intercept",
    "--max-inputs 2",
    "--max-inputs 2 --intercept",
    "--max-inputs 2 --non-negative",
    "--conditions 2",
    "--method complete",
    "--method sample --patterns 12",
]
WORDS = ["squared", "logistic", "huber", "absolute", "axes", "corners", "complete", "cones"]


# ---- brute force


def value(loss, p, u, y):
    """l(u, y), from its definition."""
    gap, miss = u - y, max(1 - y * u, 0)
    if loss == "logistic":
        return math.log1p(math.exp(-y * u)) if y * u > -30 else -y * u
    if loss == "huber" and abs(gap) > p:
        return p * abs(gap) - p * p / 2
    quantile = max(-p * gap, (1 - p) * gap)
    return {"absolute": abs(gap), "quantile": quantile, "hinge": miss, "squared_hinge": miss**2 / 2}.get(
        loss, gap**2 / 2
    )


def slope(loss, p, u, y):
    """A derivative of a loss that is nearly l, and how fast it grows at most."""
    if loss == "logistic":
        return -y / (1 + math.exp(min(y * u, 700))), 0.25
    sharp = 1e-2 if loss in ("absolute", "quantile", "hinge") else 1
    low, high = {"absolute": (-1, 1), "quantile": (-p, 1 - p), "huber": (-p, p)}.get(loss, (-math.inf, math.inf))
    if "hinge" in loss:
        far = math.inf if loss == "squared_hinge" else 1
        low, high = (-far, 0) if y > 0 else (0, far)
    return max(low, min((u - y) / sharp, high)), 1 / sharp


class Core:
    """What a core file says, read from its words."""

    def __init__(self, text):
        words = iter(text.split())
        take = lambda count: [next(words) for _ in range(count)]
        named = lambda count: take(count + 1)[1:]
        take(2)
        self.loss, *parameter = named(3)
        self.p = float(Fraction(*map(int, parameter)))
        self.beta, _, self.bound = (Fraction(*map(int, named(2))) for _ in range(3))
        self.bias, self.output_bias, self.non_negative = (named(1) == ["1"] for _ in range(3))
        (self.kind,) = named(1)
        self.number = int(next(words)) if self.kind in ("cones", "dictionary") else 0
        (width,), (y_den, s_den, _) = map(int, named(1)), map(int, named(3))
        self.rows, self.exact = [], {}
        for _ in range(int(named(1)[0])):
            x = tuple(map(int, take(width)))
            atoms = {}
            for _ in range(int(take(2)[1])):
                y, s, _ = map(int, take(3))
                atoms[Fraction(y, y_den)] = Fraction(s, s_den)
            self.rows.append((x, [(float(y), float(s)) for y, s in atoms.items()]))
            self.exact[x] = atoms
        take(1)
        neurons = self.number if self.kind == "dictionary" else 0
        self.listed = [[int(word) for word in take(width + 1)] for _ in range(neurons)]
        self.width = width

    def half_lines(self):
        for j in range(self.width):
            column = [x[j] for x, _ in self.rows]
            for cut in [math.inf, *column] if self.bias else [0]:
                for sign in (1, -1):
                    yield tuple(sign * v >= sign * cut for v in column)
                    if self.bias:
                        yield tuple(sign * v < sign * cut for v in column)

    def lines(self, j, k):
        """A line through two points, turned a little both ways, cuts every halfspace of a plane."""
        points = [(x[j], x[k]) for x, _ in self.rows]
        normals = {(1, 0), (0, 1)} | {(b - d, c - a) for (a, b), (c, d) in itertools.combinations(points, 2)}
        for a, b in normals - {(0, 0)}:
            level = [a * v + b * w for v, w in points]
            across = [b * v - a * w for v, w in points]
            for turn, cut in itertools.product((1, -1), range(len(points))):
                key = [(v, turn * s) for v, s in zip(level, across)]
                for on in (tuple(one >= key[cut] for one in key), tuple(one > key[cut] for one in key)):
                    yield on
                    yield tuple(not o for o in on)

    @functools.cached_property
    def patterns(self):
        """All answers of neurons of the class."""
        count = len(self.rows)
        always = {(True,) * count, (False,) * count} if self.bias else {(True,) * count}
        if self.kind == "complete":
            return set(itertools.product((False, True), repeat=count))
        if self.kind == "dictionary":
            dot = lambda w, x: sum(a * b for a, b in zip(w, x))
            return {tuple(dot(w, x) + b >= 0 for x, _ in self.rows) for *w, b in self.listed}
        if self.kind == "axes" or (self.kind == "cones" and self.number == 1):
            return always | set(self.half_lines())
        if self.kind == "corners":
            questions = always | set(self.half_lines())
            both = {tuple(a and b for a, b in zip(p, q)) for p in questions for q in questions}
            return both | {tuple(not on for on in p) for p in both}
        if (self.kind, self.number) != ("cones", 2):
            raise ValueError(f"brute force knows no class {self.kind} {self.number}")
        pairs = itertools.combinations(range(self.width), 2)
        return always.union(*(self.lines(j, k) for j, k in pairs))

    def loss_of(self, outputs):
        return sum(
            s * value(self.loss, self.p, u, y) for u, (_, targets) in zip(outputs, self.rows) for y, s in targets
        )

    @functools.cached_property
    def reached(self):
        """An objective that a network of the class reaches, by coordinate descent."""
        neurons, beta = sorted(self.patterns), float(self.beta)
        weights, outputs = [0.0] * len(neurons), [0.0] * len(self.rows)
        members = [[i for i, on in enumerate(neuron) if on] for neuron in neurons]
        everywhere = list(range(len(self.rows)))

        def move(rows, weight, price):
            pull = [(*slope(self.loss, self.p, outputs[i], y), s) for i in rows for y, s in self.rows[i][1]]
            steep = sum(grows * s for _, grows, s in pull)
            if steep == 0:
                return 0.0
            new = weight - sum(g * s for g, _, s in pull) / steep
            new = max(new - price / steep, 0) if new > 0 else 0 if self.non_negative else min(new + price / steep, 0)
            for i in rows:
                outputs[i] += new - weight
            return new - weight

        offset = 0.0
        for _ in range(60):
            active, moved, sweeps = range(len(neurons)), math.inf, 0
            while moved > 1e-10 and sweeps < 40:
                moved, sweeps = 0.0, sweeps + 1
                for j in active:
                    step = move(members[j], weights[j], beta)
                    weights[j], moved = weights[j] + step, max(moved, abs(step))
                if self.output_bias:
                    kept, self.non_negative = self.non_negative, False
                    offset += move(everywhere, offset, 0.0)
                    self.non_negative = kept
                active = [j for j in range(len(neurons)) if weights[j]]
            if sweeps == 1:
                break
        return self.loss_of(outputs) + beta * sum(map(abs, weights))

    def fault(self):
        """Why the bound is not true, if so."""
        if float(self.bound) > self.reached + 1e-9 * (1 + abs(self.reached)):
            return f"the bound is {float(self.bound)}, and a network reaches {self.reached}"

    def fault_of(self, network):
        """Why the network is none of the class with its objective, if so."""
        amplitudes, offset = (
            [float(Fraction(a)) for a in network["amplitudes"]],
            float(Fraction(network["output_bias"])),
        )
        if (offset and not self.output_bias) or (self.non_negative and min(amplitudes, default=0) < 0):
            return "the network has output weights of another class"
        answers = [x for x, _ in self.rows]
        for layer in network["layers"]:
            read = lambda neuron, name: [int(word) for word in neuron[name].split()]
            neurons = [[read(neuron, name) for name in ("inputs", "weights", "bias")] for neuron in layer]
            answers = [
                [sum(w * x[j - 1] for j, w in zip(inputs, weights)) + bias >= 0 for inputs, weights, (bias,) in neurons]
                for x in answers
            ]
        if not self.patterns.issuperset(zip(*answers)):
            return "a neuron is none of the class"
        outputs = [offset + sum(a for a, on in zip(amplitudes, x) if on) for x in answers]
        total = self.loss_of(outputs) + float(self.beta) * sum(map(abs, amplitudes))
        if total > float(Fraction(network["objective"])) * (1 + 1e-12) + 1e-12:
            return f"the network has the objective {total}, not {network['objective']}"


def cell(text):
    text = text.strip()
    if text in ("", "?", "NA"):
        return None
    try:
        return float(text)
    except ValueError:
        return text


def encoded(table, label, text):
    """The rows of a CSV text with their targets, as a statement says that they are read."""
    head, *lines = csv.reader(text.splitlines())
    if len(set(head)) < len(head):
        raise ValueError("two columns have one name")
    found = {}
    for i, line in enumerate(lines):
        if i in table["held_out"]:
            continue
        at = dict(zip(head, map(cell, line), strict=True))
        row = []
        for how in table["inputs"]:
            x = at[how["column"]]
            if how["kind"] == "number":
                x = Fraction(how["fill"] if x is None else x)
            elif how["kind"] == "label":
                x = Fraction((cell(how.get("fill", "")) if x is None else x) == cell(how["level"]))
            elif how["kind"] == "missing":
                x = Fraction(x is None)
            else:
                x = Fraction(x is not None and x not in map(cell, how["levels"]))
            row.append(x / Fraction(how["unit"]))
        y, s = at[table["target"]["column"]], at[table["weight"]["column"]] if "weight" in table else 1.0
        names = table["target"].get("labels")
        if names:
            name = next(name for name in names if cell(name) == y)
            s *= float(Fraction(dict(table.get("label_weights", [])).get(name, 1)))
            y = 1 if name == (label or names[1]) else -1
        atoms = found.setdefault(tuple(row), {})
        if s:
            atoms[Fraction(y)] = atoms.get(Fraction(y), 0) + Fraction(s)
    return found


# ---- changes


def other_number(chance, number):
    some = [number + 1, number - 1, -number, 0, 1, 2 * number, number // 2, chance.randint(-9, 9)]
    return chance.choice(some)


def alter_words(chance, text):
    """A change of core.txt: a number, a word, a line."""
    lines = text.splitlines()
    kind = chance.random()
    if kind < 0.2:
        i, j = chance.randrange(len(lines)), chance.randrange(len(lines))
        if chance.random() < 0.3:
            lines[i], lines[j] = lines[j], lines[i]
        elif chance.random() < 0.5:
            del lines[i]
        else:
            lines.insert(j, lines[i])
        return "\n".join(lines) + "\n"
    i = chance.choice([k for k, line in enumerate(lines) if line])
    words = lines[i].split()
    k = chance.randrange(len(words))
    if kind < 0.3:
        del words[k]
    elif kind < 0.4:
        other = chance.randrange(len(words))
        words[k], words[other] = words[other], words[k]
    elif words[k].lstrip("-").isdigit():
        words[k] = str(other_number(chance, int(words[k])))
    else:
        words[k] = chance.choice(WORDS)
    lines[i] = " ".join(words)
    return "\n".join(lines) + "\n"


def places(node, path=()):
    """All places of a JSON value that hold something."""
    if path:
        yield path
    inside = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, below in inside:
        yield from places(below, (*path, key))


def alter_json(chance, value):
    """A change of statement.json: a number, a text, a flag; an element left out, doubled, or exchanged."""
    value = copy.deepcopy(value)
    *path, key = chance.choice([place for place in places(value) if place[0] not in ("claim", "problem", "class")])
    parent = functools.reduce(lambda node, step: node[step], path, value)
    old, kind = parent[key], chance.random()
    if kind < 0.15:
        del parent[key]
    elif isinstance(parent, list) and kind < 0.3:
        parent.insert(key, old)
    elif isinstance(parent, list) and kind < 0.5:
        other = chance.randrange(len(parent))
        parent[key], parent[other] = parent[other], old
    elif isinstance(old, bool):
        parent[key] = not old
    elif isinstance(old, int):
        parent[key] = other_number(chance, old)
    elif isinstance(old, str) and (numbers := list(re.finditer(r"-?\d+", old))):
        at = chance.choice(numbers)
        parent[key] = old[: at.start()] + str(other_number(chance, int(at[0]))) + old[at.end() :]
    elif isinstance(old, str):
        parent[key] = chance.choice(
            ["no", "yes", "maybe", "red", "blue", "a", "b", "y", "number", "missing", old.upper()]
        )
    return value


def alter_table(chance, text):
    """A change of the data: a cell, a row, a column, a name."""
    head, *rows = csv.reader(text.splitlines())
    i, j, kind = chance.randrange(len(rows)), chance.randrange(len(head)), chance.randrange(8)
    k = chance.randrange(len(head))
    if kind < 3:
        rows[i][j] = chance.choice(
            [rows[chance.randrange(len(rows))][j], "0", "1", "", "maybe", "2.5", rows[i][j] + "0"]
        )
    elif kind == 3:
        del rows[i]
    elif kind == 4:
        rows.insert(chance.randrange(len(rows)), list(rows[i]))
    elif kind == 5:
        head[j] = chance.choice(["q", head[k]])
    elif kind == 6:
        for line in [head, *rows]:
            line[j], line[k] = line[k], line[j]
    else:
        head[j], head[k] = head[k], head[j]
    return "\n".join(",".join(line) for line in [head, *rows]) + "\n"


def alter_model(chance, text):
    """A change of a number or a flag of a model file, whose checksum is made right."""
    body = text[: text.rindex('  "checksum"')]
    spots = list(re.finditer(r"-?\d+(\.\d+)?(e-?\d+)?|true|false", body))
    at = chance.choice(spots)
    if at[0] in ("true", "false"):
        new = "false" if at[0] == "true" else "true"
    else:
        number = float(at[0])
        near = [math.nextafter(number, math.inf), number * (1 + 1e-9), number * 1.01, -number, 0.0, number / 2, 1.0]
        new = str(other_number(chance, int(at[0]))) if at[0].lstrip("-").isdigit() else repr(chance.choice(near))
    kind = chance.random()
    if kind < 0.15 and body[at.end()] == ",":
        body = body[: at.start()] + body[at.end() + 1 :]
    elif kind < 0.3 and at[0] not in ("true", "false"):
        other = chance.choice([spot for spot in spots if spot[0] not in ("true", "false")])
        first, second = sorted([at, other], key=lambda spot: spot.start())
        if first.end() <= second.start():
            middle = body[first.end() : second.start()]
            body = body[: first.start()] + second[0] + middle + first[0] + body[second.end() :]
    else:
        body = body[: at.start()] + new + body[at.end() :]
    return f'{body}  "checksum": "sha256:{hashlib.sha256(body.encode()).hexdigest()}"\n}}\n'


# ---- the attack


def small_table(chance):
    """A table with columns of numbers and labels, some cells missing; and the words that pose the problem."""
    count, classes = chance.randint(4, 9), chance.choice([0, 0, 2, 2, 3])
    labels = ["no", "yes", "maybe"][:classes]
    lines = []
    for i in range(count):
        color = chance.choice(["red", "blue", "grey", ""] if chance.random() < 0.5 else ["red", "blue"])
        y = (labels[i] if i < classes else chance.choice(labels)) if classes else chance.choice(["-1", "0.5", "2"])
        number = "" if chance.random() < 0.07 else str(chance.randint(0, 5))
        lines.append([number, str(chance.randint(0, 4)), color, chance.choice(["1", "2", "0.5"]), y])
    wide = chance.random() < 0.4
    lines = [line if wide else [*line[:2], *line[3:]] for line in [["a", "b", "c", "w", "y"], *lines]]
    words = ["--task", "classify" if classes else "regress", *chance.choice([[], ["--weight-column", "w"]])]
    if classes and chance.random() < 0.3:
        words += ["--class-weight", "balanced"]
    losses = (
        ["logistic", "squared", "hinge", "squared-hinge"] if classes else ["squared", "huber", "quantile", "absolute"]
    )
    words += ["--loss", chance.choice([losses[0], *losses]), "--beta", chance.choice(["0.1", "0.4", "1"])]
    words += chance.choice([[], [], ["--holdout", "0.3"]])
    return "".join(",".join(line) + "\n" for line in lines), [*words, *chance.choice(CLASSES).split()]


class Proof:
    """A proof in a folder, as it was written."""

    def __init__(self, folder):
        self.folder = folder
        self.files = {file.name: file.read_text() for file in sorted(folder.iterdir())}
        self.statement = json.loads(self.files["statement.json"])

    def cores(self):
        return [name for name in self.files if name.startswith("core")]


def fault(files, printed, data):
    """Why something that check.py believes is not true, if so."""
    statement = json.loads(files["statement.json"])
    bound = best = 0
    for network in statement["networks"]:
        core = known(files[network["core"]])
        wrong = core.fault() or core.fault_of(network)
        if not wrong and data is not None and encoded(statement["table"], network.get("label"), data) != core.exact:
            wrong = "the table is another one"
        if wrong:
            return wrong
        bound, best = bound + core.bound, best + Fraction(network["objective"])
    low, high = (float(number) for number in re.search(r"below (\S+), .* at most (\S+)$", printed.strip()).groups())
    if not (low <= bound and best <= high):
        return "the numbers that are printed are others"


@functools.lru_cache(maxsize=64)
def known(text):
    return Core(text)


def attack(hardlim, checker, folder, count):
    """Alters things until there are `count`. Returns what was believed and is false."""
    chance, tally, false, tried, number = random.Random(1), Counter(), [], 0, 0

    def run(*command):
        return subprocess.run([str(word) for word in command], capture_output=True, text=True)

    def make(name, model, data):
        done = run(hardlim, "prove", model, data, "-o", folder / name)
        return done, Proof(folder / name) if done.returncode == 0 else None

    def judge(kind, files, at, data, original):
        """Whether the checkers believe these files, and whether that is right."""
        for name, text in files.items():
            (at / name).write_text(text)
        done = run(sys.executable, at / "check.py", *([data] if data else []))
        if (
            done.returncode not in (0, 1)
            or "Traceback" in done.stderr
            or (done.returncode and "NOT PROVEN" not in done.stderr)
        ):
            false.append(f"{kind}: check.py ends with {done.returncode}: {done.stderr}")
        believed = done.returncode == 0
        wrong = fault(files, done.stdout, data.read_text() if data else None) if believed else None
        if believed and not wrong:
            equal = done.stdout == original
            tally[kind, "believed: the same theorem" if equal else "believed: another theorem, and true"] += 1
        cores = [name for name in files if name.startswith("core")]
        if checker and "core.txt" in kind:
            proven = run(checker, at).returncode == 0
            wrong = wrong or (
                next(filter(None, (known(files[name]).fault() for name in cores)), None) if proven else None
            )
            tally[kind, f"hardlim-check {'believes' if proven else 'refuses'}"] += 1
        if wrong:
            kept = Path("target/tmp") / f"false-{len(false)}"
            kept.mkdir(parents=True, exist_ok=True)
            for name, text in files.items():
                (kept / name).write_text(text)
            false.append(f"{kind}: {wrong} ({kept}, {data.read_text() if data else 'no table'})")
        tally[kind, "refused"] += not believed
        return believed

    while tried < count:
        number += 1
        text, words = small_table(chance)
        data, other, model = folder / "small.csv", folder / "other.csv", folder / "small"
        data.write_text(text)
        if run(hardlim, "train", data, *words, "-o", model).returncode:
            continue
        _, proof = make(f"small-{number}", model, data)
        if proof is None:
            continue
        checked = run(sys.executable, proof.folder / "check.py", data)
        wrong = fault(proof.files, checked.stdout, text) if checked.returncode == 0 else checked.stderr
        if wrong:
            false.append(f"as written: {wrong} {words} {text}")
            continue
        for name in proof.cores():
            core = known(proof.files[name])
            close = core.reached <= float(core.bound) * (1 + 2e-2) + 1e-3
            tally["brute force", "reaches the bound to 2 %" if close else "stays above the bound"] += 1
        alone = run(sys.executable, proof.folder / "check.py").stdout
        for _ in range(10):
            name, files = chance.choice(proof.cores()), dict(proof.files)
            files[name] = alter_words(chance, files[name])
            if files[name].split() != proof.files[name].split():
                judge("core.txt", files, proof.folder, None, alone)
                tried += 1
        for _ in range(8):
            statement, given = proof.statement, chance.choice([None, data])
            altered = alter_json(chance, statement)
            if altered != statement:
                files = {**proof.files, "statement.json": json.dumps(altered)}
                judge("statement.json", files, proof.folder, given, checked.stdout if given else alone)
                tried += 1
        if len(proof.cores()) > 1:
            first, second = chance.sample(proof.cores(), 2)
            files = {**proof.files, first: proof.files[second], second: proof.files[first]}
            networks = copy.deepcopy(proof.statement)
            swapped = networks["networks"]
            for key in chance.choice([["core"], ["label"], ["layers", "amplitudes", "objective", "output_bias"], []]):
                swapped[0][key], swapped[1][key] = swapped[1][key], swapped[0][key]
            files["statement.json"] = json.dumps(networks)
            judge("cores and networks exchanged", files, proof.folder, data, checked.stdout)
            tried += 1
        for _ in range(6):
            other.write_text(alter_table(chance, text))
            if other.read_text() != text:
                judge("table", dict(proof.files), proof.folder, other, checked.stdout.replace(str(data), str(other)))
                tried += 1
        for k in range(6):
            text_of_model = model.read_text()
            altered = folder / "altered"
            altered.write_text(alter_model(chance, text_of_model))
            if altered.read_text() == text_of_model:
                continue
            tried += 1
            _, written = make(f"altered-{number}-{k}", altered, data)
            if written is None:
                tally["model", "refused"] += 1
            elif not judge("model", written.files, written.folder, data, checked.stdout):
                false.append(f"model: a proof is written, and check.py does not believe it: {altered.read_text()}")
        # A network of another model of the same data.
        second, place = folder / "second", words.index("--beta") + 1
        if run(hardlim, "train", data, *words[:place], "0.7", *words[place + 1 :], "-o", second).returncode == 0:
            _, other_proof = make(f"second-{number}", second, data)
            if other_proof and len(proof.cores()) == 1:
                mixed, other_network = copy.deepcopy(proof.statement), other_proof.statement["networks"][0]
                for key in ["layers", "amplitudes", "output_bias", *chance.choice([[], ["objective"]])]:
                    mixed["networks"][0][key] = other_network[key]
                files = {**proof.files, "statement.json": json.dumps(mixed)}
                judge("network of another model", files, proof.folder, data, checked.stdout)
                tried += 1
    print(f"\n{tried} altered things of {number} small problems:\n\n| what | verdict | how many |\n|---|---|---|")
    for (kind, verdict), many in sorted(tally.items()):
        print(f"| {kind} | {verdict} | {many} |")
    return false
