"""CoVe, the baseline that ELMo is compared with: word vectors from the encoder of a translation model.

After McCann et al. (2017): two bidirectional LSTM layers read fixed GloVe vectors, and an LSTM decoder with Luong's
global attention generates German. After training, the layers of the encoder are the word vectors. Three things differ
from the paper, because its data is not available here, and for speed:

* The training pairs come from Tatoeba or any other file. They are far fewer and shorter than those of WMT, so the
  vectors must not be mistaken for the published CoVe.
* There is no input feeding, which would force the decoder to proceed word by word. Without it, cuDNN processes all
  target words at once (they are known during training), and attention takes two matrix products.
* Frequent words without a GloVe vector learn one. Small vector files may lack "I", "a", "'s" or "'t", and zero vectors
  would make these words indistinguishable. ``learned_count: null`` leaves them zero, as in the paper.

Besides the files of every run (see ``elmo.train.run``), a CoVe folder contains:

    config.json            how the run was started, in place of run.json
    words.txt              the words with a GloVe vector, then those with a learned one, one per line
    german.txt             the words that the decoder can generate
    vectors.safetensors    the GloVe vectors in float16
"""

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
from elmo.files import reason_of
from elmo.model.batches import by_length, in_runs
from elmo.paper.probes.representations import LayerVectors
from elmo.settings import Count, Depth, Dropout, Fraction, Size, check_fields
from elmo.tasks.layers import Encoder, VariationalDropout, masked_softmax
from elmo.tasks.recipe import TaskTraining
from elmo.text.tokens import words as split_words
from elmo.train.run import RunFolder

CONFIG_FILE, WORDS_FILE, GERMAN_FILE, VECTORS_FILE = "config.json", "words.txt", "german.txt", "vectors.safetensors"
UNKNOWN, BOUNDARY = "<unk>", "<end>"
"""The first two words of the decoder. It reads the boundary first and generates it last."""
BATCH_TOKENS = 2048
"""Positions per batch outside training, padding included."""
RUN_TOKENS = 1 << 17
"""Positions of a stream that are sorted by length together."""
MAX_TRANSLATION = 60
"""Maximum number of words in a translation."""

PairIds = tuple[list[int], list[int]]
"""A sentence pair as word ids."""


@dataclass(frozen=True)
class CoveRecipe:
    """All settings of a CoVe run except the files and the seed."""

    dim: Size
    """Hidden size of the encoder LSTMs in each direction. The vectors are twice as wide."""
    decoder_dim: Size
    decoder_layers: Depth
    word_dim: Size
    """Width of the German word embeddings, which the decoder uses as inputs and as output weights."""
    dropout: Dropout
    fraction: Fraction
    """Fraction of the training pairs to use. The held-out pairs do not depend on it."""
    held_out: Count
    """Number of English sentences held out for evaluation."""
    longest: Size
    """Maximum number of words in either sentence of a training pair. Longer pairs are skipped."""
    german_words: Count
    """Maximum size of the decoder's vocabulary, without markers."""
    german_count: Count
    """Minimum frequency of a word in the decoder's vocabulary."""
    learned_count: Count | None
    """Minimum frequency for a word without a GloVe vector to learn one; None leaves all such vectors zero."""
    training: TaskTraining

    def __post_init__(self) -> None:
        """Check the types and limits of all settings."""
        check_fields(self)

    @classmethod
    def from_dict(cls, data: Any) -> "CoveRecipe":
        """Read a recipe from the JSON of ``dataclasses.asdict``.

        Raises:
            ValueError: If a setting is missing, unknown or out of range.
        """
        if not isinstance(data, dict):
            raise ValueError("is not a recipe")
        training = from_fields(TaskTraining, data.get("training"), "training")
        return from_fields(cls, {**data, "training": training}, "recipe")


class BilingualVocabulary:
    """The words of both languages and their ids.

    Args:
        fixed: English words with a GloVe vector. Their ids start at 1; id 0 is any unknown word.
        learned: English words with a learned vector, in lower case. Their ids follow.
        german: The words of the decoder. Ids 0 and 1 are the unknown word and the boundary.
    """

    def __init__(self, fixed: Sequence[str], learned: Sequence[str], german: Sequence[str]) -> None:
        self.fixed, self.learned, self.german = fixed, learned, german
        self._english_ids = {word: index for index, word in enumerate((*fixed, *learned), 1)}
        self._german_ids = {word: index for index, word in enumerate(german)}

    def english_ids(self, words: Sequence[str]) -> list[int]:
        """Return the ids of English words. A word that is not listed is looked up in lower case."""
        ids = self._english_ids
        return [ids.get(word) or ids.get(word.lower(), 0) for word in words]

    def ids(self, pair: TranslationPair) -> PairIds:
        """Return the ids of both sentences of a pair."""
        return self.english_ids(pair.english), [self._german_ids.get(word, 0) for word in pair.german]


