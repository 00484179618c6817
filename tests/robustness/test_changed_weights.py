"""Vectors follow the weights, however these were changed."""

import copy
import inspect
from collections.abc import Callable, Iterator

import numpy as np
import pytest
import torch

import elmo

TEXT = ["the play was long", "Hello"]


def optimizers() -> Iterator[tuple[str, type[torch.optim.Optimizer], dict[str, bool]]]:
    """Every optimizer of torch that takes dense gradients of any shape and no closure, in each implementation."""
    for name, cls in sorted(vars(torch.optim).items()):
        if inspect.isclass(cls) and issubclass(cls, torch.optim.Optimizer):
            if name in ("Optimizer", "LBFGS", "SparseAdam", "Muon"):
                continue
            yield name, cls, {}
            for kind in ("foreach", "fused"):
                if kind in inspect.signature(cls).parameters:
                    yield f"{name}-{kind}", cls, {kind: True}


OPTIMIZERS = {name: (cls, options) for name, cls, options in optimizers()}

WRITES: dict[str, Callable[[torch.Tensor], None]] = {
    "in place": lambda weight: weight.mul_(0.5),
    "data": lambda weight: weight.data.mul_(0.5),
    "numpy": lambda weight: np.multiply(weight.detach().numpy(), 0.5, out=weight.detach().numpy()),
    "one bit": lambda weight: weight.detach().view(torch.int32).view(-1)[-1:].bitwise_xor_(1 << 22),
    "sign": lambda weight: weight.data.neg_(),
    "reversed": lambda weight: weight.data.copy_(weight.data.flip(0)),
    "rolled": lambda weight: weight.data.copy_(weight.data.roll(1)),
    "new storage": lambda weight: setattr(weight, "data", weight.data * 0.5),
}


def check(embedder: elmo.Embedder, before: list[np.ndarray], change: Callable[[], None]) -> None:
    """Apply a change, and compare with a new embedder, which has nothing to remember."""
    change()
    expected = elmo.Embedder(copy.deepcopy(embedder.bilm)).embed(TEXT)
    assert any(not np.array_equal(one.layers, old) for one, old in zip(expected, before, strict=True))
    for one, other in zip(embedder.embed(TEXT), expected, strict=True):
        np.testing.assert_array_equal(one.layers, other.layers)


@pytest.fixture
def embedder(model: elmo.Embedder) -> elmo.Embedder:
    return elmo.Embedder(copy.deepcopy(model.bilm))


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_optimizers(name: str, embedder: elmo.Embedder) -> None:
    cls, options = OPTIMIZERS[name]
    bilm = embedder.bilm.requires_grad_(True)
    optimizer = cls(bilm.parameters(), lr=0.1, **options)
    generator = torch.Generator().manual_seed(0)
    for weight in bilm.parameters():
        weight.grad = torch.randn(weight.shape, generator=generator)
    before = [one.layers for one in embedder.embed(TEXT)]
    check(embedder, before, optimizer.step)


@pytest.mark.parametrize("write", WRITES)
def test_writes(write: str, model: elmo.Embedder) -> None:
    """Every tensor of the model, one at a time."""
    for name in dict(model.bilm.named_parameters()):
        embedder = elmo.Embedder(copy.deepcopy(model.bilm))
        weight = embedder.bilm.get_parameter(name)
        if torch.count_nonzero(weight) == 0 or (write == "one bit" and "embedding" in name):
            continue  # nothing to change, or a character that the text does not have
        with torch.no_grad():
            old = weight.clone()
            embedder.embed(TEXT)
            WRITES[write](weight)
            if torch.equal(old, weight):
                continue
        expected = elmo.Embedder(copy.deepcopy(embedder.bilm)).embed(TEXT)
        for one, other in zip(embedder.embed(TEXT), expected, strict=True):
            np.testing.assert_array_equal(one.layers, other.layers, err_msg=name)


