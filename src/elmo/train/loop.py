"""The training loop that every model uses. Each round, in this order: evaluate, save, stop, step, log.

A ``TrainingJob`` defines what is trained, ``TrainingSettings`` how and for how long. A run that resumes from a
checkpoint ends exactly like one that was never interrupted: the checkpoint contains the position in the data, the
optimizer and the schedule, and the random numbers of a step depend only on the seed and the step.
"""

import math
import time
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol

import torch
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel

from elmo.settings import Amount, Count, Decay, NotNegative, Positive, Schedule, check_fields
from elmo.train.averaging import MovingAverage
from elmo.train.checkpoints import Checkpoints, TrainingState
from elmo.train.meters import Meters
from elmo.train.muon import Muon
from elmo.train.run import RunFolder
from elmo.train.runtime import Runtime, fixed_order_of_sums, seed_step
from elmo.train.stop_signals import StopSignals


@dataclass(frozen=True)
class TrainingSettings:
    """How to optimize, and when to evaluate, save and stop. The run ends when the first budget is exhausted."""

    learning_rate: Positive
    """Peak learning rate."""
    optimizer: Literal["adam", "adagrad", "muon"] = "adam"
    """Adam, Adagrad as in bilm-tf, or Muon for the weight matrices of a biLM and Adam for the rest."""
    schedule: Schedule = "cosine"
    warmup_steps: Amount = 0
    clip_norm: Positive = 1.0
    """Maximum norm of all gradients together."""
    average: Decay | None = None
    """Decay of a moving average of the weights, such as 0.999. Evaluations and the trained model use the averaged
    weights, training continues with the others."""
    steps: Count | None = None
    """Budget in optimizer steps."""
    epochs: Positive | None = None
    """Budget in passes over the training data."""
    minutes: Positive | None = None
    """Budget in training time, summed over all sessions of the run."""
    patience: Count | None = None
    """Stop after this many evaluations without improvement, or after one that cannot be improved, and restore the best
    model."""
    evaluate_every: Count = 1000
    """Steps between evaluations."""
    save_every_minutes: NotNegative = 5.0
    """Time between checkpoints."""
    log_every: Count = 20
    """Steps between log records. The loss is transferred from the GPU only then."""

    def __post_init__(self) -> None:
        """Check the types and limits of all settings, and that there is a budget."""
        check_fields(self)
        if self.steps is None and self.epochs is None and self.minutes is None:
            raise ValueError("a run needs a budget: set steps, epochs or minutes")

    def make_optimizer(self, module: nn.Module, late: Iterable[nn.Parameter] = ()) -> torch.optim.Optimizer:
        """Return the optimizer of all parameters that are trained; ``late`` ones begin when the warm-up is over.

        Each of its groups has a ``delay``, the number of steps in which its parameters do not change.
        """
        waiting = set(late)
        trained = [parameter for parameter in module.parameters() if parameter.requires_grad]
        groups: list[dict[str, Any]] = [{"params": [p for p in trained if p not in waiting], "delay": 0}]
        if waiting:
            groups.append({"params": [p for p in trained if p in waiting], "delay": self.warmup_steps})
        if self.optimizer == "adam":
            return torch.optim.Adam(groups, lr=self.learning_rate, fused=True)
        if self.optimizer == "muon":
            return Muon(groups, module, self.learning_rate, fused=True)
        return torch.optim.Adagrad(groups, lr=self.learning_rate, initial_accumulator_value=1.0)

    def learning_rate_at(self, step: int, progress: float) -> float:
        """Return the learning rate of a step, given the fraction of the budget that is used up.

        A negative step is one of a group of parameters that is still waiting; its learning rate is zero.
        """
        warmup = min(1.0, max(0, step + 1) / self.warmup_steps) if self.warmup_steps else 1.0
        used = min(progress, 1.0)
        decay = {"cosine": (1 + math.cos(math.pi * used)) / 2, "linear": 1 - used, "constant": 1.0}[self.schedule]
        return self.learning_rate * warmup * decay

    def progress(self, state: TrainingState) -> float:
        """Return the fraction of the budget that is used up."""
        fractions = [0.0]
        if self.steps is not None:
            fractions.append(state.step / self.steps)
        if self.epochs is not None:
            fractions.append(state.epochs / self.epochs)
        if self.minutes is not None:
            fractions.append(state.seconds / (60 * self.minutes))
        return max(fractions)


