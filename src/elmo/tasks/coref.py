"""Coreference resolution: every span may be a mention, and every mention chooses the best antecedent before it.

After Lee et al. (2017), end to end: no parser and no mention detector. Peters et al. (2018) add ELMo to it.

    sentences  ->  biLSTM  ->  spans of up to 10 words  ->  mention scores  ->  pruning to the best spans
               ->  pairs of a span i and an earlier span j: s(i, j) = mention(i) + mention(j) + pair(i, j)
               ->  the best antecedent j, or none, whose score is 0

The speakers of two spans are a feature of the pair where the data names them; the genre of Lee et al. is left out. The
first layer of each scorer is applied to the parts of a span (or pair) separately and summed, so that the wide span
vectors are only built for the spans that survive pruning; documents of several thousand words fit in memory.

The score is that of CoNLL-2012: the mean F1 of MUC, B-cubed and CEAF (phi 4).
"""

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits, linear

from elmo.datasets.coreference import Clusters, CorefDocument, Mention, read_coreference
from elmo.engines.cuda import to_device
from elmo.settings import Dropout, Positive, Size, check_fields
from elmo.tasks.inputs import TaskInputs
from elmo.tasks.layers import Encoder, FeedForward, VariationalDropout, masked_softmax
from elmo.tasks.metrics import coref_scores
from elmo.tasks.results import CorefResult, FoundSpan
from elmo.tasks.task import LONGEST_SENTENCE, LabelSets, Task, TaskModel
from elmo.text.documents import Document

TRAINING_SENTENCES = 50
"""A longer document is trained on in excerpts of this many sentences, a new one every time, as in Lee et al."""
SINGLETON_FRACTION = 0.1
"""Data with a greater fraction of clusters of one mention has singletons; OntoGUM has a few by mistake."""
DISTANCE_BINS = (2, 3, 4, 5, 8, 16, 32, 64)
"""Lower bounds of the distance bins after the first. Distances count the spans that survive pruning."""
WINDOW, OVERLAP = 4000, 1000
"""A longer text that a user gives is read in windows of this many words. In the words that two windows share, mentions
find their clusters in both: a mention has no antecedents further away (see ``CorefSettings``)."""


@dataclass(frozen=True)
class CorefSettings:
    """Hyperparameters of the model."""

    dim: Size
    """Hidden size of an LSTM in one direction."""
    hidden: Size
    """Size of both hidden layers of each feed-forward network."""
    features: Size
    """Dimension of the embeddings of span widths, of distances and of speakers."""
    dropout: Dropout
    """On the output of the LSTM and in the feed-forward networks."""
    width: Size = 10
    """Maximum number of words of a mention."""
    spans_per_word: Positive = 0.4
    """Number of spans that survive pruning, per word of the document."""
    antecedents: Size = 100
    """Maximum number of antecedents that a span is paired with, nearest first. Lee et al. use 250."""
    singletons: bool | None = None
    """Train on all annotated mentions, and predict mentions without an antecedent as clusters of one. Without it, the
    model is the original one. None follows the training data: LitBank has singletons, OntoNotes and OntoGUM do not."""
    speakers: bool = False
    """Whether the model knows if two spans have the same speaker, different ones, or an unknown one."""

    def __post_init__(self) -> None:
        """Check the types and limits of all settings."""
        check_fields(self)


class Scorer(nn.Module):
    """A network with two hidden layers, from the concatenated features of several parts to a score.

    The first layer is applied to each part separately and the results are added, so that a part that many inputs share
    is computed only once.
    """

    def __init__(self, dims: Sequence[int], hidden: int, dropout: float) -> None:
        super().__init__()
        self.dims = list(dims)
        self.first = nn.Linear(sum(dims), hidden)
        layers = FeedForward([hidden, hidden], dropout)
        self.rest = nn.Sequential(nn.ReLU(), nn.Dropout(dropout), layers, nn.Linear(hidden, 1))

    def part_weight(self, index: int) -> Tensor:
        """Return the weight of a part in the first layer, (hidden, dims[index])."""
        return self.first.weight.split(self.dims, 1)[index]

    def part(self, index: int, x: Tensor) -> Tensor:
        """Return the contribution of a part to the first layer, (..., dims[index]) to (..., hidden)."""
        return linear(x, self.part_weight(index), self.first.bias if index == 0 else None)

    def forward(self, summed: Tensor) -> Tensor:
        """Return the score, from the sum of the parts' contributions: (..., hidden) to (...)."""
        return self.rest(summed).squeeze(-1)


