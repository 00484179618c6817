"""The live index: its fast search by a mix of layers against the plain one, and what is searched when."""

import numpy as np
import pytest

from elmo.search.live_index import LiveIndex, TypedWord, mix_weights
from elmo.search.vectors import cosines

LAYERS, DIM = 3, 5
SENTENCES = [["the", "play", "ends"], ["they", "play", "cards"], ["Play", "it", "again"], ["the", "end"]]


def filled(sentences=SENTENCES, seed=0):
    index = LiveIndex(sentences, LAYERS, DIM)
    rng = np.random.default_rng(seed)
    words = {}
    vectors = []
    for sentence in index.sentences:
        layers = rng.normal(size=(LAYERS, len(sentence), DIM)).astype(np.float32)
        for place, word in enumerate(sentence):  # token layer: the same vector for every occurrence
            layers[0, place] = words.setdefault(word, layers[0, place].copy())
        vectors.append(layers)
    index.add(vectors)
    return index, vectors


def plain_cosines(query, vectors, weights):
    mixed = weights @ query
    found = np.concatenate([np.tensordot(weights, layers, 1) for layers in vectors])
    return found @ mixed / np.linalg.norm(found, axis=1) / np.linalg.norm(mixed)


@pytest.mark.parametrize("raw", [[0, 0, 0], [3, -1, 0.5], [-20, 20, 0]])
def test_a_mix_is_searched_as_if_its_vectors_had_been_made(raw):
    index, vectors = filled()
    weights, query = mix_weights(raw), vectors[0][:, 1]
    found = index.search(query, weights, 10)
    best = np.sort(plain_cosines(query, vectors, weights))[::-1]
    assert found[0].words == ("the", "play", "ends")
    assert found[0].position == 1
    assert found[0].similarity == pytest.approx(1, abs=1e-5)
    per_sentence = [max(part) for part in np.split(plain_cosines(query, vectors, weights), np.cumsum([3, 3, 3]))]
    assert [n.similarity for n in found] == pytest.approx(sorted(per_sentence, reverse=True), abs=1e-5)
    assert best[0] == pytest.approx(found[0].similarity, abs=1e-5)


def test_dot_products_are_those_of_the_mixed_vectors():
    index, vectors = filled()
    weights, query = mix_weights([1, 0, 2]), vectors[1][:, 0]
    found = index.search(query, weights, 1, measure="dot", word="play")
    products = [float((weights @ query) @ (weights @ vectors[s][:, p])) for s, p in [(0, 1), (1, 1), (2, 0)]]
    assert found[0].similarity == pytest.approx(max(products), rel=1e-5)


def test_a_word_is_found_in_any_case_and_its_own_sentence_left_out():
    index, vectors = filled()
    found = index.search(
        vectors[0][:, 1], mix_weights([0, 0, 0]), 10, word="PLAY", exclude_sentence=["the", "play", "ends"]
    )
    assert {n.words for n in found} == {("they", "play", "cards"), ("Play", "it", "again")}
    assert index.count("play") == 3


def test_without_context_every_word_comes_once_with_its_count():
    index, vectors = filled()
    only_words = np.array([1, 0, 0], np.float32)
    found = index.search(vectors[0][:, 0], only_words, 20, distinct="word")
    shown = [n.words[n.position] for n in found]
    assert len(shown) == len(set(shown)) == 9
    assert (shown[0], found[0].count) == ("the", 2)


def test_only_what_has_been_read_is_searched():
    index = LiveIndex(SENTENCES, LAYERS, DIM)
    query, weights = np.ones((LAYERS, DIM), np.float32), mix_weights([0, 0, 0])
    assert index.n_embedded == 0
    assert index.search(query, weights, 5) == []
    assert index.map([TypedWord(("play",), 0, query)], weights) is None
    pieces = []
    for piece in index.pending(6):
        pieces.append(len(piece))
        index.add(np.ones((LAYERS, len(sentence), DIM), np.float32) for sentence in piece)
        assert len(index.search(query, weights, 10)) == sum(pieces)
    assert pieces == [2, 2]
    assert index.n_embedded == index.n_words == 11


def test_repeated_and_empty_sentences_are_left_out_and_long_texts_cut():
    index = LiveIndex([["a", "b"], [], ["a", "b"], ["c"], ["d", "e"]], LAYERS, DIM, max_words=4)
    assert index.sentences == [("a", "b"), ("c",)]
    assert index.truncated
    with pytest.raises(ValueError, match="no words"):
        LiveIndex([[]], LAYERS, DIM)


def test_a_sentence_longer_than_a_piece_is_a_piece():
    index = LiveIndex([["a"] * 50, ["b"]], LAYERS, DIM)
    assert [len(sentence) for sentence in next(index.pending(10))] == [50]


def test_a_map_has_the_chosen_use_first_and_once():
    index, vectors = filled()
    weights = mix_weights([0, 5, 5])
    found = index.map([TypedWord(("the", "play", "ends"), 1, vectors[0][:, 1])], weights)
    assert found.total == len(found.points) == 3
    assert found.points[0].words == ("the", "play", "ends")
    assert found.points[0].similarity == pytest.approx(1)
    assert found.explained_variance[0] >= found.explained_variance[1] > 0
    mixed = np.stack([weights @ vectors[s][:, p] for s, p in [(0, 1), (1, 1), (2, 0)]])
    units = mixed / np.linalg.norm(mixed, axis=1, keepdims=True)
    apart = np.linalg.norm(units[:, None] - units, axis=-1)
    drawn = np.array([(point.x, point.y) for point in found.points])
    # Three points lie in a plane, so that nothing is lost.
    np.testing.assert_allclose(np.linalg.norm(drawn[:, None] - drawn, axis=-1), apart, atol=1e-5)


