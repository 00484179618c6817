"""The geometry of layers, on vectors whose geometry is known."""

import itertools
import json
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

import elmo
from elmo.datasets.static_vectors import StaticVectors
from elmo.paper.probes.geometry import (
    draw_geometry,
    first_component,
    geometry_table,
    linear_cka,
    mean_of_pairs,
    measure,
)
from elmo.paper.probes.representations import BiLMRepresentation, LayerVectors, StaticRepresentation
from elmo.results import append_results, read_results

DIM = 16
WORDS = [f"wo{letter}" for letter in "abcdefghij"]


def text(n: int = 120, seed: int = 0) -> list[list[str]]:
    rng = np.random.default_rng(seed)
    return [list(rng.choice(WORDS, rng.integers(3, 9))) for _ in range(n)]


class Made:
    """LayerVectors from a function of the sentence and a generator that belongs to the sentence."""

    name, dim = "made", DIM

    def __init__(self, make: Callable[[Sequence[str], np.random.Generator], Sequence[np.ndarray]], n: int) -> None:
        self.make, self.layer_names = make, [f"layer {number}" for number in range(n)]

    def layers(self, sentences: Iterable[Sequence[str]]) -> Iterator[LayerVectors]:
        for words in sentences:
            rng = np.random.default_rng(list(" ".join(words).encode()))
            yield np.stack(self.make(words, rng)).astype(np.float32)


def of_word(word: str) -> np.ndarray:
    return np.random.default_rng(list(word.encode())).normal(size=DIM)


def mixed(words: Sequence[str], rng: np.random.Generator) -> list[np.ndarray]:
    """Words alone; words with noise; words with noise in a narrow cone."""
    alone = np.stack([of_word(word) for word in words])
    noisy = alone + rng.normal(size=alone.shape)
    return [alone, noisy, noisy + 4 * np.ones(DIM)]


def cosine(x: np.ndarray, y: np.ndarray) -> float:
    return float(x @ y / np.linalg.norm(x) / np.linalg.norm(y))


def test_sums_give_the_mean_of_all_pairs() -> None:
    vectors = np.random.default_rng(1).normal(size=(7, 5))
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    expected = np.mean([cosine(x, y) for x, y in itertools.combinations(vectors, 2)])
    sums = np.stack([units.sum(0), units[0], 0 * units[0]])
    found = mean_of_pairs(sums, np.array([7, 1, 0]))
    assert found[0] == pytest.approx(expected)
    assert np.isnan(found[1:]).all()


def test_first_component() -> None:
    rng = np.random.default_rng(2)
    vectors = rng.normal(size=(4000, 3)) * [3, 1, 1] + 100
    assert first_component(vectors) == pytest.approx(9 / 11, abs=0.02)
    assert math.isnan(first_component(np.ones((5, 3))))


def test_cka_sees_through_rotation_and_scale() -> None:
    rng = np.random.default_rng(3)
    x = rng.normal(size=(2000, 8))
    turn = np.linalg.qr(rng.normal(size=(8, 8)))[0]
    found = linear_cka(np.stack([x, 5 * x @ turn + 3, rng.normal(size=x.shape)]))
    assert np.allclose(found, found.T)
    assert np.allclose(np.diag(found), 1)
    assert found[0, 1] == pytest.approx(1)
    assert found[0, 2] < 0.05


