"""The main job in one go: a model, three sentences, their vectors. Run by ``make demo``."""

from pathlib import Path

import h5py
import torch

import elmo
from elmo.cli.main import app
from elmo.config import CharCNNConfig, LSTMConfig

FOLDER = Path("demo")
SENTENCES = [
    "The new play at the theatre was sold out .",
    "They play in the second half .",
    "손을 씻고 밥을 먹었다 .",
]


def main() -> None:
    """Make a model, save it, embed with the command line and look at the result."""
    print("No trained model is bundled yet: this one is freshly initialised, so its vectors carry no meaning.")
    torch.manual_seed(0)
    shape = elmo.BiLMConfig(CharCNNConfig(projection_dim=128), LSTMConfig(dim=1024, projection_dim=128))
    elmo.Embedder(elmo.BiLM(shape)).save(FOLDER / "model")
    (FOLDER / "sentences.txt").write_text("\n".join(SENTENCES) + "\n", encoding="utf-8")

    command = f"embed {FOLDER}/sentences.txt -o {FOLDER}/vectors.h5 --model {FOLDER}/model"
    print(f"$ elmo {command}")
    app(command.split(), standalone_mode=False)

    with h5py.File(FOLDER / "vectors.h5") as file:
        for index, sentence in enumerate(SENTENCES):
            layers, words, dimensions = file[str(index)].shape
            print(f"{words} words x {layers} layers x {dimensions} numbers: {sentence}")


if __name__ == "__main__":
    main()
