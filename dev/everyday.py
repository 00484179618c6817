"""Run task models on 120 everyday sentences and passages, and count what came out as expected.

    python dev/everyday.py [MODEL ...] [--output results/everyday.jsonl]

MODEL is the name of an installed task model or a run folder (default: the installed models of all six tasks).
``dev/everyday.jsonl`` was written before any model had read it: 20 examples for each task, easy, medium and hard, with
what we expect. Spans are marked in the text as ``[LABEL words]``, roles once for each predicate, and the label of a
mention is the number of its cluster. What counts as right:

    ner    all entities, and no other
    srl    all arguments of the expected predicates, and no other. Frames of other words are not counted.
    coref  all clusters of two or more mentions, and no other
    squad  one of the answers that we accept, apart from case, punctuation and articles
    snli   the label
    sst    the label, one of five

The log has a line for each task, with every example and what came out. The table beside it is made from the log.
"""

import argparse
import json
import re
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import elmo
from elmo.files import checksum
from elmo.paper.report import Table
from elmo.results import Result, append_results, commit, machine, read_results, versions
from elmo.tasks.metrics import normalize_answer
from elmo.tasks.results import AnswerResult, CorefResult, EntityResult, RoleResult
from elmo.tasks.task import TASKS
from elmo.text.nesting import walk

EXAMPLES = Path(__file__).with_name("everyday.jsonl")
LOG = Path(__file__).parents[1] / "results" / "everyday.jsonl"
LEVELS = ("easy", "medium", "hard")
PARTS = {
    "ner": "entities",
    "srl": "arguments",
    "coref": "clusters",
    "squad": "right answers among the three best",
    "snli": "labels",
    "sst": "right of negative, neutral and positive",
}
"""What is counted below the level of a whole example."""
MARK = re.compile(r"\[(\S+) |\]")

Span = tuple[str, int, int]
"""Label, first character, and character after the last."""


@dataclass(frozen=True)
class Outcome:
    """How the result for one example compares with what we expect."""

    right: bool
    came_out: Any
    """The result, in the form of the expectation."""
    expected: int
    """Number of parts that we expect; see ``PARTS``."""
    found: int
    extra: int
    """Number of parts that came out and are not expected."""


def marked_spans(marked: str) -> tuple[str, list[Span]]:
    """Return a text without its marks, and the spans that are marked in it."""
    text, spans, opened, end = "", [], [], 0
    for mark in MARK.finditer(marked):
        text += marked[end : mark.start()]
        end = mark.end()
        if mark[1] is None:
            label, start = opened.pop()
            spans.append((label, start, len(text)))
        else:
            opened.append((mark[1], len(text)))
    return text + marked[end:], spans


def with_marks(text: str, spans: Iterable[Span]) -> str:
    """Mark spans in a text, which undoes ``marked_spans``."""
    spans = list(spans)
    steps = walk(text, [(start, end) for _, start, end in spans])
    written = {"open": lambda value: f"[{spans[value][0]} ", "close": lambda value: "]", "text": str}
    return "".join(written[kind](value) for kind, value in steps)


