"""Semantic roles: the fast layers against the plain equations, and learning made-up sentences."""

import dataclasses
import json
import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from tasks.samples import srl as sample
from torch import Tensor

from elmo.datasets.columns import PredicateFrame, bio_tags
from elmo.tasks.inputs import ElmoSettings, InputSettings, TaskInputs
from elmo.tasks.layer_cache import LayerCache
from elmo.tasks.recipe import read_task_recipe
from elmo.tasks.srl import HighwayLSTM, SemanticRoles, SRLModel, SRLSettings, reversed_rows, rows_at
from elmo.text.tokens import tokenizer

TASK = SemanticRoles()
SETTINGS = SRLSettings(dim=16, n_layers=3, dropout=0.0, predicate_dim=4)


def model_for(examples: list[PredicateFrame], settings: SRLSettings = SETTINGS) -> SRLModel:
    torch.manual_seed(0)
    words = sorted({word for example in examples for word in example.words})
    return TASK.build(
        TaskInputs(words, InputSettings(tuned=True, dim=16, dropout=0.0)), TASK.label_sets(examples), settings
    )


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> list[PredicateFrame]:
    path = tmp_path_factory.mktemp("srl") / "sample.conll"
    sample.write(path, 60, seed=0)
    return TASK.read(path)


def plain_layer(layer: HighwayLSTM, x: Tensor) -> Tensor:
    """Compute the equations of a layer word by word, for one sequence (T, I), without dropout."""
    h, c = x.new_zeros(2, layer.dim)
    outputs = []
    for word in x:
        i, f, g, o = (layer.weight @ word + layer.recurrent @ h + layer.bias).split(layer.dim)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        h = torch.sigmoid(o) * torch.tanh(c)
        gate, highway = (layer.bypass @ word).split(layer.dim)
        r = torch.sigmoid(gate + layer.gate.weight @ h + layer.gate.bias)
        outputs.append(r * h + (1 - r) * highway)
    return torch.stack(outputs)


def plain_scores(model: SRLModel, example: PredicateFrame) -> Tensor:
    """Compute the scores of the tags of one sentence, (T, tags)."""
    marks = torch.tensor([int(position == example.predicate) for position in range(len(example.words))])
    x = torch.cat([model.words([example.words]).x[0], model.mark(marks)], -1)
    for index, layer in enumerate(model.layers):
        assert isinstance(layer, HighwayLSTM)
        x = plain_layer(layer, x) if index % 2 == 0 else plain_layer(layer, x.flip(0)).flip(0)
    return model.project(x)


def tag_scores(model: SRLModel, examples: list[PredicateFrame]) -> Tensor:
    return model._scores(examples, model._inputs(examples))


