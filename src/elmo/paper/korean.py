"""What a Korean model is good for: four datasets, compared with static vectors that were trained on the same text.

| data | measured |
|---|---|
| KoBEST-WiC | whether a word has the same sense in two sentences: a threshold on a cosine (``probes.wic``), by layer |
| UD Kaist | the part of speech of an eojeol: a linear probe on the mean of its tokens (``probes.pos``), by layer |
| KLUE-NLI | entailment: the model of the task ``snli`` |
| NSMC | sentiment: the model of the task ``sst``, of whose five classes two occur |

The perplexity of held-out text is measured as well, if there is any and the model can predict words.

The probes depend on no seed. Task models are trained with several, in the queue of ``task_runs``, without and with ELMo
next to the static vectors. The layer of a probe is chosen without the test data; the table has scores on test data.
"""

import hashlib
import json
import math
import os
import statistics
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from elmo.config import TokenizerName
from elmo.datasets.conllu import read_tagged
from elmo.datasets.folders import data_folder, find_vectors
from elmo.datasets.korean import (
    HELDOUT_FILE,
    SPLITS,
    is_prepared,
    prepare_korean,
    prepared_tokenizer,
    prepared_words,
    read_pairs,
)
from elmo.embed.merge import merge_vectors
from elmo.files import checksum
from elmo.model.language_model import LanguageModel
from elmo.paper.exhibit import (
    ANALYSIS_FILE,
    DATA_FOLDER,
    Exhibit,
    Measurement,
    Setup,
    progress_bars,
    read_corpus,
    record,
)
from elmo.paper.probes.pos import BASELINE as MOST_FREQUENT_TAG
from elmo.paper.probes.pos import probe
from elmo.paper.probes.representations import BiLMRepresentation, LayerVectors, Representation, load_representations
from elmo.paper.probes.wic import SENTENCE, layer_cosines, score_cosines
from elmo.paper.report import Table
from elmo.paper.task_runs import RunSpec
from elmo.paper.task_tables import (
    MISSING,
    TaskExhibit,
    TaskExperiment,
    TaskResults,
    in_deviations,
    mean_and_deviation,
)
from elmo.paper.word2vec import EPOCHS, train_vectors
from elmo.results import Result, read_results
from elmo.search.sample_texts import KOREAN, raw_tokenizer
from elmo.text.tokens import tokenizer as tokenizer_named
from elmo.train.corpus.corpus import open_corpus
from elmo.train.perplexity import perplexity
from elmo.weights.folder import read_softmax
from elmo.weights.locate import locate, read_model

MODEL = "korean"
"""The model that is measured unless another one is named."""
PREPARED_FOLDER = "korean-tokenized"
"""The tokenized datasets, in the folder for data in the output folder."""
QUICK_EXAMPLES = (400, 150, 150)
"""Number of examples for each split of a probe in a quick run."""
WIC, POS, HELDOUT = "KoBEST-WiC", "UD Kaist", "held-out Korean text"
WIC_IN_CONTEXT = f"{WIC}, word and sentence"
"""The row of word senses where the context counts: the mean of the sentence's static vectors, with and without ELMo."""
AND_SENTENCE = f"and the {SENTENCE}"
MEASURED = {
    WIC: "same sense or not, accuracy",
    WIC_IN_CONTEXT: "same sense or not, accuracy",
    POS: "part of speech, accuracy",
    "snli/klue": "entailment, accuracy",
    "sst/nsmc": "sentiment, accuracy",
}
NAMES = {"snli/klue": "KLUE-NLI", "sst/nsmc": "NSMC, own split"}


