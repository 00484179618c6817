"""The input vectors of task models."""

import itertools

import numpy as np
import pytest
import torch

import elmo
from elmo.datasets.static_vectors import StaticVectors
from elmo.tasks.inputs import UNKNOWN, CharacterSettings, ElmoSettings, InputSettings, TaskInputs, TaskVocabulary
from elmo.tasks.layer_cache import LayerCache

PLAIN = InputSettings(tuned=True, dim=6, dropout=0.0)
SENTENCES = [["a", "fine", "day"], ["Hello"], ["a", "b", "c", "d", "e"]]


@pytest.fixture
def layers(model: elmo.Embedder) -> LayerCache:
    return LayerCache(model.bilm)


def test_ids_are_given_in_order_of_first_occurrence() -> None:
    vocabulary = TaskVocabulary(["fine"])
    assert vocabulary.ids([["a", "fine", "day"], ["b", "a"]]).tolist() == [[1, 2, 3], [4, 1, 0]]
    assert vocabulary.ids([["c", "b"]]).tolist() == [[5, 4]]


def test_distinct_ids_are_those_of_numpy() -> None:
    vocabulary, random = TaskVocabulary(["fine"]), np.random.default_rng(0)
    vocabulary.prepare([[f"w{number}" for number in range(3000)]])
    for shape in ((7, 50), (1, 1), (3, 0)):
        ids = random.integers(0, 3001, shape).astype(np.int32)
        distinct, places = vocabulary.distinct(ids)
        expected, inverse = np.unique(ids, return_inverse=True)
        assert distinct.tolist() == expected.tolist()
        assert places.tolist() == inverse.reshape(shape).tolist()