class Candidates(NamedTuple):
    """All spans of a document of W words, of up to K words each: row w, column k is the span of words w to w + k."""

    h: Tensor
    """Contextual word vectors, (W, H)."""
    x: Tensor
    """Input word vectors, (W, D)."""
    positions: Tensor
    """Position w + k of the last word of each span, (W, K); clamped to the document."""
    heads: Tensor
    """Attention weights of the words of a span, (W, K, K); 0 outside of it."""
    scores: Tensor
    """Mention scores, (W, K)."""
    valid: Tensor
    """Whether a span is inside a sentence, (W, K); always on the CPU."""


class CorefModel(TaskModel[CorefDocument, Clusters]):
    """A span-ranking model."""

    block_spans = 64
    """Number of spans whose antecedents are scored at once."""

    def __init__(self, words: TaskInputs, settings: CorefSettings) -> None:
        super().__init__()
        self.words = words
        self.settings = s = settings
        self.encoder = Encoder(words.input_dim, s.dim)
        self.dropout = VariationalDropout(s.dropout)
        encoded = self.encoder.output_dim + words.output_dim
        self.attend = nn.Sequential(FeedForward([encoded, s.hidden, s.hidden], s.dropout), nn.Linear(s.hidden, 1))
        self.widths = nn.Embedding(s.width, s.features)
        self.distances = nn.Embedding(len(DISTANCE_BINS) + 1, s.features)
        parts = [encoded, encoded, words.input_dim, s.features]  # first word, last word, attended head, width
        self.mention = Scorer(parts, s.hidden, s.dropout)
        self.speakers = nn.Embedding(3, s.features) if s.speakers else None
        # The span, its antecedent, their product, their distance, their speakers.
        self.pair = Scorer([sum(parts)] * 3 + [s.features] * (1 + s.speakers), s.hidden, s.dropout)

    def forward(self, examples: Sequence[CorefDocument]) -> Tensor:
        """Return the mean over documents of the negative log-likelihood of gold antecedents and of mentions."""
        if self.training:
            examples = [random_excerpt(document, TRAINING_SENTENCES) for document in examples]
        return torch.stack([self._loss(document) for document in examples]).mean()

    def predict(self, examples: Sequence[CorefDocument]) -> list[Clusters]:
        """Return the clusters that result from the best antecedent of each span."""
        return [self._predict(document) if any(document.sentences) else [] for document in examples]

    def _loss(self, document: CorefDocument) -> Tensor:
        candidates = self._candidates(document)
        kept = self._prune(candidates)
        scores = self._antecedent_scores(candidates, kept, document)  # (M, 1+A)
        cluster_ids = {span: index for index, cluster in enumerate(document.clusters, 1) for span in cluster}
        own = to_device(np.array([cluster_ids.get(span, 0) for span in kept]), scores.device)  # (M,); 0 is no mention
        earlier = antecedents(0, len(kept), scores.shape[1] - 1, scores.device)  # (M, A)
        gold = (own[earlier.clamp(min=0)] == own[:, None]) & (own[:, None] > 0) & (earlier >= 0)  # (M, A)
        gold = torch.cat([~gold.any(1, keepdim=True), gold], 1)  # (M, 1+A)
        # Any gold antecedent is correct, so their probabilities are summed. Without one, "none" is correct.
        loss = (scores.logsumexp(1) - scores.masked_fill(~gold, -torch.inf).logsumexp(1)).sum()
        if self.settings.singletons:
            mentions = np.zeros(candidates.valid.shape, dtype=np.float32)  # (W, K)
            short = [(start, end - start - 1) for start, end in cluster_ids if end - start <= mentions.shape[1]]
            mentions[tuple(np.array(short, dtype=np.int64).reshape(-1, 2).T)] = 1
            targets, valid = (to_device(part, scores.device) for part in (mentions, candidates.valid.numpy()))
            loss = loss + binary_cross_entropy_with_logits(candidates.scores, targets, valid.float(), reduction="sum")
        return loss

    def _predict(self, document: CorefDocument) -> Clusters:
        candidates = self._candidates(document)
        kept = self._prune(candidates)
        best = self._antecedent_scores(candidates, kept, document).argmax(1).tolist()
        cluster_of: dict[int, list[Mention]] = {}
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

    def _candidates(self, document: CorefDocument) -> Candidates:
        """Return all spans with their mention scores."""
        x, extra, _, lengths = self.words(document.sentences)
        h = torch.cat([self.dropout(self.encoder(x, lengths)), extra], -1)  # (sentences, T, H)
        # The positions of the words are computed from the lengths: indexing with the mask would wait for the device.
        rows = to_device(np.concatenate([row * x.shape[1] + np.arange(n) for row, n in enumerate(lengths)]), x.device)
        h, x = (rows_at(y.flatten(0, 1), rows) for y in (h, x))  # (W, H), (W, D)

        offsets = torch.arange(self.settings.width, device=h.device)
        room = np.concatenate([np.arange(length, 0, -1) for length in lengths])  # words until the end of the sentence
        valid = torch.from_numpy(np.arange(self.settings.width) < room[:, None])  # (W, K)
        positions = (torch.arange(len(h), device=h.device)[:, None] + offsets).clamp(max=len(h) - 1)  # (W, K)
        inside = offsets <= offsets[:, None]  # (K, K): the words of a span of each width
        heads = masked_softmax(rows_at(self.attend(h), positions).transpose(1, 2), inside)  # (W, K, K)
        summed = (
            self.mention.part(0, h)[:, None]
            + rows_at(self.mention.part(1, h), positions)
            + heads @ rows_at(self.mention.part(2, x), positions)
            + self.mention.part(3, self.widths.weight)
        )  # (W, K, hidden)
        return Candidates(h, x, positions, heads, self.mention(summed), valid)

    def _prune(self, candidates: Candidates) -> list[Mention]:
        """Return the spans with the best mention scores of which no two cross, in textual order."""
        scores = candidates.scores.detach().cpu().masked_fill(~candidates.valid, -torch.inf).flatten()
        ranked = scores.argsort(descending=True, stable=True)[: int(candidates.valid.sum())].tolist()
        spans = ((start, start + more + 1) for start, more in (divmod(r, self.settings.width) for r in ranked))
        return without_crossing(spans, max(1, int(self.settings.spans_per_word * len(candidates.h))))

    def _antecedent_scores(self, candidates: Candidates, kept: Sequence[Mention], document: CorefDocument) -> Tensor:
        """Score the antecedents of the M kept spans: none (0), and the A spans before each, nearest first, (M, 1+A)."""
        h, x, positions, heads, mentions, _ = candidates
        starts, ends = to_device(np.array(kept), h.device).unbind(1)  # (M,)
        more = ends - starts - 1
        at = starts * self.settings.width + more
        head = (rows_at(heads.flatten(0, 1), at)[:, None] @ rows_at(x, positions[starts])).squeeze(1)  # (M, D)
        spans = torch.cat([rows_at(h, starts), rows_at(h, ends - 1), head, self.widths(more)], -1)  # (M, span)
        alone = mentions.flatten().index_select(0, at)  # (M,)

        count = min(self.settings.antecedents, len(kept) - 1)
        first, second = self.pair.part(0, spans), self.pair.part(1, spans)  # (M, hidden)
        product = self.pair.part_weight(2)
        features = self.pair.part(3, self.distances.weight)  # (bins, hidden)
        if self.speakers is not None:
            features = torch.cat([features, self.pair.part(4, self.speakers.weight)])  # (bins+3, hidden)
        speakers = to_device(span_speakers(document, kept), h.device)  # (M,)
        numbers = torch.arange(max(len(kept), len(DISTANCE_BINS) + 1), device=h.device)
        bins = torch.tensor(DISTANCE_BINS, device=h.device)

        blocks = []
        for begin in range(0, len(kept), self.block_spans):
            # R spans, and the C spans that contain the antecedents of all of them. A few pairs too many are scored, and
            # in return nothing is gathered.
            low, end = max(0, begin - count), min(begin + self.block_spans, len(kept))
            summed = _Products.apply(spans[low:end], spans[begin:end], product)  # (C, R, hidden)
            summed = summed + first[begin:end] + second[low:end, None]
            distance = numbers[begin:end] - numbers[low:end, None]  # (C, R)
            indicators = [torch.bucketize(distance, bins, right=True)[..., None] == numbers[: len(bins) + 1]]
            if self.speakers is not None:
                relation = speaker_relation(speakers[low:end, None], speakers[begin:end])  # (C, R)
                indicators.append(relation[..., None] == numbers[:3])
            summed = summed + torch.cat(indicators, -1).to(h.dtype) @ features
            nearest = antecedents(begin, end, count, h.device)  # (R, A)
            scores = self.pair(summed) + alone[begin:end] + alone[low:end, None]  # (C, R)
            scores = scores.mT.gather(1, nearest.clamp(min=low) - low)  # (R, A)
            blocks.append(scores.masked_fill(nearest < 0, -torch.inf))
        return torch.cat([spans.new_zeros(len(kept), 1), torch.cat(blocks)], 1)