class EojeolRepresentation:
    """The mean of the vectors of a word's tokens, which are separated by spaces in the word."""

    def __init__(self, tokens: Representation) -> None:
        self._tokens = tokens
        self.name, self.dim, self.layer_names = tokens.name, tokens.dim, tokens.layer_names

    def layers(self, sentences: Iterable[Sequence[str]]) -> Iterator[LayerVectors]:
        """Yield the merged layers of each sentence."""
        waiting: deque[list[int]] = deque()  # the number of tokens of each word, of sentences that have been read

        def split() -> Iterator[list[str]]:
            for sentence in sentences:
                tokens = [word.split(" ") for word in sentence]
                waiting.append(list(map(len, tokens)))
                yield [token for word in tokens for token in word]

        for layers in self._tokens.layers(split()):
            yield merge_vectors(layers, waiting.popleft(), "mean")


class KoreanTasks(TaskExhibit):
    """The datasets for which models are trained."""

    name = "korean-tasks"
    title = "Korean tasks, without and with ELMo"
    tasks = tuple(NAMES)

    def specs(self, experiment: TaskExperiment, task: str) -> list[RunSpec]:
        """Return the runs with and without ELMo."""
        return experiment.specs(task, elmo=False) + experiment.specs(task)

    def rows(self, results: TaskResults) -> list[list[str]]:
        """Return one row per dataset."""
        rows = [HEADER]
        for task in results.experiment.tasks:
            before, after = results.test_scores(task, elmo=False), results.test_scores(task)
            gains = [MISSING] * 2
            if before and after:
                gain = statistics.mean(after) - statistics.mean(before)
                gains = [f"{gain:+.1f}", in_deviations(gain, before, after)]
            shown = (mean_and_deviation(before), mean_and_deviation(after), *gains)
            rows.append([NAMES.get(task, task), MEASURED.get(task, ""), *shown])
        return rows


HEADER = ["data", "measured on test data", "static vectors", "with ELMo", "gain", "gain / std. dev."]


@dataclass(frozen=True)
class KoreanResult:
    """The probes, one result per layer and split, and the runs of task models."""

    probes: list[Result]
    tasks: TaskResults


class Korean(Exhibit[KoreanResult]):
    """Four Korean datasets, without and with ELMo. The setup is that of ``korean_setup``."""

    tasks = KoreanTasks()

    def run(self, setup: Setup) -> KoreanResult:
        """Measure the probes that are not recorded yet, and train the task models unless only finished ones count.

        Without a data folder, the recorded results of the model are returned.
        """
        wanted = {"model": setup.models[0], "quick": setup.quick}
        if setup.data is None:
            stored = _stored(setup.output, wanted)
            inputs = {result.what: result.details["inputs"] for result in stored}  # the last ones count
            probes = [result for result in stored if result.details["inputs"] == inputs[result.what]]
        else:
            folder = data_folder(setup.data)
            probes = []
            for name, measure, files in (
                (WIC, _senses, [folder / "tasks" / "wic" / f"{split}.jsonl" for split in SPLITS]),
                (POS, _parts_of_speech, [folder / "tasks" / "pos" / f"{split}.conllu" for split in SPLITS]),
                (HELDOUT, _perplexity, [path for path in [folder / "corpus" / HELDOUT_FILE] if path.exists()]),
            ):
                probes += _measured(name, measure, files, setup, wanted) if files else []
        return KoreanResult(probes, self.tasks.run(setup))

    def collect(self, results: KoreanResult) -> dict[str, Table]:
        """Return the four datasets in one table, and the probes by layer and the perplexity in others."""
        experiment = results.tasks.experiment
        context = [result for result in results.probes if result.details.get("in_context")]
        of_word = [result for result in results.probes if result not in context]
        rows = [
            _probe_row(WIC, [result for result in of_word if result.what == WIC]),
            _probe_row(WIC_IN_CONTEXT, context),
            _probe_row(POS, [result for result in of_word if result.what == POS]),
        ]
        _, *task_rows = self.tasks.rows(results.tasks)
        quick = "Quick runs on a part of the data: the numbers mean little. " if experiment.quick else ""
        machines = "; ".join(sorted({result.machine for result in results.probes}))
        note = (
            f"ELMo: {experiment.model}. {quick}Probes (the first three rows): the best layer on all but the test data, "
            f"± standard error; their deviation is that of the difference; {machines}. Task models (the others): "
            f"{results.tasks.provenance() if results.tasks.runs else 'no finished runs.'}"
        )
        suffix = "-quick" if experiment.quick else ""
        title = "Korean datasets, with static vectors and with ELMo"
        tables = {f"korean{suffix}": Table(title, HEADER, rows + task_rows, note)}
        tables[f"korean-layers{suffix}"] = _by_layer([r for r in results.probes if r.what != HELDOUT], note)
        if heldout := [result for result in results.probes if result.what == HELDOUT]:
            tables[f"korean-perplexity{suffix}"] = _perplexity_table(heldout[-1], experiment.model)
        return tables


