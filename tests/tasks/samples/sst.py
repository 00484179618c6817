"""Made-up sentences in the format of the Stanford Sentiment Treebank."""

from pathlib import Path

import numpy as np

ADJECTIVES = {
    0: ["awful", "dreadful"],
    1: ["dull", "weak"],
    2: ["long", "recent"],
    3: ["nice", "decent"],
    4: ["superb", "wonderful"],
}
NOUNS = ["film", "plot", "cast", "story", "ending"]


def write(path: Path, count: int, seed: int) -> None:
    """Write trees whose class is determined by their adjective."""
    random = np.random.default_rng(seed)
    lines = []
    for _ in range(count):
        label = int(random.integers(5))
        adjective, noun = random.choice(ADJECTIVES[label]), random.choice(NOUNS)
        phrase = f"({label} (2 a) ({label} ({label} {adjective}) (2 {noun})))"
        if random.random() < 0.5:
            phrase = f"({label} {phrase} (2 (2 -LRB-) (2 (2 again) (2 -RRB-))))"
        lines.append(f"({label} (2 It) ({label} ({label} (2 's) {phrase}) (2 .)))")
    path.write_text("".join(line + "\n" for line in lines), "utf-8")
