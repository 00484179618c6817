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

DIM, EPOCHS, WINDOW, NEGATIVE, MIN_COUNT = 200, 5, 5, 5, 5
"""Skip-gram with negative sampling, otherwise with the defaults of gensim."""
SUBSAMPLING = 1e-4
"""Frequency above which occurrences of a word are skipped at random: fastText's default, and within the range that
Mikolov et al. (2013) recommend. Gensim's, 1e-3, spends a third of the time on particles and endings in Korean."""
LEARNING_RATES = (0.025, 0.0001)
"""The first and the last one; in between, it falls linearly. Gensim's defaults."""
PIECE = 500_000
"""Number of sentences after which the state is saved: a minute of CPU time, for Korean."""
SEED = 1


def train_vectors(
    corpus: Corpus,
    path: Path,
    words: Collection[str] | None = None,
    *,
    dim: int = DIM,
    epochs: int = EPOCHS,
    workers: int = 1,
) -> None:
    """Train word2vec on the training text of a corpus, and write the vectors as a text file.

    The text is read in pieces. The state after each is kept in the folder ``PATH.part``, from which an interrupted
    training continues. With more than one worker, the vectors vary from run to run.

    Args:
        corpus: The corpus that ``elmo prepare`` wrote.
        path: The file to write: a header, then a word and its vector per line, by decreasing frequency.
        words: Write the vectors of these words only; None writes all.
        dim: Dimension of the vectors.
        epochs: Number of passes over the text.
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
    state = part / f"{corpus.metadata['data_hash'][:12]}-{dim}-{epochs}.npz"
    starts = range(0, len(corpus.train), PIECE)
    rates = np.linspace(*LEARNING_RATES, epochs * len(starts) + 1).tolist()
    for step in range(_restore(model, state), epochs * len(starts)):
        piece = step % len(starts)
        text = part / f"text-{piece}"
        if not text.exists():
            _write_text(corpus, starts[piece], text)
        model.random = np.random.RandomState(SEED + step)  # so that a resumed training draws the same numbers
        # A file rather than an iterator: gensim then reads it in all threads at once.
        model.train(
            corpus_file=str(text),
            total_words=_words(corpus, starts[piece]),
            epochs=1,
            start_alpha=rates[step],
            end_alpha=rates[step + 1],
        )
        with replacing_file(state) as scratch:
            np.savez(scratch, steps=step + 1, vectors=model.wv.vectors, contexts=model.syn1neg)
    chosen = [word for word in model.wv.index_to_key if words is None or word in words]
    with replacing_file(path) as scratch, scratch.open("w", encoding="utf-8", newline="\n") as out:
        out.write(f"{len(chosen)} {dim}\n")
        for word in chosen:
            out.write(f"{word} {' '.join(f'{value:.4g}' for value in model.wv[word].tolist())}\n")
    shutil.rmtree(part)


def _restore(model: Any, state: Path) -> int:
    """Give a gensim model the vectors of an earlier run, and return how many pieces it was trained on."""
    if not state.exists():
        return 0
    with np.load(state) as stored:
        model.wv.vectors[:] = stored["vectors"]
        model.syn1neg[:] = stored["contexts"]
        return int(stored["steps"])


def _offsets(corpus: Corpus, start: int) -> NDArray[np.int64]:
    """Return where the sentences of a piece begin, and where the last one ends."""
    return np.asarray(corpus.train.offsets[start : start + PIECE + 1])


def _words(corpus: Corpus, start: int) -> int:
    offsets = _offsets(corpus, start)
    return int(offsets[-1] - offsets[0])


def _write_text(corpus: Corpus, start: int, path: Path) -> None:
    """Write one sentence of a piece per line, with spaces between its words."""
    offsets = _offsets(corpus, start)
    types: NDArray[np.object_] = np.array(corpus.types, dtype=object)
    words = types[corpus.train.ids[offsets[0] : offsets[-1]]].tolist()
    with replacing_file(path) as scratch, scratch.open("w", encoding="utf-8", newline="\n") as file:
        bounds = itertools.pairwise((offsets - offsets[0]).tolist())
        file.writelines(" ".join(words[first:end]) + "\n" for first, end in bounds)
