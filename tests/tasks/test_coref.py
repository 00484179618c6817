"""Coreference: the fast computations against slow ones, and learning from made-up stories."""

import dataclasses
import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
import torch
from tasks.samples.coref import write

from elmo.config import BiLMConfig, CharCNNConfig, LSTMConfig
from elmo.datasets.coreference import CorefDocument
from elmo.model.bilm import BiLM
from elmo.tasks import coref
from elmo.tasks.coref import (
    Coreference,
    CorefModel,
    CorefSettings,
    Scorer,
    excerpt,
    merged,
    random_excerpt,
    without_crossing,
)
from elmo.tasks.inputs import CharacterSettings, ElmoSettings, InputSettings, TaskInputs
from elmo.tasks.layer_cache import LayerCache
from elmo.tasks.recipe import read_task_recipe
from elmo.tasks.results import FoundSpan
from elmo.tasks.task import task_named
from elmo.text.tokens import tokenizer

TASK = Coreference()
TINY = CorefSettings(dim=12, hidden=16, features=4, dropout=0.0, width=4, antecedents=20)
TINY_BILM = BiLMConfig(CharCNNConfig(4, ((1, 4), (2, 8)), projection_dim=8, max_characters=12), LSTMConfig(16, 8))
SOME = CorefDocument(
    "nw/some part 000",
    [["Ann", "met", "the", "girl", "with", "her", "dog"], ["She"]],
    [[(0, 1), (7, 8)], [(2, 7), (5, 6)], [(5, 7)]],
)


@pytest.fixture
def stories(tmp_path: Path) -> list[CorefDocument]:
    write(tmp_path / "train.conll", 30, seed=1)
    return TASK.read(tmp_path / "train.conll")


def fresh(stories: list[CorefDocument], elmo: ElmoSettings | None = None, **changes: object) -> CorefModel:
    torch.manual_seed(0)
    known = sorted({word for story in stories for words in story.sentences for word in words})
    layers = None if elmo is None else LayerCache(BiLM(TINY_BILM))
    words = TaskInputs(known, InputSettings(tuned=True, dim=16, dropout=0.0), elmo, layers)
    return TASK.build(words, TASK.label_sets(stories), dataclasses.replace(TINY, **changes))  # type: ignore[arg-type]


LONG = CorefDocument(
    "long",
    [["a", "b"], ["c"], ["d", "e", "f"], ["g"], ["h"]],
    [[(0, 1), (3, 5), (7, 8)], [(2, 3)], [(2, 4)]],
    speakers=["Ann", "", "Bo", "Ann", ""],
)


def test_excerpts_of_long_documents() -> None:
    sentences = LONG.sentences
    assert excerpt(LONG, 0, 2) == CorefDocument("long", sentences[:2], [[(0, 1)], [(2, 3)]], speakers=["Ann", ""])
    assert excerpt(LONG, 2, 3) == CorefDocument("long", sentences[2:], [[(0, 2), (4, 5)]], speakers=["Bo", "Ann", ""])
    drawn = [random_excerpt(LONG, 2) for _ in range(100)]
    assert all(document in drawn for document in (excerpt(LONG, first, 2) for first in range(4)))
    assert random_excerpt(LONG, 5) is LONG


def test_a_model_is_trained_on_excerpts(stories: list[CorefDocument], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coref, "TRAINING_SENTENCES", 2)
    model = fresh(stories)
    several = {round(float(model([LONG]).detach()), 4) for _ in range(10)}
    assert len(several) > 1
    assert len({float(model.eval()([LONG]).detach()) for _ in range(3)}) == 1  # the whole document


def test_kept_spans_do_not_cross() -> None:
    random = np.random.default_rng(0)
    every = [(start, end) for start in range(20) for end in range(start + 1, start + 6)]
    ranked = [every[index] for index in random.permutation(len(every))]

    def cross(a: tuple[int, int], b: tuple[int, int]) -> bool:
        return a[0] < b[0] < a[1] < b[1] or b[0] < a[0] < b[1] < a[1]

    slow: list[tuple[int, int]] = []
    for span in ranked:
        if not any(cross(span, other) for other in slow):
            slow.append(span)
    assert without_crossing(iter(ranked), 25) == sorted(slow[:25])
    assert without_crossing(iter(ranked), 1000) == sorted(slow)
    assert not any(cross(a, b) for a, b in combinations(slow, 2))


