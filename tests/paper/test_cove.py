"""CoVe: learning to translate made-up words, and the vectors of the encoder."""

import dataclasses
import json
import os
import random
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from elmo.datasets.translation import TranslationPair
from elmo.paper.cove.model import CoveRecipe, CoveRepresentation, Translator, collate, cove_run, load_cove
from elmo.paper.cove.training import CoveJob, read_cove_recipe, split_pairs, train_cove
from elmo.tasks.recipe import TaskTraining

WORDS = {"red": "rot", "green": "grün", "blue": "blau", "one": "eins", "two": "zwei", "and": "und", "of": "von"}
""""of" and "pink" have no vector; "pink" is too rare to learn one."""
RECIPE = CoveRecipe(
    dim=24,
    decoder_dim=48,
    decoder_layers=1,
    word_dim=24,
    dropout=0.0,
    fraction=1.0,
    held_out=20,
    longest=10,
    german_words=100,
    german_count=2,
    learned_count=2,
    training=TaskTraining(batch=32, epochs=14, least_steps=1, evaluations=2, learning_rate=0.02),
)
SHORT = dataclasses.replace(RECIPE, dropout=0.2, training=dataclasses.replace(RECIPE.training, epochs=1))


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Sentence pairs that are translated word by word, and vectors."""
    folder = tmp_path_factory.mktemp("pairs")
    draw = random.Random(0)
    sentences = [draw.choices(list(WORDS), k=draw.randint(1, 3)) for _ in range(700)]
    lines = [f"{' '.join(s).capitalize()}.\t{' '.join(WORDS[w] for w in s)}.\n" for s in sentences]
    lines.append("Pink.\tRosa.\n")
    (folder / "pairs.txt").write_text("".join(lines), "utf-8")
    rows = np.random.default_rng(0).normal(0, 0.5, (len(WORDS) + 1, 8))
    known = [*(word for word in WORDS if word != "of"), "."]
    vectors = "".join(f"{w} {' '.join(f'{x:.4f}' for x in row)}\n" for w, row in zip(known, rows, strict=False))
    (folder / "vectors.txt").write_text(vectors)
    return folder / "pairs.txt", folder / "vectors.txt"


@pytest.fixture(scope="module")
def trained(files: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("cove") / "model"
    return folder, train_cove(*files, folder, RECIPE, "cpu", seed=1)


@pytest.fixture(scope="module")
def source(trained: tuple[Path, dict[str, Any]]) -> CoveRepresentation:
    return load_cove(trained[0])


class TestPairs:
    def test_no_sentence_is_on_both_sides(self) -> None:
        draw = random.Random(1)
        pairs = [
            TranslationPair((draw.choice(["Run", "run", f"w{draw.randrange(30)}"]), draw.choice(".!?")), (str(number),))
            for number in range(300)
        ]
        learned, held_out = split_pairs(pairs, 10)
        assert sorted(learned + held_out) == sorted(pairs)
        names = [{pair.english[0].lower() for pair in part} for part in (learned, held_out)]
        assert not names[0] & names[1]
        assert len(names[1]) == 10
        assert split_pairs(pairs, 10) == (learned, held_out)

    def test_punctuation_alone_is_a_sentence(self) -> None:
        pairs = [TranslationPair(("!",), ("!",)), TranslationPair(("?",), ("?",))]
        learned, held_out = split_pairs(pairs, 1)
        assert len(learned) == len(held_out) == 1

    def test_too_many_held_out(self) -> None:
        with pytest.raises(ValueError, match="cannot hold out 2 sentences: there are only 1"):
            split_pairs([TranslationPair(("a",), ("b",))], 2)


class TestRecipe:
    def test_packaged_recipe(self) -> None:
        whole, quick = read_cove_recipe(), read_cove_recipe(quick=True)
        assert (whole.dim, whole.fraction) == (300, 1.0)
        assert quick.dim < whole.dim
        assert quick.fraction < 1
        assert quick.training.clip_norm == whole.training.clip_norm
        assert CoveRecipe.from_dict(json.loads(json.dumps(dataclasses.asdict(quick)))) == quick

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"dim": None}, "recipe.dim is missing"),
            ({"size": 3}, "recipe.size is unknown"),
            ({"fraction": 0}, "fraction must be a number greater than 0"),
            ({"held_out": 0}, "held_out must be an integer from 1"),
            ({"training": None}, "training is missing"),
        ],
    )
    def test_errors_name_the_file(self, tmp_path: Path, change: dict[str, Any], message: str) -> None:
        fields = {**dataclasses.asdict(RECIPE), **change}
        text = json.dumps({name: value for name, value in fields.items() if value is not None})
        (tmp_path / "own.json").write_text(text)
        with pytest.raises(ValueError, match=rf"own\.json: {message}"):
            read_cove_recipe(tmp_path / "own.json")

    def test_no_such_recipe(self, tmp_path: Path) -> None:
        with pytest.raises(ValueError, match="no such recipe"):
            read_cove_recipe(tmp_path / "none.json")


class TestTraining:
    def test_learns_to_translate(self, trained: tuple[Path, dict[str, Any]], source: CoveRepresentation) -> None:
        folder, metrics = trained
        assert metrics["perplexity"] < 1.5
        assert metrics["accuracy"] > 0.9
        assert metrics == cove_run(folder).metrics()
        assert source.translate("Two of blue.") == "zwei von blau ."
        assert source.translate(" ") == ""

    def test_words(self, source: CoveRepresentation) -> None:
        assert source.vocabulary.learned == ["of"]
        assert "Rosa" not in source.vocabulary.german
        ids = source.vocabulary.english_ids(["Red", "red", "OF", "pink"])
        assert ids[0] == ids[1] > 0
        assert ids[2] == len(source.vocabulary.fixed) + 1
        assert ids[3] == 0

    def test_zero_for_words_without_a_vector(self, files: tuple[Path, Path], tmp_path: Path) -> None:
        train_cove(*files, tmp_path / "cove", dataclasses.replace(SHORT, learned_count=None), seed=1)
        assert load_cove(tmp_path / "cove").vocabulary.english_ids(["of"]) == [0]

    def test_glove_vectors_stay_fixed(self, files: tuple[Path, Path], trained: tuple[Path, Any]) -> None:
        model = load_cove(trained[0]).model
        given = {line.split()[0]: line.split()[1:] for line in files[1].read_text().splitlines()}
        expected = np.array([[float(x) for x in row] for row in given.values()], np.float16).astype(np.float32)
        np.testing.assert_array_equal(model.vectors[1:].numpy(), expected)
        assert not model.vectors[0].any()
        assert not model.learned.weight[0].any()
        assert "vectors" not in model.state_dict()

    def test_a_resumed_run_ends_like_an_uninterrupted_one(
        self, files: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        expected = train_cove(*files, tmp_path / "whole", SHORT, seed=1)
        real = CoveJob.loss

        def stopping(job: CoveJob, module: Any, batch: Any, step: int) -> torch.Tensor:
            if step == 7:
                os.kill(os.getpid(), signal.SIGTERM)
            return real(job, module, batch, step)

        with monkeypatch.context() as patch:
            patch.setattr(CoveJob, "loss", stopping)
            with pytest.raises(KeyboardInterrupt):
                train_cove(*files, tmp_path / "stopped", SHORT, seed=1)
        with pytest.raises(ValueError, match="training has not finished"):
            load_cove(tmp_path / "stopped")
        got = train_cove(*files, tmp_path / "stopped", SHORT, seed=1, resume=True)
        assert got["perplexity"] == expected["perplexity"]
        weights = [(tmp_path / name / "model.safetensors").read_bytes() for name in ("whole", "stopped")]
        assert weights[0] == weights[1]
        assert train_cove(*files, tmp_path / "stopped", SHORT, seed=1, resume=True)["perplexity"] == got["perplexity"]

    def test_errors(self, files: tuple[Path, Path], trained: tuple[Path, Any], tmp_path: Path) -> None:
        folder = trained[0]
        with pytest.raises(ValueError, match="already exists"):
            train_cove(*files, folder, RECIPE, seed=1)
        with pytest.raises(ValueError, match="seed is 2, but the run was started with 1"):
            train_cove(*files, folder, RECIPE, seed=2, resume=True)
        with pytest.raises(ValueError, match=r"recipe\.\w+ is .*, but the run was started with"):
            train_cove(*files, folder, SHORT, seed=1, resume=True)
        with pytest.raises(ValueError, match="not a run folder"):
            train_cove(*files, tmp_path / "none", RECIPE, seed=1, resume=True)
        with pytest.raises(ValueError, match="no sentence pairs that can be trained on"):
            train_cove(*files, tmp_path / "none", dataclasses.replace(RECIPE, longest=1), seed=1)

    @pytest.mark.parametrize(
        ("name", "content", "message"),
        [
            ("config.json", b"{", "damaged"),
            ("config.json", b'{"model_type": "elmo"}', "is not the configuration of a CoVe model"),
            ("config.json", b'{"model_type": "cove"}', "is not a recipe"),
            ("vectors.safetensors", b"?", "damaged"),
            ("model.safetensors", b"?", "damaged"),
        ],
    )
    def test_damaged_folders(
        self, trained: tuple[Path, Any], tmp_path: Path, name: str, content: bytes, message: str
    ) -> None:
        for file in trained[0].iterdir():
            if file.is_file():
                (tmp_path / file.name).write_bytes(file.read_bytes())
        (tmp_path / name).write_bytes(content)
        with pytest.raises(ValueError, match=message):
            load_cove(tmp_path)


class TestVectors:
    SENTENCES = ([], ["two", "red", "."], ["pink"], ["Blue", "and", "green", "and", "of", "one", "?"], ["red"] * 9)

    def test_shapes_and_order(self, source: CoveRepresentation) -> None:
        found = list(source.layers(self.SENTENCES))
        assert [layers.shape for layers in found] == [(2, len(s), 2 * RECIPE.dim) for s in self.SENTENCES]
        assert all(layers.dtype == np.float32 for layers in found)
        assert source.dim == 2 * RECIPE.dim
        assert len(source.layer_names) == 2
        assert list(source.layers([])) == []
        assert [layers.shape[1] for layers in source.layers([[]])] == [0]

    def test_batch_mates_do_not_matter(self, source: CoveRepresentation) -> None:
        together = list(source.layers(self.SENTENCES))
        for sentence, layers in zip(self.SENTENCES, together, strict=True):
            np.testing.assert_allclose(next(source.layers([sentence])), layers, atol=1e-5)

    def test_context_matters_but_not_in_the_wrong_direction(self, source: CoveRepresentation) -> None:
        """The first layer's forward half knows what is to the left, its backward half what is to the right."""
        one, other = source.layers([["red", "and", "blue"], ["red", "and", "two"]])
        half = RECIPE.dim
        np.testing.assert_allclose(one[0, 1, :half], other[0, 1, :half], atol=1e-6)
        assert np.abs(one[0, 1, half:] - other[0, 1, half:]).max() > 1e-3
        # The second layer reads both directions of the first, joined.
        assert np.abs(one[1, 1, :half] - other[1, 1, :half]).max() > 1e-3

    def test_against_torchs_own_two_layers(self, source: CoveRepresentation) -> None:
        """The encoder is an ordinary two-layer bidirectional LSTM."""
        model = source.model
        lstm = torch.nn.LSTM(8, RECIPE.dim, 2, batch_first=True, bidirectional=True)
        weights = {}
        for number, layer in enumerate(model.layers):
            for name, value in layer.layers[0].state_dict().items():
                weights[name.replace("_l0", f"_l{number}")] = value
        lstm.load_state_dict(weights)
        sentence = ["two", "green", "."]
        rows = torch.tensor([source.vocabulary.english_ids(sentence)])
        with torch.no_grad():
            expected = lstm(model.vectors[rows])[0][0].numpy()
        np.testing.assert_allclose(next(source.layers([sentence]))[1], expected, atol=1e-6)


