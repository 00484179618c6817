"""Write the tables of the documentation from the logs in ``results/``.

    python dev/fill_tables.py

A table begins after a line ``<!-- table: NAME ARGUMENTS -->`` and ends before ``<!-- end of table -->``; NAME is one of
the functions in ``TABLES``. A table without a log stays as it is. A test checks that every page is as this script would
write it.
"""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from everyday import table_rows as everyday_rows

from elmo.paper.contamination import ALL, LONG, SHORT
from elmo.paper.exhibit import Setup
from elmo.paper.korean import Korean
from elmo.paper.probes.homonyms import CHANCE
from elmo.paper.task_tables import MISSING, LayerWeighting, MainResults, Placement, TaskExhibit, mean_and_deviation
from elmo.results import Result, read_results

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "results"
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
_MARKED = re.compile(r"^<!-- table: (\S+)([^\n]*?) -->\n.*?^<!-- end of table -->$", re.MULTILINE | re.DOTALL)

Rows = Sequence[Sequence[str]]
"""The cells of a table, starting with its header."""


def markdown(rows: Rows) -> str:
    """Format a table."""
    lines = [rows[0], ["---"] * len(rows[0]), *rows[1:]]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def latest(results: Iterable[Result], *details: str) -> dict[tuple[Any, ...], Result]:
    """Return the last result for each combination of the values of some details."""
    found = {}
    for result in results:
        values = {**result.details}
        if values.get("layer") == "words":
            values["layer"] = "token layer"  # its name in older results
        found[tuple(values[name] for name in details)] = result
    return found


def analysis(what: str) -> list[Result]:
    """Return the results of an analysis, oldest first."""
    return [result for result in read_results(RESULTS / "analysis.jsonl") if result.what == what]


# Tasks


def _stored(exhibit: TaskExhibit, model: str, arguments: Sequence[str], suffix: str = "") -> Rows:
    """Return a table of stored runs, without rows that have no scores yet.

    The arguments are tasks, and ``finetuned`` to show the biLM that is fine-tuned on each task's text.
    """
    tasks = tuple(argument for argument in arguments if argument != "finetuned")
    setup = Setup(
        RESULTS,
        models=(model,),
        tasks=tasks or None,
        finetuned="finetuned" in arguments,
        only_finished=True,
    )
    table = exhibit.collect(exhibit.run(setup))[exhibit.name + suffix]
    fixed = {"task", "task, dev", "data", "test file", "paper", "paper (test)"}
    scores = [number for number, name in enumerate(table.header) if name not in fixed]
    return [table.header, *(row for row in table.rows if any(row[number] != MISSING for number in scores))]


def main_results(model: str, *tasks: str) -> Rows:
    """Table 1."""
    return _stored(MainResults(), model, tasks)


def scores_by_test_file(model: str, *tasks: str) -> Rows:
    """Return the scores of table 1 on each file of test data, for datasets that have several."""
    return _stored(MainResults(), model, tasks, "-test-files")


def layer_weighting(model: str, *tasks: str) -> Rows:
    """Table 2."""
    return _stored(LayerWeighting(), model, tasks)


def placement(model: str, *tasks: str) -> Rows:
    """Table 3."""
    return _stored(Placement(), model, tasks)


# Probes


def senses(*sources: str) -> Rows:
    """Table 5: F1 on all evaluation sets."""
    found = latest((r for r in analysis("wsd") if r.details["pos"] == "any"), "source", "layer", "set")
    sets = ("ALL", "ALL but semeval2007")
    return [("vectors", "layer", *sets), *_by_layer(found, sources, sets, ".1f")]


def parts_of_speech(*sources: str) -> Rows:
    """Table 6: accuracy on development and test data."""
    found = latest(analysis("pos"), "source", "layer", "set")
    header = ("vectors", "layer", "dev", "test", "unknown words (test)")
    return [header, *_by_layer(found, sources, ("dev", "test", "unknown"), ".2f")]


def _by_layer(found: dict[tuple[Any, ...], Result], sources: Sequence[str], sets: Sequence[str], form: str) -> Rows:
    """Return the rows of all layers of the sources, whose names have an underscore in place of a space."""
    chosen = [
        (source, layer)
        for name in sources
        for source, layer in dict.fromkeys((source, layer) for source, layer, _ in found)
        if source == name.replace("_", " ")
    ]
    return [
        (source, layer, *(format(found[source, layer, name].value, form) for name in sets)) for source, layer in chosen
    ]