def test_a_map_has_all_typed_occurrences_and_each_only_once():
    index, vectors = filled()
    rng = np.random.default_rng(1)
    own = [
        TypedWord(words, 1, rng.standard_normal((LAYERS, DIM), np.float32)) for words in (("we", "play"), ("I", "play"))
    ]
    typed = [own[0], TypedWord(("the", "play", "ends"), 1, vectors[0][:, 1]), own[1]]
    found = index.map(typed, mix_weights([0, 5, 5]))
    assert found.total == len(found.points) == 5
    assert [point.words for point in found.points[:3]] == [word.words for word in typed]
    assert [point.typed for point in found.points] == [True, True, True, False, False]
    only_typed = index.map([TypedWord(("a", "dorn"), 1, word.vectors) for word in own[:1]] * 2, mix_weights([0, 5, 5]))
    assert only_typed.total == 2


def test_a_map_of_equal_vectors_is_one_place():
    index = LiveIndex(SENTENCES, LAYERS, DIM)
    index.add(np.ones((LAYERS, len(sentence), DIM), np.float32) for sentence in SENTENCES)
    typed = TypedWord(("we", "play"), 1, np.ones((LAYERS, DIM), np.float32))
    found = index.map([typed], mix_weights([0, 0, 0]))
    assert {(point.x, point.y) for point in found.points} == {(0.0, 0.0)}
    assert found.explained_variance == (0.0, 0.0)


def test_a_map_takes_evenly_from_many_uses():
    sentences = [["play", str(number)] for number in range(50)]
    index, vectors = filled(sentences)
    found = index.map([TypedWord(tuple(sentences[0]), 0, vectors[0][:, 0])], mix_weights([0, 1, 0]), max_points=10)
    assert found.total == 50
    assert [point.words[1] for point in found.points][:2] == ["0", "1"]
    assert found.points[-1].words[1] == "49"
    assert len(found.points) == 11


def test_weights_are_a_softmax_and_cosines_are_of_all_pairs():
    np.testing.assert_allclose(mix_weights([0, np.log(3)]), [0.25, 0.75], rtol=1e-6)
    np.testing.assert_allclose(mix_weights([1000, 0]), [1, 0])
    table = cosines(np.array([[2, 0], [0, 0]], np.float32), np.array([[1, 1], [-3, 0], [0, 1]], np.float32))
    np.testing.assert_allclose(table, [[0.5**0.5, -1, 0], [0, 0, 0]], atol=1e-6)


def grouped(count):
    """Occurrences of "play" in two kinds of sentences, whose vectors are around two different points."""
    sentences = [["they", "play", f"chess{n}"] if n % 3 else ["a", "play", f"about{n}"] for n in range(count)]
    index = LiveIndex(sentences, LAYERS, DIM)
    rng = np.random.default_rng(3)
    vectors = [0.1 * rng.normal(size=(LAYERS, 3, DIM)).astype(np.float32) for _ in sentences]
    for number, layers in enumerate(vectors):
        layers[1:, 1, 0 if number % 3 else 1] += 1
    index.add(vectors)
    return index, sentences, vectors


@pytest.mark.parametrize("count", [60, 300], ids=["all clustered", "a sample clustered"])
def test_a_map_has_clusters_named_by_their_contexts(count):
    index, sentences, vectors = grouped(count)
    found = index.map([TypedWord(tuple(sentences[0]), 1, vectors[0][:, 1])], mix_weights([0, 0, 0]))
    assert [cluster.size for cluster in found.clusters] == [count * 2 // 3, count // 3]
    assert [cluster.contexts for cluster in found.clusters] == [["they play"], ["a play"]]
    for point in found.points:
        assert point.words[0] == ("they", "a")[point.cluster]
    for number, cluster in enumerate(found.clusters):
        assert found.points[cluster.center].cluster == number


def test_a_map_has_no_clusters_without_context_or_reason():
    index, sentences, vectors = grouped(60)
    typed = [TypedWord(tuple(sentences[0]), 1, vectors[0][:, 1])]
    assert [cluster.size for cluster in index.map(typed, mix_weights([20, -20, -20]).round()).clusters] == [60]
    index, vectors = filled()
    one = index.map([TypedWord(("the", "play", "ends"), 1, vectors[0][:, 1])], mix_weights([0, 0, 0]))
    assert one.clusters == [(3, [], one.clusters[0].center)]


def test_the_spacing_of_a_text_is_remembered() -> None:
    index = LiveIndex(["He left.", "He left .", ["He", "left", "!"], "집에 간다"], LAYERS, DIM)
    assert index.spacing == {
        ("He", "left", "."): (True, True, False),  # as the text has it first
        ("He", "left", "!"): (True, True, True),
        ("집에", "간다"): (True, True),
    }
    index.add(np.ones((LAYERS, len(sentence), DIM), np.float32) for sentence in index.sentences)
    typed = TypedWord(("They", "left"), 1, np.ones((LAYERS, DIM), np.float32))
    found = index.map([typed], np.ones(LAYERS, np.float32))
    assert found is not None
    assert [point.spaced for point in found.points] == [None, (True, True, False), (True, True, True)]
