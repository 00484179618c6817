"""Measure the training speed on a CPU, and compare it with the same steps in plain PyTorch.

    python benchmarks/train_cpu.py --text TEXT [--models small,medium] [--rounds 10] [-o results.jsonl]

What is measured are whole training steps: loss, gradients, clipping, Adam and, in tasks, the average of the weights.

"finetune" is a step of ``elmo finetune`` in float32, "finetune in bfloat16" one with matrix products in bfloat16, as on
processors with instructions for them. "ner" and "sst" are steps of ``elmo task train`` with a frozen biLM, "ner+bilm"
one with a biLM that is trained along; their LSTMs use bfloat16 on such processors, too. The labels of the tasks are
made up: words with a capital are entities, and sentences have classes by the number of their capitals.

"Plain" is the same step built from the modules that PyTorch offers: ``nn.Conv1d`` over all character positions of the
distinct words, one ``nn.LSTM`` with ``proj_size`` per direction and layer, ``cross_entropy`` over the sampled words,
packed sequences in the task model, and Adam as it comes. It has less to do in "finetune": ``nn.LSTM`` can neither clip
nor reset its state where a sentence begins. With a frozen biLM, plain steps compute its layers without gradients. Our
steps look up what was computed before the first step; how many words per second that took is the last column.

Both do their steps in turn, on the same batches, so that other load on the machine affects both. The table has the
medians over the rounds. Words/s per core count CPU time instead of elapsed time.
"""

import argparse
import copy
import dataclasses
import hashlib
import itertools
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, Literal, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

import elmo
from elmo.datasets.columns import NERExample, bio_spans
from elmo.datasets.trees import SentimentExample
from elmo.engines.devices import multiplies_bfloat16
from elmo.model.batches import collate
from elmo.model.language_model import LanguageModel, PackedBatch
from elmo.model.softmax import Sample, Softmax
from elmo.results import Result, append_results, commit, machine, versions
from elmo.tasks.inputs import TaskInputs
from elmo.tasks.layer_cache import LayerCache
from elmo.tasks.layers import Encoder
from elmo.tasks.ner import NamedEntities
from elmo.tasks.recipe import TaskTraining, read_task_recipe
from elmo.tasks.sst import LABELS, Sentiment
from elmo.tasks.task import Task
from elmo.train.averaging import MovingAverage
from elmo.train.corpus.corpus import open_corpus
from elmo.train.corpus.prepare import prepare
from elmo.train.finetune import finetuning_recipe
from elmo.train.loop import TrainingSettings
from elmo.train.pretrain import Pretraining
from elmo.train.runtime import Runtime, fast_products, fixed_order_of_sums, seed_step
from elmo.weights.folder import read_softmax
from elmo.weights.locate import bundled, locate, read_model
from elmo.weights.packages import installed

CPU = torch.device("cpu")
TASKS: dict[str, Task[Any, Any]] = {"ner": NamedEntities(), "sst": Sentiment()}
WORK = ("finetune", "finetune in bfloat16", "ner", "sst", "ner+bilm")
FINETUNING: dict[str, Literal["float32", "bfloat16"]] = {WORK[0]: "float32", WORK[1]: "bfloat16"}
Step = Callable[[int], int]
"""A training step by its number; returns the number of words."""


class PlainBiLM(nn.Module):
    """The biLM built from standard modules. Its LSTM layers have random weights."""

    def __init__(self, bilm: elmo.BiLM) -> None:
        super().__init__()
        self.characters = bilm.token_layer
        config = bilm.config.lstm
        self.lstms = nn.ModuleList(
            nn.ModuleList(nn.LSTM(config.output_dim, config.dim, proj_size=config.output_dim) for _ in range(2))
            for _ in range(config.n_layers)
        )
        self.residual = config.residual

    def words(self, ids: Tensor) -> Tensor:
        """Map character ids (U, C) to vectors (U, P), reading all positions."""
        cnn = self.characters
        ids = nn.functional.pad(ids, (0, cnn.config.max_characters - ids.shape[1]), value=cnn.padding_id)
        embedded = cnn.embedding(ids).mT  # (U, d, C)
        filters = torch.cat([torch.relu(convolution(embedded).amax(-1)) for convolution in cnn.convolutions], 1)
        for highway in cnn.highways:
            filters = highway(filters)
        return cnn.projection(filters)

    def layers(self, x: Sequence[Tensor], dropout: nn.Module) -> Iterator[list[Tensor]]:
        """Yield the outputs of each layer, (T, B, P) per direction, for inputs in reading order."""
        for index, directions in enumerate(self.lstms):
            x = [dropout(direction) for direction in x]
            outputs = [lstm(direction)[0] for lstm, direction in zip(directions, x, strict=True)]
            x = [o + i for o, i in zip(outputs, x, strict=True)] if self.residual and index > 0 else outputs
            yield x


