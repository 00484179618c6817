"""Parts of speech: the fit against scikit-learn's, and the probe as a whole."""

import math
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
import torch

import elmo
from elmo.datasets.conllu import TaggedSentence
from elmo.datasets.static_vectors import StaticVectors
from elmo.paper.probes import pos
from elmo.paper.probes.pos import fit_logistic, loss_and_gradient, probe
from elmo.paper.probes.representations import BiLMRepresentation, LayerVectors, StaticRepresentation


def sample(n: int = 300, dim: int = 6, n_tags: int = 4) -> tuple[torch.Tensor, torch.Tensor]:
    """Features that end in a 1, and tags that depend on them, not without noise."""
    generator = torch.Generator().manual_seed(5)
    x = torch.randn(n, dim, generator=generator)
    noise = torch.randn(n, n_tags, generator=generator)
    tags = (x @ torch.randn(dim, n_tags, generator=generator) + noise).argmax(1)
    return torch.cat([x, torch.ones(n, 1)], 1).double(), tags


class TestFit:
    def test_gradient_is_that_of_autograd(self) -> None:
        x, tags = sample()
        weights = torch.randn(7, 4, dtype=torch.float64, generator=torch.Generator().manual_seed(1)).requires_grad_()
        expected = torch.nn.functional.cross_entropy(x @ weights, tags) + 0.3 / 2 * weights.square().sum()
        expected.backward()
        assert weights.grad is not None
        loss, gradient = loss_and_gradient(x.float(), tags, weights.detach(), 0.3, chunk=128)
        assert loss == pytest.approx(expected.item(), rel=1e-6)
        torch.testing.assert_close(gradient, weights.grad, rtol=1e-5, atol=1e-6)

    @pytest.mark.parametrize("l2", [1e-1, 1e-3])
    def test_optimum_is_that_of_scikit_learn(self, l2: float) -> None:
        linear_model = pytest.importorskip("sklearn.linear_model")
        x, tags = sample()
        fit = fit_logistic(x, tags, l2, torch.zeros(7, 4, dtype=torch.float64), tolerance=1e-9)
        # Its C weighs the sum of the losses; our last feature takes the place of its intercept.
        other = linear_model.LogisticRegression(C=1 / (l2 * len(x)), fit_intercept=False, tol=1e-9, max_iter=10_000)
        other.fit(x.numpy(), tags.numpy())
        assert fit.gap <= 1e-9
        np.testing.assert_allclose(fit.weights.T.numpy(), other.coef_, atol=1e-3 * np.abs(other.coef_).max())

    @pytest.mark.parametrize("l2", [1e-1, 1e-3])
    def test_gap_is_a_bound_and_a_start_changes_nothing(self, l2: float) -> None:
        x, tags = sample()
        zeros = torch.zeros(7, 4, dtype=torch.float64)
        rough, fine, warm = (
            fit_logistic(x, tags, l2, start, tolerance)
            for start, tolerance in ((zeros, 0.1), (zeros, 1e-9), (zeros + 1, 1e-9))
        )
        rough_loss, fine_loss = (loss_and_gradient(x, tags, fit.weights, l2)[0] for fit in (rough, fine))
        assert rough.evaluations < fine.evaluations
        assert 0 <= rough_loss - fine_loss <= rough.gap * rough_loss
        assert rough.gap <= 0.1
        torch.testing.assert_close(warm.weights, fine.weights, rtol=0, atol=1e-3)

    def test_without_convergence_the_gap_is_large(self) -> None:
        fit = fit_logistic(*sample(), 1e-6, torch.zeros(7, 4, dtype=torch.float64), max_evaluations=2)
        assert fit.gap > pos.TOLERANCE

    def test_a_single_tag(self) -> None:
        x, tags = sample()
        assert fit_logistic(x, tags * 0, 1.0, torch.zeros(7, 1, dtype=torch.float64)).gap == 0


NOUNS, VERBS = ("bim", "dagu", "kelo", "mirt"), ("sanu", "tipo", "vork", "wela")


def language(n: int, seed: int, extra: Sequence[str] = ()) -> list[TaggedSentence]:
    """Nouns and verbs; "pon" is a verb after "to" and else a noun."""
    rng = np.random.default_rng(seed)
    sentences = []
    for _ in range(n):
        pairs: list[tuple[str, str]] = []
        for _ in range(rng.integers(1, 4)):
            noun, verb = rng.choice([*NOUNS, *extra]), rng.choice(VERBS)
            pairs += [(noun, "NN"), (verb, "VB")]
            pairs += [("to", "TO"), ("pon", "VB")] if rng.random() < 0.5 else [("a", "DT"), ("pon", "NN")]
        sentences.append(TaggedSentence(*zip(*pairs, strict=True)))
    return sentences


def static(words: Sequence[str]) -> StaticRepresentation:
    values = np.random.default_rng(3).normal(size=(len(words), 12)).astype(np.float32)
    return StaticRepresentation(StaticVectors(tuple(words), values), "made up")


@pytest.fixture(scope="module")
def result(model: elmo.Embedder) -> pos.POSResult:
    sources = [static([*NOUNS, *VERBS, "to", "a", "pon"]), BiLMRepresentation(model, "tiny")]
    return probe(sources, language(120, 1), language(40, 2), language(40, 3, extra=["zorb"]))


