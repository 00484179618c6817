"""A drop-in replacement for the ELMo classes of AllenNLP.

Replace

    from allennlp.commands.elmo import ElmoEmbedder
    from allennlp.modules.elmo import Elmo, batch_to_ids

with

    from elmo.interop.allennlp import Elmo, ElmoEmbedder, batch_to_ids

AllenNLP carried the LSTM state from call to call, so the same sentence got different vectors each time. Here every
sentence starts from a zero state; ``stateful=True`` reproduces AllenNLP's behavior exactly.
"""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from elmo.config import CharCNNConfig
from elmo.embed.embedder import Embedder, load
from elmo.embed.select import EmbeddedSentence, Selection
from elmo.embed.sinks import open_sink
from elmo.model.batches import from_ids, to_ids
from elmo.model.bilm import BiLM, BiLMOutput
from elmo.model.elmo import without_boundaries
from elmo.model.lstm import LSTMState
from elmo.model.mix import ScalarMix

DEFAULT_BATCH_SIZE = 64


def batch_to_ids(batch: Sequence[Sequence[str]]) -> Tensor:
    """Return the character ids (B, T, 50) of tokenized sentences, padded with zeros."""
    return to_ids(batch, CharCNNConfig())


class ElmoEmbedder:
    """Embed tokenized sentences as arrays (L+1, n, D), which is (3, n, 1024) for the original model.

    Args:
        options_file: ``options.json`` of a published model.
        weight_file: HDF5 file with its weights.
        cuda_device: Index of a GPU, or -1 for the CPU.
        stateful: Whether to carry the LSTM state from call to call, as AllenNLP did.
    """

    def __init__(
        self,
        options_file: str | Path,
        weight_file: str | Path,
        cuda_device: int = -1,
        *,
        stateful: bool = False,
    ) -> None:
        device = f"cuda:{cuda_device}" if cuda_device >= 0 else "cpu"
        self.embedder: Embedder = load(options=options_file, weights=weight_file, device=device)
        self.stateful = stateful
        self._state: LSTMState | None = None

    def embed_sentence(self, sentence: Sequence[str]) -> NDArray[np.float32]:
        """Return all layers of one tokenized sentence, (L+1, n, D)."""
        return self.embed_batch([sentence])[0]

    def embed_batch(self, batch: Sequence[Sequence[str]]) -> list[NDArray[np.float32]]:
        """Return all layers of each tokenized sentence of a batch, (L+1, n, D) each."""
        if any(isinstance(sentence, str) for sentence in batch):
            raise ValueError("sentences must be lists of words, not strings; split them first")
        sentences, state = self.embedder.embed_batch(batch, self._state)
        if self.stateful:
            self._state = state
        return [sentence.layers for sentence in sentences]

    def embed_sentences(
        self, sentences: Iterable[Sequence[str]], batch_size: int = DEFAULT_BATCH_SIZE
    ) -> Iterator[NDArray[np.float32]]:
        """Yield all layers of each tokenized sentence, (L+1, n, D) each."""
        stream = iter(sentences)
        while batch := list(itertools.islice(stream, batch_size)):
            yield from self.embed_batch(batch)

    def embed_file(
        self,
        input_file: IO[str],
        output_file_path: str | Path,
        output_format: Literal["all", "top", "average"] = "all",
        batch_size: int = DEFAULT_BATCH_SIZE,
        forget_sentences: bool = False,
        use_sentence_keys: bool = False,
    ) -> None:
        """Embed a file with one tokenized sentence per line, and write an HDF5 file with one dataset per sentence.

        Args:
            input_file: Open text file. An empty line gives an empty dataset.
            output_file_path: HDF5 file to write.
            output_format: Layers to write: "all", "top" or "average".
            batch_size: Number of sentences per batch.
            forget_sentences: Whether to leave out ``sentence_to_index``, which maps sentences to dataset names.
            use_sentence_keys: Whether to name the datasets after the sentences instead of the line numbers.
        """
        if output_format not in ("all", "top", "average"):
            raise ValueError(f"output_format must be all, top or average, not {output_format!r}")
        sentences, copies = itertools.tee(line.split() for line in input_file)
        vectors = self.embed_sentences(copies, batch_size)
        selection = Selection(output_format, None, self.embedder.config.n_representations)
        names = {"by_sentence": use_sentence_keys, "with_index": not forget_sentences}
        with open_sink(output_file_path, "hdf5", **names) as write:
            for words, layers in zip(sentences, vectors, strict=True):
                selected = selection(torch.from_numpy(layers), [len(words)])
                write(EmbeddedSentence(words, selected.numpy()))


