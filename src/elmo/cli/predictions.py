"""How the results of task models look in the terminal."""

from collections import Counter

from rich.text import Text

from elmo.tasks.results import (
    AnswerResult,
    CorefResult,
    EntailmentResult,
    EntityResult,
    Frame,
    RoleResult,
    SentimentResult,
    TaskResult,
)
from elmo.text.nesting import walk

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


def render_result(result: TaskResult) -> Text:
    """Render the result of any task."""
    match result:
        case EntityResult():
            return _entities(result)
        case RoleResult():
            return _roles(result)
        case CorefResult():
            return _clusters(result)
        case EntailmentResult():
            return _entailment(result)
        case SentimentResult():
            return _sentiment(result)
        case AnswerResult():
            return _answer(result)
        case _:
            raise TypeError(f"no task has results of type {type(result).__name__}")


def _entities(result: EntityResult) -> Text:
    """Render the text with its entities in colored brackets."""
    labels = sorted({entity.label for entity in result.entities})
    text = Text()
    for kind, value in walk(result.text, [(entity.start, entity.end) for entity in result.entities]):
        if kind == "text":
            text.append(str(value))
        elif kind == "open":
            entity = result.entities[int(value)]
            begin = len(text)
            text.append("[")
        else:
            text.append(f" {entity.label}]")
            text.stylize(f"bold {COLORS[labels.index(entity.label) % len(COLORS)]}", begin)
    return text


def _roles(result: RoleResult) -> Text:
    """Render a line for each predicate: the predicate, and its sentence with the arguments in colored brackets."""
    if not result.frames:
        hint = "no predicate was found; mark one like this: The cat *sat* on the mat."
        return Text(result.text).append(f"  ({hint})", style="dim")
    return Text("\n").join(_frame(result.text, frame) for frame in result.frames)


def _frame(source: str, frame: Frame) -> Text:
    text = Text().append(f"{frame.predicate.text}:", style="bold").append(" ")
    arguments = frame.labeled
    part = (frame.sentence.start, frame.sentence.end)
    for kind, value in walk(source, [(argument.start, argument.end) for argument in arguments], part):
        if kind == "text":
            text.append(str(value))
        elif kind == "open":
            label = arguments[int(value)].label
            begin = len(text)
            text.append(f"[{label} ")
        else:
            text.append("]")
            text.stylize(ROLE_COLORS.get(label.removeprefix("C-").removeprefix("R-"), OTHER_ROLE_COLOR), begin)
    return text


def _clusters(result: CorefResult) -> Text:
    """Render the text with each mention in brackets, followed by the number of its cluster; then the clusters."""
    numbered = [cluster for cluster in result.clusters if len(cluster) > 1]
    mentions = [(number, mention) for number, cluster in enumerate(numbered, 1) for mention in cluster]
    mentions += [(0, cluster[0]) for cluster in result.clusters if len(cluster) == 1]
    text = Text()
    inside: list[int] = []
    for kind, value in walk(result.text, [(mention.start, mention.end) for _, mention in mentions]):
        if kind == "text":
            text.append(str(value), style=_cluster_style(inside[-1]) if inside else "")
        elif kind == "open":
            inside.append(mentions[int(value)][0])
            text.append("[", style=_cluster_style(inside[-1]))
        else:
            number = inside.pop()
            text.append(f"]{number or ''}", style=_cluster_style(number))
    if numbered:
        text.append("\n")
    for number, cluster in enumerate(numbered, 1):
        counts = Counter(" ".join(mention.text.split()) for mention in cluster)
        text.append(f"\n{number}: ", style=_cluster_style(number))
        text.append(", ".join(f"{mention} ({n} times)" if n > 1 else mention for mention, n in counts.items()))
    return text


def _cluster_style(number: int) -> str:
    """Return the style of a cluster; singletons (0) are dimmed."""
    return f"bold {COLORS[(number - 1) % len(COLORS)]}" if number else "dim"


def _entailment(result: EntailmentResult) -> Text:
    """Render the labels with their probabilities, most probable first, and both sentences."""
    text = Text()
    for rank, (label, probability) in enumerate(sorted(result.probabilities.items(), key=lambda item: -item[1])):
        style = f"bold {ENTAILMENT_COLORS[label]}" if rank == 0 else "dim"
        text.append(f"{'   ' if rank else ''}{label} {probability:.0%}", style=style)
    text.append("\n  premise:    ", style="dim").append(result.premise)
    return text.append("\n  hypothesis: ", style="dim").append(result.hypothesis)


def _sentiment(result: SentimentResult) -> Text:
    """Render the most probable class, a bar for each class, and the text; then each sentence, if it has several."""
    text = _classes(result.label, result.probabilities, result.text)
    for sentence in result.sentences if len(result.sentences) > 1 else ():
        text.append("\n  ").append_text(_classes(sentence.label, sentence.probabilities, sentence.text))
    return text


def _classes(label: str, probabilities: dict[str, float], sentence: str) -> Text:
    text = Text().append(f"{label:13}", style=f"bold {SENTIMENT_COLORS[label]}")
    text.append(f" {probabilities[label]:4.0%} [")
    for name, color in SENTIMENT_COLORS.items():
        text.append(BARS[min(int(probabilities[name] * len(BARS)), len(BARS) - 1)], style=color)
    return text.append("] ").append(sentence)


def _answer(result: AnswerResult) -> Text:
    """Render the question, the passage with the answer in colored brackets, and the best answers."""
    text = Text().append(result.question, style="bold").append("\n" + result.passage[: result.start])
    text.append(f"[{result.text}]", style="bold green").append(result.passage[result.end :])
    for rank, answer in enumerate(result.best):
        text.append(f"\n  {answer.probability:4.0%} ", style="dim")
        text.append(" ".join(answer.text.split()), style="bold" if rank == 0 else "dim")
    return text
