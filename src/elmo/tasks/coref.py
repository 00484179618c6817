"""Coreference: every span may be a mention, and every mention looks for the one before it that means the same.

After Lee et al. (2017), end to end: no parser and no list of mentions. Peters et al. (2018) add ELMo to it.

    sentences  ->  biLSTM  ->  spans of up to 10 words  ->  mention scores  ->  the best are kept
               ->  pairs of a kept span and one before it: s(i, j) = mention(i) + mention(j) + pair(i, j)
               ->  the best antecedent j; or none, whose score is 0

Speaker and genre, which Lee et al. use where OntoNotes has them, are left out: plain text has neither.
What a layer gives for all pairs, or all spans, is the sum of what it gives for their parts; so the wide vectors of
spans are made for the kept ones alone, and documents of some thousand words fit everywhere.

The score is CoNLL's: the mean F1 of MUC, B-cubed and CEAF (phi 4).
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import torch
from rich.text import Text
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits, linear
from torch.utils.checkpoint import checkpoint

from elmo.datasets.lines import bad_line
from elmo.tasks.inputs import TaskInputs
from elmo.tasks.layers import Encoder, FeedForward, VariationalDropout, masked_softmax
from elmo.tasks.metrics import coref_scores
from elmo.tasks.task import LabelSets, Task, TaskModel, blocks_of_columns
from elmo.text.tokens import sentences as split_sentences
from elmo.text.tokens import words as split_words

Span = tuple[int, int]
"""First word in the document, word after the last."""
Clusters = list[list[Span]]
"""The mentions of each thing or person that a document speaks of."""
Lines = list[tuple[int, list[str]]]
"""Number and fields of the lines of a sentence."""

TRAINING_SENTENCES = 50
"""Longer documents are cut for training, as Lee et al. do."""
DISTANCE_STEPS = (2, 3, 4, 5, 8, 16, 32, 64)
"""Where a new class of distances begins; counted in kept spans."""
BLOCK_PAIRS = 32768
"""Pairs that are computed at once, so that memory stays within bounds."""
WORD_COLUMN = 3
"""Of CoNLL-2012: document, part, number of the word, word, ..., coreference."""
COLOURS = ("green", "blue", "magenta", "cyan", "yellow", "red")


@dataclass(frozen=True)
class Document:
    """A text with its clusters; a cluster of one mention is a singleton."""

    name: str
    sentences: list[list[str]]
    clusters: Clusters


@dataclass(frozen=True)
class CorefSettings:
    """Sizes of the model."""

    dim: int
    """Of an LSTM in one direction."""
    hidden: int
    """Of both hidden layers of each feed-forward network."""
    features: int
    """Width of the embeddings of a span's width and of a pair's distance."""
    dropout: float
    """On the output of the LSTM and in the feed-forward networks."""
    width: int = 10
    """Words in the longest span that can be a mention."""
    spans_per_word: float = 0.4
    """How many spans are kept, for each word of the document."""
    antecedents: int = 100
    """So many kept spans are looked at, going back from a span. Lee et al.: 250."""
    singletons: bool = True
    """Learn from all mentions of the data which spans are mentions, and give those without an antecedent as clusters
    of one. For data with singletons (LitBank); without, it is the original model, and right for OntoNotes."""


class Scorer(nn.Module):
    """Two hidden layers from the joined features of several parts to one score.

    The first layer is applied to each part by itself, and the results are added: so a part that many inputs share is
    computed once.
    """

    def __init__(self, dims: Sequence[int], hidden: int, dropout: float) -> None:
        super().__init__()
        self.dims = list(dims)
        self.first = nn.Linear(sum(dims), hidden)
        layers = FeedForward([hidden, hidden], dropout)
        self.rest = nn.Sequential(nn.ReLU(), nn.Dropout(dropout), layers, nn.Linear(hidden, 1))

    def part(self, index: int, x: Tensor) -> Tensor:
        """What a part adds to the first layer, (..., dims[index]) to (..., hidden)."""
        return linear(x, self.first.weight.split(self.dims, 1)[index], self.first.bias if index == 0 else None)

    def forward(self, added: Tensor) -> Tensor:
        """The score, from all parts' share of the first layer: (..., hidden) to (...)."""
        return self.rest(added).squeeze(-1)


