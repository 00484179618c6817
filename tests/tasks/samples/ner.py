"""Made-up sentences in columns; the word before a name determines its type."""

from pathlib import Path

import numpy as np

NAMES = ["Abo", "Bela", "Cuno", "Dora", "Elmo", "Fiby", "Gala", "Hugo", "Iwan", "Jona"]
PLAIN = ["the", "a", "old", "red", "quick", "slow", "says", "sees"]


def write(path: Path, count: int, seed: int) -> None:
    """Write ``count`` sentences with the columns word and tag."""
    random = np.random.default_rng(seed)
    lines = []
    for _ in range(count):
        for _ in range(random.integers(0, 4)):
            lines.append(f"{random.choice(PLAIN)} O")
        kind, clue = (("person", "mister"), ("place", "in"))[random.integers(2)]
        lines.append(f"{clue} O")
        lines.append(f"{random.choice(NAMES)} B-{kind}")
        if random.integers(2):
            lines.append(f"{random.choice(NAMES)} I-{kind}")
        lines += [". O", ""]
    path.write_text("\n".join(lines) + "\n", "utf-8")
