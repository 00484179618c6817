"""The recipe of a task run: all settings except the data, the biLM and the seed."""

import dataclasses
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from elmo.config import from_fields
from elmo.recipes import read_recipe
from elmo.settings import Amount, Count, Decay, NotNegative, Positive, Schedule, Size, check_fields
from elmo.tasks.inputs import CharacterSettings, ElmoSettings, InputSettings
from elmo.tasks.task import Task
from elmo.train.loop import TrainingSettings


@dataclass(frozen=True)
class TaskTraining:
    """How to train a task model. All budgets are independent of the amount of data, except ``epochs``."""

    batch: Size
    """Examples per batch."""
    epochs: Positive
    """Passes over the training data."""
    least_steps: Count
    """Minimum number of steps. Small datasets are repeated until it is reached."""
    evaluations: Count
    """Number of evaluations on the development data, evenly spaced over the run."""
    learning_rate: Positive
    warmup_steps: Amount = 0
    schedule: Schedule = "cosine"
    clip_norm: Positive = 5.0
    average: Decay | None = None
    """Decay of a moving average of the weights, which then are those of the trained model."""
    patience: Count | None = None
    """Stop after this many evaluations without improvement."""
    save_every_minutes: NotNegative = 2.0
    """Time between checkpoints."""

    def __post_init__(self) -> None:
        """Check the types and limits of all settings."""
        check_fields(self)

    def settings(self, n_examples: int) -> TrainingSettings:
        """Return the settings of the training loop for a number of training examples."""
        steps = max(round(self.epochs * -(-n_examples // self.batch)), self.least_steps)
        return TrainingSettings(
            learning_rate=self.learning_rate,
            schedule=self.schedule,
            warmup_steps=self.warmup_steps,
            clip_norm=self.clip_norm,
            average=self.average,
            steps=steps,
            # Even without a limit, patience makes the loop restore the best model.
            patience=self.patience or self.evaluations + 1,
            evaluate_every=max(1, steps // self.evaluations),
            save_every_minutes=self.save_every_minutes,
            log_every=max(1, min(20, steps // self.evaluations)),
        )


@dataclass(frozen=True)
class TaskRecipe:
    """All settings of a task run except the data, the biLM and the seed."""

    inputs: InputSettings
    elmo: ElmoSettings
    model: Any
    """The settings of the task's own model."""
    training: TaskTraining

    def to_dict(self) -> dict[str, Any]:
        """Return the recipe as JSON."""
        return dataclasses.asdict(self)

    @classmethod
    def from_dict(cls, data: Any, task: Task[Any, Any]) -> "TaskRecipe":
        """Read a recipe from the JSON that ``to_dict`` returns.

        Raises:
            ValueError: If a setting is missing, unknown or out of range.
        """
        if not isinstance(data, dict) or data.keys() != {"inputs", "elmo", "model", "training"}:
            raise ValueError("a task recipe has exactly the sections inputs, elmo, model and training")
        inputs = data["inputs"]
        if isinstance(inputs, dict) and inputs.get("characters") is not None:
            inputs = dict(inputs)
            inputs["characters"] = from_fields(CharacterSettings, inputs["characters"], "inputs.characters")
        return cls(
            from_fields(InputSettings, inputs, "inputs"),
            from_fields(ElmoSettings, data["elmo"], "elmo"),
            from_fields(task.settings, data["model"], "model"),
            from_fields(TaskTraining, data["training"], "training"),
        )


def read_task_recipe(task: Task[Any, Any], name: str | Path | None = None) -> TaskRecipe:
    """Read the recipe of a task, or another one by name or from a ``.json`` file."""
    return read_recipe("tasks", name or task.name, lambda data: TaskRecipe.from_dict(data, task))
