"""CoVe, the comparator: word vectors from the encoder of a translator (McCann et al. 2017).

Two bidirectional LSTM layers read fixed GloVe vectors, an LSTM decoder with Luong's global attention writes German,
and after training the encoder's layers are the vectors. Three things differ from the paper, for want of its data
and for speed:

* The pairs are Tatoeba's or whatever else is given, far fewer and shorter than WMT's: what comes out must not be
  taken for the published CoVe.
* There is no input feeding. With it the decoder must go word by word; without it cuDNN runs over all words of the
  target at once (they are known in training), and attention is two products over all of them.
* Frequent words without a GloVe vector learn one. Small files of vectors may have no "I", "a", "'s" or "'t", which
  the paper's had; as zeros they would all be the same word. ``learned_count: null`` leaves them zero.

config.json          what was asked for: recipe, data, seed
words.txt            the words with a GloVe vector, then those with a learned one, one a line
german.txt           the words that the decoder can write
vectors.safetensors  the GloVe vectors, in 16 bits
model.safetensors    the trained weights
metrics.json         how well it translates
log.jsonl, curve.png, checkpoints/
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn import functional

from elmo.config import from_fields
from elmo.datasets.translation import TranslationPair
from elmo.model.batches import by_length, in_runs
from elmo.paper.probes.representations import LayerVectors
from elmo.tasks.layers import Encoder, VariationalDropout, masked_softmax
from elmo.tasks.trainer import TaskTraining
from elmo.text.tokens import words as split_words

CONFIG_FILE, WORDS_FILE, GERMAN_FILE = "config.json", "words.txt", "german.txt"
VECTORS_FILE, WEIGHTS_FILE, METRICS_FILE = "vectors.safetensors", "model.safetensors", "metrics.json"
UNKNOWN, BOUNDARY = "<unk>", "<end>"
"""The first two words of the decoder; the boundary is what it reads first and writes last."""
BATCH_TOKENS = 2048
"""Positions in a batch where nothing is learned."""
RUN_TOKENS = 1 << 17
"""Positions of a stream that are sorted by length together."""
LONGEST_TRANSLATION = 60


Numbers = tuple[list[int], list[int]]
"""A pair with numbers for words."""


@dataclass(frozen=True)
class CoveRecipe:
    """Everything about a run but the files and the seed."""

    dim: int
    """Of an encoder LSTM in one direction; the vectors are twice as wide."""
    decoder_dim: int
    decoder_layers: int
    word_dim: int
    """Of a German word, where it is read and where it is written: both are one table."""
    dropout: float
    fraction: float
    """The share of the pairs that is learned from; the held-out ones stay the same."""
    held_out: int
    """English sentences to measure with."""
    longest: int
    """Pairs with more words on either side are not learned from."""
    german_words: int
    """The decoder's vocabulary: so many of the most frequent words at most,"""
    german_count: int
    """each of which occurs so often."""
    learned_count: int | None
    """A word without a GloVe vector learns one if it occurs so often; null leaves all of them zero."""
    training: TaskTraining

    def __post_init__(self) -> None:
        """Refuse what means nothing."""
        if not 0 < self.fraction <= 1:
            raise ValueError(f"the fraction must be above 0 and at most 1, not {self.fraction!r}")
        if self.held_out < 1:
            raise ValueError(f"held_out must be above 0, not {self.held_out!r}")

    @classmethod
    def from_dict(cls, data: Any) -> "CoveRecipe":
        """Read what ``dataclasses.asdict`` gave."""
        if not isinstance(data, dict):
            raise ValueError("is not a recipe")
        training = from_fields(TaskTraining, data.get("training"), "training")
        return from_fields(cls, {**data, "training": training}, "recipe")


class BilingualLexicon:
    """The words on both sides, and their numbers.

    ``fixed``: English words with a GloVe vector, from number 1; 0 is every other word.
    ``learned``: English words with a vector of their own, in lower case; their numbers follow.
    """

    def __init__(self, fixed: Sequence[str], learned: Sequence[str], german: Sequence[str]) -> None:
        self.fixed, self.learned, self.german = fixed, learned, german
        self._rows = {word: row for row, word in enumerate((*fixed, *learned), 1)}
        self._german = {word: number for number, word in enumerate(german)}

    def english_numbers(self, words: Sequence[str]) -> list[int]:
        """A word as it is, else in lower case, else 0."""
        return [self._rows.get(word) or self._rows.get(word.lower(), 0) for word in words]

    def numbers(self, pair: TranslationPair) -> Numbers:
        """Of both sentences; an unknown German word is 0, too."""
        return self.english_numbers(pair.english), [self._german.get(word, 0) for word in pair.german]