class TestProbe:
    def test_context_decides_what_a_word_alone_cannot(self, result: pos.POSResult) -> None:
        by_layer = {layer.layer: layer.accuracy for layer in result.layers}
        assert list(by_layer) == ["static", "token layer", "LSTM 1", "LSTM 2", "average"]
        assert by_layer["LSTM 1"].test > 95
        # A quarter of the words is "pon": half of them are out of reach without context.
        for name in ("static", "token layer"):
            assert 80 < by_layer[name].dev < 92
        assert by_layer["static"].dev == result.baseline.dev

    def test_choice_is_the_best_on_dev_and_converged(self, result: pos.POSResult) -> None:
        for layer in result.layers:
            assert (layer.l2, layer.accuracy.dev) == max(layer.tried, key=lambda pair: pair[1])
            assert layer.gap <= pos.TOLERANCE
            assert layer.evaluations >= len(layer.tried)

    def test_table_and_results(self, result: pos.POSResult) -> None:
        table = result.table()
        assert [r[:2] for r in table.rows[:2]] == [["most frequent tag of the word", ""], ["made up", "static"]]
        assert all(len(r) == len(table.header) == 6 for r in table.rows)
        assert "97.3 / 96.8" in table.note
        assert "4 tags" in table.note
        found = result.results()
        assert len(found) == 3 * 6
        what, metric, value, details = found[4]
        assert (what, metric, value) == ("pos", "accuracy", result.layers[0].accuracy.test)
        assert (details["source"], details["layer"], details["set"]) == ("made up", "static", "test")

    def test_scores_by_hand(self) -> None:
        def tagged(text: str) -> list[TaggedSentence]:
            return [TaggedSentence(*zip(*(token.split("_") for token in text.split()), strict=True))]

        train = tagged("bim_NN bim_NN bim_VB dagu_VB kelo_NN")
        dev = tagged("bim_NN bim_VB dagu_VB")
        test = tagged("bim_NN zorb_NN zorb_VB zorb_XX")  # an unknown word is a noun, and nobody has heard of XX
        result = probe([static(["bim", "dagu", "kelo"])], train, dev, test)
        assert result.baseline == pos.TagAccuracy(pytest.approx(200 / 3), 50.0, pytest.approx(100 / 3))
        assert (result.tags, result.unknown_words, result.words) == (2, 3, (5, 3, 4))
        assert result.layers[0].accuracy.test == 50.0  # a vector of zeros for "zorb": one of its tags or the other
        again = probe([], train, dev, dev)
        assert math.isnan(again.baseline.unknown)
        assert again.table().rows[0][-2] == "–"
        assert len(again.results()) == 2

    def test_order_does_not_matter(self) -> None:
        source = static([*NOUNS, *VERBS, "to", "a", "pon"])
        train, dev = language(60, 1), language(30, 2)
        one, other = probe([source], train, dev, dev), probe([source], train[::-1], dev[::-1], dev)
        assert one.layers[0].accuracy.test == other.layers[0].accuracy.test
        assert one.layers[0].tried == other.layers[0].tried

    def test_features_have_mean_0_and_deviation_1_in_training(self) -> None:
        stored = np.random.default_rng(0).normal(5, 3, size=(40, 3)).astype(np.float16)
        stored[:, 2] = 0.1  # the same for all words
        train, dev, test = pos._standardize(stored, [20, 15, 5], "cpu", chunk=7)
        torch.testing.assert_close(train.mean(0), torch.tensor([0.0, 0.0, 0.0, 1.0]), atol=1e-5, rtol=0)
        torch.testing.assert_close(train.std(0, correction=0), torch.tensor([1.0, 1.0, 0.0, 0.0]), atol=1e-5, rtol=0)
        scale, mean = stored[:20].astype(float).std(0)[:2], stored[:20].astype(float).mean(0)[:2]
        np.testing.assert_allclose(test[:, :2], (stored[35:, :2] - mean) / scale, rtol=1e-4, atol=1e-5)
        assert dev.shape == (15, 4)

    def test_progress_and_data_that_cannot_be(self) -> None:
        class Large(StaticRepresentation):
            def layers(self, sentences: Iterable[Sequence[str]]) -> Iterator[LayerVectors]:
                return (values * 1e6 for values in super().layers(sentences))

        told: list[tuple[str, int, int]] = []
        data = language(5, 1)
        probe([static(NOUNS)], data, data, data, progress=lambda *what: told.append(what))
        n = 3 * sum(len(sentence.words) for sentence in data)
        assert told[-2:] == [("made up, words", n, n), ("made up, layers", 1, 1)]
        with pytest.raises(ValueError, match="the development data has no sentences"):
            probe([], data, [], data)
        with pytest.raises(ValueError, match="large: has a vector with a value"):
            probe([Large(StaticVectors(NOUNS, np.ones((4, 3), np.float32)), "large")], data, data, data)

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
    def test_a_full_disk_is_an_error(self, monkeypatch: pytest.MonkeyPatch) -> None:
        full = Path("/dev/full").open("r+b", buffering=0)  # noqa: SIM115 (closed by those who asked for it)
        monkeypatch.setattr("tempfile.TemporaryFile", lambda: full)
        with pytest.raises(OSError, match="cannot be written: No space"):
            probe([static(NOUNS)], *[language(5, 1)] * 3)

    @pytest.mark.gpu
    def test_on_a_gpu(self) -> None:
        source = static([*NOUNS, *VERBS, "to", "a", "pon"])
        data = language(60, 1), language(30, 2), language(30, 3)
        assert probe([source], *data, device="cuda").layers[0].tried == probe([source], *data).layers[0].tried
