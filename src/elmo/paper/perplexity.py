"""The perplexity of models on held-out text, and on kinds of text that they were not trained on.

The paper reports 39.7 for its own model (section 3.4), the mean of both directions. Perplexity is computed as
``elmo perplexity`` does it: with the full softmax, and every sentence from a zero state. Models with the same
vocabulary and tokenizer can be compared by perplexity, others by bits per character.
"""

import dataclasses
import random
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from elmo.config import TokenizerName
from elmo.datasets.evaluation_texts import OUT_OF_DOMAIN, read_evaluation_texts
from elmo.datasets.folders import data_folder
from elmo.datasets.lines import uncompressed_name
from elmo.paper.exhibit import DATA_FOLDER, Exhibit, Measurement, Setup, model_names, progress_bars, read_corpus, record
from elmo.paper.report import Table
from elmo.train.perplexity import Perplexity, perplexity
from elmo.weights.locate import locate, read_language_model

MAX_SENTENCES = 10_000
"""Number of sentences of a text that are measured unless another number is given; held-out text has fewer."""
SEED = 0
"""Seed of the random sentences of a larger text."""
HELD_OUT, OUTSIDE = "held out", "out of domain"
_HELD_OUT_NAME = re.compile(r"(.+)-(dev|test)\.txt")


@dataclass(frozen=True)
class MeasuredText:
    """A text to measure."""

    name: str
    kind: str
    """Held out from a corpus, or out of domain with the kind of text."""
    files: tuple[Path, ...]
    tokenized: list[list[str]] | None = None
    """The words of each sentence; None for raw text, which is tokenized as a model does."""

    def sentences(self, tokenizer: TokenizerName) -> list[list[str]]:
        """Return the words of all sentences."""
        return read_corpus(self.files, tokenizer) if self.tokenized is None else self.tokenized


@dataclass(frozen=True)
class TextPerplexity:
    """The perplexity of one model on one text."""

    text: MeasuredText
    model: str
    fingerprint: str
    """Identifies the weights, since the weights behind a name may be replaced."""
    perplexity: Perplexity
    sentences: int
    of: int
    """Number of sentences of the whole text."""
    seconds: float

    def measurement(self) -> Measurement:
        """Return the mean of both directions, with everything else as details."""
        details = dataclasses.asdict(self.perplexity) | {
            "model": self.model,
            "fingerprint": self.fingerprint,
            "text": self.text.name,
            "kind": self.text.kind,
            "bits_per_character": self.perplexity.per_character.mean,
            "sentences": self.sentences,
            "of": self.of,
        }
        return Measurement("perplexity", "perplexity", self.perplexity.arithmetic, details)

    def row(self) -> list[str]:
        """Return the cells of a table."""
        found = self.perplexity
        count = f"{self.sentences:,}" + (f" of {self.of:,}" if self.of > self.sentences else "")
        directions = [f"{value:.1f}" for value in (found.forward, found.backward, found.arithmetic)]
        bits, unknown = f"{found.per_character.mean:.3f}", f"{100 * found.unknown:.1f} %"
        numbers = [*directions, bits, unknown, count, f"{found.tokens:,}"]
        return [self.text.name, self.text.kind, self.model, *numbers]


class Perplexities(Exhibit[list[TextPerplexity]]):
    """The perplexity of each model on each text of the data folder, and of a folder of held-out texts."""

    def run(self, setup: Setup) -> list[TextPerplexity]:
        """Measure all texts with one model after another.

        Raises:
            ValueError: If a model cannot predict words, or there are no texts.
        """
        folder = data_folder(setup.data)
        texts = [*held_out_texts([folder / "corpus", *([setup.heldout] if setup.heldout else [])])]
        texts += out_of_domain_texts(folder, setup.output / DATA_FOLDER)
        if not texts:
            raise ValueError(f"{folder}: has no held-out text (corpus/NAME-dev.txt, NAME-test.txt) and no task data")
        most = setup.max_sentences or MAX_SENTENCES
        models = [read_language_model(locate(model)) for model in setup.models]  # all can predict, before any is used
        results = []
        with progress_bars() as progress:
            for name, model in zip(model_names(setup.models), models, strict=True):
                fingerprint = model.bilm.fingerprint()
                model.to(setup.device)
                for number, text in enumerate(texts, 1):
                    started = time.monotonic()
                    sentences = text.sentences(model.bilm.config.tokenizer)
                    chosen = sample(sentences, most)
                    found = perplexity(model, chosen)
                    seconds = time.monotonic() - started
                    one = TextPerplexity(text, name, fingerprint, found, len(chosen), len(sentences), seconds)
                    record([one.measurement()], text.files, seconds, setup)
                    results.append(one)
                    progress(name, number, len(texts))
        return results

    def collect(self, results: list[TextPerplexity]) -> dict[str, Table]:
        """Return one row per text and model."""
        order = {text: number for number, text in enumerate(dict.fromkeys(result.text.name for result in results))}
        rows = [result.row() for result in sorted(results, key=lambda result: order[result.text.name])]
        header = ["text", "kind", "model", "forward", "backward", "mean", "bits per character", "unknown words"]
        seconds = sum(result.seconds for result in results)
        note = (
            "Perplexity under the full softmax, every sentence from a zero state; the mean is that of both directions. "
            "Bits per character include the spelling of unknown words, so that vocabularies can be compared. Task data "
            f"is read as tokenized, with treebank notation undone. Samples of a text are drawn with seed {SEED}. "
            f"{seconds:.0f} seconds in total."
        )
        return {"perplexity": Table("Perplexity", [*header, "sentences", "predictions"], rows, note)}


def held_out_texts(folders: Sequence[Path]) -> Iterator[MeasuredText]:
    """Find the held-out texts of folders, ``NAME-dev.txt`` and ``NAME-test.txt``, compressed or not.

    Raises:
        ValueError: If one of the folders is not a folder.
    """
    for number, folder in enumerate(folders):
        if number and not folder.is_dir():
            raise ValueError(f"{folder}: no such folder")
        for file in sorted(folder.glob("*")):
            if file.is_file() and (match := _HELD_OUT_NAME.fullmatch(uncompressed_name(file))):
                yield MeasuredText(f"{match[1].removesuffix('-heldout')}, {match[2]}", HELD_OUT, (file,))


def out_of_domain_texts(folder: Path, extracted: Path) -> Iterator[MeasuredText]:
    """Find the texts of the task data that are of other kinds than the training text."""
    for text in read_evaluation_texts(OUT_OF_DOMAIN, folder, extracted):
        yield MeasuredText(text.source.name, f"{OUTSIDE}: {text.source.domain}", text.files, text.sentences)


def sample(sentences: list[list[str]], most: int) -> list[list[str]]:
    """Return at most this many sentences, drawn with a fixed seed and in their order."""
    if len(sentences) <= most:
        return sentences
    chosen = sorted(random.Random(SEED).sample(range(len(sentences)), most))
    return [sentences[index] for index in chosen]
