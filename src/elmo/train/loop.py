"""The one training loop. In a fixed order: evaluate, save, stop, step, log.

What is trained is a ``Job``; how, and for how long, is in ``Settings``. The loop keeps checkpoints, and a
run that goes on from one ends as if it had never stopped: the data's position, the optimiser and the schedule are
in the checkpoint, and random numbers are drawn anew for every step from the seed and the step's number.
"""

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol

import torch
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel

from elmo.train.meters import Meters
from elmo.train.runtime import Checkpoints, Runtime, Termination, seed_step


@dataclass(frozen=True)
class Settings:
    """How to optimise, and when to evaluate, save and stop. The first budget used up ends the run."""

    learning_rate: float
    optimizer: Literal["adam", "adagrad"] = "adam"
    schedule: Literal["cosine", "constant"] = "cosine"
    """What the learning rate does after the warm-up, over the budget."""
    warmup_steps: int = 0
    clip_norm: float = 1.0
    """Gradients are scaled down to this norm, all together."""
    steps: int | None = None
    epochs: float | None = None
    minutes: float | None = None
    patience: int | None = None
    """Stop after this many evaluations without a better one, and give the best model."""
    evaluate_every: int = 1000
    """Steps between evaluations."""
    save_every_minutes: float = 5.0
    log_every: int = 20
    """Steps between records; the loss is looked at then, and not in between."""

    def __post_init__(self) -> None:
        """Refuse a run without an end, and values that mean nothing."""
        if self.steps is None and self.epochs is None and self.minutes is None:
            raise ValueError("a run needs an end: steps, epochs or minutes")
        for name in ("learning_rate", "clip_norm", "evaluate_every", "log_every", "steps", "epochs", "minutes"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise ValueError(f"{name} must be above 0, not {value!r}")
        if self.optimizer not in ("adam", "adagrad"):
            raise ValueError(f"optimizer must be adam or adagrad, not {self.optimizer!r}")
        if self.schedule not in ("cosine", "constant"):
            raise ValueError(f"schedule must be cosine or constant, not {self.schedule!r}")

    def make_optimizer(self, module: nn.Module) -> torch.optim.Optimizer:
        """Adam, or Adagrad as bilm-tf had it."""
        parameters = [parameter for parameter in module.parameters() if parameter.requires_grad]
        fused = parameters[0].device.type == "cuda"
        if self.optimizer == "adam":
            return torch.optim.Adam(parameters, lr=self.learning_rate, fused=fused)
        return torch.optim.Adagrad(parameters, lr=self.learning_rate, initial_accumulator_value=1.0)

    def rate(self, step: int, progress: float) -> float:
        """The learning rate of a step."""
        warm = min(1.0, (step + 1) / self.warmup_steps) if self.warmup_steps else 1.0
        falling = (1 + math.cos(math.pi * min(progress, 1.0))) / 2 if self.schedule == "cosine" else 1.0
        return self.learning_rate * warm * falling


class Fed(NamedTuple):
    """One batch of a job."""

    batch: Any
    size: int
    """What it holds, in the job's unit, over all processes."""
    after: dict[str, Any]
    """Where in the data the next batch is, as JSON."""
    epochs: float
    """How often the data will have been seen after it."""


class Job(Protocol):
    """Something that can be trained."""

    title: str
    unit: str
    """What is counted and given per second: tokens, sentences, ..."""
    objective: str
    """The value of ``evaluate`` that decides which model is best."""
    larger_is_better: bool
    module: nn.Module
    """All that is optimised and saved."""

    def feed(self, position: dict[str, Any] | None) -> Iterator[Fed]:
        """Batches from a position in the data (None: the beginning), without end."""

    def loss(self, module: nn.Module, batch: Any, step: int) -> Tensor:
        """The loss of a batch; ``module`` is ``self.module``, wrapped where several processes train."""

    def evaluate(self) -> dict[str, float]:
        """How good the module is now."""


@dataclass
class State:
    """How far a run has come; all of it is in a checkpoint."""

    step: int = 0
    position: dict[str, Any] | None = None
    epochs: float = 0.0
    seen: int = 0
    seconds: float = 0.0
    best: float | None = None
    stale: int = 0
    """Evaluations since the best one."""
    evaluated: int = 0
    """The last step at which the model was evaluated."""


def train(
    job: Job, settings: Settings, folder: Path, runtime: Runtime, *, seed: int, resume: bool = False
) -> dict[str, float]:
    """Train to the end of the budget, and give the last evaluation (the best one's with ``patience``).

    ``folder`` gets ``log.jsonl`` and ``checkpoints/``. A loss that is not a number ends the run with a ValueError;
    the last good checkpoint stays.
    """
    optimizer = settings.make_optimizer(job.module)
    checkpoints = Checkpoints(folder / "checkpoints")
    saved = checkpoints.restore(job.module, optimizer) if resume else None
    state = State(**saved) if saved is not None else State()
    module = DistributedDataParallel(job.module) if runtime.world > 1 else job.module
    meters = Meters(folder, job.title, state.step) if runtime.is_main else None
    clock = Clock(state)
    losses: list[Tensor] = []
    result: dict[str, float] = {}
    asked = 0.0
    feed = job.feed(state.position)
    try:
        with Termination() as termination:
            while True:
                # Several processes must decide alike, so they compare their clocks, though not at every step.
                if runtime.world == 1 or state.step % settings.log_every == 0:
                    state.seconds, asked = runtime.agree(clock.seconds(), termination.asked)
                done = _progress(settings, state)
                ending = done >= 1 or bool(asked)

                due = state.step % settings.evaluate_every == 0 or (ending and not asked)
                if due and state.step > state.evaluated:
                    state.evaluated = state.step
                    _check(losses, state.step, checkpoints, runtime)
                    result = _evaluate(job, state, settings, checkpoints, meters, runtime)
                ending = ending or (settings.patience or math.inf) <= state.stale
                if ending or state.seconds - clock.saved > 60 * settings.save_every_minutes:
                    _check(losses, state.step, checkpoints, runtime)
                    clock.saved = state.seconds
                    if runtime.is_main:
                        checkpoints.save(vars(state), job.module, optimizer)
                if ending:
                    break

                fed = next(feed)
                rate = settings.rate(state.step, done)
                for group in optimizer.param_groups:
                    group["lr"] = rate
                seed_step(seed, state.step, runtime.rank)
                module.train()
                loss = job.loss(module, fed.batch, state.step)
                optimizer.zero_grad(set_to_none=True)
                loss.backward()
                norm = nn.utils.clip_grad_norm_(job.module.parameters(), settings.clip_norm)
                optimizer.step()
                losses.append(loss.detach())
                state.step += 1
                state.position, state.epochs, state.seen = fed.after, fed.epochs, state.seen + fed.size

                if state.step % settings.log_every == 0:
                    mean = _check(losses, state.step, checkpoints, runtime)
                    losses.clear()
                    if meters is not None:
                        speed = clock.speed(state.seen)
                        counted = {job.unit: state.seen, "seconds": round(clock.seconds(), 2), "epochs": state.epochs}
                        measured = {"loss": mean, "norm": float(norm), "rate": rate, f"{job.unit}/s": round(speed)}
                        meters.log(state.step, **counted, **measured)
                        meters.progress(done, loss=f"{mean:.3f}", **{f"{job.unit}/s": f"{speed:,.0f}"})
    finally:
        if meters is not None:
            meters.close()
    if asked:
        raise KeyboardInterrupt
    if settings.patience is not None:
        checkpoints.restore_best(job.module)
    return result


class Clock:
    """Time spent on a run, over all of its sittings."""

    def __init__(self, state: State) -> None:
        self._start = time.monotonic() - state.seconds
        self._looked = (state.seconds, state.seen)
        self.saved = state.seconds

    def seconds(self) -> float:
        """Seconds since the run began, pauses between sittings left out."""
        return time.monotonic() - self._start

    def speed(self, seen: int) -> float:
        """What was seen a second since this was last asked."""
        seconds, before = self._looked
        self._looked = (self.seconds(), seen)
        return (seen - before) / max(self._looked[0] - seconds, 1e-9)


def _progress(settings: Settings, state: State) -> float:
    """The share of the budget that is used up."""
    shares = [0.0]
    if settings.steps is not None:
        shares.append(state.step / settings.steps)
    if settings.epochs is not None:
        shares.append(state.epochs / settings.epochs)
    if settings.minutes is not None:
        shares.append(state.seconds / (60 * settings.minutes))
    return max(shares)


def _check(losses: list[Tensor], step: int, checkpoints: Checkpoints, runtime: Runtime) -> float:
    """The mean of the recent losses; a ValueError if one is not a number."""
    if not losses:
        return math.nan
    mean = runtime.mean(float(torch.stack(losses).mean()))
    if not math.isfinite(mean):
        kept = checkpoints.all()
        where = f"the last good checkpoint is {kept[-1]}" if kept else "there was no checkpoint yet"
        raise ValueError(f"the loss is {mean} near step {step}, so training stops; {where}")
    return mean


def _evaluate(
    job: Job, state: State, settings: Settings, checkpoints: Checkpoints, meters: Meters | None, runtime: Runtime
) -> dict[str, float]:
    """Evaluate in the main process, keep the best model, and let all know whether it got better."""
    result: dict[str, float] = {}
    better = False
    if meters is not None:
        job.module.eval()
        result = job.evaluate()
        score = result[job.objective]
        better = state.best is None or (score > state.best if job.larger_is_better else score < state.best)
        state.best = score if better else state.best
        if better and settings.patience is not None:
            checkpoints.keep_best(job.module)
        meters.log(state.step, **{job.unit: state.seen, "seconds": round(state.seconds, 2)}, **result)
        values = ", ".join(f"{name} {value:.4g}" for name, value in result.items())
        meters.say(f"step {state.step:,}, {state.seconds:.0f} s: {values}")
    state.stale = 0 if runtime.agree(better)[0] else state.stale + 1
    return result