class Elmo(nn.Module):
    """A module that maps character ids to one or more learned mixtures of the layers.

    All arguments have the meaning and the defaults they had in AllenNLP, including a dropout of 0.5. As there,
    ``do_layer_norm`` normalizes each layer over the whole batch, boundaries included, so the vectors of a sentence
    depend on the other sentences of its batch. ``elmo.ELMo(layer_norm=True)`` does not have this problem.
    """

    mixes: Sequence[ScalarMix]

    def __init__(
        self,
        options_file: str | Path,
        weight_file: str | Path,
        num_output_representations: int,
        requires_grad: bool = False,
        do_layer_norm: bool = False,
        dropout: float = 0.5,
        keep_sentence_boundaries: bool = False,
        scalar_mix_parameters: Sequence[float] | None = None,
        *,
        stateful: bool = False,
    ) -> None:
        super().__init__()
        if num_output_representations < 1:
            raise ValueError(f"num_output_representations must be at least 1, not {num_output_representations}")
        self.bilm: BiLM = load(options=options_file, weights=weight_file).bilm.requires_grad_(requires_grad)
        layers = self.bilm.config.n_representations
        self.mixes = nn.ModuleList(  # type: ignore[assignment]
            ScalarMix(layers, device=self.bilm.device) for _ in range(num_output_representations)
        )
        if scalar_mix_parameters is not None:
            if len(scalar_mix_parameters) != layers:
                raise ValueError(
                    f"scalar_mix_parameters must contain {layers} numbers, not {len(scalar_mix_parameters)}"
                )
            for mix in self.mixes:
                assert mix.weights is not None  # a biLM has at least two representations
                mix.weights.data.copy_(mix.weights.new_tensor(scalar_mix_parameters))
                mix.requires_grad_(False)
        self.dropout = nn.Dropout(dropout)
        self.do_layer_norm = do_layer_norm
        self.keep_sentence_boundaries = keep_sentence_boundaries
        self.stateful = stateful
        self._state: LSTMState | None = None

    def get_output_dim(self) -> int:
        """Return the dimension D of each representation."""
        return self.bilm.config.output_dim

    def forward(self, inputs: Tensor) -> dict[str, list[Tensor] | Tensor]:
        """Map character ids (..., T, 50) to ``elmo_representations`` (..., T, D) and ``mask`` (..., T)."""
        outer = inputs.shape[:-2]
        output = self._layers(inputs.flatten(0, -3))
        layers, mask = output.layers, output.mask
        if self.do_layer_norm:
            layers = _normalize_over_batch(layers, mask)
        mixed = [mix(layers) for mix in self.mixes]
        if not self.keep_sentence_boundaries:
            inner = [without_boundaries(one[None], mask) for one in mixed]
            mixed, mask = [one[0] for one, _ in inner], inner[0][1]
        return {
            "elmo_representations": [self.dropout(one).unflatten(0, outer) for one in mixed],
            "mask": mask.unflatten(0, outer),
        }

    def _layers(self, ids: Tensor) -> BiLMOutput:
        batch = from_ids(ids, self.bilm.token_layer)
        rows = len(batch.lengths)
        if not self.stateful:
            return self.bilm(batch)
        old = self.bilm.lstm.zero_state(0) if self._state is None else self._state
        output = self.bilm(batch, old.rows(rows))
        self._state = old.updated(LSTMState(*(part.detach() for part in output.state)))
        return output


def _normalize_over_batch(layers: Tensor, mask: Tensor) -> Tensor:
    """Normalize each layer of (L+1, B, T, D) to mean 0 and variance 1 over all positions that are not padding."""
    real = layers[:, mask].flatten(1)  # (L+1, positions * D)
    mean = real.mean(1)[:, None, None, None]
    variance = real.var(1, correction=0)[:, None, None, None]
    return (layers - mean) / torch.sqrt(variance + 1e-13)