@dataclass(frozen=True)
class PairBatch:
    """B sentence pairs as ids, padded on the right: S English words, T German words including the first boundary."""

    english: Tensor
    """(B, S)."""
    lengths: list[int]
    """Number of English words in each row."""
    mask: Tensor
    """True at English words, (B, S)."""
    german: Tensor
    """The inputs of the decoder, (B, T)."""
    places: Tensor
    """Indices of the B * T positions that are not padding, (N,). A boolean mask would make a GPU synchronize."""
    targets: Tensor
    """The words to predict at these positions, (N,)."""


def collate(pairs: Sequence[PairIds], device: torch.device) -> PairBatch:
    """Return a batch of sentence pairs on a device."""
    english, lengths = _padded([ids for ids, _ in pairs])
    german, steps = _padded([[1, *ids] for _, ids in pairs])
    mask = torch.arange(english.shape[1]) < torch.tensor(lengths)[:, None]
    places = (torch.arange(german.shape[1]) < torch.tensor(steps)[:, None]).flatten().nonzero()[:, 0]
    targets = torch.tensor([target for _, ids in pairs for target in (*ids, 1)])
    return PairBatch(
        english.to(device), lengths, mask.to(device), german.to(device), places.to(device), targets.to(device)
    )


def _padded(rows: Sequence[Sequence[int]]) -> tuple[Tensor, list[int]]:
    """Return rows of different lengths as one tensor with at least one column, and their lengths."""
    lengths = [len(row) for row in rows]
    padded = np.zeros((len(rows), max(1, *lengths)), np.int64)
    for index, row in enumerate(rows):
        padded[index, : len(row)] = row
    return torch.from_numpy(padded), lengths


