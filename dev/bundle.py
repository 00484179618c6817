"""Add a trained model to the package, with quantized weights.

    python dev/bundle.py RUN NAME [--without-softmax] [TEXT ...]

RUN is the folder of the trained model, and NAME the name under which ``elmo.load`` finds it. If texts are given and the
model keeps its softmax, the script prints the perplexity on every tenth sentence before and after quantization.
"""

import itertools
import sys
from pathlib import Path

from elmo.text.reading import read_sentences
from elmo.train.perplexity import perplexity
from elmo.weights.folder import CARD_FILE, read_folder, read_softmax, write_folder
from elmo.weights.locate import BUNDLED, read_language_model

STEPS = (48, 31)
"""Quantization steps of the biLM and of the softmax. Perplexity may rise by at most 0.5 %; these cost 0.2 %."""


def main(run: str, name: str, *options: str) -> None:
    """Write ``src/elmo/data/NAME`` and print perplexities."""
    bilm = read_folder(run)
    softmax = None if "--without-softmax" in options else read_softmax(run, bilm)
    card = Path(run, CARD_FILE).read_text("utf-8")
    write_folder(bilm, BUNDLED / name, softmax, card=card, steps=STEPS)
    texts = [option for option in options if not option.startswith("--")]
    if texts and softmax is not None:
        sentences = list(itertools.islice(read_sentences(texts), 0, None, 10))
        for folder in (Path(run), BUNDLED / name):
            print(folder, perplexity(read_language_model(folder), sentences).arithmetic)


if __name__ == "__main__":
    main(*sys.argv[1:])
