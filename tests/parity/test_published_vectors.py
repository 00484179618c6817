"""The vectors published with bilm-tf and AllenNLP, reproduced from their weights.

They were made by ten batches of three sentences with the LSTM state carried from batch to batch, and hold the
top layer, forward and backward, without boundaries.
"""

import json
from pathlib import Path

import h5py
import numpy as np
import pytest

import elmo
from elmo.interop.allennlp import ElmoEmbedder

SETS = {
    "bilm-tf (no residual)": ("bilm-tf/model", "lm_embeddings_sentences.json"),
    "allennlp (residual, clips bind)": ("allennlp", "sentences.json"),
}


class PublishedSet:
    def __init__(self, folder: Path, sentences: str) -> None:
        self.options = folder / "options.json"
        self.weights = folder / "lm_weights.hdf5"
        rows = json.loads((folder / sentences).read_text())
        self.batches = [[text.split() for text in batch] for batch in zip(*rows, strict=True)]
        self.expected: dict[int, list[np.ndarray]] = {}  # row -> per batch (n, 2P)
        for row in range(3):
            path = folder / f"lm_embeddings_{row}.hdf5"
            if path.exists():
                with h5py.File(path) as file:
                    halves = [file[str(i)][...] for i in range(len(self.batches))]
                self.expected[row] = [np.concatenate([forward, backward], -1) for forward, backward in halves]
        assert 0 in self.expected

    def check(self, batch: int, row: int, top: np.ndarray) -> None:
        if row in self.expected:
            np.testing.assert_allclose(top, self.expected[row][batch], atol=1e-6, rtol=1e-5)


@pytest.fixture(scope="module", params=SETS.values(), ids=SETS.keys())
def published(request: pytest.FixtureRequest, published_vectors: Path) -> PublishedSet:
    folder, sentences = request.param
    return PublishedSet(published_vectors / folder, sentences)


def test_explicit_state(published: PublishedSet) -> None:
    model = elmo.load(options=published.options, weights=published.weights)
    state = None
    for index, batch in enumerate(published.batches):
        embedded, state = model.embed_batch(batch, state)
        for row, sentence in enumerate(embedded):
            published.check(index, row, sentence.layers[-1])


def test_carried_state_of_embed(published: PublishedSet) -> None:
    model = elmo.load(options=published.options, weights=published.weights)
    sentences = [sentence for batch in published.batches for sentence in batch]
    embedded = model.embed(sentences, layers="top", initial_state="carry", batch_sentences=3)
    for index, sentence in enumerate(embedded):
        published.check(index // 3, index % 3, sentence.layers)


def test_old_embedder(published: PublishedSet) -> None:
    embedder = ElmoEmbedder(published.options, published.weights, stateful=True)
    for index, batch in enumerate(published.batches):
        for row, layers in enumerate(embedder.embed_batch(batch)):
            published.check(index, row, layers[-1])


def test_state_matters(published: PublishedSet) -> None:
    """The check above sees a wrong state: from zero, only the first batch agrees."""
    model = elmo.load(options=published.options, weights=published.weights)
    first, second = (model.embed([batch[0]], layers="top")[0].layers for batch in published.batches[:2])
    published.check(0, 0, first)
    assert np.abs(second - published.expected[0][1]).max() > 0.01


def test_any_batch_gives_the_same_vectors(published: PublishedSet) -> None:
    model = elmo.load(options=published.options, weights=published.weights)
    sentences = [sentence for batch in published.batches for sentence in batch]
    alone = [model.embed([sentence])[0].layers for sentence in sentences]
    for budget in (50, 400, 4096):
        order = np.random.default_rng(budget).permutation(len(sentences))
        together = model.embed([sentences[i] for i in order], batch_tokens=budget)
        for place, sentence in zip(order, together, strict=True):
            np.testing.assert_allclose(sentence.layers, alone[place], atol=2e-6, rtol=0)