@dataclass(frozen=True)
class Batch:
    """B pairs in numbers, padded on the right: S English words, T German words with a boundary before them."""

    english: Tensor
    """(B, S)."""
    lengths: list[int]
    """English words in each row."""
    mask: Tensor
    """True at English words, (B, S)."""
    german: Tensor
    """What the decoder reads, (B, T)."""
    places: Tensor
    """Which of the B * T places are no padding, (N,). Counted here, since a GPU would have to wait for a mask."""
    targets: Tensor
    """What it is to write there, (N,)."""


def collate(pairs: Sequence[Numbers], device: torch.device) -> Batch:
    """Pairs as tensors."""
    english, lengths = _padded([row for row, _ in pairs])
    german, steps = _padded([[1, *numbers] for _, numbers in pairs])
    mask = torch.arange(english.shape[1]) < torch.tensor(lengths)[:, None]
    places = (torch.arange(german.shape[1]) < torch.tensor(steps)[:, None]).flatten().nonzero()[:, 0]
    targets = torch.tensor([number for _, numbers in pairs for number in (*numbers, 1)])
    return Batch(english.to(device), lengths, mask.to(device), german.to(device), places.to(device), targets.to(device))


def _padded(rows: Sequence[Sequence[int]]) -> tuple[Tensor, list[int]]:
    """Rows of any length as one tensor, at least one wide, and their lengths."""
    lengths = [len(row) for row in rows]
    padded = np.zeros((len(rows), max(1, *lengths)), np.int64)
    for index, row in enumerate(rows):
        padded[index, : len(row)] = row
    return torch.from_numpy(padded), lengths