class TrainingBatch(NamedTuple):
    """One batch of a job and the position in the data that follows it."""

    inputs: Any
    """What ``TrainingJob.loss`` takes."""
    size: int
    """Number of examples (in the job's unit) over all processes."""
    position: dict[str, Any]
    """Where the next batch begins, as JSON."""
    epochs: float
    """Passes over the data completed after this batch."""


class TrainingJob(Protocol):
    """A model together with the data it learns from and its evaluation."""

    title: str
    """Label of the progress bar."""
    unit: str
    """What examples are called in the log: tokens, sentences, ..."""
    objective: str
    """The value of ``evaluate`` that decides which model is best."""
    larger_is_better: bool
    best_possible: float | None
    """A score that no model can exceed, such as an accuracy of 100 %; None if there is none."""
    module: nn.Module
    """Everything that is optimized and saved."""

    def batches(self, position: dict[str, Any] | None) -> Iterator[TrainingBatch]:
        """Return an endless stream of batches from a position in the data, or from the beginning if it is None."""

    def loss(self, module: nn.Module, inputs: Any, step: int) -> Tensor:
        """Return the loss of a batch. ``module`` is ``self.module``, wrapped if several processes train."""

    def evaluate(self) -> dict[str, float]:
        """Return scores of the module in its current state."""


def train(
    job: TrainingJob,
    settings: TrainingSettings,
    run: RunFolder,
    runtime: Runtime,
    *,
    seed: int,
    resume: bool = False,
    late: Iterable[nn.Parameter] = (),
) -> dict[str, float]:
    """Train until the budget is exhausted. Logs and checkpoints go to the run folder.

    Args:
        job: What to train.
        settings: How to optimize, and when to stop.
        run: The run folder.
        runtime: This process and its device.
        seed: Seed of the random numbers drawn in each step.
        resume: Continue from the newest checkpoint, if there is one.
        late: Parameters that are trained already. They keep their values while the others warm up, and then warm up
            themselves.

    Returns:
        The scores of the last evaluation. With ``patience``, the module has the weights of the best one; with
        ``average``, averaged weights.

    Raises:
        ValueError: If the loss is not finite. The last good checkpoint is kept.
        KeyboardInterrupt: If the run was interrupted. A checkpoint is saved first.
    """
    optimizer = settings.make_optimizer(job.module, late)
    checkpoints = run.checkpoints
    average = None if settings.average is None else MovingAverage(job.module, settings.average)
    state = (checkpoints.restore(job.module, optimizer, average) if resume else None) or TrainingState()
    if settings.patience is not None and state.best is not None:
        checkpoints.require_best()
    module = DistributedDataParallel(job.module) if runtime.world_size > 1 else job.module
    meters = Meters(run.path, job.title, state.step, settings.progress(state)) if runtime.is_main else None
    clock = Clock(state)
    losses: list[Tensor] = []
    result: dict[str, float] = {}
    interrupted = 0.0
    batches = job.batches(state.position)
    try:
        with StopSignals() as stop, fixed_order_of_sums(runtime.device):
            while True:
                # All processes must take the same decisions, so they use the clock of the main one, now and then.
                if runtime.world_size == 1 or state.step % settings.log_every == 0:
                    state.seconds, interrupted = runtime.broadcast(clock.seconds(), stop.received)
                progress = settings.progress(state)
                ending = progress >= 1 or bool(interrupted)

                due = state.step % settings.evaluate_every == 0 or (ending and not interrupted)
                if due and state.step > state.evaluated:
                    state.evaluated = state.step
                    _mean_loss(losses, state.step, checkpoints, runtime)
                    with nullcontext() if average is None else average.applied():
                        result = _evaluate(job, state, settings, checkpoints, meters, runtime)
                ending = ending or (settings.patience or math.inf) <= state.stale
                if ending or state.seconds - clock.saved > 60 * settings.save_every_minutes:
                    _mean_loss(losses, state.step, checkpoints, runtime)
                    clock.saved = state.seconds
                    if runtime.is_main:
                        checkpoints.save(state, job.module, optimizer, average)
                if ending:
                    break

                batch = next(batches)
                learning_rate = settings.learning_rate_at(state.step, progress)
                for group in optimizer.param_groups:
                    group["lr"] = settings.learning_rate_at(state.step - group["delay"], progress)
                seed_step(seed, state.step, runtime.rank)
                module.train()
                loss = job.loss(module, batch.inputs, state.step)
                optimizer.zero_grad(set_to_none=True)
                loss.backward()
                norm = nn.utils.clip_grad_norm_(job.module.parameters(), settings.clip_norm)
                optimizer.step()
                losses.append(loss.detach())
                state.step += 1
                if average is not None:
                    average.update(state.step)
                state.position, state.epochs, state.seen = batch.position, batch.epochs, state.seen + batch.size
                if meters is not None:
                    meters.show_progress(settings.progress(state))

                if state.step % settings.log_every == 0:
                    mean = _mean_loss(losses, state.step, checkpoints, runtime)
                    losses.clear()
                    if meters is not None:
                        speed = clock.speed(state.seen)
                        counts = {job.unit: state.seen, "seconds": round(clock.seconds(), 2), "epochs": state.epochs}
                        values = {"loss": mean, "norm": float(norm), "rate": learning_rate}
                        meters.log(state.step, **counts, **values, **{f"{job.unit}/s": round(speed)})
                        meters.show_values(loss=f"{mean:.3f}", **{f"{job.unit}/s": f"{speed:,.0f}"})
        if interrupted and meters is not None:
            meters.print(f"step {state.step:,}: saved a checkpoint; --resume continues from here")
    finally:
        if meters is not None:
            meters.close()
    if interrupted:
        raise KeyboardInterrupt
    if settings.patience is not None and state.best is not None:
        checkpoints.restore_best(job.module)
    elif average is not None:
        average.apply()
    return result