# Korean


def korean(model: str) -> Rows:
    """Return the four Korean datasets."""
    return _korean_table(model, "korean")


def korean_layers(model: str) -> Rows:
    """Return the Korean probes by layer."""
    return _korean_table(model, "korean-layers")


def korean_perplexity(model: str) -> Rows:
    """Return the perplexity of held-out Korean text."""
    return _korean_table(model, "korean-perplexity")


def _korean_table(model: str, name: str) -> Rows:
    exhibit = Korean()
    results = exhibit.run(Setup(RESULTS, models=(model,), only_finished=True))
    table = exhibit.collect(results).get(name)
    if table is None or not (results.probes or results.tasks.runs):
        return [[]]
    return [table.header, *table.rows]


def homonyms(model: str) -> Rows:
    """Return how often the nearest occurrences of homonyms have the same sense, from the last run with a model."""
    runs = [result.seconds for result in analysis("homonyms") if result.details["source"] == model]
    results = [result for result in analysis("homonyms") if runs and result.seconds == runs[-1]]
    found = latest(results, "source", "layer", "word")
    words = list(dict.fromkeys(word for _, _, word in found))
    kinds = dict.fromkeys((source, layer) for source, layer, _ in found)
    shown = [(source, layer) for source, layer in kinds if layer != CHANCE or source == model]  # the same for all
    return [
        ["vectors", "layer", *words],
        *(
            ["" if layer == CHANCE else source, layer, *(f"{found[source, layer, word].value:.1f}" for word in words)]
            for source, layer in shown
        ),
    ]


# Perplexity


def perplexities(*models: str) -> Rows:
    """Return the perplexity of each text, also under the weights that a name stood for before, if measured."""
    columns = [(model, weights) for model in models for weights in _weights(model)[-2:]]
    names = [
        f"{model}, before" if weights != _weights(model)[-1] else model  # the last weights are those of today
        for model, weights in columns
    ]
    found = latest(analysis("perplexity"), "model", "fingerprint", "text")
    texts = {text: result for (_, _, text), result in found.items()}
    rows = [["text", "kind", "predictions", "unknown words", *names]]
    for text, result in texts.items():
        details = result.details
        values = [found.get((*column, text)) for column in columns]
        shown = [
            f"{value.value:.1f}" if value and value.details["tokens"] == details["tokens"] else MISSING
            for value in values  # on the same sentences, not on a sample of another size
        ]
        rows.append([text, details["kind"], f"{details['tokens']:,}", f"{100 * details['unknown']:.1f} %", *shown])
    return rows


def _weights(model: str) -> list[str]:
    """Return the fingerprints that have been measured under a name, oldest first."""
    measured = (result.details for result in analysis("perplexity"))
    return list(dict.fromkeys(details["fingerprint"] for details in measured if details["model"] == model))


def pretraining(*models: str) -> Rows:
    """Return what each model was trained with, and its perplexity."""
    rows = [["model", "minutes", "steps", "tokens", "tokens/s", "dev, mean", "test, forward / backward / mean"]]
    found = latest(analysis("perplexity"), "model", "text")
    for model in models:
        run = json.loads((RESULTS / "pretrain" / model / "run.json").read_text("utf-8"))
        trained = run["trained"]
        test = found.get((model, "en, test"))
        shown = MISSING
        if test is not None:
            details = test.details
            shown = f"{details['forward']:.1f} / {details['backward']:.1f} / {test.value:.1f}"
        speed = trained["tokens"] / trained["seconds"]
        amount = [f"{trained['seconds'] / 60:.1f}", f"{trained['step']:,}", f"{trained['tokens'] / 1e6:.0f} M"]
        rows.append([model, *amount, f"{speed / 1e6:.2f} M", f"{run['heldout']['arithmetic']:.1f}", shown])
    return rows