def test_parts_of_a_scorer_add_up_to_the_whole_layer() -> None:
    scorer = Scorer([3, 2], 5, 0.0)
    a, b = torch.randn(4, 3), torch.randn(4, 2)
    added = scorer.part(0, a) + scorer.part(1, b)
    torch.testing.assert_close(added, scorer.first(torch.cat([a, b], 1)))
    assert scorer(added).shape == (4,)


@pytest.mark.parametrize("speakers", [True, False])
def test_antecedent_scores_match_one_pair_at_a_time(stories: list[CorefDocument], speakers: bool) -> None:
    """Compare with the formulas of Lee et al., written out."""
    model = fresh(stories, antecedents=5, speakers=speakers).eval()
    model.block_spans = 3
    names = ["Ann", "", "Bo", "Ann", "Bo", "Ann"][: len(stories[0].sentences)]
    story = dataclasses.replace(stories[0], speakers=names)
    said_by = [name for name, words in zip(names, story.sentences, strict=True) for _ in words]
    relations = set()
    with torch.no_grad():
        candidates = model._candidates(story)
        kept = model._prune(candidates)
        scores = model._antecedent_scores(candidates, kept, story)
        h, x = candidates.h, candidates.x

        def vector(start: int, end: int) -> torch.Tensor:
            weights = torch.softmax(model.attend(h[start:end]), 0)
            head = (weights * x[start:end]).sum(0)
            return torch.cat([h[start], h[end - 1], head, model.widths.weight[end - start - 1]])

        def mention(span: tuple[int, int]) -> float:
            return float(model.mention(model.mention.first(vector(*span))))

        for i, one in enumerate(kept):
            assert scores[i, 0] == 0
            for back in range(1, scores.shape[1]):
                if back > i:
                    assert scores[i, back] == -torch.inf
                    continue
                a, b = vector(*one), vector(*kept[i - back])
                near = model.distances.weight[sum(back >= step for step in coref.DISTANCE_BINS)]
                features = [a, b, a * b, near]
                if model.speakers is not None:
                    one_speaker, other = said_by[one[0]], said_by[kept[i - back][0]]
                    relation = (1 if one_speaker == other else 2) if one_speaker and other else 0
                    relations.add(relation)
                    features.append(model.speakers.weight[relation])
                pair = float(model.pair(model.pair.first(torch.cat(features))))
                assert float(scores[i, back]) == pytest.approx(mention(one) + mention(kept[i - back]) + pair, abs=1e-4)

    assert relations == ({0, 1, 2} if speakers else set())


def test_learns_from_speakers() -> None:
    """Only the speaker tells who "I" is."""
    random = np.random.default_rng(0)
    documents = []
    for _ in range(40):
        who = random.integers(2, size=6)
        clusters = [[(2 * place, 2 * place + 1) for place in range(6) if who[place] == one] for one in range(2)]
        kept = sorted(cluster for cluster in clusters if len(cluster) > 1)
        documents.append(CorefDocument("d", [["I", "agree"]] * 6, kept, speakers=[("Ann", "Bo")[one] for one in who]))
    scores = {}
    for speakers in (True, False):
        model = fresh(documents, speakers=speakers, antecedents=10, width=1, spans_per_word=1.0)
        assert not model.settings.singletons  # the data has none
        optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
        for document in documents[:30] * 4:
            optimizer.zero_grad()
            model([document]).backward()
            optimizer.step()
        with torch.no_grad():
            scores[speakers] = TASK.score(documents[30:], model.eval().predict(documents[30:]))["average F1"]
    assert scores[True] > 95
    assert scores[False] < 80


