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


def table(rows, synthesise, folds):
    """Markdown. `synthesise` gives LUTs and depth of a row for a family, of the circuit of all rows or of a fold."""
    lines = [
        "| set | level | LUTs | trees | ratio | mean of folds | trees | depth | trees | Xilinx 7 | trees | best | trees | "
        "half or less |",
        "|---" * 14 + "|",
    ]
    names = list(dict.fromkeys(row["set"] for row in rows))
    told = []
    for name in names:
        found = compared(rows, name, "boosted trees", "luts_ice40")
        if found is None:
            continue
        level, (size, _, mine), (their_size, _, peer), half, count, *best = found
        cells = [name, f"{level:.3f}", size, their_size, f"{size / max(their_size, 1):.2f}"]
        both = (mine, peer)
        for row in both:
            luts = [synthesise(row, "ice40", k).get("luts_ice40") for k in range(folds)]
            cells.append("none in time" if None in luts else round(sum(luts) / folds))
        cells += [row["depth_ice40"] for row in both]
        cells += [synthesise(row, "xilinx7").get("luts_xilinx7", "none in time") for row in both]
        cells += [f"{a:.3f}" for a in best] + [f"{half} of {count}"]
        lines.append("| " + " | ".join(map(str, cells)) + " |")
        told += [f"{name}: {row['method']}, {row['size']}, accuracy {row['accuracy']}" for row in both]
    lines += ["", "| set | level | flash | forest | ratio | best | forest | half or less |", "|---" * 8 + "|"]
    for name in names:
        found = compared(rows, name, "emlearn forest", "flash")
        if found is None:
            continue
        level, (size, _, mine), (their_size, _, peer), half, count, *best = found
        cells = [name, f"{level:.3f}", size, their_size, f"{size / their_size:.2f}"]
        cells += [f"{a:.3f}" for a in best] + [f"{half} of {count}"]
        lines.append("| " + " | ".join(map(str, cells)) + " |")
        told += [f"{name}: {row['method']}, {row['size']}, accuracy {row['accuracy']}" for row in (mine, peer)]
    return "\n".join([*lines, "", *(f"- {line}" for line in told)]) + "\n"