class PlainLanguageModel(nn.Module):
    """The language model built from standard modules."""

    def __init__(self, model: LanguageModel) -> None:
        super().__init__()
        self.bilm, self.softmax, self.dropout = PlainBiLM(model.bilm), model.softmax, model.dropout

    def forward(self, batch: PackedBatch, sample: Sample | None) -> Tensor:
        """Return the loss, as ``LanguageModel`` does."""
        vectors = torch.cat([self.bilm.words(group) for group in batch.words])
        x = list(nn.functional.embedding(batch.positions, vectors))  # (T, B, P) per direction
        for outputs in self.bilm.layers(x, self.dropout):
            x = outputs
        hidden, targets = self.dropout(torch.stack(x)).flatten(0, 2), batch.targets.flatten()
        if sample is None:
            logits, answers = self.softmax(hidden), targets
        else:
            bias = self.softmax.bias - sample.log_expected
            logits = nn.functional.linear(hidden, self.softmax.weight[sample.words], bias[sample.words])
            logits = logits.masked_fill(targets[:, None] == sample.words, -torch.inf)
            own = (hidden * self.softmax.weight[targets]).sum(1, keepdim=True) + bias[targets, None]
            logits, answers = torch.cat([own, logits], 1), torch.zeros_like(targets)
        losses = nn.functional.cross_entropy(logits, answers, reduction="none")
        return (losses * batch.weights.expand_as(batch.targets).flatten() / 2).sum()


class PlainLayers(nn.Module):
    """The layers of a biLM for a task, computed in every step; see ``LayerCache``."""

    def __init__(self, bilm: elmo.BiLM, *, frozen: bool) -> None:
        super().__init__()
        self.config, self.encode = bilm.config, bilm.token_layer.encode
        self.plain, self.no_dropout = PlainBiLM(bilm).requires_grad_(not frozen), nn.Identity()

    def of_texts(self, texts: Sequence[Sequence[Sequence[str]]]) -> Tensor:
        """Return the layers of a batch of sentences, (L+1, B, T, 2P), whatever they are at padding."""
        batch = collate([sentence for text in texts for sentence in text], self.encode)
        x = self.plain.words(batch.words)[batch.positions].transpose(0, 1)  # (T, B, P)
        layers = [torch.cat([x, x], -1)]
        for forward, backward in self.plain.layers([x, x.flip(0)], self.no_dropout):
            layers.append(torch.cat([forward, backward.flip(0)], -1))
        return torch.stack(layers).transpose(1, 2)[:, :, 1:-1]


class PlainEncoder(nn.Module):
    """``elmo.tasks.layers.Encoder`` over packed sequences."""

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        self.layers, self.dropout = encoder.layers, encoder.dropout

    def forward(self, x: Tensor, lengths: Sequence[int]) -> Tensor:
        """Map (B, T, input_dim) to (B, T, output_dim)."""
        for layer in self.layers:
            packed = pack_padded_sequence(
                self.dropout(x), torch.tensor(lengths), batch_first=True, enforce_sorted=False
            )
            x, _ = pad_packed_sequence(layer(packed)[0], batch_first=True, total_length=x.shape[1])
        return x