def korean_setup(setup: Setup, corpus: Path | None = None, vector_epochs: int | None = None) -> Setup:
    """Return a setup whose data is tokenized and which has static vectors. What is missing is made first.

    Args:
        setup: The setup. Its data folder contains the datasets, in ``tasks/korean``, or is a folder of tokenized data,
            for which the tokenizer need not be installed.
        corpus: The corpus of ``elmo prepare`` on which static vectors are trained, unless the setup has vectors or the
            tokenized data contains some.
        vector_epochs: Number of passes over the corpus; None for the default of ``train_vectors``.

    Raises:
        ValueError: If data, vectors or a package are missing, or if the tokenizers of model, data and corpus differ.
    """
    if setup.only_finished:
        return setup
    tokenizer = read_model(locate(setup.models[0])).config.tokenizer
    folder = data_folder(setup.data)
    if not is_prepared(folder):
        extracted = setup.output / DATA_FOLDER
        prepare_korean(folder, extracted / PREPARED_FOLDER, tokenizer, extracted)
        folder = extracted / PREPARED_FOLDER
    elif prepared_tokenizer(folder) != tokenizer:
        used = prepared_tokenizer(folder)
        raise ValueError(f"{folder}: was split by the tokenizer {used}, but {setup.models[0]} reads {tokenizer}")
    vectors = setup.vectors or _vectors_file(folder, corpus, tokenizer, vector_epochs or EPOCHS)
    return replace(setup, data=folder, vectors=vectors)


def _vectors_file(folder: Path, corpus: Path | None, tokenizer: TokenizerName, epochs: int) -> Path:
    """Return the file of static vectors in a folder of tokenized data; those of a corpus are trained first."""
    if corpus is None:
        if (folder / "tasks" / "vectors").is_dir():
            return find_vectors(folder)
        raise ValueError(
            "static vectors to compare with are missing; name the corpus of the model with --corpus, to train them, or "
            "a file with --vectors"
        )
    opened = open_corpus(corpus)
    used = opened.metadata["settings"].get("tokenizer")
    if used != tokenizer:
        raise ValueError(f"{corpus}: was split by the tokenizer {used}, but the model reads {tokenizer}")
    name = f"word2vec-{opened.metadata['data_hash'][:12]}" + ("" if epochs == EPOCHS else f"-epochs-{epochs}")
    path = folder / "tasks" / "vectors" / f"{name}.txt"
    if not path.exists():
        split = tokenizer_named(raw_tokenizer(tokenizer)).words
        words = prepared_words(folder).union(*map(split, KOREAN.sentences()))  # also for elmo analyze homonyms
        words |= {word.lower() for word in words}
        train_vectors(opened, path, words, epochs=epochs, workers=os.cpu_count() or 1)
    return path


_Measure = Callable[[Sequence[Path], Setup], list[Measurement]]


