"""How curves are compared.

The level of a set is the best accuracy that both families reach. Each family gives its smallest circuit, or program,
whose accuracy is at least the level less 0.005. Beside it: how many points of our curve need at most half of what the
smallest of theirs with at least our accuracy less 0.005 needs. Points that none of theirs reaches count for us, and
points of theirs that none of ours reaches are told.
"""

WITHIN = 0.005


def points(rows, name, method, field):
    """Size and accuracy of a set and method, with the row."""
    own = [row for row in rows if (row["set"], row["method"]) == (name, method) and row.get(field) not in (None, "")]
    return [(int(row[field]), float(row["accuracy"]), row) for row in own]


def curve(found):
    """The points that no smaller point equals in accuracy."""
    kept = []
    for point in sorted(found, key=lambda point: (point[0], -point[1])):
        if not kept or point[1] > kept[-1][1]:
            kept.append(point)
    return kept


def smallest(found, accuracy):
    """The smallest point of at least this accuracy, less what is allowed."""
    enough = [point for point in curve(found) if point[1] >= accuracy - WITHIN - 1e-9]
    return enough[0] if enough else None


def compared(rows, name, other, field):
    """Both points at the level, how many points of our curve need at most half, and how many there are."""
    ours, theirs = (points(rows, name, method, field) for method in ("hardlim", other))
    if not ours or not theirs:
        return None
    level = min(max(a for _, a, _ in found) for found in (ours, theirs))
    at_level = [smallest(found, level) for found in (ours, theirs)]
    peers = [(size, smallest(theirs, accuracy)) for size, accuracy, _ in curve(ours)]
    half = sum(peer is None or 2 * size <= peer[0] for size, peer in peers)
    best = [max(a for _, a, _ in found) for found in (ours, theirs)]
    return level, *at_level, half, len(peers), *best


def row_of(cells):
    return "| " + " | ".join(map(str, cells)) + " |"


def head(*words):
    return [row_of(words), "|---" * len(words) + "|"]


def table(rows, synthesise, instructions, folds):
    """Markdown. `synthesise` gives LUTs and depth of a row for a family, of the circuit of all rows or of a fold."""
    names, told = list(dict.fromkeys(row["set"] for row in rows)), []

    def mean(row):
        luts = [synthesise(row, "ice40", k).get("luts_ice40") for k in range(folds)]
        return None if None in luts else sum(luts) / folds

    def share(ours, theirs):
        return f"{ours / max(theirs, 1):.2f}"

    words = ["ratio", "folds", "trees", "ratio", "trees like ours", "ratio", "depth", "trees", "best", "trees"]
    lines = head("set", "level", "LUTs", "trees", *words, "half or less")
    more = head("set", "LUTs of a Xilinx 7", "trees", "ratio", "depth", "trees")
    for name in names:
        found = compared(rows, name, "boosted trees", "luts_ice40")
        if found is None:
            continue
        level, (size, _, mine), (their_size, _, peer), half, count, *best = found
        cells = [name, f"{level:.3f}", size, their_size, share(size, their_size)]
        both = [mean(mine), mean(peer)]
        cells += ["none in time", "", ""] if None in both else [*map(round, both), share(*both)]
        # Written like ours, another tree may be the smallest; no tree gets smaller than half.
        near = [row for luts, _, row in points(rows, name, "boosted trees", "luts_ice40") if luts <= 2 * their_size]
        near = [row for row in near if float(row["accuracy"]) >= level - WITHIN - 1e-9]
        like_ours = [synthesise(row, "ice40", "like ours").get("luts_ice40") for row in near]
        like_ours = min(luts for luts in like_ours if luts is not None)
        cells += [like_ours, share(size, like_ours)]
        cells += [row["depth_ice40"] for row in (mine, peer)]
        cells += [f"{a:.3f}" for a in best] + [f"{half} of {count}"]
        lines.append(row_of(cells))
        found = [synthesise(row, "xilinx7") for row in (mine, peer)]
        luts, depth = ([one.get(f"{what}_xilinx7") for one in found] for what in ("luts", "depth"))
        more.append(row_of([name, *luts, "none in time" if None in luts else share(*luts), *depth]))
        told += [f"{name}: {row['method']}, {row['size']}, accuracy {row['accuracy']}" for row in (mine, peer)]
    lines += ["", *more, ""]
    words = ["ratio", "instructions", "forest", "ratio", "best", "forest", "half or less"]
    lines += head("set", "level", "flash", "forest", *words)
    for name in names:
        found = compared(rows, name, "emlearn forest", "flash")
        if found is None:
            continue
        level, (size, _, mine), (their_size, _, peer), half, count, *best = found
        steps = [instructions(row) for row in (mine, peer)]
        cells = [name, f"{level:.3f}", size, their_size, share(size, their_size), *map(round, steps), share(*steps)]
        cells += [f"{a:.3f}" for a in best] + [f"{half} of {count}"]
        lines.append(row_of(cells))
        told += [f"{name}: {row['method']}, {row['size']}, accuracy {row['accuracy']}" for row in (mine, peer)]
    return "\n".join([*lines, "", *(f"- {line}" for line in told)]) + "\n"