def finetuning(*names: str) -> Rows:
    """Return the perplexity before and after fine-tuning, from the runs in ``results/finetune``."""
    rows = [["rows per batch", "learning rate", "before, mean", "after, forward / backward / mean"]]
    for name in names:
        run = json.loads((RESULTS / "finetune" / name / "run.json").read_text("utf-8"))
        recipe, before, after = run["recipe"], run["heldout_before"], run["heldout"]
        shown = " / ".join(f"{after[direction]:.1f}" for direction in ("forward", "backward", "arithmetic"))
        settings = [str(recipe["rows"]["rows"]), f"{recipe['training']['learning_rate']:g}"]
        rows.append([*settings, f"{before['arithmetic']:.1f}", shown])
    return rows


# Contamination


def contamination() -> Rows:
    """Return the contaminated part of each dataset, from the last measurement."""
    measured = analysis("contamination")
    if not measured:
        return [[]]
    results = [result for result in measured if result.seconds == measured[-1].seconds]  # those of one run
    found = {(r.details["data"], r.details["text"], r.metric): r for r in results}
    texts = list(dict.fromkeys(result.details["text"] for result in results))
    rows = [["data", "unit", "number", *texts, f"a {LONG}-gram"]]
    for data in dict.fromkeys(result.details["data"] for result in results):
        shares = [f"{found[data, text, f'{SHORT}-grams'].value:.1f} %" for text in texts]
        overlap = found[data, ALL if ALL in texts else texts[0], f"{LONG}-gram"]
        details = overlap.details
        rows.append([data, details["unit"], f"{details['units']:,}", *shares, f"{overlap.value:.1f} %"])
    return rows


# Benchmarks


def server() -> Rows:
    """Return the last measurement of a server under load, by mode and number of clients."""
    found: dict[tuple[str, int, str], Result] = {}
    for result in read_results(RESULTS / "benchmarks/serve.jsonl"):
        found[result.what.removeprefix("serve: "), result.details["clients"], result.metric] = result
    last = list(found.values())[-1].commit if found else ""
    rows = [["clients", "", "requests/s", "p50, ms", "p99, ms", "memory at start / middle / end, MiB", "responses"]]
    titles = {"micro-batching": "with micro-batching", "without": "without (`--batch-requests 1`)"}
    for name, clients, metric in sorted(found, key=lambda key: key[1]):
        result = found[name, clients, metric]
        if metric != "requests/s" or result.commit != last:
            continue
        of = {key[2]: value.value for key, value in found.items() if key[:2] == (name, clients)}
        memory = " / ".join(f"{of[f'memory_{when}_mib']:,.0f}" for when in ("start", "middle", "end"))
        statuses = result.details["statuses"]
        responses = ", ".join(f"{count:,} with status {status}" for status, count in sorted(statuses.items()))
        numbers = [f"{of['requests/s']:.1f}", f"{of['p50_ms']:,.0f}", f"{of['p99_ms']:,.0f}"]
        rows.append([str(clients), titles[name], *numbers, memory, responses])
    return rows


def _last_embedding_run(system: str = "") -> list[Result]:
    """Return the last measurement of embedding on a CPU, or the last one in which a system took part."""
    results = list(read_results(RESULTS / "benchmarks/embed.jsonl"))
    last = [result.commit for result in results if system in result.what][-1]
    return [result for result in results if result.commit == last]


def embedding_speed() -> Rows:
    """Return the last measurement of embedding on a CPU."""
    found: dict[str, dict[str, float]] = {}
    for result in _last_embedding_run():
        found.setdefault(result.what.removeprefix("embed: "), {})[result.metric] = result.value
    columns = {
        "words/s": ("words_per_s", ",.0f"),
        "words/s, words cached": ("words_per_s_again", ",.0f"),
        "words/s, long text": ("long_words_per_s", ",.0f"),
        "one sentence, ms": ("latency_ms", ",.1f"),
        "one core busy, ms": ("latency_busy_ms", ",.1f"),
        "memory, MB": ("memory_mb", ",.0f"),
        "of peak": ("of_peak", ".0%"),
    }
    rows = [["", *columns]]
    for what, of in found.items():
        system, model = what.split(", ")
        name = {"full": "full size", "random weights": ""}.get(model, f"`{model}`")
        kind = system.removeprefix("elmo ").replace("onnxruntime", "in ONNX Runtime")
        kind = kind.replace("plain nn.LSTM", "plain `nn.LSTM(proj_size)`").replace("MiniLM-L6", "six-layer Transformer")
        shown = [format(of[metric], form) if metric in of else "" for metric, form in columns.values()]
        rows.append([", ".join(part for part in (name, kind) if part), *(cell.replace("%", " %") for cell in shown)])
    return rows


