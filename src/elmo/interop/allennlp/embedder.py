"""``ElmoEmbedder`` of AllenNLP 0.9: tokenized sentences to arrays, and files of sentences to HDF5 files."""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from elmo.embed.embedder import Embedder, load
from elmo.embed.select import EmbeddedSentence, Selection
from elmo.embed.sinks import open_sink
from elmo.interop.allennlp.modules import DEFAULT_OPTIONS_FILE, DEFAULT_WEIGHT_FILE, Activations, CarriedState
from elmo.validation import checked_choice, checked_count, checked_flag, checked_sentences

DEFAULT_BATCH_SIZE = 64


class ElmoEmbedder:
    """Embed tokenized sentences as arrays (L+1, n, D), which is (3, n, 1024) for the original model.

    Args:
        options_file: ``options.json`` of a published model, a path or a URL; by default the original model, which is
            downloaded once.
        weight_file: HDF5 file with its weights, a path or a URL.
        cuda_device: Index of a GPU, or -1 for the CPU.
        stateful: Whether to carry the LSTM state from call to call, as AllenNLP did.
    """

    def __init__(
        self,
        options_file: str | Path = DEFAULT_OPTIONS_FILE,
        weight_file: str | Path = DEFAULT_WEIGHT_FILE,
        cuda_device: int = -1,
        *,
        stateful: bool = False,
    ) -> None:
        self.cuda_device = checked_count("cuda_device", cuda_device, minimum=-1)
        self._carried = CarriedState(stateful)
        self._elmo_bilm: Activations | None = None
        device = f"cuda:{self.cuda_device}" if self.cuda_device >= 0 else "cpu"
        self.embedder: Embedder = load(options=options_file, weights=weight_file, device=device)

    @property
    def elmo_bilm(self) -> Activations:
        """The biLM as a module, which maps character ids to activations."""
        if self._elmo_bilm is None:
            self._elmo_bilm = Activations(self.embedder.bilm.requires_grad_(False), self._carried)
        return self._elmo_bilm

    def batch_to_embeddings(self, batch: Sequence[Sequence[str]]) -> tuple[Tensor, Tensor]:
        """Return all layers of a batch as one tensor.

        Args:
            batch: Tokenized sentences.

        Returns:
            The layers (B, L+1, T, D), zero at padding, and the mask (B, T), on the device of the model.
        """
        arrays = self.embed_batch(batch)
        lengths = [array.shape[1] for array in arrays]
        config = self.embedder.config
        shape = (len(arrays), config.n_representations, max(lengths, default=0), config.output_dim)
        layers, mask = np.zeros(shape, np.float32), np.zeros((shape[0], shape[2]), bool)
        for row, length in enumerate(lengths):
            layers[row, :, :length], mask[row, :length] = arrays[row], True
        device = "cpu" if self.cuda_device < 0 else f"cuda:{self.cuda_device}"
        return torch.from_numpy(layers).to(device), torch.from_numpy(mask).to(device)

    def embed_sentence(self, sentence: Sequence[str]) -> NDArray[np.float32]:
        """Return all layers of one tokenized sentence, (L+1, n, D)."""
        return self.embed_batch([sentence])[0]

    def embed_batch(self, batch: Sequence[Sequence[str]]) -> list[NDArray[np.float32]]:
        """Return all layers of each tokenized sentence of a batch, (L+1, n, D) each."""
        sentences, state = self.embedder.embed_batch(list(checked_sentences(batch)), self._carried.state)
        if self._carried.stateful:
            self._carried.state = state
        return [sentence.layers for sentence in sentences]

    def embed_sentences(
        self, sentences: Iterable[Sequence[str]], batch_size: int = DEFAULT_BATCH_SIZE
    ) -> Iterator[NDArray[np.float32]]:
        """Yield all layers of each tokenized sentence, (L+1, n, D) each."""
        batch_size = checked_count("batch_size", batch_size)
        return self._embed_in_batches(checked_sentences(sentences), batch_size)

    def _embed_in_batches(self, sentences: Iterator[list[str]], batch_size: int) -> Iterator[NDArray[np.float32]]:
        while batch := list(itertools.islice(sentences, batch_size)):
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
        checked_choice("output_format", output_format, ("all", "top", "average"))
        sentences, copies = itertools.tee(checked_sentences(input_file, str.split))
        vectors = self.embed_sentences(copies, batch_size)
        selection = Selection(output_format, None, self.embedder.config.n_representations)
        names = {
            "by_sentence": checked_flag("use_sentence_keys", use_sentence_keys),
            "with_index": not checked_flag("forget_sentences", forget_sentences),
        }
        with open_sink(output_file_path, "hdf5", **names) as write:
            for words, layers in zip(sentences, vectors, strict=True):
                selected = selection(torch.from_numpy(layers), [len(words)])
                write(EmbeddedSentence(words, selected.numpy()))