def test_singletons_follow_the_data(stories: list[CorefDocument]) -> None:
    linked = [
        dataclasses.replace(story, clusters=[cluster for cluster in story.clusters if len(cluster) > 1])
        for story in stories
    ]
    assert fresh(stories).settings.singletons
    assert not fresh(linked).settings.singletons
    assert fresh(linked, singletons=True).settings.singletons
    with torch.no_grad():
        for prediction in fresh(linked).eval().predict(stories):
            assert all(len(cluster) > 1 for cluster in prediction)


def test_settings_of_earlier_versions_build_the_same_model(stories: list[CorefDocument]) -> None:
    """Their runs have no inventory and no speakers, and always say whether there are singletons."""
    words = TaskInputs(["a"], InputSettings(tuned=True, dim=16, dropout=0.0))
    old = {"dim": 12, "hidden": 16, "features": 4, "dropout": 0.0, "width": 4, "antecedents": 20, "singletons": True}
    model = TASK.build(words, {}, CorefSettings(**old))  # type: ignore[arg-type]
    assert model.pair.first.weight.shape == (16, 3 * (2 * 24 + 16 + 4) + 4)
    assert not any(name.startswith("speakers") for name in model.state_dict())


def test_pairs_in_blocks_match_all_pairs_at_once(stories: list[CorefDocument]) -> None:
    losses, gradients = [], []
    for size in (1, 3, 1 << 30):
        model = fresh(stories, antecedents=4, speakers=True)
        model.block_spans = size
        loss = model(stories[:2])
        loss.backward()
        losses.append(float(loss.detach()))
        gradients.append(model.pair.first.weight.grad)
    assert losses == pytest.approx(losses[:1] * 3, rel=1e-5)
    for gradient in gradients[:2]:
        torch.testing.assert_close(gradient, gradients[2], rtol=1e-3, atol=1e-4)


def test_products_match_the_products_in_memory() -> None:
    torch.manual_seed(0)
    inputs = [torch.randn(size, 6, dtype=torch.double, requires_grad=True) for size in (5, 3, 4)]
    columns, rows, weight = inputs
    plain = (columns[:, None] * rows) @ weight.mT  # (C, R, hidden)
    fast = coref._Products.apply(*inputs)
    torch.testing.assert_close(fast, plain)
    aims = torch.randn_like(plain)
    for one, other in zip(*(torch.autograd.grad((y * aims).sum(), inputs) for y in (fast, plain)), strict=True):
        torch.testing.assert_close(one, other)


@pytest.mark.gpu
def test_gpu_matches_cpu(stories: list[CorefDocument]) -> None:
    story = dataclasses.replace(stories[0], speakers=["Ann", "Bo", "", "Ann", "Bo", "Ann"][: len(stories[0].sentences)])
    losses, gradients = [], []
    for device in ("cpu", "cuda"):
        model = fresh(stories, speakers=True).to(device)
        model.encoder.train(device == "cuda")  # in training on a CPU, products may be in bfloat16
        with torch.backends.cudnn.flags(allow_tf32=False):
            loss = model([story])
            loss.backward()
        losses.append(float(loss.detach()))
        gradients.append(model.pair.first.weight.grad.cpu())
    assert losses[0] == pytest.approx(losses[1], rel=1e-4)
    torch.testing.assert_close(*gradients, atol=1e-3, rtol=1e-3)


@pytest.mark.parametrize("placement", [None, "input", "output", "both"])
def test_an_example_does_not_depend_on_its_batch(stories: list[CorefDocument], placement: str | None) -> None:
    elmo = None if placement is None else ElmoSettings(placement, dropout=0.0)  # type: ignore[arg-type]
    model = fresh(stories, elmo).eval()
    chosen = [stories[0], CorefDocument("short", [["Zan"]], []), stories[1], SOME]
    with torch.no_grad():
        assert model.predict(chosen) == [model.predict([story])[0] for story in chosen]
        losses = torch.stack([model([story]) for story in chosen])
        assert model(chosen) == pytest.approx(float(losses.mean()), abs=1e-4)


def test_predictions_ignore_the_answers(stories: list[CorefDocument]) -> None:
    model = fresh(stories).eval()
    with torch.no_grad():
        unknown = [CorefDocument(story.name, story.sentences, []) for story in stories]
        assert model.predict(stories) == model.predict(unknown)
        assert model.predict([CorefDocument("nothing", [], [])]) == [[]]


