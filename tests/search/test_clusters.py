"""Clusters of points whose clusters are known, and what is typical of each."""

import numpy as np
import pytest

from elmo.search.clusters import (
    cluster,
    contexts,
    k_means,
    mean_silhouette,
    nearby_words,
    typical_contexts,
    typical_words,
)


def blobs(n: int, spread: float = 0.2) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(5)
    labels = np.repeat(np.arange(n), [30 - 5 * number for number in range(n)])
    centers = 3 * np.eye(5)[:n]
    return centers[labels] + spread * rng.normal(size=(len(labels), 5)), labels


def test_k_means_finds_what_is_apart() -> None:
    points, labels = blobs(4)
    found = k_means(points, 4, np.random.default_rng(1))
    assert len({*zip(found, labels, strict=True)}) == 4


def test_k_means_of_equal_points() -> None:
    found = k_means(np.repeat(np.eye(2), 5, axis=0), 3, np.random.default_rng(1))
    assert len({*found[:5]}) >= 1
    assert not {*found[:5]} & {*found[5:]}


def test_silhouette() -> None:
    points, labels = blobs(3, spread=1.0)
    labels[0] = 3  # alone
    apart = np.linalg.norm(points[:, None] - points[None], axis=-1)
    expected = []
    for number, label in enumerate(labels):
        means = {other: apart[number, labels == other].sum() for other in range(4)}
        own = means.pop(label) / max(1, (labels == label).sum() - 1)
        next_one = min(total / (labels == other).sum() for other, total in means.items())
        expected.append(0 if (labels == label).sum() == 1 else (next_one - own) / max(own, next_one))
    assert mean_silhouette(apart, labels) == pytest.approx(np.mean(expected))


def test_the_number_is_found() -> None:
    points, labels = blobs(4)
    found, silhouette = cluster(points, seed=1)
    assert np.array_equal(found, labels)  # both are numbered by falling size
    assert silhouette is not None
    assert silhouette > 0.7


def test_a_cloud_is_one_cluster() -> None:
    cloud = np.random.default_rng(7).normal(size=(150, 5)) * [3, 2, 1, 1, 1]
    found, silhouette = cluster(cloud, seed=1)
    assert not found.any()
    assert silhouette is None


def test_centers() -> None:
    points, labels = blobs(3)
    found = cluster(points, seed=1)
    assert found.centers(points) == pytest.approx(np.stack([points[labels == number].mean(0) for number in range(3)]))


def test_typical_words_are_frequent_in_one_group_only() -> None:
    sentences = ["we play chess at home", "they play chess at noon", "a play at home", "the play at noon"]
    contexts = [nearby_words(sentence.split(), sentence.split().index("play")) for sentence in sentences]
    assert contexts[0] == {"we", "chess", "at", "home"}
    assert typical_words(contexts[:2], contexts[2:], 3) == ["chess"]
    assert typical_words(contexts[2:], contexts[:2], 3) == []  # no word is in both


def test_nearby_words_are_words() -> None:
    assert nearby_words(["Play", ",", "said", "2", "men", ":", "play", "!"], 6) == {"men"}


def test_contexts_are_phrases_and_rarer_words() -> None:
    found = contexts(["They", "want", "to", "Play", "chess", ",", "not", "cards"], 3, {"they", "want", "to", "not"})
    assert found == {"to play", "want to play", "play chess", "to play chess", "chess", "cards"}
    assert contexts(["Play"], 0, ()) == set()
    korean, spaced = ["소", "의", "눈", "이", "크다"], [True, False, True, False, True]
    assert contexts(korean, 2, ["소"], spaced=spaced) == {"눈이", "눈이 크다", "소의 눈", "크다"}


def test_no_typical_context_is_part_of_another() -> None:
    verbs = [{"to play", "want to play", "chess"}, {"to play", "want to play", "chess"}]
    nouns = [{"a play", "theater"}, {"a play"}]
    assert typical_contexts([verbs, nouns], 3) == [["chess", "to play"], ["a play"]]
    assert typical_contexts([nouns, verbs], 1) == [["a play"], ["chess"]]


def test_a_context_describes_the_group_that_it_is_most_typical_of() -> None:
    often, sometimes = [{"the play"}] * 3, [{"the play"}, {"the play"}, {"by"}]
    assert typical_contexts([sometimes, often, [{"to play"}] * 4], 3) == [[], ["the play"], ["to play"]]
    rare = [{"to play"}] * 2 + [{"so"}] * 19
    assert typical_contexts([rare, [{"a play"}] * 9], 3) == [["so"], ["a play"]]  # two of 21 are few