@pytest.mark.parametrize("initial_state", ["zero", "warm", "carry"])
def test_in_the_middle_of_a_stream(initial_state: str, embedder: elmo.Embedder) -> None:
    """What is computed after the change is computed with the new weights, warm state included."""
    embedder.embed(TEXT, initial_state=initial_state)
    embedder.bilm.lstm.layers[0].weight.data.mul_(0.5)
    fresh = elmo.Embedder(copy.deepcopy(embedder.bilm))
    for one, other in zip(
        embedder.embed(TEXT, initial_state=initial_state), fresh.embed(TEXT, initial_state=initial_state), strict=True
    ):
        np.testing.assert_array_equal(one.layers, other.layers)


def test_a_loaded_model_is_not_checked_until_someone_else_can_change_it(published_folder, monkeypatch) -> None:
    from elmo.engines import current

    checks = []
    stamp = current.WeightsStamp.of
    monkeypatch.setattr(current.WeightsStamp, "of", lambda bilm: checks.append(1) or stamp(bilm))
    model = elmo.load(published_folder)
    for _ in range(3):
        model.embed(TEXT)
    assert len(checks) == 1  # when the engine was made
    stream = model.embed_stream(TEXT)
    model.bilm.lstm.layers[0].weight.data.mul_(1.0)
    list(stream)
    assert len(checks) == 2  # once for a run, when it is computed
    weight = model.bilm.lstm.layers[0].weight
    before = [one.layers for one in model.embed(TEXT)]
    check(model, before, lambda: weight.data.mul_(0.5))
    for again in (copy.copy(model), copy.deepcopy(model)):
        before = [one.layers for one in again.embed(TEXT)]
        check(again, before, lambda again=again: again.bilm.lstm.layers[0].weight.data.mul_(0.5))
    before = [one.layers for one in model.embed(TEXT)]
    assert not np.array_equal(before[0], elmo.load(published_folder).embed(TEXT)[0].layers)


def test_tasks_and_servers_read_a_model_without_making_it_slower(published_folder, task_folders, tmp_path, monkeypatch):
    """Reading all weights before every batch takes as long as a sentence."""
    from elmo.engines import current

    pytest.importorskip("fastapi", reason="needs elmo-torch[serve]")
    from serve.servers import random_model

    from elmo.serve.app import create_app

    model, alone = elmo.load(published_folder), elmo.load_task(task_folders["ner"])
    ner = elmo.load_task(task_folders["ner"], elmo=model)
    random_model().save(tmp_path / "speaker")
    speaker = elmo.load(tmp_path / "speaker")
    create_app({"speaker": speaker, "model": model}, tasks={"ner": ner})

    def use_all() -> None:
        for embedder in (model, speaker):
            embedder.embed(TEXT)
        for task in (ner, alone):
            task("Ann saw Hugo.")

    use_all()
    monkeypatch.setattr(current.WeightsStamp, "of", lambda bilm: pytest.fail("the weights were read"))
    use_all()


def test_other_settings_of_the_same_embedder(model: elmo.Embedder, embedder: elmo.Embedder) -> None:
    exact = embedder.embed(TEXT)[0].layers
    embedder.precision = "bf16"
    assert not np.array_equal(embedder.embed(TEXT)[0].layers, exact)
    embedder.precision = "float32"
    np.testing.assert_array_equal(embedder.embed(TEXT)[0].layers, exact)
    warm = embedder.embed(TEXT, initial_state="warm")[0].layers
    embedder.warm_up = ()
    np.testing.assert_array_equal(embedder.embed(TEXT, initial_state="warm")[0].layers, exact)
    assert not np.array_equal(warm, exact)
    other = copy.deepcopy(model.bilm)
    other.lstm.layers[0].weight.data.mul_(0.5)
    embedder.bilm = other
    assert not np.array_equal(embedder.embed(TEXT)[0].layers, exact)


def test_the_warm_up_text_is_tokenized_whatever_the_tokenizer(model: elmo.Embedder) -> None:
    """Its words are taken as they are: here the tokenizer would split them."""
    warm = elmo.Embedder(model.bilm, warm_up=[["don't", "stop."]])
    state = model.embed_batch([["don't", "stop."]])[1]
    np.testing.assert_array_equal(warm.warm_state.h, state.h)