class _Products(torch.autograd.Function):
    """Linear layer over the products of all pairs of two lists of spans, which are never in memory themselves.

    W (a * b) = (W * b) a, so that the products of one span with all others are one matrix product. Computes
    (C, span), (R, span) and the weight (hidden, span) to (C, R, hidden).
    """

    @staticmethod
    def forward(ctx: Any, columns: Tensor, rows: Tensor, weight: Tensor) -> Tensor:
        ctx.save_for_backward(columns, rows, weight)
        scaled = (rows[:, None] * weight).flatten(0, 1)  # (R * hidden, span)
        return (columns @ scaled.mT).view(len(columns), len(rows), len(weight))

    @staticmethod
    def backward(ctx: Any, d_products: Tensor) -> Any:
        columns, rows, weight = ctx.saved_tensors
        scaled = (rows[:, None] * weight).flatten(0, 1)
        d_flat = d_products.flatten(1)  # (C, R * hidden)
        d_scaled = (d_flat.mT @ columns).view(len(rows), *weight.shape)  # (R, hidden, span)
        return d_flat @ scaled, (d_scaled * weight).sum(1), (d_scaled * rows[:, None]).sum(0)


def rows_at(x: Tensor, at: Tensor) -> Tensor:
    """Return ``x[at]``, (N, D) and (...) to (..., D), with a faster backward pass than indexing."""
    return x.index_select(0, at.flatten()).view(*at.shape, x.shape[1])