def test_all_steps_at_once_equal_single_steps() -> None:
    """Computing all target words at once, as in training, equals decoding step by step."""
    torch.manual_seed(0)
    recipe = dataclasses.replace(RECIPE, decoder_layers=2)
    model = Translator(torch.randn(5, 8), 2, 9, recipe).eval()
    pairs = [([1, 5, 6, 7], [2, 3, 4]), ([3], [8, 2, 2, 5, 6])]
    with torch.no_grad():
        together = model.target_scores(collate(pairs, torch.device("cpu")))
        single = []
        for english, german in pairs:
            memory = model.encode(torch.tensor([english]), [len(english)])[-1]
            mask = torch.ones(1, len(english), dtype=torch.bool)
            state = model.initial_state(memory, mask)
            for number in [1, *german]:
                features, state = model.decode(torch.tensor([[number]]), state, memory, mask)
                single.append(model.scores(features[0, 0]))
    torch.testing.assert_close(together, torch.stack(single), atol=1e-5, rtol=0)


def test_perplexity_does_not_depend_on_batches() -> None:
    torch.manual_seed(0)
    model = Translator(torch.randn(5, 8), 2, 9, RECIPE).eval()
    draw = random.Random(0)
    dev = [
        ([draw.randrange(8) for _ in range(1 + n % 5)], [draw.randrange(9) for _ in range(n % 4)]) for n in range(30)
    ]
    whole = CoveJob(model, [], dev, 1, 0).evaluate()
    alone = CoveJob(model, [], dev[::-1], 1, 0, batch_tokens=1).evaluate()
    assert alone == pytest.approx(whole, rel=1e-5)
