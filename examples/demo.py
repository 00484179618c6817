"""The main job in one go: sentences, their vectors, and what the vectors know. Run by ``make demo``."""

from pathlib import Path

import h5py
import numpy as np

from elmo.cli.main import app

FOLDER = Path("demo")
SENTENCES = [
    "The new play at the theatre was sold out every night .",
    "Her first play was performed on the stage in London .",
    "His first play was a long pass in the second half of the game .",
    "손을 씻고 밥을 먹었다 .",
]
THEATRE, STAGE, SPORTS = 0, 1, 2


def main() -> None:
    """Embed with the command line and compare the word "play" in three sentences."""
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / "sentences.txt").write_text("\n".join(SENTENCES) + "\n", encoding="utf-8")
    command = f"embed {FOLDER}/sentences.txt -o {FOLDER}/vectors.h5"
    print(f"$ elmo {command}")
    app(command.split(), standalone_mode=False)

    with h5py.File(FOLDER / "vectors.h5") as file:
        vectors = [file[str(index)][...] for index in range(len(SENTENCES))]
    for sentence, layers in zip(SENTENCES, vectors, strict=True):
        print(f"{layers.shape[1]} words x {layers.shape[0]} layers x {layers.shape[2]} numbers: {sentence}")

    play = [layers[:, sentence.split().index("play")] for sentence, layers in zip(SENTENCES[:3], vectors, strict=False)]
    print('How alike is "play" in the first sentence to "play" in the others (cosine)?')
    for layer, name in enumerate(("word alone", "first LSTM layer", "second LSTM layer")):
        stage, sports = (cosine(play[THEATRE][layer], play[other][layer]) for other in (STAGE, SPORTS))
        print(f"  {name:<18} on stage {stage:.2f}, in sports {sports:.2f}")


def cosine(a: np.ndarray, b: np.ndarray) -> float:
    """The cosine of the angle between two vectors."""
    return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


if __name__ == "__main__":
    main()