def onnx_speed() -> Rows:
    """Compare this library with ONNX Runtime in that measurement."""
    found = {(*r.what.removeprefix("embed: ").split(", "), r.metric): r.value for r in _last_embedding_run()}
    rows = [["", "`model.embed`", "ONNX Runtime"]]
    for metric, unit, form in (
        ("words_per_s", "words/s", ",.0f"),
        ("latency_ms", "one sentence, ms", ",.1f"),
        ("memory_mb", "memory, MB", ",.0f"),
    ):
        for model, name in (("full", "full size"), ("medium", "`medium`"), ("small", "`small`")):
            values = [found.get((system, model, metric)) for system in ("elmo float32", "elmo onnxruntime")]
            if None not in values:
                rows.append([f"{name}, {unit}", *(format(value, form) for value in values)])
    return rows


def beside_simple_elmo() -> dict[str, float]:
    """Return the words/s of each system at full size, in the last measurement with simple_elmo."""
    speeds = {}
    for result in _last_embedding_run("simple_elmo"):
        system, model = result.what.removeprefix("embed: ").split(", ")
        if (model, result.metric) == ("full", "words_per_s"):
            speeds[system] = result.value
    return speeds


def simple_elmo_ratios() -> Rows:
    """Compare this library with simple_elmo in that measurement."""
    speeds = beside_simple_elmo()
    rows = [["this library", "as shipped", "in length order"]]
    for precision in ("float32", "bf16", "int8"):
        ratios = [speeds[f"elmo {precision}"] / speeds[f"simple_elmo {how}"] for how in rows[0][1:]]
        rows.append([precision, *(f"{ratio:.1f} times as fast" for ratio in ratios)])
    return rows


def embedding_run() -> Rows:
    """Describe that measurement."""
    results = _last_embedding_run()
    last, values = results[-1], {result.metric: result.value for result in results}
    details = [str(last.details[name]) for name in ("sentences", "rounds", "threads")]
    counts = [f"{values['latency_words']:.1f}", f"{values['long_words']:,.0f}"]
    header = ["sentences", "rounds", "threads", "words of one sentence", "words of the long text"]
    header += ["machine", "torch", "hash of the text", "commit"]
    return [header, [*details, *counts, last.machine, last.versions["torch"], last.data_hash, last.commit]]


def precision() -> Rows:
    """Return the lowest cosines of bf16 and int8 vectors."""
    results = [r for r in read_results(RESULTS / "benchmarks/precision.jsonl") if r.metric == "lowest cosine"]
    found = latest((r for r in results if r.details["layer"] == "all"), "model", "precision")
    rows = [["model", "words", "bf16", "int8"]]
    for model in dict.fromkeys(model for model, _ in found):
        values = [f"{found[model, precision].value:.5f}" for precision in ("bf16", "int8")]
        rows.append([f"`{model}`", f"{found[model, 'int8'].details['words']:,}", *values])
    return rows


def training_speed() -> Rows:
    """Return the speed of training steps on a CPU beside that of the same steps in plain PyTorch."""
    found = {(r.what, r.metric): r.value for r in read_results(RESULTS / "benchmarks/train_cpu.jsonl")}
    rows = [["step", "model", "words/s", "plain", "times plain", "words/s per core", "plain", "times plain"]]
    steps = dict.fromkeys(tuple(what.removeprefix("train: ").split(", ")) for what, _ in found)
    models = list(dict.fromkeys(model for _, model in steps))
    for step, model in sorted(steps, key=lambda one: (models.index(one[1]), not one[0].startswith("finetune"))):
        what = f"train: {step}, {model}"
        cells = [step, f"`{model}`"]
        for metric in ("words_per_s", "words_per_core_s"):
            ours, plain = found.get((what, metric)), found.get((what, f"plain_{metric}"))
            measured = ours is not None and plain is not None  # on a busy machine, only CPU time is worth recording
            cells += [f"{ours:,.0f}", f"{plain:,.0f}", f"{ours / plain:.1f}"] if measured else [MISSING] * 3
        rows.append(cells)
    return rows


# Task models


def everyday() -> Rows:
    """What packaged task models make of everyday sentences and passages."""
    return everyday_rows(read_results(RESULTS / "everyday.jsonl"))