class Candidates(NamedTuple):
    """All spans of a document by first word and width: W words, spans of up to K words.

    Row w, column k is the span of k + 1 words from word w.
    """

    h: Tensor
    """The words in context, (W, H)."""
    x: Tensor
    """The words by themselves, (W, D)."""
    at: Tensor
    """The last word of each span, (W, K); within the document, even where the span is not."""
    heads: Tensor
    """How much the words of a span matter, (W, K, K); 0 outside."""
    scores: Tensor
    """How much a span looks like a mention, (W, K)."""
    valid: Tensor
    """Whether a span is within a sentence, (W, K); in the computer's own memory."""


class CorefModel(TaskModel[Document, Clusters]):
    """Span ranking."""

    def __init__(self, words: TaskInputs, settings: CorefSettings) -> None:
        super().__init__()
        self.words = words
        self.settings = s = settings
        self.encoder = Encoder(words.input_dim, s.dim)
        self.dropout = VariationalDropout(s.dropout)
        encoded = self.encoder.output_dim + words.output_dim
        self.attend = nn.Sequential(FeedForward([encoded, s.hidden, s.hidden], s.dropout), nn.Linear(s.hidden, 1))
        self.widths = nn.Embedding(s.width, s.features)
        self.distances = nn.Embedding(len(DISTANCE_STEPS) + 1, s.features)
        parts = [encoded, encoded, words.input_dim, s.features]  # first word, last word, heads, width
        self.mention = Scorer(parts, s.hidden, s.dropout)
        self.pair = Scorer([sum(parts)] * 3 + [s.features], s.hidden, s.dropout)

    def forward(self, examples: Sequence[Document]) -> Tensor:
        """The negative log likelihood of a document's gold antecedents, and of its mentions, on average."""
        return torch.stack([self._loss(document) for document in examples]).mean()

    def predict(self, examples: Sequence[Document]) -> list[Clusters]:
        """The clusters that follow from each span's best antecedent."""
        return [self._predict(document) if any(document.sentences) else [] for document in examples]

    def _loss(self, document: Document) -> Tensor:
        candidates = self._candidates(document)
        kept = self._kept(candidates)
        scores = self._antecedent_scores(candidates, kept)  # (M, 1+A)
        numbers = {span: number for number, cluster in enumerate(document.clusters, 1) for span in cluster}
        own = torch.tensor([numbers.get(span, 0) for span in kept])
        right = (own[before(len(kept), scores.shape[1] - 1)] == own[:, None]) & (own[:, None] > 0)  # (M, A)
        right &= exists(len(kept), scores.shape[1] - 1)
        right = torch.cat([~right.any(1, keepdim=True), right], 1).to(scores.device)  # none is right where no other is
        # All gold antecedents are as good: the model may choose.
        loss = (scores.logsumexp(1) - scores.masked_fill(~right, -torch.inf).logsumexp(1)).sum()
        if self.settings.singletons:
            gold = torch.zeros(candidates.valid.shape)  # (W, K)
            for start, end in numbers:
                if end - start <= gold.shape[1]:
                    gold[start, end - start - 1] = 1
            device, valid = scores.device, candidates.valid.float()
            loss = loss + binary_cross_entropy_with_logits(
                candidates.scores, gold.to(device), valid.to(device), reduction="sum"
            )
        return loss

    def _predict(self, document: Document) -> Clusters:
        candidates = self._candidates(document)
        kept = self._kept(candidates)
        best = self._antecedent_scores(candidates, kept).argmax(1).tolist()
        cluster_of: dict[int, list[Span]] = {}
        for index, back in enumerate(best):
            if back:
                cluster = cluster_of.setdefault(index - back, [kept[index - back]])
                cluster.append(kept[index])
                cluster_of[index] = cluster
        clusters = list({id(cluster): cluster for cluster in cluster_of.values()}.values())
        if self.settings.singletons:
            scores = candidates.scores.tolist()
            clusters += [
                [(start, end)]
                for index, (start, end) in enumerate(kept)
                if index not in cluster_of and scores[start][end - start - 1] > 0
            ]
        return sorted(clusters)

    def _candidates(self, document: Document) -> Candidates:
        """All spans with their mention scores."""
        x, extra, _, lengths = self.words(document.sentences)
        h = torch.cat([self.dropout(self.encoder(x, lengths)), extra], -1)  # (sentences, T, H)
        # Where the words are was known before the tensors: asking their mask would wait for the device.
        places = torch.cat([row * x.shape[1] + torch.arange(length) for row, length in enumerate(lengths)])
        h, x = (y.flatten(0, 1).index_select(0, places.to(y.device)) for y in (h, x))  # (W, H), (W, D)

        offsets = torch.arange(self.settings.width)
        room = torch.cat([torch.arange(length, 0, -1) for length in lengths])  # words up to the sentence's end
        at = (torch.arange(len(h))[:, None] + offsets).clamp(max=len(h) - 1).to(h.device)  # (W, K)
        inside = (offsets <= offsets[:, None]).to(h.device)  # (K, K): the words of a span of each width
        heads = masked_softmax(rows_at(self.attend(h), at).transpose(1, 2), inside)  # (W, K, K)
        added = (
            self.mention.part(0, h)[:, None]
            + rows_at(self.mention.part(1, h), at)
            + heads @ rows_at(self.mention.part(2, x), at)
            + self.mention.part(3, self.widths.weight)
        )  # (W, K, hidden)
        return Candidates(h, x, at, heads, self.mention(added), offsets < room[:, None])

    def _kept(self, candidates: Candidates) -> list[Span]:
        """The spans with the best mention scores of which no two cross, in the order of the text."""
        scores = candidates.scores.detach().cpu().masked_fill(~candidates.valid, -torch.inf).flatten()
        ranked = scores.argsort(descending=True, stable=True)[: int(candidates.valid.sum())].tolist()
        spans = ((start, start + wider + 1) for start, wider in (divmod(r, self.settings.width) for r in ranked))
        return without_crossing(spans, max(1, int(self.settings.spans_per_word * len(candidates.h))))

    def _antecedent_scores(self, candidates: Candidates, kept: Sequence[Span]) -> Tensor:
        """Scores of no antecedent (0), and of the A kept spans before each of the M, nearest first: (M, 1+A)."""
        h, x, at, heads, mentions, _ = candidates
        starts, ends = torch.tensor(kept).to(h.device).unbind(1)  # (M,)
        wider = ends - starts - 1
        head = (heads[starts, wider][:, None] @ rows_at(x, at[starts])).squeeze(1)  # (M, D)
        spans = torch.cat([h[starts], h[ends - 1], head, self.widths(wider)], -1)  # (M, span)
        alone = mentions[starts, wider]  # (M,)

        count = min(self.settings.antecedents, len(kept) - 1)
        earlier = before(len(kept), count).to(h.device)  # (M, A)
        steps = torch.tensor(DISTANCE_STEPS, device=h.device)
        classes = torch.bucketize(torch.arange(1, count + 1, device=h.device), steps, right=True)
        near = self.pair.part(3, self.distances(classes))  # (A, hidden)
        first, second = self.pair.part(0, spans), self.pair.part(1, spans)  # (M, hidden)

        def pairs(first_rows: Tensor, span_rows: Tensor, earlier_rows: Tensor) -> Tensor:
            alike = self.pair.part(2, span_rows[:, None] * rows_at(spans, earlier_rows))  # (R, A, hidden)
            return self.pair(first_rows[:, None] + rows_at(second, earlier_rows) + near + alike)

        rows = max(1, BLOCK_PAIRS // max(1, count))
        blocks = zip(first.split(rows), spans.split(rows), earlier.split(rows), strict=True)
        # The backward pass computes a block again, rather than keep its (R, A, span) products.
        scores = torch.cat([checkpoint(pairs, *block, use_reentrant=False) for block in blocks])  # (M, A)
        scores = scores + alone[:, None] + alone[earlier]
        scores = scores.masked_fill(~exists(len(kept), count).to(h.device), -torch.inf)
        return torch.cat([scores.new_zeros(len(kept), 1), scores], 1)


def rows_at(x: Tensor, at: Tensor) -> Tensor:
    """x[at], (N, D) and (...) to (..., D), whose backward pass is quick."""
    return x.index_select(0, at.flatten()).view(*at.shape, x.shape[1])


def before(count: int, back: int) -> Tensor:
    """Indices of those before each of ``count`` things, nearest first, (count, back); 0 where there is none."""
    return (torch.arange(count)[:, None] - torch.arange(1, back + 1)).clamp(min=0)


def exists(count: int, back: int) -> Tensor:
    """Whether there is one there, (count, back)."""
    return torch.arange(count)[:, None] >= torch.arange(1, back + 1)


def without_crossing(ranked: Iterable[Span], count: int) -> list[Span]:
    """The first ``count`` spans that cross none before them, sorted. One within another is no crossing."""
    kept: list[Span] = []
    furthest: dict[int, int] = {}
    """By a first word, the end of its longest kept span."""
    earliest: dict[int, int] = {}
    """By an end, the first word of its longest kept span."""
    for start, end in ranked:
        if len(kept) == count:
            break
        inside = range(start + 1, end)
        if any(furthest.get(word, 0) > end or earliest.get(word, start) < start for word in inside):
            continue
        kept.append((start, end))
        furthest[start] = max(end, furthest.get(start, end))
        earliest[end] = min(start, earliest.get(end, start))
    return sorted(kept)


class Coreference(Task[Document, Clusters]):
    """Find what is mentioned, and which mentions mean the same."""

    name = "coref"
    objective = "average F1"
    settings = CorefSettings

    def read(self, path: Path) -> list[Document]:
        """Columns of CoNLL-2012 (OntoNotes, LitBank), of which the word and the last, coreference, are read."""
        documents: list[tuple[str, list[Lines]]] = []
        for block in blocks_of_columns(path):
            sentence: Lines = []
            for number, fields in block:
                if fields[0].startswith("#"):
                    sentence = []
                    if fields[0] == "#begin":  # document (name); part 0
                        documents.append((" ".join(fields[2:]).replace("(", "").replace(");", ""), []))
                    continue
                if len(fields) < WORD_COLUMN + 2:
                    wanted = "document, part, number, word, ..., coreference"
                    raise bad_line(path, number, f"has {len(fields)} columns, not {wanted}")
                if not documents:
                    documents.append((path.name, []))
                if not sentence:
                    documents[-1][1].append(sentence)
                sentence.append((number, fields))
        return [
            Document(
                name,
                [[fields[WORD_COLUMN] for _, fields in lines] for lines in sentences],
                clusters_of(path, sentences),
            )
            for name, sentences in documents
            if sentences
        ]

    def sequences(self, example: Document) -> Sequence[Sequence[str]]:
        """The sentences."""
        return example.sentences

    def label_sets(self, examples: Sequence[Document]) -> LabelSets:
        """Nothing: spans have no labels."""
        return {}

    def build(self, words: TaskInputs, label_sets: LabelSets, settings: CorefSettings) -> CorefModel:
        """A fresh model."""
        return CorefModel(words, settings)

    def for_training(self, examples: list[Document]) -> list[Document]:
        """Long documents in parts of about the same number of sentences, each an example."""
        return [part for document in examples for part in parts_of(document, TRAINING_SENTENCES)]

    def score(self, examples: Sequence[Document], predictions: Sequence[Clusters]) -> dict[str, float]:
        """F1 without singletons, which CoNLL's scores are known by; and the average with them."""
        gold = [example.clusters for example in examples]
        scores = coref_scores(gold, predictions, singletons=False)
        return {
            "average F1": scores["average"],
            "MUC": scores["muc"],
            "B3": scores["b_cubed"],
            "CEAF": scores["ceaf"],
            "average F1 with singletons": coref_scores(gold, predictions, singletons=True)["average"],
        }

    def from_text(self, text: str, label_sets: LabelSets) -> list[Document]:
        """One document of plain text."""
        sentences = [split_words(sentence) for sentence in split_sentences(text)]
        if not sentences:
            raise ValueError("type some sentences, in which the same people or things are mentioned more than once")
        return [Document("text", sentences, [])]

    def show(self, example: Document, prediction: Clusters) -> Text:
        """The text with its mentions in brackets and the number of their cluster behind; then the clusters."""
        words = [word for sentence in example.sentences for word in sentence]
        clusters = sorted(sorted(cluster) for cluster in prediction if len(cluster) > 1)
        numbers = {span: number for number, cluster in enumerate(clusters, 1) for span in cluster}
        numbers |= {cluster[0]: 0 for cluster in prediction if len(cluster) == 1}
        opening: defaultdict[int, list[Span]] = defaultdict(list)
        closing: defaultdict[int, list[Span]] = defaultdict(list)
        for start, end in sorted(numbers, key=lambda span: span[0] - span[1]):  # the longest first: it opens first
            opening[start].append((start, end))
            closing[end].insert(0, (start, end))
        text = Text()
        inside: list[Span] = []
        at = 0
        for sentence in example.sentences:
            for place, word in enumerate(sentence):
                text.append(" " if place else "")
                for span in opening[at]:
                    text.append("[", style=_style(numbers[span]))
                    inside.append(span)
                text.append(word, style=_style(numbers[inside[-1]]) if inside else "")
                at += 1
                for span in closing[at]:
                    text.append(f"]{numbers[span] or ''}", style=_style(numbers[span]))
                    inside.remove(span)
            text.append("\n")
        for number, cluster in enumerate(clusters, 1):
            times = Counter(" ".join(words[start:end]) for start, end in cluster)
            text.append(f"\n{number}: ", style=_style(number))
            text.append(", ".join(f"{mention} ({n} times)" if n > 1 else mention for mention, n in times.items()))
        return text

    def record(self, example: Document, prediction: Clusters) -> dict[str, Any]:
        """Sentences, and clusters of mentions that count words from the beginning of the document."""
        clusters = [[{"start": start, "end": end} for start, end in cluster] for cluster in prediction]
        return {"name": example.name, "sentences": example.sentences, "clusters": clusters}


def clusters_of(path: Path, sentences: Sequence[Lines]) -> Clusters:
    """The clusters in the last column of a document's lines: ``(3`` opens a mention, ``3)`` closes, ``(3)`` is one."""
    clusters: defaultdict[str, list[Span]] = defaultdict(list)
    opened: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)  # place and number of the line
    seen: set[Span] = set()
    for at, (number, fields) in enumerate(line for lines in sentences for line in lines):
        # LitBank leaves the column empty where there is nothing, so that the one before, "_", is the last.
        for piece in [] if fields[-1] in ("-", "_") else fields[-1].split("|"):
            found = re.fullmatch(r"(\()?(\d+)(\))?", piece)
            if found is None or not (found[1] or found[3]):
                raise bad_line(path, number, f"{piece!r} is not -, or like (3, 3) or (3)")
            if found[1]:
                opened[found[2]].append((at, number))
            if found[3]:
                if not opened[found[2]]:
                    raise bad_line(path, number, f"{piece!r} closes a mention that was not opened")
                span = (opened[found[2]].pop()[0], at + 1)
                # A span in two clusters would be two mentions in one place, which no score allows for.
                if span not in seen:
                    clusters[found[2]].append(span)
                seen.add(span)
    for name, left in opened.items():
        for _, number in left:
            raise bad_line(path, number, f"'({name}' opens a mention that is not closed in its document")
    return sorted(sorted(cluster) for cluster in clusters.values() if cluster)


def parts_of(document: Document, longest: int) -> list[Document]:
    """A document in as few parts as have at most so many sentences; mentions keep to their part."""
    total = len(document.sentences)
    count = -(-total // longest)
    parts = []
    begin = 0
    for number in range(count):
        sentences = document.sentences[total * number // count : total * (number + 1) // count]
        end = begin + sum(map(len, sentences))
        inside = [[(a - begin, b - begin) for a, b in c if begin <= a and b <= end] for c in document.clusters]
        parts.append(Document(f"{document.name}, {number + 1} of {count}", sentences, [c for c in inside if c]))
        begin = end
    return parts if count > 1 else [document]


def _style(number: int) -> str:
    """The colour of a cluster; singletons (0) are pale."""
    return f"bold {COLOURS[(number - 1) % len(COLOURS)]}" if number else "dim"