class TestTaskInputs:
    def test_preparing_changes_nothing_but_the_time(self, layers: LayerCache) -> None:
        torch.manual_seed(0)
        settings = InputSettings(True, 6, 0.0, CharacterSettings(4, 3, 5))
        words = TaskInputs(["a", "b"], settings, ElmoSettings(dropout=0.0), layers)
        long = [["a", "x" * 80], ["b"]]
        expected = [words(sentences).x for sentences in (SENTENCES, long)]
        words.prepare([*SENTENCES, *long])
        for sentences, before in zip((SENTENCES, long), expected, strict=True):
            torch.testing.assert_close(words(sentences).x, before, atol=1e-5, rtol=0)

    @pytest.mark.parametrize(
        ("placement", "which"), list(itertools.product(("input", "output", "both"), ("all", "top")))
    )
    def test_every_placement(self, layers: LayerCache, placement: str, which: str) -> None:
        settings = ElmoSettings(placement=placement, layers=which, dropout=0.0)  # type: ignore[arg-type]
        words = TaskInputs(["a", "fine"], PLAIN, settings, layers)
        x, extra, mask, lengths = words(SENTENCES)
        assert x.shape == (3, 5, words.input_dim)
        assert extra.shape == (3, 5, words.output_dim)
        assert lengths == (3, 1, 5)
        assert (words.input_dim > 6) == (placement != "output")
        assert (words.output_dim > 0) == (placement != "input")
        assert not x[~mask].any()
        assert not extra[~mask].any()
        (x.sum() + extra.sum() + words.penalty()).backward()
        for mix in words.mixes.values():
            assert mix.gamma.grad is not None
        learned = words.layer_weights()
        assert set(learned) == ({"input", "output"} if placement == "both" else {placement})
        assert all(sum(place["shares"]) == pytest.approx(1) for place in learned.values())

    def test_a_tuned_bilm_starts_as_the_frozen_one(self, model: elmo.Embedder) -> None:
        torch.manual_seed(0)
        frozen = TaskInputs(["a"], PLAIN, ElmoSettings(dropout=0.0), LayerCache(model.bilm))
        torch.manual_seed(0)
        tuned = TaskInputs(["a"], PLAIN, ElmoSettings(dropout=0.0, frozen=False), bilm=model.bilm)
        torch.testing.assert_close(frozen(SENTENCES).x, tuned(SENTENCES).x, atol=2e-3, rtol=2e-3)
        assert any(name.startswith("bilm.") for name in tuned.state_dict())
        assert not any(name.startswith("bilm.") for name in frozen.state_dict())

    @pytest.mark.parametrize("frozen", [True, False], ids=["frozen", "tuned"])
    def test_the_bilm_reads_whole_sequences_or_their_sentences(self, model: elmo.Embedder, frozen: bool) -> None:
        passage = ["Ann", "left", ".", "Bob", "stayed", "at", "home", "!", "Then", "Eve", "came", "."]
        sentences = [passage[:3], passage[3:8], passage[8:]]

        def inputs(unit: str) -> TaskInputs:
            torch.manual_seed(0)
            settings = ElmoSettings(dropout=0.0, unit=unit, frozen=frozen)  # type: ignore[arg-type]
            bilm = {"layers": LayerCache(model.bilm)} if frozen else {"bilm": model.bilm}
            return TaskInputs([], PLAIN, settings, **bilm)  # type: ignore[arg-type]

        whole, apart = inputs("sequence"), inputs("sentence")
        slow = torch.cat([whole([sentence]).x[0] for sentence in sentences])
        for _ in range(2):  # unprepared, prepared
            found = apart([["a", "b"], passage, sentences[1]]).x
            torch.testing.assert_close(found[1], slow, atol=2e-3, rtol=2e-3)
            torch.testing.assert_close(found[2, :5], slow[3:8], atol=2e-3, rtol=2e-3)
            assert not found[0, 2:].any()
            apart.prepare([["a", "b"], passage, sentences[1]])
        assert (whole([passage]).x[0] - slow).abs().max() > 0.01

    def test_penalty_is_lambda_times_the_sum_of_squares(self, layers: LayerCache) -> None:
        words = TaskInputs([], PLAIN, ElmoSettings(placement="both", penalty=0.5), layers)
        for mix in words.mixes.values():
            mix.weights.data.fill_(2.0)
        assert words.penalty().item() == pytest.approx(0.5 * 2 * 3 * 4)

    def test_characters(self) -> None:
        torch.manual_seed(0)
        words = TaskInputs(["a"], InputSettings(True, 6, 0.0, CharacterSettings(4, 3, 5)))
        x = words(SENTENCES).x
        assert x.shape == (3, 5, 11)
        torch.testing.assert_close(words(SENTENCES[:1]).x, x[:1, :3])

    def test_characters_with_filters_of_several_widths(self) -> None:
        """The filters of each width are those that a CNN of that width alone would have."""
        torch.manual_seed(0)
        words = TaskInputs(["a"], InputSettings(True, 6, 0.0, CharacterSettings(4, [2, 3], 5)))
        narrow, wide = (
            TaskInputs(["a"], InputSettings(True, 6, 0.0, CharacterSettings(4, width, 5))) for width in (2, 3)
        )
        x = words(SENTENCES).x
        assert x.shape == (3, 5, 16)
        for one, first, state in ((narrow, 6, "0"), (wide, 11, "1")):
            own, alone = words.characters.state_dict(), one.characters.state_dict()  # type: ignore[union-attr]
            renamed = {name: own[name.replace(".0.", f".{state}.")] for name in alone}
            one.characters.load_state_dict(renamed)  # type: ignore[union-attr]
            torch.testing.assert_close(one(SENTENCES).x[..., 6:], x[..., first : first + 5])

    @pytest.mark.parametrize("width", [0, 51, True, "3", 2.5, [], [3, 0], [[3]], None], ids=str)
    def test_invalid_widths(self, width: object) -> None:
        with pytest.raises(ValueError, match=r"width must be an integer from 1 to 50 or a list|at least one filter"):
            CharacterSettings(4, width, 5)  # type: ignore[arg-type]

    def test_static_vectors(self) -> None:
        words = TaskInputs(["the", "cat"], InputSettings(False, 3, 0.0), dim=3)
        words.load_vectors(StaticVectors(("the", "dog", "cat"), np.arange(9, dtype=np.float32).reshape(3, 3)))
        x = words([["The", "cat", "unicorn"]]).x[0]
        assert x.tolist() == [[0, 1, 2], [6, 7, 8], [3, 4, 5]]  # unknown words get the mean of the model's words
        assert not words.table.weight.requires_grad
        assert UNKNOWN == 1
        with pytest.raises(ValueError, match="dimension 3"):
            TaskInputs(["a"], PLAIN).load_vectors(StaticVectors(("a",), np.zeros((1, 3), np.float32)))

    @pytest.mark.parametrize("tuned", [False, True])
    def test_words_without_a_static_vector_are_learned(self, tuned: bool) -> None:
        static = StaticVectors(("the", "cat"), np.array([[2, 0], [0, 4]], np.float32))
        words = TaskInputs(static.words, InputSettings(tuned, 2, 0.0), dim=2, learned=["Qat", "and"])
        words.load_vectors(static)
        sentence = [["the", "Qat", "and", "new", "other", "AND"]]
        assert words(sentence).x[0].tolist() == [[2, 0]] + 5 * [[1, 2]]  # all start with the mean
        optimizer = torch.optim.Adam(words.parameters(), 0.5)
        for _ in range(3):
            optimizer.zero_grad()
            target = torch.tensor([9.0, 3, -3, 5, 5, -3])[:, None]
            ((words(sentence).x[0] - target) ** 2).sum().backward()
            optimizer.step()
        after = words([["the", "Qat", "and", "new", "unheard-of"], ["cat"]]).x
        assert (after[0, 0].tolist() == [2, 0]) != tuned  # static vectors stay, unless they are tuned
        assert after[0, 1, 0] > 1 > after[0, 2, 0]
        assert torch.equal(after[0, 3], after[0, 4])  # unknown words share a vector, which is learned
        assert after[0, 3, 0] > 1
        assert not after[1, 1:].any()  # padding
        trained = sum(parameter.numel() for parameter in words.parameters() if parameter.requires_grad)
        assert trained == 2 * (2 + 2 + (2 if tuned else 0))  # no gradients for static vectors

    def test_nothing_is_learned_about_unknown_words_in_older_runs(self) -> None:
        words = TaskInputs(["the"], InputSettings(False, 2, 0.0), dim=2)
        assert list(words.state_dict()) == ["table.weight"]
        assert not any(parameter.requires_grad for parameter in words.parameters())

    def test_settings_without_a_bilm(self) -> None:
        with pytest.raises(ValueError, match="neither"):
            TaskInputs([], PLAIN, ElmoSettings())

    @pytest.mark.parametrize("changes", [{"placement": "left"}, {"layers": "some"}, {"penalty": -1.0}], ids=str)
    def test_invalid_settings(self, changes: dict) -> None:
        with pytest.raises(ValueError, match="must be"):
            ElmoSettings(**changes)
