"""What the routes of an application share: the models, the task models, and the threads that compute with them."""

from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Request

from elmo.embed.embedder import Embedder
from elmo.model.language_model import LanguageModel
from elmo.search.index import Index
from elmo.serve import schemas
from elmo.serve.batching import Batcher, BatchWorker
from elmo.serve.errors import APIError
from elmo.serve.metrics import Metrics
from elmo.serve.settings import ServeSettings
from elmo.tasks.trained import TaskText, TrainedTask


@dataclass(frozen=True)
class ServedModel:
    """A model with its request queue and whatever its optional routes need."""

    name: str
    embedder: Embedder
    batcher: Batcher
    index: Index | None
    """The corpus that ``/neighbors`` searches."""
    language_model: LanguageModel | None
    """For ``/predict``; None if the model has no softmax."""

    @property
    def n_layers(self) -> int:
        """Number of layers, including the token layer."""
        return self.embedder.config.n_representations


@dataclass(frozen=True)
class ServedTask:
    """A trained task model with the worker that computes its results."""

    name: str
    trained: TrainedTask
    worker: BatchWorker

    def card(self) -> schemas.TaskModelCard:
        """Describe the task model: what it was trained on, its scores, and what it learned about the layers."""
        task, card = self.trained.task, self.trained.card
        return schemas.TaskModelCard(
            id=self.name,
            task=task.name,
            title=task.title,
            parts=list(task.parts),
            labels=self.trained.labels,
            trained_on=card.trained_on,
            objective=task.objective,
            scores=card.scores,
            layers=[
                schemas.MixWeights(place=place, weights=learned["shares"], gamma=learned["gamma"])
                for place, learned in self.trained.model.words.layer_weights().items()
            ],
        )

    def submit(self, texts: Sequence[TaskText]) -> "Future[list[Any]]":
        """Queue the examples of texts, and return what the model finds in each of them; see ``BatchWorker.submit``."""
        examples = [example for text in texts for example in text.examples]
        sizes = [sum(len(words) + 2 for words in self.trained.task.sequences(example)) for example in examples]
        return self.worker.submit(examples, sizes, self.trained.details, ("task", self.name))


@dataclass(frozen=True)
class Service:
    """The state that the routes of an application share; it is ``app.state.service``."""

    models: Mapping[str, ServedModel]
    """Models by name; the first is the default."""
    tasks: dict[str, ServedTask]
    """Task models by name."""
    settings: ServeSettings
    metrics: Metrics
    workers: dict[int, BatchWorker]
    """The worker threads, by the identity of what they compute with."""

    def find_model(self, name: str | None) -> ServedModel:
        """Return the model with a name, or the default model.

        Raises:
            APIError: There is no such model (404).
        """
        if name is None:
            return next(iter(self.models.values()))
        if name not in self.models:
            raise APIError(404, f"no such model; this server has {', '.join(self.models)}", "model")
        return self.models[name]

    def find_task(self, name: str) -> ServedTask:
        """Return the task model with a name.

        Raises:
            APIError: There is no such task model (404).
        """
        if name not in self.tasks:
            known = f"this server has {', '.join(self.tasks)}" if self.tasks else "start the server with --task"
            raise APIError(404, f"no such task; {known}")
        return self.tasks[name]

    def add_task(self, name: str, trained: TrainedTask, *, start: bool = True) -> ServedTask:
        """Serve one more task model. It shares the thread of the models that it shares its biLM with.

        Args:
            name: Its name in requests.
            trained: The task model. Nothing else may use it from now on.
            start: Start its thread, because the application is running already.

        Raises:
            ValueError: The package of its tokenizer is not installed.
        """
        trained.tokenizer.words("")
        shared = id(trained if trained.elmo is None else trained.elmo)
        if shared not in self.workers:
            self.workers[shared] = BatchWorker(name, self.settings, self.metrics)
            if start:
                self.workers[shared].start()
        self.tasks[name] = ServedTask(name, trained, self.workers[shared])
        return self.tasks[name]


async def _service_of(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


AppService = Annotated[Service, Depends(_service_of)]
"""The type of a route's parameter that receives the service of its application."""
