"""Replays rows through @name@.onnx and compares outputs and classes with those of the model:

    python @name@_check.py [@name@_vectors.f64 [@name@.onnx]]

Needs onnxruntime and numpy: pip install onnxruntime numpy. The exit status is 1 where an answer is
another one.
"""

import json
import pathlib
import sys

import numpy as np
import onnxruntime

KINDS = ("row", "boundary", "random")
BATCH = 8192


def inputs_of(features, columns):
    """The inputs of the model: one matrix, or one column of numbers or texts for each column of the table."""
    if all(column["input"] == "X" and column["levels"] is None for column in columns):
        return {"X": np.ascontiguousarray(features)}
    inputs, at = {}, 0
    for column in columns:
        levels = column["levels"]
        if levels is None:
            inputs[column["input"]] = np.ascontiguousarray(features[:, at : at + 1])
            at += 1
            continue
        width = 1 if len(levels) == 2 else len(levels)
        other = "no level"  # a text that is none of them
        while other in levels:
            other += "_"
        names = np.array([*levels, other], dtype=object)
        on = features[:, at : at + width]
        if len(levels) == 2:
            place = on[:, 0].astype(int)  # the first level has no feature of its own
        else:
            place = np.where(on.any(axis=1), on.argmax(axis=1), len(levels))
        inputs[column["input"]] = names[place][:, None]
        at += width
    return inputs


def main(arguments):
    here = pathlib.Path(__file__).resolve().parent
    vectors = arguments[0] if arguments else here / "@name@_vectors.f64"
    model = arguments[1] if len(arguments) > 1 else here / "@name@.onnx"
    session = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"])
    about = session.get_modelmeta().custom_metadata_map
    features, columns, classes = (json.loads(about[key]) for key in ("features", "columns", "classes"))
    outputs = {output.name: output for output in session.get_outputs()}
    decision = "output" if "output" in outputs else "variable"
    width, d = outputs[decision].shape[1], len(features)
    records = np.fromfile(vectors, dtype="<f8")
    if len(records) % (d + width + 2):
        sys.exit("the file of rows ends within a record")
    records = records.reshape(-1, d + width + 2)
    report = {kind: [0, 0] for kind in KINDS}
    furthest = 0.0
    for start in range(0, len(records), BATCH):
        part = records[start : start + BATCH]
        found = dict(zip(outputs, session.run(None, inputs_of(part[:, :d], columns))))
        expected = part[:, d : d + width]
        apart = np.abs(found[decision] - expected) / np.maximum(1.0, np.abs(expected))
        wrong = ~(apart <= 1e-9).all(axis=1)
        furthest = max(furthest, float(apart.max(initial=0.0)))
        if classes is not None:
            labels = np.array(classes, dtype=object)[part[:, -2].astype(int)]
            wrong |= found["label"].astype(str) != labels.astype(str)
        for k, kind in enumerate(KINDS):
            of_kind = part[:, -1] == k
            report[kind][0] += int(of_kind.sum())
            report[kind][1] += int((wrong & of_kind).sum())
    print(f"onnxruntime {onnxruntime.__version__}, outputs differ by {furthest:.1e} at most")
    for kind, (inputs, mismatches) in report.items():
        print(f"  {kind}: {inputs} inputs, {mismatches} mismatches")
    total, mismatches = (sum(counts) for counts in zip(*report.values()))
    print(f"{total} inputs, {mismatches} mismatches")
    return 1 if mismatches else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