def packaged_tasks() -> Rows:
    """The scores of packaged task models beside those of the models as they were trained, and their sizes."""
    last = {result.what: result for result in read_results(RESULTS / "task-package.jsonl")}
    rows = [["task", "score", "dev, as trained", "dev, packaged", "test, as trained", "test, packaged", "MB"]]
    for task, result in last.items():
        before, after = result.details["unquantized"], result.details
        scores = [part[split] and part[split][result.metric] for split in ("dev", "test") for part in (before, after)]
        shown = [MISSING if score is None else f"{score:.1f}" for score in scores]
        rows.append([task, result.metric, *shown, f"{result.details['bytes'] / 1e6:.1f}"])
    return rows


def task_vectors(model: str) -> Rows:
    """The scores of task models with the static vectors of all words, of the most frequent ones, and of none."""
    found: dict[tuple[str, int | None], list[float]] = {}
    metrics = {}
    for result in read_results(RESULTS / "tasks.jsonl"):
        run = {name: value for name, value in result.details["run"].items() if value is not None}
        plain = {"task", "elmo", "dataset", "seed", "max_vectors", "fraction", "finetuned", "quick"} >= run.keys()
        if plain and run.get("elmo") == model and run["fraction"] == 1 and not run["finetuned"]:
            found.setdefault((result.what, run.get("max_vectors")), []).append(result.value)
            metrics[result.what] = result.metric
    counts = sorted({count for _, count in found if count is not None}, reverse=True)
    tasks = [task for task in metrics if any((task, count) in found for count in counts)]
    return [
        ["task", "score, dev", "all vectors", *(f"{count:,} vectors" if count else "no vectors" for count in counts)],
        *(
            [task, metrics[task], *(mean_and_deviation(found.get((task, count), [])) for count in (None, *counts))]
            for task in tasks
        ),
    ]


def task_speed() -> Rows:
    """The speed, the time to load and the memory of packaged task models on a CPU."""
    columns = {"sentences/s": "sentences per second", "load, s": "load, s", "memory, MB": "memory, MB"}
    last: dict[str, dict[str, float]] = {}
    for result in read_results(RESULTS / "benchmarks" / "tasks.jsonl"):
        last.setdefault(result.what.removeprefix("tasks: "), {})[result.metric] = result.value
    rows = [["task", *columns.values()]]
    for task, found in last.items():
        digits = {"load, s": ".1f"}
        cells = [f"{found[name]:{digits.get(name, ',.0f')}}" if name in found else MISSING for name in columns]
        rows.append(["all six together" if task == "all" else task, *cells])
    return rows


TABLES: dict[str, Callable[..., Rows]] = {
    "table1": main_results,
    "table1_test_files": scores_by_test_file,
    "table2": layer_weighting,
    "table3": placement,
    "table5": senses,
    "table6": parts_of_speech,
    "korean": korean,
    "korean-layers": korean_layers,
    "korean-perplexity": korean_perplexity,
    "homonyms": homonyms,
    "perplexity": perplexities,
    "pretraining": pretraining,
    "finetuning": finetuning,
    "contamination": contamination,
    "server": server,
    "embedding-speed": embedding_speed,
    "embedding-run": embedding_run,
    "simple-elmo": simple_elmo_ratios,
    "onnx-speed": onnx_speed,
    "precision": precision,
    "training_speed": training_speed,
    "everyday": everyday,
    "packaged_tasks": packaged_tasks,
    "task_speed": task_speed,
    "task_vectors": task_vectors,
}


def filled(page: str) -> str:
    """Return a page with all its tables as the logs have them."""

    def table(match: re.Match[str]) -> str:
        rows = TABLES[match[1]](*match[2].split())
        if len(rows) == 1:  # nothing has been measured
            return match[0]
        return f"<!-- table: {match[1]}{match[2]} -->\n\n{markdown(rows)}\n<!-- end of table -->"

    return _MARKED.sub(table, page)


def main() -> None:
    """Fill the tables of all pages, and print the names of those that changed."""
    for page in PAGES:
        before = page.read_text("utf-8")
        after = filled(before)
        if after != before:
            page.write_text(after, "utf-8")
            print(page.relative_to(ROOT))


if __name__ == "__main__":
    main()