def _measured(
    name: str, measure: _Measure, files: Sequence[Path], setup: Setup, wanted: dict[str, Any]
) -> list[Result]:
    """Return the results of a measurement, which is made and recorded unless it has been."""
    assert setup.vectors is not None  # korean_setup makes sure of it
    bilm = read_model(locate(setup.models[0]))
    made_from = [bilm.fingerprint(), *(checksum(path) for path in (*files, setup.vectors))]
    inputs = hashlib.sha256(json.dumps(made_from, sort_keys=True).encode()).hexdigest()[:16]
    wanted = {**wanted, "inputs": inputs}
    if not (found := _stored(setup.output, wanted, name)):
        started = time.monotonic()
        measurements = measure(files, setup)
        completed = [one._replace(what=name, details={**one.details, **wanted}) for one in measurements]
        record(completed, files, time.monotonic() - started, setup)
        found = _stored(setup.output, wanted, name)
    return found


def _stored(output: Path, wanted: dict[str, Any], name: str | None = None) -> list[Result]:
    """Read the recorded results of one measurement, or of all, that have certain details."""
    results = (result for result in read_results(output / ANALYSIS_FILE) if result.what in (WIC, POS, HELDOUT))
    return [one for one in results if name in (None, one.what) and wanted.items() <= one.details.items()]


def _senses(files: Sequence[Path], setup: Setup) -> list[Measurement]:
    """Compare the words of each pair; and, for what the context tells, their sentences by the means of static vectors.

    ELMo is added to the latter: the cosine of the words or of their contexts in each layer, plus that of the sentences.
    """
    pairs = {
        split: read_pairs(path)[: most if setup.quick else None]
        for split, path, most in zip(SPLITS, files, QUICK_EXAMPLES, strict=True)
    }
    with progress_bars() as progress:
        static, bilm = load_representations(setup)
        sentences = layer_cosines(static, pairs, "sentences", progress)
        words = {static.name: layer_cosines(static, pairs, "words", progress)}
        words[bilm.name] = layer_cosines(bilm, pairs, "words", progress)
        words[bilm.name] |= layer_cosines(bilm, pairs, "contexts", progress)
    [(sentence_layer, of_sentences)] = sentences.items()
    baseline = score_cosines(static.name, sentence_layer, of_sentences, pairs)
    scores = [(baseline, True)]
    for name, layers in words.items():
        scores += [(score_cosines(name, layer, of_words, pairs), False) for layer, of_words in layers.items()]
    for layer, of_words in words[bilm.name].items():
        both = f"{layer}, {AND_SENTENCE}"
        scores.append((score_cosines(bilm.name, both, of_words + of_sentences, pairs), True))
    found = []
    for score, in_context in scores:
        details = {
            "source": score.source,
            "layer": score.layer,
            "elmo": score.source == bilm.name,
            "in_context": in_context,
        }
        for split in SPLITS:
            of_split: dict[str, Any] = {"set": split, "instances": len(pairs[split]), "threshold": score.threshold}
            if in_context:
                of_split["deviation_of_gain"] = score.deviation_of_gain(baseline, split)
            found.append(Measurement(WIC, "accuracy", score.accuracy[split], {**details, **of_split}))
    return found


def _parts_of_speech(files: Sequence[Path], setup: Setup) -> list[Measurement]:
    splits = [
        read_tagged(path, "upos")[: most if setup.quick else None]
        for path, most in zip(files, QUICK_EXAMPLES, strict=True)
    ]
    representations = load_representations(setup)
    models = {one.name for one in representations if isinstance(one, BiLMRepresentation)}
    with progress_bars() as progress:
        merged = [EojeolRepresentation(one) for one in representations]
        result = probe(merged, *splits, device=setup.device, progress=progress)
    counts = {"dev": result.words[1], "test": result.words[2], "unknown": result.unknown_words}
    return [
        one._replace(
            details={**one.details, "elmo": one.details["source"] in models, "instances": counts[one.details["set"]]}
        )
        for one in result.results()
    ]


