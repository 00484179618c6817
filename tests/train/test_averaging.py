"""The moving average of weights: against a slow computation, and in runs that are interrupted and resumed."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from torch import Tensor, nn

from elmo.train.averaging import MovingAverage
from elmo.train.loop import TrainingBatch, TrainingSettings, train
from elmo.train.run import RunFolder
from elmo.train.runtime import Runtime


class Toy(nn.Module):
    """A parameter to train, a frozen one and a buffer."""

    def __init__(self) -> None:
        super().__init__()
        self.trained = nn.Parameter(torch.arange(6.0).reshape(2, 3))
        self.frozen = nn.Parameter(torch.ones(2), requires_grad=False)
        self.register_buffer("count", torch.zeros(()))

    def forward(self, target: Tensor) -> Tensor:
        self.count += 1
        return ((self.trained - target) ** 2).sum() + self.frozen.sum()


class ToyJob:
    """Follows a target that moves at random; the score is the first weight."""

    title, unit, objective, larger_is_better, best_possible = "toy", "examples", "score", True, None

    def __init__(self, stop_at: int | None = None) -> None:
        torch.manual_seed(0)
        self.module: nn.Module = Toy()
        self.stop_at = stop_at
        self.weights: list[Tensor] = []
        self.scored: list[Tensor] = []

    def batches(self, position: dict[str, Any] | None) -> Iterator[TrainingBatch]:
        first = 0 if position is None else position["next"]
        while True:
            target = torch.from_numpy(np.random.default_rng(first).normal(size=(2, 3))).float()
            first += 1
            yield TrainingBatch(target, 1, {"next": first}, first / 100)

    def loss(self, module: nn.Module, target: Tensor, step: int) -> Tensor:
        self.weights.append(self.module.trained.detach().clone())
        if step == self.stop_at:
            raise InterruptedError
        loss: Tensor = module(target)
        return loss

    def evaluate(self) -> dict[str, float]:
        self.scored.append(self.module.trained.detach().clone())
        return {"score": self.module.trained[0, 0].item()}


def run(job: ToyJob, folder: Path, average: float | None = 0.8, resume: bool = False, **changes: Any) -> RunFolder:
    settings = TrainingSettings(0.3, steps=20, evaluate_every=5, average=average, **changes)
    if not resume:
        RunFolder(folder).begin({})
    train(job, settings, RunFolder(folder), Runtime(torch.device("cpu")), seed=1, resume=resume)
    return RunFolder(folder)


def slow_average(weights: list[Tensor], decay: float) -> list[Tensor]:
    """The average after every step, number by number."""
    average, averages = weights[0].tolist(), []
    for step, now in enumerate(weights[1:], 1):
        d = min(decay, (1 + step) / (10 + step))
        average = [
            [d * old + (1 - d) * new for old, new in zip(*rows, strict=True)]
            for rows in zip(average, now.tolist(), strict=True)
        ]
        averages.append(torch.tensor(average))
    return averages


@pytest.mark.parametrize("decay", [0.0, 0.3, 0.999])
def test_equals_the_slow_computation(decay: float) -> None:
    torch.manual_seed(0)
    module = Toy()
    average = MovingAverage(module, decay)
    weights = [module.trained.detach().clone()]
    found = []
    for step in range(1, 30):
        with torch.no_grad():
            module.trained += torch.randn(2, 3)
            module.frozen += 1
            module.count += 1
        average.update(step)
        weights.append(module.trained.detach().clone())
        found.append(average.state_dict()["trained"].clone())
    for fast, slow in zip(found, slow_average(weights, decay), strict=True):
        torch.testing.assert_close(fast, slow)
    assert set(average.state_dict()) == {"trained"}
    with average.applied():
        assert torch.equal(module.trained, found[-1])
        assert (module.frozen == 30).all()
        assert module.count == 29
    assert torch.equal(module.trained, weights[-1])


def test_the_loop_evaluates_and_returns_averaged_weights(tmp_path: Path) -> None:
    job, plain = ToyJob(), ToyJob()
    run(job, tmp_path / "averaged")
    run(plain, tmp_path / "plain", None)
    assert all(map(torch.equal, job.weights, plain.weights)), "training goes on with the weights that are not averaged"
    averages = slow_average([*plain.weights, plain.module.trained.detach()], 0.8)
    for step, scored in zip((5, 10, 15, 20), job.scored, strict=True):
        torch.testing.assert_close(scored, averages[step - 1])
    torch.testing.assert_close(job.module.trained.detach(), averages[-1])


def test_the_best_model_is_an_averaged_one(tmp_path: Path) -> None:
    job = ToyJob()
    run(job, tmp_path / "run", patience=9)
    best = max(job.scored, key=lambda weights: float(weights[0, 0]))
    assert torch.equal(job.module.trained, best)


@pytest.mark.parametrize("stop_at", [1, 7, 10, 19])
def test_a_resumed_run_ends_like_an_uninterrupted_one(tmp_path: Path, stop_at: int) -> None:
    whole, first, second = ToyJob(), ToyJob(stop_at), ToyJob()
    run(whole, tmp_path / "whole")
    with pytest.raises(InterruptedError):
        run(first, tmp_path / "parts", save_every_minutes=0.0)
    run(second, tmp_path / "parts", resume=True)
    assert torch.equal(whole.module.trained, second.module.trained)
    ends = [load_file(tmp_path / name / "checkpoints/step-00000020/average.safetensors") for name in ("whole", "parts")]
    assert torch.equal(ends[0]["trained"], ends[1]["trained"])


def test_averaging_can_start_or_end_when_a_run_resumes(tmp_path: Path) -> None:
    for before, after in ((None, 0.8), (0.8, None)):
        folder, plain = tmp_path / str(before), ToyJob()
        with pytest.raises(InterruptedError):
            run(ToyJob(8), folder, before, save_every_minutes=0.0)
        job = ToyJob()
        run(job, folder, after, resume=True)
        run(plain, tmp_path / f"plain-{before}", None)
        assert torch.equal(job.module.trained, plain.module.trained) == (after is None)


def test_a_damaged_average_is_noticed(tmp_path: Path) -> None:
    folder = run(ToyJob(), tmp_path / "run", save_every_minutes=0.0)
    (folder.path / "checkpoints/step-00000020/average.safetensors").write_bytes(b"\0" * 99)
    with pytest.warns(UserWarning, match=r"average\.safetensors: damaged"):
        run(ToyJob(), tmp_path / "run", resume=True)


@pytest.mark.parametrize("decay", [1.0, -0.1, 2, True, "0.9"])
def test_settings_are_checked(decay: Any) -> None:
    with pytest.raises(ValueError, match="average must be a number from 0 to"):
        TrainingSettings(0.1, steps=1, average=decay)
