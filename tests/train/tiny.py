"""A small language that can be learned in seconds, and a recipe for a model small enough to learn it."""

import numpy as np

from elmo.config import BiLMConfig, CharCNNConfig, LSTMConfig
from elmo.train.loop import TrainingSettings
from elmo.train.pretrain import BatchShape, Recipe


def made_up_text(sentences: int, seed: int = 0) -> str:
    """Sentences whose subject determines which verbs and objects can follow."""
    random = np.random.default_rng(seed)
    worlds = [("cat dog horse", "eats chases sees", "fish meat grass"), ("king queen", "rules loves", "land people")]
    lines = []
    for _ in range(sentences):
        world = worlds[random.integers(len(worlds))]
        words = [random.choice(part.split()) for part in world]
        lines.append(" ".join(["the", words[0], words[1], *["very"] * random.integers(0, 3), words[2], "."]))
    return "\n".join(lines) + "\n"


TINY = Recipe(
    model=BiLMConfig(CharCNNConfig(4, ((1, 4), (2, 8)), projection_dim=8, max_characters=12), LSTMConfig(16, 8)),
    rows=BatchShape(steps=16, rows=8, dropout=0.1, samples=8, precision="float32"),
    training=TrainingSettings(
        learning_rate=0.02, warmup_steps=5, steps=60, evaluate_every=20, log_every=5, save_every_minutes=5.0
    ),
)