class Translator(nn.Module):
    """The MT-LSTM. D features of a GloVe vector, C = 2 * dim of an encoder layer, H of the decoder, K German words."""

    def __init__(self, vectors: Tensor, n_learned: int, n_german: int, recipe: CoveRecipe) -> None:
        super().__init__()
        width = 2 * recipe.dim
        # Row 0 is zero. They never change, so they are not in the checkpoints.
        self.vectors: Tensor
        self.register_buffer("vectors", functional.pad(vectors.float(), (0, 0, 1, 0)), persistent=False)
        self.learned = nn.Embedding(1 + n_learned, vectors.shape[1], padding_idx=0)
        self.layers = nn.ModuleList(
            Encoder(inputs, recipe.dim, 1, recipe.dropout) for inputs in (vectors.shape[1], width)
        )
        self.german = nn.Embedding(n_german, recipe.word_dim)
        self.start = nn.Linear(width, recipe.decoder_layers * recipe.decoder_dim)
        between = recipe.dropout if recipe.decoder_layers > 1 else 0.0
        self.decoder = nn.LSTM(
            recipe.word_dim, recipe.decoder_dim, recipe.decoder_layers, batch_first=True, dropout=between
        )
        self.query = nn.Linear(recipe.decoder_dim, width, bias=False)
        self.combine = nn.Linear(width + recipe.decoder_dim, recipe.word_dim)
        self.bias = nn.Parameter(torch.zeros(n_german))
        self.dropout = VariationalDropout(recipe.dropout)
        nn.init.normal_(self.learned.weight[1:].detach(), std=float(vectors.float().std()))
        nn.init.normal_(self.german.weight, std=recipe.word_dim**-0.5)

    def encode(self, english: Tensor, lengths: Sequence[int]) -> list[Tensor]:
        """Both layers for padded rows (B, S), each (B, S, C) and zero at padding."""
        fixed = self.vectors.shape[0]
        x = self.vectors[torch.where(english < fixed, english, 0)]  # (B, S, D)
        x = x + self.learned((english - fixed + 1).clamp(min=0))
        outputs = []
        for layer in self.layers:
            x = layer(x, lengths)
            outputs.append(x)
        return outputs

    def first_state(self, memory: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """The decoder's state before the first word, from the mean of the encoder's last layer, 2 x (layers, B, H)."""
        hidden = torch.tanh(self.start(memory.sum(1) / mask.sum(1, keepdim=True)))
        hidden = hidden.view(memory.shape[0], self.decoder.num_layers, -1).transpose(0, 1).contiguous()
        return hidden, torch.zeros_like(hidden)

    def decode(
        self, german: Tensor, state: tuple[Tensor, Tensor], memory: Tensor, mask: Tensor
    ) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        """Features of what follows each German word, (B, T, word_dim), and the state after the last."""
        hidden, state = self.decoder(self.dropout(self.german(german)), state)  # (B, T, H)
        weights = masked_softmax(self.query(hidden) @ memory.transpose(1, 2), mask[:, None])  # (B, T, S)
        attended = torch.tanh(self.combine(torch.cat([weights @ memory, hidden], -1)))
        return self.dropout(attended), state

    def scores(self, features: Tensor) -> Tensor:
        """Of every German word, (..., K)."""
        return functional.linear(features, self.german.weight, self.bias)

    def target_scores(self, batch: Batch) -> Tensor:
        """Scores at every place of the targets, (N, K)."""
        memory = self.encode(batch.english, batch.lengths)[-1]
        features, _ = self.decode(batch.german, self.first_state(memory, batch.mask), memory, batch.mask)
        return self.scores(features.flatten(0, 1)[batch.places])

    def forward(self, batch: Batch) -> Tensor:
        """The mean negative log likelihood of a German word."""
        return functional.cross_entropy(self.target_scores(batch), batch.targets)


class CoveRepresentation:
    """The encoder's two layers. GloVe, which it reads, has another dimension and is not one of them."""

    layer_names = ("CoVe 1", "CoVe 2")

    def __init__(self, model: Translator, lexicon: BilingualLexicon, name: str = "CoVe") -> None:
        self.name = name
        self.model, self.lexicon = model.eval(), lexicon
        self.dim: int = model.query.out_features

    def layers(self, sentences: Iterable[Sequence[str]]) -> Iterator[LayerVectors]:
        """Both layers of each sentence, (2, n, dim), in order."""
        for run in in_runs(map(list, sentences), RUN_TOKENS):
            found: list[LayerVectors] = [np.zeros((2, 0, self.dim), np.float32)] * len(run)
            for group in by_length([max(1, len(sentence)) for sentence in run], BATCH_TOKENS):
                for index, layers in zip(group, self._encode([run[index] for index in group]), strict=True):
                    found[index] = layers
            yield from found

    @torch.no_grad()
    def _encode(self, sentences: Sequence[Sequence[str]]) -> Iterator[LayerVectors]:
        english, lengths = _padded([self.lexicon.english_numbers(sentence) for sentence in sentences])
        layers = torch.stack(self.model.encode(english.to(self.model.bias.device), lengths), 1).cpu()  # (B, 2, S, C)
        # Copies, so that a short sentence does not keep its whole batch in the memory.
        return iter([row[:, :length].numpy().copy() for row, length in zip(layers, lengths, strict=True)])

    @torch.no_grad()
    def translate(self, text: str) -> str:
        """A sentence in German, the likeliest word at every step: to see what the encoder has learned."""
        words = split_words(text)
        if not words:
            return ""
        device = self.model.bias.device
        memory = self.model.encode(torch.tensor([self.lexicon.english_numbers(words)], device=device), [len(words)])[-1]
        mask = torch.ones(1, len(words), dtype=torch.bool, device=device)
        state = self.model.first_state(memory, mask)
        written = [1]
        while len(written) <= LONGEST_TRANSLATION:
            features, state = self.model.decode(torch.tensor([written[-1:]], device=device), state, memory, mask)
            written.append(int(self.model.scores(features[0, 0]).argmax()))
            if written[-1] == 1:
                break
        return " ".join(self.lexicon.german[number] for number in written[1:] if number != 1)


def read_config(folder: Path) -> dict[str, Any]:
    """What was asked for, from ``config.json``."""
    try:
        facts = json.loads((folder / CONFIG_FILE).read_text("utf-8"))
    except FileNotFoundError:
        raise ValueError(f"{folder}: no CoVe was begun here") from None
    except ValueError as error:
        raise ValueError(f"{folder / CONFIG_FILE}: damaged ({error})") from None
    if not isinstance(facts, dict) or facts.get("model_type") != "cove":
        raise ValueError(f"{folder / CONFIG_FILE}: is not a CoVe's")
    return facts


def build(folder: Path) -> tuple[Translator, BilingualLexicon]:
    """A fresh model as the folder describes it, and its words."""
    facts = read_config(folder)
    try:
        recipe = CoveRecipe.from_dict(facts.get("recipe"))
    except ValueError as error:
        raise ValueError(f"{folder / CONFIG_FILE}: damaged ({error})") from None
    words, german = ((folder / name).read_text("utf-8").split("\n")[:-1] for name in (WORDS_FILE, GERMAN_FILE))
    try:
        vectors = load_file(folder / VECTORS_FILE)["vectors"]
    except (SafetensorError, KeyError, OSError) as error:
        raise ValueError(f"{folder / VECTORS_FILE}: damaged ({str(error).splitlines()[0]})") from None
    fixed = vectors.shape[0]
    lexicon = BilingualLexicon(words[:fixed], words[fixed:], german)
    return Translator(vectors, len(lexicon.learned), len(german), recipe), lexicon


def load_cove(folder: str | Path, device: str | torch.device = "cpu", name: str = "CoVe") -> CoveRepresentation:
    """A CoVe that ``train_cove`` has written."""
    folder = Path(folder)
    model, lexicon = build(folder)
    if not (folder / WEIGHTS_FILE).exists():
        raise ValueError(f"{folder}: is not trained to its end; --resume goes on with it")
    try:
        model.load_state_dict(load_file(folder / WEIGHTS_FILE))
    except (SafetensorError, RuntimeError, OSError) as error:
        raise ValueError(f"{folder / WEIGHTS_FILE}: damaged ({str(error).splitlines()[0]})") from None
    return CoveRepresentation(model.to(device), lexicon, name)
