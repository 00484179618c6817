"""Static vectors to compare with: word2vec on the same text, in the same words, as the language model."""

import itertools
import shutil
from collections.abc import Collection
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elmo.files import replacing_file
from elmo.train.corpus.corpus import MARKERS, Corpus

DIM, WINDOW, NEGATIVE, EPOCHS, MIN_COUNT = 200, 5, 5, 5, 5
"""Skip-gram with negative sampling, otherwise with the defaults of gensim."""
SUBSAMPLING = 1e-4
"""Frequency from which on occurrences of a word are skipped at random: fastText's default, and within the range that
Mikolov et al. (2013) recommend. Gensim's, 1e-3, spends a third of the time on particles and endings in Korean."""
LEARNING_RATES = (0.025, 0.0001)
"""The first and the last one; in between, it falls linearly. Gensim's defaults."""
SENTENCES_AT_A_TIME = 100_000
SEED = 1


def train_vectors(
    corpus: Corpus, path: Path, words: Collection[str] | None = None, *, dim: int = DIM, workers: int = 1
) -> None:
    """Train word2vec on the training text of a corpus, and write the vectors as a text file.

    The state after each epoch is kept in the folder ``PATH.part``, from which an interrupted training continues. With
    more than one worker, the vectors vary from run to run.

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
    counts = dict(zip(corpus.types[len(MARKERS) :], corpus.counts[len(MARKERS) :].tolist(), strict=True))
    if max(counts.values(), default=0) < MIN_COUNT:
        raise ValueError(f"no word of the corpus occurs {MIN_COUNT} times, so that no static vectors can be trained")
    options = {"window": WINDOW, "negative": NEGATIVE, "min_count": MIN_COUNT, "sample": SUBSAMPLING, "sg": 1}
    model = Word2Vec(vector_size=dim, workers=workers, seed=SEED, **options)
    model.build_vocab_from_freq(counts, corpus_count=len(corpus.train))
    part = path.with_name(f"{path.name}.part")
    part.mkdir(parents=True, exist_ok=True)
    text, state = part / "text.txt", part / f"{corpus.metadata['data_hash'][:12]}-{dim}.npz"
    if not text.exists():
        _write_text(corpus, text)
    rates = np.linspace(*LEARNING_RATES, EPOCHS + 1).tolist()
    for epoch in range(_restore(model, state), EPOCHS):
        model.random = np.random.RandomState(SEED + epoch)  # so that a resumed training draws the same numbers
        # A file rather than an iterator: gensim then reads it in all threads at once.
        model.train(
            corpus_file=str(text),
            total_words=len(corpus.train.ids),
            epochs=1,
            start_alpha=rates[epoch],
            end_alpha=rates[epoch + 1],
        )
        with replacing_file(state) as scratch:
            np.savez(scratch, epochs=epoch + 1, vectors=model.wv.vectors, contexts=model.syn1neg)
    chosen = [word for word in model.wv.index_to_key if words is None or word in words]
    with replacing_file(path) as scratch, scratch.open("w", encoding="utf-8", newline="\n") as out:
        out.write(f"{len(chosen)} {dim}\n")
        for word in chosen:
            out.write(f"{word} {' '.join(f'{value:.4g}' for value in model.wv[word].tolist())}\n")
    shutil.rmtree(part)


def _restore(model: Any, state: Path) -> int:
    """Give a gensim model the vectors of an earlier run, and return how many epochs it was trained for."""
    if not state.exists():
        return 0
    with np.load(state) as stored:
        model.wv.vectors[:] = stored["vectors"]
        model.syn1neg[:] = stored["contexts"]
        return int(stored["epochs"])


def _write_text(corpus: Corpus, path: Path) -> None:
    """Write one sentence of the training text per line, with spaces between its words."""
    types: NDArray[np.object_] = np.array(corpus.types, dtype=object)
    sentences = corpus.train
    with replacing_file(path) as scratch, scratch.open("w", encoding="utf-8", newline="\n") as file:
        for first in range(0, len(sentences), SENTENCES_AT_A_TIME):
            offsets = sentences.offsets[first : first + SENTENCES_AT_A_TIME + 1]
            words = types[sentences.ids[offsets[0] : offsets[-1]]].tolist()
            starts = (offsets - offsets[0]).tolist()
            file.writelines(" ".join(words[a:b]) + "\n" for a, b in itertools.pairwise(starts))