def training_step(
    module: nn.Module, loss_of: Callable[[int], tuple[Tensor, int]], settings: TrainingSettings, plain: bool
) -> Step:
    """Return a function that does a step as ``elmo.train.loop.train`` does it."""
    parameters = [parameter for parameter in module.parameters() if parameter.requires_grad]
    optimizer = torch.optim.Adam(parameters, settings.learning_rate) if plain else settings.make_optimizer(module)
    average = None if settings.average is None else MovingAverage(module, settings.average)

    def step(number: int) -> int:
        seed_step(0, number)
        module.train()
        loss, words = loss_of(number)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(parameters, settings.clip_norm)
        optimizer.step()
        if average is not None:
            average.update(number + 1)
        return words

    return step


def finetuning_steps(
    name: str, text: Path, scratch: Path, rows: int, batches: int, precision: Literal["float32", "bfloat16"]
) -> tuple[Step, Step]:
    """Return a step of ``elmo finetune``, ours and the plain one (in float32)."""
    path = locate(name)
    bilm = read_model(path)
    corpus = scratch / "corpus"
    if not corpus.exists():
        prepare([text], corpus, heldout_fraction=0, tokenizer="whitespace", min_count=1)
    opened = open_corpus(corpus)
    torch.manual_seed(0)
    softmax = read_softmax(path, bilm) or Softmax(opened.vocabulary, bilm.config.lstm.output_dim)
    recipe = finetuning_recipe(bilm, epochs=1.0, learning_rate=1e-3, rows=rows)
    shape = dataclasses.replace(recipe.rows, precision=precision)
    model = LanguageModel(bilm, softmax, recipe.rows.dropout)
    other = PlainLanguageModel(copy.deepcopy(model))
    job = Pretraining(model, opened, shape, Runtime(CPU), seed=0, workers=0)
    stream = job.batches(None)
    kept = [next(stream) for _ in range(batches)]

    def ours(number: int) -> tuple[Tensor, int]:
        batch = kept[number % batches]
        return job.loss(model, batch.inputs, number), batch.size

    def plain(number: int) -> tuple[Tensor, int]:
        batch = kept[number % batches]
        sample = None if job.sampler is None else job.sampler.draw(job.generator.manual_seed(number))
        return other(batch.inputs, sample), batch.size

    return training_step(model, ours, recipe.training, False), training_step(other, plain, recipe.training, True)


def task_steps(name: str, text: Path, batches: int, task: str, *, frozen: bool) -> tuple[Step, Step, float]:
    """Return a step of ``elmo task train``, ours and the plain one, and how fast the layers are computed in advance."""
    kind, recipe = TASKS[task], read_task_recipe(TASKS[task])
    training: TaskTraining = recipe.training
    sentences = [words for line in text.read_text("utf-8").splitlines() if (words := line.split())]
    sentences = sorted(sentences[: batches * training.batch], key=len)
    examples = [made_up_example(task, words) for words in sentences]
    kept = [examples[start : start + training.batch] for start in range(0, len(examples), training.batch)]

    def loss_of(model: nn.Module, number: int) -> tuple[Tensor, int]:
        batch = kept[number % len(kept)]
        return model(batch), sum(len(example.words) for example in batch)

    settings = dataclasses.replace(recipe.elmo, frozen=frozen)
    vocabulary = sorted({word for words in sentences for word in words})
    steps, layers_per_s = [], 0.0
    for plain in (False, True):
        bilm = read_model(locate(name))
        torch.manual_seed(0)
        if plain:
            sources: dict[str, Any] = {"layers": PlainLayers(bilm, frozen=frozen)}
        else:
            sources = {"layers": LayerCache(bilm)} if frozen else {"bilm": bilm}
        inputs = TaskInputs(vocabulary, recipe.inputs, settings, **sources)
        model: Any = kind.build(inputs, kind.label_sets(examples), recipe.model)
        if plain:
            for place, part in list(model.named_children()):
                if isinstance(part, Encoder):
                    setattr(model, place, PlainEncoder(part))
        else:
            start = time.perf_counter()
            inputs.prepare(sentences)
            layers_per_s = sum(map(len, sentences)) / (time.perf_counter() - start)
        steps.append(training_step(model, partial(loss_of, model), training.settings(len(examples)), plain))
    return steps[0], steps[1], layers_per_s if frozen else 0.0