class Translator(nn.Module):
    """The translation model (MT-LSTM).

    Dimensions: D of a GloVe vector, C = 2 * dim of an encoder layer, H of the decoder, K German words.
    """

    def __init__(self, vectors: Tensor, n_learned: int, n_german: int, recipe: CoveRecipe) -> None:
        super().__init__()
        width = 2 * recipe.dim
        # Row 0 is zero. The vectors never change, so they are not part of the checkpoints.
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
        """Return both layers of padded rows (B, S), each (B, S, C) and zero at padding."""
        fixed = self.vectors.shape[0]
        x = self.vectors[torch.where(english < fixed, english, 0)]  # (B, S, D)
        x = x + self.learned((english - fixed + 1).clamp(min=0))
        outputs = []
        for layer in self.layers:
            x = layer(x, lengths)
            outputs.append(x)
        return outputs

    def initial_state(self, memory: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return the decoder's initial state, 2 x (layers, B, H), from the mean of the encoder's last layer."""
        hidden = torch.tanh(self.start(memory.sum(1) / mask.sum(1, keepdim=True)))
        hidden = hidden.view(memory.shape[0], self.decoder.num_layers, -1).transpose(0, 1).contiguous()
        return hidden, torch.zeros_like(hidden)

    def decode(
        self, german: Tensor, state: tuple[Tensor, Tensor], memory: Tensor, mask: Tensor
    ) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        """Return features of the word that follows each German word, (B, T, word_dim), and the final state."""
        hidden, state = self.decoder(self.dropout(self.german(german)), state)  # (B, T, H)
        weights = masked_softmax(self.query(hidden) @ memory.transpose(1, 2), mask[:, None])  # (B, T, S)
        attended = torch.tanh(self.combine(torch.cat([weights @ memory, hidden], -1)))
        return self.dropout(attended), state

    def scores(self, features: Tensor) -> Tensor:
        """Return the logits of all German words, (..., K)."""
        return functional.linear(features, self.german.weight, self.bias)

    def target_scores(self, batch: PairBatch) -> Tensor:
        """Return the logits at all target positions, (N, K)."""
        memory = self.encode(batch.english, batch.lengths)[-1]
        features, _ = self.decode(batch.german, self.initial_state(memory, batch.mask), memory, batch.mask)
        return self.scores(features.flatten(0, 1)[batch.places])

    def forward(self, batch: PairBatch) -> Tensor:
        """Return the mean negative log-likelihood of the German words."""
        return functional.cross_entropy(self.target_scores(batch), batch.targets)


class CoveRepresentation:
    """The two layers of the encoder; see ``elmo.paper.probes.representations.Representation``.

    The GloVe vectors are not included, because their width differs.
    """

    name = "CoVe"
    layer_names = ("CoVe 1", "CoVe 2")

    def __init__(self, model: Translator, vocabulary: BilingualVocabulary) -> None:
        self.model, self.vocabulary = model.eval(), vocabulary
        self.dim: int = model.query.out_features

    def layers(self, sentences: Iterable[Sequence[str]]) -> Iterator[LayerVectors]:
        """Yield both layers of each sentence, (2, n, dim), in order."""
        for run in in_runs(map(list, sentences), RUN_TOKENS):
            found: list[LayerVectors] = [np.zeros((2, 0, self.dim), np.float32)] * len(run)
            for group in by_length([max(1, len(sentence)) for sentence in run], BATCH_TOKENS):
                for index, layers in zip(group, self._encode([run[index] for index in group]), strict=True):
                    found[index] = layers
            yield from found

    @torch.no_grad()
    def _encode(self, sentences: Sequence[Sequence[str]]) -> Iterator[LayerVectors]:
        english, lengths = _padded([self.vocabulary.english_ids(sentence) for sentence in sentences])
        layers = torch.stack(self.model.encode(english.to(self.model.bias.device), lengths), 1).cpu()  # (B, 2, S, C)
        # Copies, so that a short sentence does not keep its whole batch in memory.
        return iter([row[:, :length].numpy().copy() for row, length in zip(layers, lengths, strict=True)])

    @torch.no_grad()
    def translate(self, text: str) -> str:
        """Translate a sentence greedily, to see what the model has learned."""
        words = split_words(text)
        if not words:
            return ""
        device = self.model.bias.device
        memory = self.model.encode(torch.tensor([self.vocabulary.english_ids(words)], device=device), [len(words)])[-1]
        mask = torch.ones(1, len(words), dtype=torch.bool, device=device)
        state = self.model.initial_state(memory, mask)
        output = [1]
        while len(output) <= MAX_TRANSLATION:
            features, state = self.model.decode(torch.tensor([output[-1:]], device=device), state, memory, mask)
            output.append(int(self.model.scores(features[0, 0]).argmax()))
            if output[-1] == 1:
                break
        return " ".join(self.vocabulary.german[index] for index in output[1:] if index != 1)


def cove_run(folder: str | Path) -> RunFolder:
    """Return the run folder of a CoVe model, whose metadata is in ``config.json``."""
    return RunFolder(Path(folder), CONFIG_FILE)


def build(run: RunFolder) -> tuple[Translator, BilingualVocabulary]:
    """Return a model with fresh weights and its vocabulary, as the run folder describes them.

    Raises:
        ValueError: If the folder does not belong to a CoVe model, or if a file is damaged.
    """
    metadata, config_path = run.read(), run.path / CONFIG_FILE
    if metadata.get("model_type") != "cove":
        raise ValueError(f"{config_path}: is not the configuration of a CoVe model")
    try:
        recipe = CoveRecipe.from_dict(metadata.get("recipe"))
    except ValueError as error:
        raise ValueError(f"{config_path}: damaged ({error})") from None
    words, german = (run.check_file(name).read_text("utf-8").split("\n")[:-1] for name in (WORDS_FILE, GERMAN_FILE))
    try:
        vectors = load_file(run.check_file(VECTORS_FILE))["vectors"]
    except (SafetensorError, KeyError, OSError) as error:
        raise ValueError(f"{run.path / VECTORS_FILE}: damaged ({reason_of(error)})") from None
    vocabulary = BilingualVocabulary(words[: len(vectors)], words[len(vectors) :], german)
    return Translator(vectors, len(vocabulary.learned), len(german), recipe), vocabulary


def load_cove(folder: str | Path, device: str | torch.device = "cpu") -> CoveRepresentation:
    """Load a CoVe model that ``train_cove`` wrote.

    Raises:
        ValueError: If the folder does not contain a trained CoVe model, or if a file is damaged.
    """
    run = cove_run(folder)
    model, vocabulary = build(run)
    run.load_weights(model)
    return CoveRepresentation(model.to(device), vocabulary)
