"""Put a trained model into the package: ``python dev/bundle.py RUN NAME [--without-softmax]``.

Prints the held-out perplexity of a part of a text before and after rounding, where the model keeps its softmax.
"""

import itertools
import sys
from pathlib import Path

from elmo.text.reading import read_sentences
from elmo.train.perplexity import perplexity
from elmo.weights.folder import CARD_FILE, read_folder, read_softmax, write_folder
from elmo.weights.locate import BUNDLED, read_language_model

STEPS = (48, 31)
"""Of the biLM and of the softmax: half a percent of perplexity may be lost, a fifth is."""


def main(run: str, name: str, *options: str) -> None:
    """Write ``src/elmo/data/NAME``."""
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