def made_up_example(task: str, words: list[str]) -> Any:
    """Return a sentence with labels that depend on its capitals."""
    capitals = [word[0].isupper() for word in words]
    if task == "sst":
        return SentimentExample(words, sum(capitals) % len(LABELS), [])
    return NERExample(words, bio_spans(["I-NAME" if capital else "O" for capital in capitals]))


class Timed(NamedTuple):
    """The words, seconds and CPU seconds of a step."""

    words: int
    seconds: float
    cpu_seconds: float


def measure(ours: Step, plain: Step, rounds: int) -> tuple[list[Timed], list[Timed]]:
    """Return the times of both ways, step by step in turn, after a first step of each that is not counted."""
    times: tuple[list[Timed], list[Timed]] = ([], [])
    for number in range(rounds + 1):
        for way, measured in zip((ours, plain), times, strict=True):
            with ExitStack() as as_in_training:
                if way is ours:
                    as_in_training.enter_context(fixed_order_of_sums(CPU))
                    as_in_training.enter_context(fast_products(CPU))
                start, cpu_start = time.perf_counter(), time.process_time()
                words = way(number)
            measured.append(Timed(words, time.perf_counter() - start, time.process_time() - cpu_start))
    return times[0][1:], times[1][1:]


def main() -> None:
    """Run the benchmark and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--text", type=Path, required=True, help="text file with one tokenized sentence per line")
    parser.add_argument("--models", help="names or folders, separated by commas (default: all that are installed)")
    parser.add_argument("--work", default=",".join(WORK), help=f"what to measure (default: {','.join(WORK)})")
    parser.add_argument("--rows", type=int, default=16, help="rows per batch of finetune (default: 16)")
    parser.add_argument("--threads", type=int, default=torch.get_num_threads(), help="number of threads (default: all)")
    parser.add_argument("--rounds", type=int, default=10, help="number of steps to measure (default: 10)")
    parser.add_argument("-o", "--output", type=Path, help="JSON Lines file to append the results to")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    data = hashlib.sha256(arguments.text.read_bytes()).hexdigest()[:16]
    print("| work | model | words/s | plain | times plain | words/s per core | plain | times plain | layers once |")
    print("|---|---|---|---|---|---|---|---|---|")
    models = (*bundled(), *installed()) if arguments.models is None else arguments.models.split(",")
    if not multiplies_bfloat16(CPU):
        print("this processor has no instructions for bfloat16, so the steps in bfloat16 are in float32, too")
    for model, work in itertools.product(models, arguments.work.split(",")):
        began = time.perf_counter()
        with tempfile.TemporaryDirectory() as scratch:
            found = {}
            if work in FINETUNING:
                size = arguments.rows, arguments.rounds, FINETUNING[work]
                ours, plain = finetuning_steps(model, arguments.text, Path(scratch), *size)
            else:
                task, _, tuned = work.partition("+")
                frozen = not tuned
                ours, plain, layers = task_steps(model, arguments.text, arguments.rounds, task, frozen=frozen)
                found = {"layers_words_per_s": layers} if frozen else {}
            measured = measure(ours, plain, arguments.rounds)
        for prefix, times in zip(("", "plain_"), measured, strict=True):
            found[f"{prefix}words_per_s"] = statistics.median(one.words / one.seconds for one in times)
            found[f"{prefix}words_per_core_s"] = statistics.median(one.words / one.cpu_seconds for one in times)
        columns = []
        for metric in ("words_per_s", "words_per_core_s"):
            value, other = found[metric], found[f"plain_{metric}"]
            columns.append(f"{value:,.0f} | {other:,.0f} | {value / other:.2f}")
        columns.append(f"{found['layers_words_per_s']:,.0f}" if "layers_words_per_s" in found else "")
        print(f"| {work} | {Path(model).name} | {' | '.join(columns)} |", flush=True)
        if arguments.output is not None:
            what, details = f"train: {work}, {Path(model).name}", {"threads": arguments.threads, "rows": arguments.rows}
            origin = (0, commit(), versions(), data, machine("cpu"), time.perf_counter() - began)
            append_results(
                arguments.output,
                [Result(what, metric, value, *origin, details) for metric, value in found.items()],
            )


if __name__ == "__main__":
    main()