def _perplexity(files: Sequence[Path], setup: Setup) -> list[Measurement]:
    """Measure the perplexity of tokenized sentences; nothing if the model has no softmax."""
    path = locate(setup.models[0])
    bilm = read_model(path)
    softmax = read_softmax(path, bilm)
    if softmax is None:
        return []
    sentences = read_corpus(files, "whitespace", QUICK_EXAMPLES[-1] if setup.quick else None)
    found = perplexity(LanguageModel(bilm, softmax).to(setup.device), sentences)
    details = {"sentences": len(sentences), "per_character": found.per_character, "per_syllable": found.per_syllable}
    return [Measurement(HELDOUT, "perplexity", found.arithmetic, {**asdict(found), **details})]


def _perplexity_table(result: Result, model: str) -> Table:
    """Return the perplexity and the bits of both directions."""
    details = result.details
    bits = {"bits per syllable": details["per_syllable"], "bits per character": details["per_character"]}
    shown = {name: [*pair, statistics.mean(pair)] for name, pair in bits.items() if pair}
    rows = [
        [direction, f"{value:.2f}", *(f"{column[number]:.3f}" for column in shown.values())]
        for number, (direction, value) in enumerate(
            (("forward", details["forward"]), ("backward", details["backward"]), ("mean", result.value))
        )
    ]
    note = (
        f"Model: {model}. {details['sentences']:,} sentences, {details['tokens']:,} predictions in each direction, "
        f"{100 * details['unknown']:.2f} % unknown words, {details['syllables']:,} Hangul syllables. Full softmax, "
        f"every sentence from a zero state. Commit {result.commit}; {result.machine}; data {result.data_hash[:12]}."
    )
    return Table("Perplexity of held-out Korean text", ["direction", "perplexity per token", *shown], rows, note)


def _probe_row(name: str, results: Sequence[Result]) -> list[str]:
    """Return the row of a probe: the best layer of static vectors and of ELMo.

    The layer is chosen on all data but the test data, as far as it is measured: the training pairs of KoBEST-WiC, on
    which nothing but a threshold is learned, count like its development pairs, of which there are few.
    """
    best = []
    for elmo in (False, True):
        layers: dict[tuple[str, str], dict[str, Result]] = {}
        for result in results:
            if result.details["elmo"] == elmo and result.details["source"] != MOST_FREQUENT_TAG:
                layer = (result.details["source"], result.details["layer"])
                layers.setdefault(layer, {})[result.details["set"]] = result
        if layers:
            best.append(max(layers.values(), key=_accuracy_without_test)["test"])
    if len(best) < 2:
        return [name, MEASURED[name], *[MISSING] * 4]
    before, after = best
    gain, errors = after.value - before.value, [_standard_error(result) for result in best]
    deviation = after.details.get("deviation_of_gain", math.hypot(*errors))
    scores = [f"{result.value:.1f} ± {error:.1f}" for result, error in zip(best, errors, strict=True)]
    return [name, MEASURED[name], *scores, f"{gain:+.1f}", f"{gain / deviation:.1f}" if deviation else MISSING]


def _accuracy_without_test(results: Mapping[str, Result]) -> float:
    """Return the accuracy on the training and development data. Unknown words, a set of their own, are test data."""
    others = [results[split] for split in ("train", "dev") if split in results]
    counts = [result.details["instances"] for result in others]
    return sum(result.value * count for result, count in zip(others, counts, strict=True)) / sum(counts)


def _standard_error(result: Result) -> float:
    """Return the standard error of an accuracy in percent."""
    return math.sqrt(result.value * (100 - result.value) / result.details["instances"])


def _by_layer(results: Sequence[Result], note: str) -> Table:
    """Return the accuracies of all layers."""
    scores: dict[tuple[str, str, str], dict[str, float]] = {}
    for result in results:
        row = (result.what, result.details["source"], result.details["layer"])
        scores.setdefault(row, {})[result.details["set"]] = result.value
    shown = ("train", "dev", "test")
    rows = [
        [*row, *(f"{found[split]:.1f}" if split in found else MISSING for split in shown)]
        for row, found in scores.items()
    ]
    return Table("Korean probes by layer (accuracy)", ["data", "vectors", "layer", *shown], rows, note)