@pytest.mark.parametrize("n_layers", [1, 2, 3, 8])
def test_scores_and_gradients_match_the_plain_equations(examples: list[PredicateFrame], n_layers: int) -> None:
    """The layers of a batch, reversed in turns, against one sentence after the other."""
    model = model_for(examples, dataclasses.replace(SETTINGS, n_layers=n_layers)).double()
    for layer in model.layers:
        torch.nn.init.normal_(layer.bias)
    some = sorted(examples, key=lambda example: len(example.words))[:: len(examples) // 5]
    assert len({len(example.words) for example in some}) > 2
    plain = [plain_scores(model, example) for example in some]
    fast = [row[: len(example.words)] for row, example in zip(tag_scores(model, some), some, strict=True)]
    torch.testing.assert_close(fast, plain)
    parameters = {name: p for name, p in model.named_parameters() if not name.startswith("find.")}
    aims = [torch.randn_like(scores) for scores in plain]
    expected, found = (
        torch.autograd.grad(sum((a * b).sum() for a, b in zip(scores, aims, strict=True)), list(parameters.values()))
        for scores in (plain, fast)
    )
    for name, a, b in zip(parameters, expected, found, strict=True):
        torch.testing.assert_close(a, b, msg=lambda text, name=name: f"{name}: {text}")


@given(st.lists(st.integers(0, 6), min_size=1, max_size=5))
def test_sequences_are_reversed_and_padding_stays(lengths: list[int]) -> None:
    x = torch.arange(max(lengths) * len(lengths)).view(max(lengths), len(lengths), 1)
    order = torch.from_numpy(reversed_rows(lengths))
    turned = rows_at(x, order)
    for row, length in enumerate(lengths):
        assert torch.equal(turned[:length, row], x[:length, row].flip(0))
        assert torch.equal(turned[length:, row], x[length:, row])
    assert torch.equal(rows_at(turned, order), x)


def test_dropout_has_one_mask_for_all_words_and_only_in_training() -> None:
    torch.manual_seed(0)
    layer = HighwayLSTM(3, 50, dropout=0.5)
    x = torch.randn(7, 2, 3)
    zero = layer(x) == 0  # (T, B, D)
    assert torch.equal(zero, zero[:1].expand_as(zero))
    assert 20 < zero[0].sum() < 80
    layer.eval()
    assert not (layer(x) == 0).any()
    assert torch.equal(layer(x), layer(x))


def test_dropout_reaches_the_recurrence() -> None:
    torch.manual_seed(0)
    layer = HighwayLSTM(3, 50, dropout=0.5)
    x = torch.randn(7, 1, 3)
    first, second = (layer(x) for _ in range(2))
    kept = (first[0] != 0) & (second[0] != 0)  # both masks keep these units
    torch.testing.assert_close(first[0][kept], second[0][kept])  # no recurrence yet
    assert (first[1][kept] - second[1][kept]).abs().max() > 1e-3


def test_weights_are_initialized_orthogonal() -> None:
    layer = HighwayLSTM(6, 4, dropout=0.0)
    for matrix in (layer.recurrent, layer.weight, layer.bypass, layer.gate.weight):
        for gate in matrix.split(4):
            torch.testing.assert_close(gate @ gate.mT, torch.eye(4))


def test_weights_of_earlier_versions_are_refused(examples: list[PredicateFrame]) -> None:
    model = model_for(examples)
    weights = model.state_dict()
    without = {name: weight for name, weight in weights.items() if not name.startswith("find.")}
    for earlier in ({"layers.0.highway": torch.zeros(3), **weights}, without):
        with pytest.raises(ValueError, match="from an earlier version, with other layers: train it again"):
            model.load_state_dict(earlier)


def test_an_example_does_not_depend_on_its_batch(examples: list[PredicateFrame]) -> None:
    model = model_for(examples).eval()  # in training, products may be in bfloat16
    some = sorted(examples, key=lambda example: len(example.words))[:: len(examples) // 6]
    losses, gradients = [], []
    for batch in (some, *([example] for example in some)):
        model.zero_grad()
        loss = model(batch)
        loss.backward()
        losses.append(loss.item())
        gradients.append(torch.cat([p.grad.flatten() for p in model.parameters() if p.grad is not None]))
    assert losses[0] == pytest.approx(sum(losses[1:]) / len(some), abs=1e-5)
    torch.testing.assert_close(gradients[0], torch.stack(gradients[1:]).mean(0), atol=1e-5, rtol=1e-4)
    with torch.no_grad():
        alone = tag_scores(model, some[:1])[0]
        torch.testing.assert_close(tag_scores(model, some)[0, : len(some[0].words)], alone)
        assert model.eval().predict(some) == [model.predict([example])[0] for example in some]


@pytest.mark.gpu
def test_gpu_matches_cpu(examples: list[PredicateFrame]) -> None:
    model = model_for(examples).eval()
    loss = model(examples)
    loss.backward()
    gradients = [parameter.grad.clone() for parameter in model.parameters()]
    model.zero_grad()
    with torch.backends.cudnn.flags(allow_tf32=False):
        again = model.cuda()(examples)
        again.backward()
    torch.testing.assert_close(again.cpu(), loss, atol=1e-4, rtol=1e-4)
    for parameter, gradient in zip(model.parameters(), gradients, strict=True):
        torch.testing.assert_close(parameter.grad.cpu(), gradient, atol=1e-4, rtol=1e-3)


def test_predictions_ignore_the_answers(examples: list[PredicateFrame]) -> None:
    model = model_for(examples).eval()
    bare = [PredicateFrame(example.words, example.predicate, [], ()) for example in examples]
    with torch.no_grad():
        assert model.predict(bare) == model.predict(examples)


@pytest.mark.parametrize("n_layers", [3, 8])
def test_learns_the_sample(examples: list[PredicateFrame], n_layers: int) -> None:
    model = model_for(examples, SRLSettings(dim=16, n_layers=n_layers, dropout=0.1, predicate_dim=4))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    first = model(examples).item()
    for _ in range(60):
        optimizer.zero_grad()
        loss = model(examples)
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        assert model(examples).item() < 0.2 * first
        scores = TASK.score(examples, model.predict(examples))
    assert scores["F1"] > 80
    assert scores.keys() == {"F1", "precision", "recall"}


def test_loss_is_the_mean_over_words_and_then_over_frames(examples: list[PredicateFrame]) -> None:
    model = model_for(examples).eval()
    losses = []
    for example in examples[:8]:
        tags = [model.tag_ids[tag] for tag in bio_tags(example.spans, len(example.words))]
        roles = torch.nn.functional.cross_entropy(plain_scores(model, example), torch.tensor(tags))
        found = torch.sigmoid(model.find(model.words([example.words]).x[0])).squeeze(-1)
        right = [p if place in example.predicates else 1 - p for place, p in enumerate(found)]
        losses.append(roles - torch.stack(right).log().mean())
    torch.testing.assert_close(model(examples[:8]), torch.stack(losses).mean())


def test_labels_unseen_in_training_count_as_missed(examples: list[PredicateFrame]) -> None:
    model = model_for(examples).eval()
    new = [PredicateFrame(["kilo", "tamek"], 1, [("ARG9", 0, 1), ("V", 1, 2)], (1,))]
    with torch.no_grad():
        assert math.isfinite(model(new))
        assert TASK.score(new, model.predict(new))["recall"] == 0


@pytest.mark.parametrize("placement", ["input", "output", "both"])
def test_every_placement_of_elmo(examples: list[PredicateFrame], model: object, placement: str) -> None:
    layers = LayerCache(model.bilm)  # type: ignore[attr-defined]
    words = TaskInputs(
        ["kilo"], InputSettings(tuned=True, dim=8, dropout=0.0), ElmoSettings(placement, dropout=0.0), layers
    )
    roles = TASK.build(words, TASK.label_sets(examples), SETTINGS)
    loss = roles(examples[:4])
    loss.backward()
    for mix in words.mixes.values():
        assert mix.gamma.grad.abs() > 0
    assert len(roles.eval().predict(examples[:4])) == 4


def test_label_sets() -> None:
    words = ["Like", "cats", "sleep", "so"]
    first = [
        PredicateFrame(words, 0, [("V", 0, 1), ("ARG1", 1, 2)], (0, 2)),
        PredicateFrame(words, 2, [("ARG0", 1, 2), ("V", 2, 3)], (0, 2)),
    ]
    other = PredicateFrame(["Run", "like", "cats", "so"], 0, [("V", 0, 1)], (0,))
    label_sets = TASK.label_sets([*first, *first, other])
    assert label_sets == {"labels": ["O", "B-ARG0", "I-ARG0", "B-ARG1", "I-ARG1", "B-V", "I-V"]}


def test_from_text() -> None:
    sentences = frames_of("She gave up. And SAT.")
    assert [(f.words, f.predicate, f.predicates, f.offset) for f in sentences] == [
        (["She", "gave", "up", "."], None, (), 0),
        (["And", "SAT", "."], None, (), 4),
    ]
    marked = frames_of('She "*can\'t*" *give*, 2 * 3 gave *up*.')
    assert [f.words[f.predicate] for f in marked] == ["can", "give", "up"]
    assert marked[0].words[-6:] == ["2", "*", "3", "gave", "up", "."]
    several = frames_of("He left. She *gave* up.\nThey sat.")
    assert [(f.predicate, f.offset) for f in several] == [(1, 3)]
    assert frames_of("") == []


def frames_of(text: str) -> list[PredicateFrame]:
    return TASK.examples([TASK.split(text, tokenizer("words"))], {"labels": ["O"]})


def test_finds_the_predicates_it_was_trained_on(examples: list[PredicateFrame]) -> None:
    model = model_for(examples)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(60):
        optimizer.zero_grad()
        model(examples).backward()
        optimizer.step()
    model.eval()
    unmarked = [PredicateFrame(example.words, None, [], ()) for example in examples]
    with torch.no_grad():
        found = model.predict_in_detail(unmarked)
        given = model.predict_in_detail(examples)
    assert [[place for place, _ in frames] for frames in found] == [sorted(e.predicates) for e in examples]
    for example, frames, [(place, spans)] in zip(examples, found, given, strict=True):
        assert place == example.predicate
        assert dict(frames)[place] == spans


def test_only_words_with_letters_are_found(examples: list[PredicateFrame]) -> None:
    model = model_for(examples).eval()
    torch.nn.init.constant_(model.find[-1].bias, 100.0)  # everything is a predicate
    with torch.no_grad():
        [frames, marked] = model.predict_in_detail(
            [PredicateFrame(["\U0001f642", "ok", "...", "42"], None, [], ()), PredicateFrame(["..."], 0, [], (0,))]
        )
    assert [place for place, _ in frames] == [1]
    assert [place for place, _ in marked] == [0]


def test_a_list_of_verbs_has_a_limit(examples: list[PredicateFrame], monkeypatch: pytest.MonkeyPatch) -> None:
    model = model_for(examples).eval()
    torch.nn.init.constant_(model.find[-1].bias, 100.0)
    words = sorted({word for example in examples for word in example.words if word.isalpha()})[:7] * 20
    monkeypatch.setattr("elmo.tasks.srl.MOST_PREDICATES", 9)
    sentences = [PredicateFrame(words, None, [], ()), PredicateFrame(words[:5], None, [], ())]
    with torch.no_grad():
        at_once = model.predict_in_detail(sentences)
        monkeypatch.setattr("elmo.tasks.srl.FRAME_POSITIONS", 4 * len(words))
        in_parts = model.predict_in_detail(sentences)
        likely = model.find(model.words([words]).x[0]).squeeze(-1).topk(9).values.min()
        scores = model.find(model.words([words]).x[0]).squeeze(-1)
    assert at_once == in_parts
    found = [place for place, _ in at_once[0]]
    assert found == sorted(found)
    assert len(found) == 9
    assert min(scores[found]) >= likely - 1e-5
    assert [place for place, _ in at_once[1]] == [0, 1, 2, 3, 4]


def test_finding_predicates_does_not_change_the_rest(examples: list[PredicateFrame]) -> None:
    model = model_for(examples)
    torch.nn.init.normal_(model.find[-1].weight)
    model(examples).backward()
    gradients = {name: p.grad.clone() for name, p in model.named_parameters()}
    model.zero_grad()
    torch.nn.init.zeros_(model.find[-1].weight)  # finds as badly as can be
    model(examples).backward()
    for name, p in model.named_parameters():
        if not name.startswith("find."):
            torch.testing.assert_close(p.grad, gradients[name], atol=0, rtol=0)


def test_result() -> None:
    text = "So. Well, the cat *sat* on the mat."
    document = TASK.split(text, tokenizer("words"))
    frames = TASK.examples([document], {"labels": []})
    spans = [("ARG0", 2, 4), ("V", 4, 5), ("ARGM-LOC", 5, 8)]
    [frame] = TASK.result([document], frames, [[(4, spans)]])
    assert (frame.predicate.text, frame.predicate.words) == ("sat", (6, 7))
    assert [(argument.label, argument.text) for argument in frame.arguments] == [
        ("ARG0", "the cat"),
        ("ARGM-LOC", "on the mat"),
    ]
    assert all(text[found.start : found.end] == found.text for found in (frame.predicate, *frame.arguments))
    assert frame.sentence.text == "Well, the cat *sat* on the mat."
    record = TASK.result([document], frames, [[(4, spans)]]).to_dict()
    assert json.loads(json.dumps(record)) == record


def test_offsets_skip_the_marks() -> None:
    """Characters are counted in the text as given, with its asterisks."""
    text = "Re\u0301ne *can't* *give*, 2 * 3 *gave*-up."
    document = TASK.split(text, tokenizer("words"))
    found = {word: text[start:end] for word, (start, end) in zip(document.words, document.spans, strict=True)}
    assert found.pop("Réne") == "Re\u0301ne"
    assert found.pop("gave-up") == "gave*-up"
    assert all(word == part for word, part in found.items())


def test_recipe_matches_the_paper() -> None:
    recipe = read_task_recipe(TASK)
    assert recipe.model == SRLSettings(dim=300, n_layers=8, dropout=0.1, predicate_dim=100)
    assert recipe.training.clip_norm == 1.0
    assert (recipe.elmo.placement, recipe.elmo.penalty) == ("input", 0.001)
