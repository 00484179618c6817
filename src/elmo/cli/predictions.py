"""How the predictions of task models look in the terminal."""

from collections import Counter, defaultdict
from typing import Any

from rich.text import Text

from elmo.datasets.columns import LabeledSpan, NERExample, PredicateFrame
from elmo.datasets.coreference import Clusters, CorefDocument, Mention
from elmo.datasets.nli import EntailmentPair
from elmo.datasets.squad import Question
from elmo.datasets.trees import SentimentExample
from elmo.text.alignment import Span

COLORS = ("green", "blue", "magenta", "cyan", "yellow", "red")
ROLE_COLORS = {"V": "bold", "ARG0": "blue", "ARG1": "green", "ARG2": "magenta", "ARG3": "yellow", "ARG4": "red"}
OTHER_ROLE_COLOR = "cyan"
ENTAILMENT_COLORS = {"entailment": "green", "neutral": "yellow", "contradiction": "red"}
SENTIMENT_COLORS = {
    "very negative": "red",
    "negative": "red",
    "neutral": "yellow",
    "positive": "green",
    "very positive": "green",
}
"""By label, in the order of the classes."""
BARS = "▁▂▃▄▅▆▇█"


def render_prediction(example: Any, prediction: Any) -> Text:
    """Render a prediction of any task, for an example of that task."""
    match example:
        case NERExample():
            return _entities(example, prediction)
        case PredicateFrame():
            return _roles(example, prediction)
        case CorefDocument():
            return _clusters(example, prediction)
        case EntailmentPair():
            return _entailment(example, prediction.probabilities)
        case SentimentExample():
            return _sentiment(example, prediction.probabilities)
        case Question():
            return _answer(example, prediction)
        case _:
            raise TypeError(f"no task has examples of type {type(example).__name__}")


def _entities(example: NERExample, spans: list[LabeledSpan]) -> Text:
    """Render the sentence with its entities in colored brackets."""
    labels = sorted({label for label, _, _ in spans})
    text = Text()
    position = 0
    for label, start, end in sorted(spans, key=lambda span: span[1]):
        text.append("".join(word + " " for word in example.words[position:start]))
        color = COLORS[labels.index(label) % len(COLORS)]
        text.append(f"[{' '.join(example.words[start:end])} {label}]", style=f"bold {color}")
        text.append(" ")
        position = end
    return text.append(" ".join(example.words[position:]))


def _roles(example: PredicateFrame, spans: list[LabeledSpan]) -> Text:
    """Render the predicate, and the sentence with its arguments in colored brackets."""
    text = Text().append(f"{example.words[example.predicate]}:", style="bold")
    position = 0
    for label, start, end in sorted(spans, key=lambda span: span[1]):
        text.append("".join(" " + word for word in example.words[position:start]))
        color = ROLE_COLORS.get(label.removeprefix("C-").removeprefix("R-"), OTHER_ROLE_COLOR)
        text.append(" ").append(f"[{label} {' '.join(example.words[start:end])}]", style=color)
        position = end
    return text.append("".join(" " + word for word in example.words[position:]))


def _clusters(example: CorefDocument, clusters: Clusters) -> Text:
    """Render the text with each mention in brackets, followed by the number of its cluster; then the clusters."""
    words = [word for sentence in example.sentences for word in sentence]
    numbered = sorted(sorted(cluster) for cluster in clusters if len(cluster) > 1)
    numbers = {mention: number for number, cluster in enumerate(numbered, 1) for mention in cluster}
    numbers |= {cluster[0]: 0 for cluster in clusters if len(cluster) == 1}
    opening: defaultdict[int, list[Mention]] = defaultdict(list)
    closing: defaultdict[int, list[Mention]] = defaultdict(list)
    for start, end in sorted(numbers, key=lambda mention: mention[0] - mention[1]):  # the longest opens first
        opening[start].append((start, end))
        closing[end].insert(0, (start, end))
    text = Text()
    inside: list[Mention] = []
    position = 0
    for sentence in example.sentences:
        for index, word in enumerate(sentence):
            text.append(" " if index else "")
            for mention in opening[position]:
                text.append("[", style=_cluster_style(numbers[mention]))
                inside.append(mention)
            text.append(word, style=_cluster_style(numbers[inside[-1]]) if inside else "")
            position += 1
            for mention in closing[position]:
                text.append(f"]{numbers[mention] or ''}", style=_cluster_style(numbers[mention]))
                inside.remove(mention)
        text.append("\n")
    for number, cluster in enumerate(numbered, 1):
        counts = Counter(" ".join(words[start:end]) for start, end in cluster)
        text.append(f"\n{number}: ", style=_cluster_style(number))
        text.append(", ".join(f"{mention} ({n} times)" if n > 1 else mention for mention, n in counts.items()))
    return text


def _cluster_style(number: int) -> str:
    """Return the style of a cluster; singletons (0) are dimmed."""
    return f"bold {COLORS[(number - 1) % len(COLORS)]}" if number else "dim"


def _entailment(example: EntailmentPair, probabilities: dict[str, float]) -> Text:
    """Render the labels with their probabilities, most probable first, and both sentences."""
    text = Text()
    for rank, (label, probability) in enumerate(sorted(probabilities.items(), key=lambda item: -item[1])):
        style = f"bold {ENTAILMENT_COLORS[label]}" if rank == 0 else "dim"
        text.append(f"{'   ' if rank else ''}{label} {probability:.0%}", style=style)
    text.append("\n  premise:    ", style="dim").append(" ".join(example.premise))
    return text.append("\n  hypothesis: ", style="dim").append(" ".join(example.hypothesis))


def _sentiment(example: SentimentExample, probabilities: list[float]) -> Text:
    """Render the most probable class, a bar for each class from negative to positive, and the sentence."""
    best = max(probabilities)
    label = list(SENTIMENT_COLORS)[probabilities.index(best)]
    text = Text().append(f"{label:13}", style=f"bold {SENTIMENT_COLORS[label]}").append(f" {best:4.0%} [")
    for probability, color in zip(probabilities, SENTIMENT_COLORS.values(), strict=True):
        text.append(BARS[min(int(probability * len(BARS)), len(BARS) - 1)], style=color)
    return text.append("] ").append(" ".join(example.words))


def _answer(example: Question, span: Span) -> Text:
    """Render the question, and the passage with the answer in colored brackets."""
    start, end = span
    passage = example.passage.text
    text = Text().append(example.text, style="bold").append("\n" + passage[:start])
    return text.append(f"[{passage[start:end]}]", style="bold green").append(passage[end:])
