"""Static vectors to compare with: word2vec on the same text, in the same words, as the language model."""

import itertools
import tempfile
from collections.abc import Collection
from pathlib import Path

import numpy as np

from elmo.files import replacing_file
from elmo.train.corpus.corpus import MARKERS, Corpus, Sentences

DIM, WINDOW, NEGATIVE, EPOCHS, MIN_COUNT = 200, 5, 5, 5, 5
"""Skip-gram with negative sampling, otherwise with the defaults of gensim."""
SENTENCES_AT_A_TIME = 100_000
SEED = 1


def train_vectors(
    corpus: Corpus, path: Path, words: Collection[str] | None = None, *, dim: int = DIM, workers: int = 1
) -> None:
    """Train word2vec on the training text of a corpus, and write the vectors as a text file.

    With more than one worker, the vectors vary from run to run.

    Args:
        corpus: The corpus that ``elmo prepare`` wrote.
        path: The file to write: a header, then a word and its vector per line, by decreasing frequency.
        words: Write the vectors of these words only; None writes all.
        dim: Dimension of the vectors.
        workers: Number of threads.

    Raises:
        ValueError: If gensim is not installed, or no word is frequent enough.
    """
    try:
        from gensim.models import Word2Vec
    except ImportError:
        raise ValueError("training static vectors needs an extra package: pip install 'elmo-torch[word2vec]'") from None
    if not (corpus.counts[len(MARKERS) :] >= MIN_COUNT).any():
        raise ValueError(f"no word of the corpus occurs {MIN_COUNT} times, so that no static vectors can be trained")
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".txt") as file:
        _write_text(corpus.train, np.array(corpus.types, dtype=object), file)
        file.flush()
        # A file rather than an iterator: gensim then reads it in all threads at once.
        model = Word2Vec(
            corpus_file=file.name,
            vector_size=dim,
            window=WINDOW,
            negative=NEGATIVE,
            epochs=EPOCHS,
            min_count=MIN_COUNT,
            sg=1,
            workers=workers,
            seed=SEED,
        )
    chosen = [word for word in model.wv.index_to_key if words is None or word in words]
    with replacing_file(path) as scratch, scratch.open("w", encoding="utf-8", newline="\n") as out:
        out.write(f"{len(chosen)} {dim}\n")
        for word in chosen:
            out.write(f"{word} {' '.join(f'{value:.4g}' for value in model.wv[word].tolist())}\n")


def _write_text(sentences: Sentences, types: np.ndarray, file: "tempfile._TemporaryFileWrapper[str]") -> None:
    """Write one sentence per line, with spaces between its words."""
    for first in range(0, len(sentences), SENTENCES_AT_A_TIME):
        offsets = sentences.offsets[first : first + SENTENCES_AT_A_TIME + 1]
        words = types[sentences.ids[offsets[0] : offsets[-1]]].tolist()
        starts = (offsets - offsets[0]).tolist()
        file.writelines(" ".join(words[a:b]) + "\n" for a, b in itertools.pairwise(starts))