class TestMeasure:
    def test_layers_of_known_geometry(self) -> None:
        alone, noisy, cone = measure(Made(mixed, 3), text(), pairs=300).layers
        assert alone.self_similarity.value == pytest.approx(1)
        assert noisy.self_similarity.value == pytest.approx(0.5, abs=0.05)  # as much noise as word
        assert cone.anisotropy.value > 0.85
        assert abs(noisy.self_adjusted - (noisy.self_similarity.value - noisy.anisotropy.value)) < 1e-12
        assert cone.self_adjusted < 0.2 < noisy.self_adjusted
        assert cone.intra_sentence.value > noisy.intra_sentence.value

    def test_agrees_with_the_definitions(self) -> None:
        sentences, source = text(40), Made(mixed, 3)
        result = measure(source, sentences, max_occurrences=1000)
        vectors = list(source.layers(sentences))
        places = [(s, p) for s, words in enumerate(sentences) for p, word in enumerate(words) if word == WORDS[3]]
        found = next(word for word in result.words if word.word == WORDS[3])
        assert found.count == len(places)
        for layer in range(3):
            pairs = itertools.combinations(places, 2)
            own = [cosine(vectors[a][layer, p], vectors[b][layer, q]) for (a, p), (b, q) in pairs]
            assert found.similarities[layer] == pytest.approx(np.mean(own), abs=1e-5)
            inside = [np.mean([cosine(x, v[layer].mean(0)) for x in v[layer]]) for v in vectors]
            assert result.layers[layer].intra_sentence.value == pytest.approx(np.mean(inside), abs=1e-5)
            error = np.std(inside, ddof=1) / math.sqrt(len(inside))
            assert result.layers[layer].intra_sentence.error == pytest.approx(error, abs=1e-5)
        expected = np.mean([word.similarities[1] for word in result.words])
        assert result.layers[1].self_similarity.value == pytest.approx(expected)

    def test_standard_error_of_random_pairs(self) -> None:
        runs = [measure(Made(mixed, 3), text(150), seed, pairs=60).layers[1].anisotropy for seed in range(12)]
        assert np.std([run.value for run in runs]) == pytest.approx(np.mean([run.error for run in runs]), rel=0.5)

    def test_seed_alone_decides(self) -> None:
        first, again, other = (measure(Made(mixed, 3), text(), seed, pairs=50, max_words=4) for seed in (1, 1, 2))
        assert first.layers == again.layers
        assert first.words == again.words
        assert first.data_hash == again.data_hash == other.data_hash
        assert first.layers[1].anisotropy != other.layers[1].anisotropy
        assert len(first.words) == 4

    def test_few_occurrences_and_many(self) -> None:
        sentences = [*text(30), ["rare", "rare", "rare", "rare"]]
        assert "rare" not in [word.word for word in measure(Made(mixed, 3), sentences).words]
        result = measure(Made(mixed, 3), sentences, min_occurrences=4, max_occurrences=4)
        rare = next(word for word in result.words if word.word == "rare")
        assert rare.count == 4
        nothing = measure(Made(mixed, 3), sentences, min_occurrences=10_000, max_occurrences=10_000)
        assert nothing.words == ()
        assert math.isnan(nothing.layers[0].self_similarity.value)
        assert "–" in geometry_table([nothing]).markdown()
        assert all(r.metric != "self_similarity" for r in nothing.results("cpu"))

    def test_words_without_vectors_do_not_count(self) -> None:
        values = np.random.default_rng(4).normal(size=(5, DIM)).astype(np.float32)
        source = StaticRepresentation(StaticVectors(tuple(WORDS[:5]), values), "static")
        result = measure(source, [*text(), ["woz"], ["woz", "woa"]])
        assert result.layers[0].self_similarity.value == pytest.approx(1)
        assert result.n_pairs < result.n_tokens // 2
        assert {word.word for word in result.words if not math.isnan(word.similarities[0])} == set(WORDS[:5])
        assert result.cka == pytest.approx(np.ones((1, 1)))
        with pytest.raises(ValueError, match="static: has no vectors for the words"):
            measure(source, [["woz", "woy"]] * 9)

    @pytest.mark.parametrize(
        ("sentences", "options", "reason"),
        [
            ([["woa"]], {}, "the text has 1 word:"),
            ([], {}, "the text has 0 words"),
            (text(5), {"pairs": 0}, "pairs must be"),
            (text(5), {"min_occurrences": 1}, "min_occurrences"),
            (text(5), {"max_occurrences": 3}, "max_occurrences"),
        ],
    )
    def test_refuses(self, sentences: list[list[str]], options: dict[str, int], reason: str) -> None:
        with pytest.raises(ValueError, match=reason):
            measure(Made(mixed, 3), sentences, **options)

    def test_a_bilm(self, model: elmo.Embedder) -> None:
        source = BiLMRepresentation(model, "tiny")
        result = measure(source, [*text(30), []], pairs=40)
        assert [layer.name for layer in result.layers] == list(source.layer_names)
        assert result.n_sentences == 30
        assert result.layers[0].self_similarity.value == pytest.approx(1, abs=1e-5)  # characters know no context
        assert all(layer.self_similarity.value < 0.9999 for layer in result.layers[1:])


class TestReport:
    def test_tables(self) -> None:
        result = measure(Made(mixed, 3), text(), pairs=50)
        assert [row[:2] for row in geometry_table([result]).rows] == [
            ["made", f"layer {number}"] for number in range(3)
        ]
        assert len(geometry_table([result, result]).rows) == 6
        words = result.words_table("layer 1", max_words=3, min_count=10)
        low, high = [float(row[2]) for row in words.rows], [float(row[5]) for row in words.rows]
        assert low == sorted(low)
        assert high == sorted(high, reverse=True)
        assert max(low) <= min(high)
        assert "layer 1" in result.words_table().title  # the lowest: in a cone, all are alike
        assert not result.words_table(min_count=10**6).rows
        with pytest.raises(ValueError, match="made has no layer 'top'; it has layer 0, layer 1, layer 2"):
            result.words_table("top")

    def test_words_without_letters_are_not_listed(self) -> None:
        sentences = [[*words, "."] for words in text()]
        result = measure(Made(mixed, 3), sentences, pairs=50)
        assert "." in [word.word for word in result.words]
        assert "." not in [field for row in result.words_table(max_words=20).rows for field in row]

    def test_results(self, tmp_path: Path) -> None:
        result = measure(Made(mixed, 3), text(), pairs=50)
        append_results(tmp_path / "r.jsonl", result.results("cpu"))
        read = read_results(tmp_path / "r.jsonl")
        assert len(read) == 3 * 6 + 3
        assert json.dumps(read[0].details)
        found = {r.details["layer"]: r.value for r in read if r.metric == "anisotropy"}
        assert found == {layer.name: layer.anisotropy.value for layer in result.layers}

    @pytest.mark.parametrize("n_bilms", [0, 1, 2])
    def test_pictures(self, model: elmo.Embedder, tmp_path: Path, n_bilms: int) -> None:
        values = np.random.default_rng(4).normal(size=(5, DIM)).astype(np.float32)
        static = measure(StaticRepresentation(StaticVectors(tuple(WORDS[:5]), values), "static"), text(), pairs=40)
        results = [measure(BiLMRepresentation(model, f"tiny {n}"), text(20), pairs=40) for n in range(n_bilms)]
        written = draw_geometry([*results, static], tmp_path / "picture")
        assert [path.name for path in written] == ["picture.png", "picture.svg"]
        assert all(path.stat().st_size > 1000 for path in written)
