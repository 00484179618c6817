"""The uses of a text: the fast search by a mix of layers against the plain one, and what is searched when."""

import numpy as np
import pytest

from elmo.search.live_index import Uses, cosines, mix_weights

LAYERS, DIM = 3, 5
SENTENCES = [["the", "play", "ends"], ["they", "play", "cards"], ["Play", "it", "again"], ["the", "end"]]


def filled(sentences=SENTENCES, seed=0, most=200_000):
    uses = Uses(sentences, LAYERS, DIM, most)
    rng = np.random.default_rng(seed)
    words = {}
    vectors = []
    for sentence in uses.sentences:
        layers = rng.normal(size=(LAYERS, len(sentence), DIM)).astype(np.float32)
        for place, word in enumerate(sentence):  # without context: the same wherever the word stands
            layers[0, place] = words.setdefault(word, layers[0, place].copy())
        vectors.append(layers)
    uses.add(vectors)
    return uses, vectors


def plain_cosines(query, vectors, weights):
    mixed = weights @ query
    found = np.concatenate([np.tensordot(weights, layers, 1) for layers in vectors])
    return found @ mixed / np.linalg.norm(found, axis=1) / np.linalg.norm(mixed)


@pytest.mark.parametrize("raw", [[0, 0, 0], [3, -1, 0.5], [-20, 20, 0]])
def test_a_mix_is_searched_as_if_its_vectors_had_been_made(raw):
    uses, vectors = filled()
    weights, query = mix_weights(raw), vectors[0][:, 1]
    found = uses.search(query, weights, 10)
    best = np.sort(plain_cosines(query, vectors, weights))[::-1]
    assert found[0].sentence == ("the", "play", "ends")
    assert found[0].position == 1
    assert found[0].similarity == pytest.approx(1, abs=1e-5)
    per_sentence = [max(part) for part in np.split(plain_cosines(query, vectors, weights), np.cumsum([3, 3, 3]))]
    assert [use.similarity for use in found] == pytest.approx(sorted(per_sentence, reverse=True), abs=1e-5)
    assert best[0] == pytest.approx(found[0].similarity, abs=1e-5)


def test_dot_products_are_those_of_the_mixed_vectors():
    uses, vectors = filled()
    weights, query = mix_weights([1, 0, 2]), vectors[1][:, 0]
    found = uses.search(query, weights, 1, measure="dot", word="play")
    products = [float((weights @ query) @ (weights @ vectors[s][:, p])) for s, p in [(0, 1), (1, 1), (2, 0)]]
    assert found[0].similarity == pytest.approx(max(products), rel=1e-5)


def test_a_word_is_found_in_any_case_and_its_own_sentence_left_out():
    uses, vectors = filled()
    found = uses.search(vectors[0][:, 1], mix_weights([0, 0, 0]), 10, word="PLAY", exclude=["the", "play", "ends"])
    assert {use.sentence for use in found} == {("they", "play", "cards"), ("Play", "it", "again")}
    assert uses.count("play") == 3


def test_without_context_every_word_comes_once_with_its_count():
    uses, vectors = filled()
    only_words = np.array([1, 0, 0], np.float32)
    found = uses.search(vectors[0][:, 0], only_words, 20, once_a_word=True)
    shown = [use.sentence[use.position] for use in found]
    assert len(shown) == len(set(shown)) == 9
    assert (shown[0], found[0].alike) == ("the", 2)


def test_only_what_has_been_read_is_searched():
    uses = Uses(SENTENCES, LAYERS, DIM)
    query, weights = np.ones((LAYERS, DIM), np.float32), mix_weights([0, 0, 0])
    assert uses.done == 0
    assert uses.search(query, weights, 5) == []
    assert uses.map(query, weights, ["play"], 0) is None
    pieces = []
    for piece in uses.pending(6):
        pieces.append(len(piece))
        uses.add(np.ones((LAYERS, len(sentence), DIM), np.float32) for sentence in piece)
        assert len(uses.search(query, weights, 10)) == sum(pieces)
    assert pieces == [2, 2]
    assert uses.done == uses.words == 11


def test_repeated_and_empty_sentences_are_left_out_and_long_texts_cut():
    uses = Uses([["a", "b"], [], ["a", "b"], ["c"], ["d", "e"]], LAYERS, DIM, most=4)
    assert uses.sentences == [("a", "b"), ("c",)]
    assert uses.cut
    with pytest.raises(ValueError, match="no words"):
        Uses([[]], LAYERS, DIM)


def test_a_sentence_longer_than_a_piece_is_a_piece():
    uses = Uses([["a"] * 50, ["b"]], LAYERS, DIM)
    assert [len(sentence) for sentence in next(uses.pending(10))] == [50]


def test_a_map_has_the_chosen_use_first_and_once():
    uses, vectors = filled()
    weights = mix_weights([0, 5, 5])
    found = uses.map(vectors[0][:, 1], weights, ["the", "play", "ends"], 1)
    assert found.total == len(found.points) == 3
    assert found.points[0].sentence == ("the", "play", "ends")
    assert found.points[0].similarity == pytest.approx(1)
    assert found.shares[0] >= found.shares[1] > 0
    mixed = np.stack([weights @ vectors[s][:, p] for s, p in [(0, 1), (1, 1), (2, 0)]])
    units = mixed / np.linalg.norm(mixed, axis=1, keepdims=True)
    apart = np.linalg.norm(units[:, None] - units, axis=-1)
    drawn = np.array([(point.x, point.y) for point in found.points])
    # Three points lie in a plane, so that nothing is lost.
    np.testing.assert_allclose(np.linalg.norm(drawn[:, None] - drawn, axis=-1), apart, atol=1e-5)


def test_a_map_of_equal_vectors_is_one_place():
    uses = Uses(SENTENCES, LAYERS, DIM)
    uses.add(np.ones((LAYERS, len(sentence), DIM), np.float32) for sentence in SENTENCES)
    found = uses.map(np.ones((LAYERS, DIM), np.float32), mix_weights([0, 0, 0]), ["we", "play"], 1)
    assert {(point.x, point.y) for point in found.points} == {(0.0, 0.0)}
    assert found.shares == (0.0, 0.0)


def test_a_map_takes_evenly_from_many_uses():
    sentences = [["play", str(number)] for number in range(50)]
    uses, vectors = filled(sentences)
    found = uses.map(vectors[0][:, 0], mix_weights([0, 1, 0]), sentences[0], 0, most=10)
    assert found.total == 50
    assert [point.sentence[1] for point in found.points][:2] == ["0", "1"]
    assert found.points[-1].sentence[1] == "49"
    assert len(found.points) == 11


def test_weights_are_a_softmax_and_cosines_are_of_all_pairs():
    np.testing.assert_allclose(mix_weights([0, np.log(3)]), [0.25, 0.75], rtol=1e-6)
    np.testing.assert_allclose(mix_weights([1000, 0]), [1, 0])
    table = cosines(np.array([[2, 0], [0, 0]], np.float32), np.array([[1, 1], [-3, 0], [0, 1]], np.float32))
    np.testing.assert_allclose(table, [[0.5**0.5, -1, 0], [0, 0, 0]], atol=1e-6)