def antecedents(begin: int, end: int, back: int, device: torch.device) -> Tensor:
    """Return the indices of the ``back`` items before each item of a range, nearest first; negative where none is."""
    return torch.arange(begin, end, device=device)[:, None] - torch.arange(1, back + 1, device=device)


def span_speakers(document: CorefDocument, spans: Sequence[Mention]) -> NDArray[np.int64]:
    """Return a number for the speaker of each span, (M,); 0 if it is not known."""
    if document.speakers is None:
        return np.zeros(len(spans), dtype=np.int64)
    numbers = {"": 0}
    by_sentence = [numbers.setdefault(speaker, len(numbers)) for speaker in document.speakers]
    by_word = np.repeat(by_sentence, [len(words) for words in document.sentences])
    return by_word[[start for start, _ in spans]]


def speaker_relation(one: Tensor, other: Tensor) -> Tensor:
    """Return 1 where two speakers are the same, 2 where they differ, and 0 where one of them is not known."""
    return torch.where((one == 0) | (other == 0), 0, torch.where(one == other, 1, 2))


def without_crossing(ranked: Iterable[Mention], count: int) -> list[Mention]:
    """Return the first ``count`` spans that cross no span before them, sorted. Nested spans do not cross."""
    kept: list[Mention] = []
    furthest: dict[int, int] = {}  # end of the longest kept span, by its start
    earliest: dict[int, int] = {}  # start of the longest kept span, by its end
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