class Clock:
    """The training time of a run, summed over all of its sessions."""

    def __init__(self, state: TrainingState) -> None:
        self._start = time.monotonic() - state.seconds
        self._last = (state.seconds, state.seen)
        self.saved = state.seconds
        """Time of the last checkpoint."""

    def seconds(self) -> float:
        """Return the training time, without the time between sessions."""
        return time.monotonic() - self._start

    def speed(self, seen: int) -> float:
        """Return the number of examples per second since the last call."""
        seconds, before = self._last
        self._last = (self.seconds(), seen)
        return (seen - before) / max(self._last[0] - seconds, 1e-9)


def _mean_loss(losses: list[Tensor], step: int, checkpoints: Checkpoints, runtime: Runtime) -> float:
    """Return the mean of the recent losses, or raise a ValueError if it is not finite."""
    if not losses:
        return math.nan
    mean = runtime.mean(float(torch.stack(losses).mean()))
    if not math.isfinite(mean):
        saved = checkpoints.all()
        kept = f"the last good checkpoint is {saved[-1]}" if saved else "no checkpoint was saved yet"
        raise ValueError(f"training stopped because the loss is {mean} near step {step}; {kept}")
    return mean


def _evaluate(
    job: TrainingJob,
    state: TrainingState,
    settings: TrainingSettings,
    checkpoints: Checkpoints,
    meters: Meters | None,
    runtime: Runtime,
) -> dict[str, float]:
    """Evaluate in the main process, save the model if it is the best so far, and tell all processes whether it is."""
    result: dict[str, float] = {}
    improved = perfect = False
    if meters is not None:
        job.module.eval()
        result = job.evaluate()
        score = result[job.objective]
        if settings.patience is not None:
            improved = state.best is None or (score > state.best if job.larger_is_better else score < state.best)
        if improved:
            state.best = score
            checkpoints.save_best(job.module)
        meters.log(state.step, **{job.unit: state.seen, "seconds": round(state.seconds, 2)}, **result)
        values = ", ".join(f"{name} {value:.4g}" for name, value in result.items())
        meters.print(f"step {state.step:,}, {state.seconds:.0f} s: {values}")
        perfect = settings.patience is not None and score == job.best_possible
        if perfect:
            meters.print("no later model can have a better score, so the training ends here")
    was_improved, is_perfect = runtime.broadcast(improved, perfect)
    state.stale = 0 if was_improved else state.stale + 1
    if is_perfect and settings.patience is not None:
        state.stale = settings.patience
    return result
