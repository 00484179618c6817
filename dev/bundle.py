"""Add a trained model to the checkout, with quantized weights.

    python dev/bundle.py RUN NAME [--without-softmax] [TEXT ...]

RUN is the folder of the trained model, and NAME the name under which ``elmo.load`` finds it. The default model belongs
to the core package, any other to a package of its own, ``models/NAME``. If texts are given and the model keeps its
softmax, the script prints the perplexity on every tenth sentence before and after quantization.
"""

import itertools
import sys
from pathlib import Path

from elmo.text.reading import read_sentences
from elmo.train.perplexity import perplexity
from elmo.weights.folder import CARD_FILE, read_folder, read_softmax, write_folder
from elmo.weights.locate import BUNDLED, DEFAULT, read_language_model

STEPS = (48, 31)
"""Quantization steps of the biLM and of the softmax. Perplexity may rise by at most 0.5 %; these cost 0.2 %."""


def target_folder(name: str) -> Path:
    """Return the model folder of a name in this checkout."""
    if name == DEFAULT:
        return BUNDLED / name
    return Path(__file__).parents[1] / "models" / name / "src" / f"elmo_model_{name}" / "model"


def main(run: str, name: str, *options: str) -> None:
    """Write the model folder of NAME and print perplexities."""
    target = target_folder(name)
    bilm = read_folder(run)
    softmax = None if "--without-softmax" in options else read_softmax(run, bilm)
    card = Path(run, CARD_FILE).read_text("utf-8")
    write_folder(bilm, target, softmax, card=card, steps=STEPS)
    texts = [option for option in options if not option.startswith("--")]
    if texts and softmax is not None:
        sentences = list(itertools.islice(read_sentences(texts, bilm.config.tokenizer), 0, None, 10))
        for folder in (Path(run), target):
            print(folder, perplexity(read_language_model(folder), sentences).arithmetic)


if __name__ == "__main__":
    main(*sys.argv[1:])
