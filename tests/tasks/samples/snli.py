"""Made-up pairs of sentences in the format of SNLI."""

import json
from pathlib import Path

import numpy as np

WHO = ["man", "woman", "child", "dog", "singer", "farmer"]
DOES = ["runs", "waits", "sings", "sleeps", "swims", "eats"]
WHERE = ["park", "street", "kitchen", "river", "garden", "station"]


def write(path: Path, count: int, seed: int) -> None:
    """Write pairs: a shortened premise is entailed, an added reason is neutral, and "nobody" contradicts."""
    random = np.random.default_rng(seed)
    lines = []
    for _ in range(count):
        who, does, where = (random.choice(choices) for choices in (WHO, DOES, WHERE))
        old = random.choice(["", "old ", "very young "])
        label, hypothesis = [
            ("entailment", f"the {who} {does}"),
            ("neutral", f"the {who} {does} because of the weather"),
            ("contradiction", f"nobody {does} in the {where}"),
        ][random.integers(3)]
        premise = f"The {old}{who} {does} in the {where}."
        lines.append(json.dumps({"gold_label": label, "sentence1": premise, "sentence2": hypothesis}))
    path.write_text("".join(line + "\n" for line in lines), "utf-8")