def read_examples(path: Path = EXAMPLES) -> list[dict[str, Any]]:
    """Read the examples."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def given(example: dict[str, Any]) -> dict[str, str]:
    """Return the texts of an example, by the name under which a model takes them."""
    return {name: example[name] for name in ("text", "question", "passage", "premise", "hypothesis") if name in example}


def compare(example: dict[str, Any], result: Any) -> Outcome:
    """Compare the result of a model with what we expect."""
    expected = example["expected"]
    match result:
        case EntityResult():
            found = {(e.label, e.start, e.end) for e in result}
            return _compare_sets(set(marked_spans(expected)[1]), found, with_marks(result.text, found))
        case RoleResult():
            wanted = [set(marked_spans(frame)[1]) for frame in expected]
            verbs = {span for frame in wanted for span in frame if span[0] == "V"}
            frames = [{(a.label, a.start, a.end) for a in frame.labeled} for frame in result]
            frames = [frame for frame in frames if not verbs.isdisjoint(frame)]
            return _compare_sets(_arguments(wanted), _arguments(frames), [with_marks(result.text, f) for f in frames])
        case CorefResult():
            clusters = [[(str(n), m.start, m.end) for m in c] for n, c in enumerate(_several(result), 1)]
            by_label: dict[str, set[tuple[int, int]]] = {}
            for label, start, end in marked_spans(expected)[1]:
                by_label.setdefault(label, set()).add((start, end))
            found = {frozenset((start, end) for _, start, end in cluster) for cluster in clusters}
            marked = with_marks(result.text, [mention for cluster in clusters for mention in cluster])
            return _compare_sets({frozenset(cluster) for cluster in by_label.values()}, found, marked)
        case AnswerResult():
            accepted = {normalize_answer(answer) for answer in expected}
            best = [normalize_answer(answer.text) for answer in result.best]
            came_out = [answer.text for answer in result.best]
            return Outcome(best[0] in accepted, came_out, 1, int(not accepted.isdisjoint(best)), 0)
        case _:  # one label
            right = result.label == expected
            alike = result.label.removeprefix("very ") == expected.removeprefix("very ")
            return Outcome(right, result.label, 1, int(alike), 0)


def _several(result: CorefResult) -> list[Any]:
    return [cluster for cluster in result if len(cluster) > 1]


def _arguments(frames: Iterable[set[Span]]) -> set[tuple[Span, Span]]:
    """Return all arguments, each with its predicate."""
    found = set()
    for frame in frames:
        [verb] = [span for span in frame if span[0] == "V"]
        found |= {(verb, span) for span in frame if span != verb}
    return found


def _compare_sets(expected: set[Any], found: set[Any], came_out: Any) -> Outcome:
    return Outcome(expected == found, came_out, len(expected), len(expected & found), len(found - expected))


def measure(model: str, examples: list[dict[str, Any]]) -> Result:
    """Run a model on the examples of its task."""
    task = elmo.load_task(model)
    name = task.task.name
    chosen = [example for example in examples if example["task"] == name]
    started = time.monotonic()
    outcomes = [compare(example, task(**given(example))) for example in chosen]
    seconds = time.monotonic() - started
    pairs = list(zip(chosen, outcomes, strict=True))
    return Result(
        what=name,
        metric="right",
        value=sum(outcome.right for outcome in outcomes),
        seed=0,
        commit=commit(),
        versions=versions(),
        data_hash=checksum(EXAMPLES)["sha256"],
        machine=machine("cpu"),
        seconds=round(seconds, 2),
        details={
            "model": model,
            "examples": len(chosen),
            **{level: sum(o.right for e, o in pairs if e["level"] == level) for level in LEVELS},
            **{f"of {level}": sum(e["level"] == level for e in chosen) for level in LEVELS},
            **{part: sum(getattr(outcome, part) for outcome in outcomes) for part in ("expected", "found", "extra")},
            "results": [
                {"id": e["id"], **given(e), "expected": e["expected"], "came out": o.came_out, "right": o.right}
                for e, o in pairs
            ],
        },
    )


def table_rows(results: Iterable[Result]) -> list[list[str]]:
    """Return a table with the last result of each task, starting with its header."""
    last = {result.what: result for result in results}
    rows = [["task", "right", *LEVELS, "in parts"]]
    for task in TASKS:
        if task in last:
            counts = last[task].details
            parts = f"{counts['found']} of {counts['expected']} {PARTS[task]}"
            parts += f", {counts['extra']} others" if task in ("ner", "srl", "coref") else ""
            by_level = [f"{counts[level]} of {counts[f'of {level}']}" for level in LEVELS]
            rows.append([task, f"{last[task].value:.0f} of {counts['examples']}", *by_level, parts])
    return rows


def main() -> None:
    """Write the log and the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", metavar="MODEL", nargs="*", default=list(TASKS))
    parser.add_argument("--output", type=Path, default=LOG)
    options = parser.parse_args()
    examples = read_examples()
    for model in options.models:
        result = measure(model, examples)
        append_results(options.output, [result])
        for outcome in result.details["results"]:
            if not outcome["right"]:
                print(outcome["id"], "expected", outcome["expected"], "and not", outcome["came out"])
    header, *rows = table_rows(read_results(options.output))
    Table("Everyday sentences and passages", header, rows, "").write(options.output.with_suffix(""))
    print(options.output.with_suffix(".md").read_text("utf-8"))


if __name__ == "__main__":
    main()
