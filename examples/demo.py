"""Embed four sentences, and compare the word "play" in three of them. Run by ``make demo``."""

from pathlib import Path

import h5py
import numpy as np

from elmo.cli.main import app

FOLDER = Path("demo")
SENTENCES = [
    "The new play at the theater was sold out every night .",
    "Her first play was performed on the stage in London .",
    "His first play was a long pass in the second half of the game .",
    "손을 씻고 밥을 먹었다 .",
]


def main() -> None:
    """Embed sentences with the command line, and compare vectors of the same word."""
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / "sentences.txt").write_text("\n".join(SENTENCES) + "\n", encoding="utf-8")
    command = f"embed {FOLDER}/sentences.txt -o {FOLDER}/vectors.h5 --overwrite"
    print(f"$ elmo {command}")
    app(command.split(), standalone_mode=False)

    with h5py.File(FOLDER / "vectors.h5") as file:
        vectors = [file[str(index)][...] for index in range(len(SENTENCES))]
    print()
    for sentence, layers in zip(SENTENCES, vectors, strict=True):
        print("{} layers x {:>2} words x {} dimensions: {}".format(*layers.shape, sentence))

    theater, stage, sports = (
        layers[:, sentence.split().index("play")]  # (3 layers, 256 dimensions)
        for sentence, layers in zip(SENTENCES[:3], vectors, strict=False)
    )
    print('\nCosine similarity of "play" in the first sentence and in the next two:')
    for layer, name in enumerate(("no context", "LSTM layer 1", "LSTM layer 2")):
        to_stage, to_sports = cosine(theater[layer], stage[layer]), cosine(theater[layer], sports[layer])
        print(f"{name:<14} theater/stage {to_stage:.2f}   theater/sports {to_sports:.2f}")


def cosine(a: np.ndarray, b: np.ndarray) -> float:
    """Return the cosine similarity of two vectors."""
    return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


if __name__ == "__main__":
    main()