class Coreference(Task[CorefDocument, Clusters]):
    """Find the mentions of a document, and cluster those that refer to the same entity."""

    name = "coref"
    title = "Coreference"
    objective = "average F1"
    settings = CorefSettings

    def read(self, path: Path) -> list[CorefDocument]:
        """Read the columns of CoNLL-2012 (OntoNotes, OntoGUM, LitBank)."""
        return read_coreference(path)

    def sequences(self, example: CorefDocument) -> Sequence[Sequence[str]]:
        """Return the sentences."""
        return example.sentences

    def label_sets(self, examples: Sequence[CorefDocument]) -> LabelSets:
        """Return whether the data has singletons. Clusters have no labels."""
        sizes = [len(cluster) for example in examples for cluster in example.clusters]
        annotated = sizes.count(1) > SINGLETON_FRACTION * len(sizes)
        return {"clusters": ["singletons"] if annotated else []}

    def build(self, words: TaskInputs, label_sets: LabelSets, settings: CorefSettings) -> CorefModel:
        """Build a model with new weights."""
        if settings.singletons is None:
            settings = dataclasses.replace(settings, singletons="singletons" in label_sets["clusters"])
        return CorefModel(words, settings)

    def score(self, examples: Sequence[CorefDocument], predictions: Sequence[Clusters]) -> dict[str, float]:
        """Return the CoNLL-2012 scores, which ignore singletons, and the average F1 with singletons."""
        gold = [example.clusters for example in examples]
        scores = coref_scores(gold, predictions, singletons=False)
        return {
            "average F1": scores["average"],
            "MUC": scores["muc"],
            "B3": scores["b_cubed"],
            "CEAF": scores["ceaf"],
            "average F1 with singletons": coref_scores(gold, predictions, singletons=True)["average"],
        }

    def examples(self, documents: Sequence[Document], label_sets: LabelSets) -> list[CorefDocument]:
        """Make a document of a text, or of each window of a long one."""
        windows: list[CorefDocument] = []
        sentences: list[tuple[int, list[str]]] = []
        for offset, words in documents[0].pieces(LONGEST_SENTENCE):
            if sentences and offset + len(words) - sentences[0][0] > WINDOW:
                windows.append(_window(sentences))
                sentences = [(start, found) for start, found in sentences if start >= offset - OVERLAP]
            sentences.append((offset, words))
        return [*windows, _window(sentences)] if sentences else []

    def documents(self, example: CorefDocument) -> tuple[Document, ...]:
        """Return the document."""
        return (Document.joined(example.sentences, example.name),)

    def result(
        self, documents: Sequence[Document], examples: Sequence[CorefDocument], details: Sequence[Clusters]
    ) -> CorefResult:
        """Return the clusters of the whole text."""
        [document] = documents
        clusters = merged(
            [
                [[(start + example.offset, end + example.offset) for start, end in cluster] for cluster in found]
                for example, found in zip(examples, details, strict=True)
            ]
        )
        spans = tuple(tuple(FoundSpan.of(document, *mention) for mention in cluster) for cluster in clusters)
        return CorefResult(document.text, document.sentences, spans, document.name)


def _window(sentences: Sequence[tuple[int, list[str]]]) -> CorefDocument:
    return CorefDocument("text", [words for _, words in sentences], [], offset=sentences[0][0])


def merged(windows: Sequence[Clusters]) -> Clusters:
    """Join the clusters of overlapping windows that share a mention. Mentions that cross earlier ones are left out."""
    mentions = dict.fromkeys(mention for clusters in windows for cluster in clusters for mention in cluster)
    kept = set(mentions if len(windows) == 1 else without_crossing(mentions, len(mentions)))
    cluster_of: dict[Mention, list[Mention]] = {}
    for cluster in (cluster for clusters in windows for cluster in clusters):
        whole: list[Mention] = []
        for mention in cluster:
            if mention in kept and cluster_of.get(mention) is not whole:
                joined = cluster_of.get(mention, [mention])
                whole += joined
                cluster_of.update((other, whole) for other in joined)
    found = {id(cluster): cluster for cluster in cluster_of.values()}.values()
    return sorted(sorted(cluster) for cluster in found)


def random_excerpt(document: CorefDocument, max_sentences: int) -> CorefDocument:
    """Return ``max_sentences`` consecutive sentences of a longer document, from a random one on."""
    left_out = len(document.sentences) - max_sentences
    if left_out <= 0:
        return document
    return excerpt(document, int(torch.randint(left_out + 1, ())), max_sentences)


def excerpt(document: CorefDocument, first: int, count: int) -> CorefDocument:
    """Return ``count`` sentences of a document from the sentence ``first`` on, with the mentions inside of them."""
    sentences = document.sentences[first : first + count]
    begin = sum(map(len, document.sentences[:first]))
    end = begin + sum(map(len, sentences))
    inside = [[(a - begin, b - begin) for a, b in c if begin <= a and b <= end] for c in document.clusters]
    speakers = None if document.speakers is None else document.speakers[first : first + count]
    return CorefDocument(document.name, sentences, [c for c in inside if c], speakers=speakers)