@pytest.mark.parametrize("singletons", [True, False])
def test_learns_the_sample(stories: list[CorefDocument], singletons: bool, tmp_path: Path) -> None:
    model = fresh(stories, singletons=singletons)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    first = float(model(stories).detach())
    for _ in range(8):
        for story in stories:
            optimizer.zero_grad()
            model([story]).backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimizer.step()
    with torch.no_grad():
        assert float(model(stories)) < first / 4
        write(tmp_path / "test.conll", 20, seed=2)
        test = TASK.read(tmp_path / "test.conll")
        predictions = model.eval().predict(test)
    scores = TASK.score(test, predictions)
    assert scores["average F1"] > 90
    assert scores["average F1"] == pytest.approx((scores["MUC"] + scores["B3"] + scores["CEAF"]) / 3)
    if singletons:
        assert scores["average F1 with singletons"] > 90
    else:
        assert all(len(cluster) > 1 for clusters in predictions for cluster in clusters)


def test_mentions_that_are_too_long_are_ignored(stories: list[CorefDocument]) -> None:
    model = fresh(stories)
    assert torch.isfinite(model([SOME]).detach())  # a mention of 5 words, spans of 4
    with torch.no_grad():
        assert 0 <= TASK.score([SOME], model.eval().predict([SOME]))["average F1"] <= 100


def test_from_text() -> None:
    text = TASK.split("Ann isn't here. She left!", tokenizer("words"))
    (document,) = TASK.examples([text], {})
    assert document.sentences == [["Ann", "isn", "'t", "here", "."], ["She", "left", "!"]]
    [cluster] = TASK.result([text], [document], [[[(0, 1), (5, 6)]]])
    assert cluster[1] == FoundSpan("She", 16, 19, (5, 6))
    empty = TASK.split(" ", tokenizer("words"))
    assert TASK.examples([empty], {}) == []
    assert TASK.result([empty], [], []).clusters == ()


def test_result() -> None:
    clusters = [[(5, 6), (2, 7)], [(0, 1), (7, 8)], [(5, 7)]]
    record = TASK.result(TASK.documents(SOME), [SOME], [clusters]).to_dict()
    assert json.loads(json.dumps(record)) == record
    assert record["sentences"] == SOME.sentences
    assert record["name"] == SOME.name
    assert [mention["words"] for mention in record["clusters"][0]] == [[0, 1], [7, 8]]


def test_windows_of_long_texts() -> None:
    """Windows overlap, cover every word, and are of limited size; clusters with a mention in common are joined."""
    text = TASK.split("\n".join("Ann saw it . " * 20 for _ in range(200)), tokenizer("words"))
    windows = TASK.examples([text], {})
    assert len(windows) > 3
    sizes = [sum(map(len, window.sentences)) for window in windows]
    assert max(sizes) <= 4000
    for one, size, other in zip(windows, sizes, windows[1:], strict=False):
        assert 500 < one.offset + size - other.offset <= 1000
    assert windows[-1].offset + sizes[-1] == len(text.spans)
    a, b, c, d = (0, 1), (4, 5), (8, 9), (12, 13)
    assert merged([[[a, b]], [[b, c]], [[d]]]) == [[a, b, c], [d]]
    assert merged([[[a, b], [c, d]], [[b, c]]]) == [[a, b, c, d]]
    assert merged([[[a, (4, 7)]], [[(5, 9), d]]]) == [[a, (4, 7)], [d]]  # one of two that cross


def test_recipe_matches_the_paper() -> None:
    recipe = read_task_recipe(task_named("coref"))
    assert isinstance(recipe.model, CorefSettings)
    assert (recipe.model.dim, recipe.model.hidden, recipe.model.antecedents) == (200, 150, 250)
    assert (recipe.model.width, recipe.model.spans_per_word, recipe.model.speakers) == (10, 0.4, True)
    assert recipe.inputs.characters == CharacterSettings(dim=8, width=[3, 4, 5], filters=50)
    assert (recipe.elmo.placement, recipe.elmo.layer_norm, recipe.elmo.penalty) == ("input", False, 0.0)
