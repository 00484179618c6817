"""The torch modules of AllenNLP: ``_ElmoBiLm``, ``Elmo`` and ``ElmoTokenEmbedder``, and the character ids they read."""

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from elmo.config import MAX_LAYERS, MAX_WIDTH, CharCNNConfig
from elmo.embed.embedder import load
from elmo.interop.allennlp.mixture import LayerMixture
from elmo.model.batches import from_ids, to_ids
from elmo.model.bilm import BiLM
from elmo.model.elmo import without_boundaries
from elmo.model.lstm import LSTMState
from elmo.text.characters import word_to_ids
from elmo.text.markers import BEGIN_SENTENCE, END_SENTENCE
from elmo.validation import checked_count, checked_flag, checked_fraction, checked_sentences, checked_text, kind

_ORIGINAL = "https://s3-us-west-2.amazonaws.com/allennlp/models/elmo/2x4096_512_2048cnn_2xhighway/"
DEFAULT_OPTIONS_FILE = f"{_ORIGINAL}elmo_2x4096_512_2048cnn_2xhighway_options.json"
DEFAULT_WEIGHT_FILE = f"{_ORIGINAL}elmo_2x4096_512_2048cnn_2xhighway_weights.hdf5"
"""AllenNLP's default: the original model of the paper, 374 MB."""

_log = logging.getLogger(__name__)


def batch_to_ids(batch: Sequence[Sequence[str]]) -> Tensor:
    """Return the character ids (B, T, 50) of tokenized sentences, padded with zeros."""
    return to_ids(batch, CharCNNConfig())


def remove_sentence_boundaries(tensor: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    """Remove ``<S>`` and ``</S>`` from vectors (B, T, D) and their mask (B, T); T becomes two less."""
    _check_shapes({"tensor": (tensor, 3), "mask": (mask, 2)})
    if tensor.shape[:2] != mask.shape:
        raise ValueError(f"a mask of shape {tuple(mask.shape)} does not fit vectors of shape {tuple(tensor.shape)}")
    layers, inner = without_boundaries(tensor[None], mask > 0)
    return layers[0], inner


def _check_shapes(tensors: dict[str, tuple[Any, int]]) -> None:
    """Check that arguments, by name, are tensors of real numbers with a number of axes."""
    for name, (tensor, axes) in tensors.items():
        if not isinstance(tensor, Tensor) or tensor.dim() != axes or tensor.is_complex():
            raise ValueError(f"{name} must be a tensor of {axes} axes, not {kind(tensor)}")


class ELMoCharacterMapper:
    """Encodes single words as character ids."""

    max_word_length = 50
    bos_token = BEGIN_SENTENCE
    eos_token = END_SENTENCE

    @staticmethod
    def convert_word_to_char_ids(word: str) -> list[int]:
        """Return the 50 character ids of a word."""
        return word_to_ids(checked_text("word", word))


class CarriedState:
    """The LSTM state that AllenNLP carries from call to call, under AllenNLP's names."""

    def __init__(self, stateful: bool) -> None:
        self.stateful = checked_flag("stateful", stateful)
        self.state: LSTMState | None = None

    def reset_states(self) -> None:
        """Start the next call from a zero state."""
        self.state = None


class Activations(nn.Module):
    """Map character ids to the activations of all layers of a biLM.

    Args:
        bilm: The biLM.
        carried: The LSTM state, which other objects may share.
        vocabulary: Words that can be given by their index instead of their characters; index 0 is padding.
    """

    def __init__(self, bilm: BiLM, carried: CarriedState, vocabulary: Sequence[str] | None = None) -> None:
        super().__init__()
        self.bilm = bilm
        self.vocabulary = None if vocabulary is None else next(checked_sentences([vocabulary]))
        self._elmo_lstm = carried  # AllenNLP's name, because programs set ``stateful`` and call ``reset_states`` there

    @property
    def num_layers(self) -> int:
        """Number of representations L+1, the token layer included."""
        return self.bilm.config.n_representations

    def get_output_dim(self) -> int:
        """Return the dimension D of each representation."""
        return self.bilm.config.output_dim

    def forward(self, inputs: Tensor, word_inputs: Tensor | None = None) -> dict[str, list[Tensor] | Tensor]:
        """Map character ids (B, T, 50) to ``activations``, L+1 times (B, T+2, D), and ``mask`` (B, T+2).

        The two additional positions are the sentence boundaries.

        Args:
            inputs: What ``batch_to_ids`` returns.
            word_inputs: Indices (B, T) into ``vocab_to_cache``, which replace the character ids.
        """
        batch = from_ids(self._character_ids(inputs, word_inputs), self.bilm.token_layer)
        carried = self._elmo_lstm
        if not carried.stateful:
            output = self.bilm(batch)
        else:
            old = self.bilm.lstm.zero_state(0) if carried.state is None else carried.state
            output = self.bilm(batch, old.rows(len(batch.lengths)))
            carried.state = old.updated(LSTMState(*(part.detach() for part in output.state)))
        return {"activations": list(output.layers), "mask": output.mask}

    def _character_ids(self, inputs: Tensor, word_inputs: Tensor | None) -> Tensor:
        if word_inputs is None:
            return inputs
        _check_shapes({"word_inputs": (word_inputs, 2)})
        if word_inputs.shape != inputs.shape[:2] or word_inputs.is_floating_point() or word_inputs.dtype == torch.bool:
            raise ValueError(f"word_inputs must be integers of shape {tuple(inputs.shape[:2])}")
        if self.vocabulary is None:
            _log.warning("word_inputs are ignored, because the model was made without vocab_to_cache")
            return inputs
        distinct, positions = torch.unique(word_inputs, return_inverse=True)
        indices = distinct.tolist()
        if indices and not 0 <= indices[0] <= indices[-1] < len(self.vocabulary):
            return inputs  # as in AllenNLP: words that are not cached are read by character
        ids = to_ids([[self.vocabulary[index]] for index in indices], self.bilm.config.token_layer)[:, 0]
        ids[[index == 0 for index in indices]] = 0
        return ids.to(inputs.device)[positions]


class _ElmoBiLm(Activations):
    """The biLM of a published model, which returns the activations of all layers.

    Args:
        options_file: ``options.json`` of a published model, a path or a URL.
        weight_file: HDF5 file with its weights, a path or a URL.
        requires_grad: Whether to train the biLM.
        vocab_to_cache: Words that can be given by their index. They are not needed for speed: the words of a batch
            are computed once each.
        stateful: Whether to carry the LSTM state from call to call, as AllenNLP did.
    """

    def __init__(
        self,
        options_file: str | Path,
        weight_file: str | Path,
        requires_grad: bool = False,
        vocab_to_cache: Sequence[str] | None = None,
        *,
        stateful: bool = False,
    ) -> None:
        bilm = load(options=options_file, weights=weight_file).bilm
        super().__init__(
            bilm.requires_grad_(checked_flag("requires_grad", requires_grad)), CarriedState(stateful), vocab_to_cache
        )


class Elmo(nn.Module):
    """A module that maps character ids to one or more learned mixtures of the layers.

    All arguments have the meaning and the defaults they had in AllenNLP, including a dropout of 0.5. As there,
    ``do_layer_norm`` normalizes each layer over the whole batch, boundaries included, so the vectors of a sentence
    depend on the other sentences of its batch. ``elmo.ELMo(layer_norm=True)`` does not have this problem.

    The mixtures are the attributes ``scalar_mix_0``, ``scalar_mix_1`` and so on.
    """

    _elmo_lstm: Any

    def __init__(
        self,
        options_file: str | Path | None,
        weight_file: str | Path | None,
        num_output_representations: int,
        requires_grad: bool = False,
        do_layer_norm: bool = False,
        dropout: float = 0.5,
        vocab_to_cache: Sequence[str] | None = None,
        keep_sentence_boundaries: bool = False,
        scalar_mix_parameters: Sequence[float] | None = None,
        module: nn.Module | None = None,
        *,
        stateful: bool = False,
    ) -> None:
        super().__init__()
        count = checked_count("num_output_representations", num_output_representations, maximum=MAX_LAYERS)
        self._keep_sentence_boundaries = checked_flag("keep_sentence_boundaries", keep_sentence_boundaries)
        self._dropout = nn.Dropout(checked_fraction("dropout", dropout))
        if module is None:
            if options_file is None or weight_file is None:
                raise ValueError("options_file and weight_file are needed unless a module is given")
            module = _ElmoBiLm(options_file, weight_file, requires_grad, vocab_to_cache, stateful=stateful)
        elif options_file is not None or weight_file is not None:
            raise ValueError("options_file and weight_file must be None if a module is given")
        elif not hasattr(module, "num_layers"):
            raise ValueError(f"module must be the _elmo_lstm of another Elmo, not {kind(module)}")
        self._elmo_lstm = module
        device = next((parameter.device for parameter in module.parameters()), None)
        self._names_of_mixes = [f"scalar_mix_{number}" for number in range(count)]
        for name in self._names_of_mixes:
            trainable = scalar_mix_parameters is None
            mix = LayerMixture(
                self._elmo_lstm.num_layers, do_layer_norm, scalar_mix_parameters, trainable, device=device
            )
            self.add_module(name, mix)

    @property
    def bilm(self) -> BiLM:
        """The biLM."""
        return self._elmo_lstm.bilm

    @property
    def _scalar_mixes(self) -> list[LayerMixture]:
        return [getattr(self, name) for name in self._names_of_mixes]

    def get_output_dim(self) -> int:
        """Return the dimension D of each representation."""
        return self._elmo_lstm.get_output_dim()

    def forward(self, inputs: Tensor, word_inputs: Tensor | None = None) -> dict[str, list[Tensor] | Tensor]:
        """Map character ids (..., T, 50) to ``elmo_representations`` (..., T, D) and ``mask`` (..., T).

        Args:
            inputs: What ``batch_to_ids`` returns; there may be more than one axis before T.
            word_inputs: Indices (..., T) into ``vocab_to_cache``, which replace the character ids.
        """
        if not isinstance(inputs, Tensor) or inputs.dim() < 3:
            found = f"a tensor with {inputs.dim()} axes" if isinstance(inputs, Tensor) else kind(inputs)
            raise ValueError(f"expected character ids (B, T, 50), as batch_to_ids returns them, got {found}")
        outer = inputs.shape[:-2]
        if isinstance(word_inputs, Tensor) and word_inputs.dim() > 2:
            word_inputs = word_inputs.flatten(0, -2)
        output = self._elmo_lstm(inputs.flatten(0, -3), word_inputs)
        layers, mask = output["activations"], output["mask"]
        mixed = [mix(layers, mask) for mix in self._scalar_mixes]
        if not self._keep_sentence_boundaries:
            inner = [remove_sentence_boundaries(one, mask) for one in mixed]
            mixed, mask = [one for one, _ in inner], inner[0][1]
        return {
            "elmo_representations": [self._dropout(one).unflatten(0, outer) for one in mixed],
            "mask": mask.unflatten(0, outer),
        }


class ElmoTokenEmbedder(nn.Module):
    """One mixture of the layers, with an optional projection: ``Elmo`` for the input of a network.

    Args:
        options_file: ``options.json`` of a published model, a path or a URL; by default the original model.
        weight_file: HDF5 file with its weights, a path or a URL.
        do_layer_norm: See ``Elmo``.
        dropout: Dropout on the mixture.
        requires_grad: Whether to train the biLM.
        projection_dim: If given, the vectors are projected to this dimension.
        vocab_to_cache: See ``_ElmoBiLm``.
        scalar_mix_parameters: Fixed weights of the layers, before the softmax.
    """

    def __init__(
        self,
        options_file: str | Path = DEFAULT_OPTIONS_FILE,
        weight_file: str | Path = DEFAULT_WEIGHT_FILE,
        do_layer_norm: bool = False,
        dropout: float = 0.5,
        requires_grad: bool = False,
        projection_dim: int | None = None,
        vocab_to_cache: Sequence[str] | None = None,
        scalar_mix_parameters: Sequence[float] | None = None,
    ) -> None:
        super().__init__()
        self._elmo = Elmo(
            options_file,
            weight_file,
            1,
            requires_grad,
            do_layer_norm,
            dropout,
            vocab_to_cache,
            scalar_mix_parameters=scalar_mix_parameters,
        )
        self.output_dim = self._elmo.get_output_dim()
        self._projection: nn.Linear | None = None
        if projection_dim is not None:
            projection_dim = checked_count("projection_dim", projection_dim, 0, MAX_WIDTH)
        if projection_dim:
            device = self._elmo.bilm.device
            self._projection = nn.Linear(self.output_dim, projection_dim, dtype=torch.float32, device=device)
            self.output_dim = projection_dim

    def get_output_dim(self) -> int:
        """Return the dimension of the vectors."""
        return self.output_dim

    def forward(self, elmo_tokens: Tensor, word_inputs: Tensor | None = None) -> Tensor:
        """Map character ids (..., T, 50) to vectors (..., T, D); see ``Elmo.forward``."""
        vectors = self._elmo(elmo_tokens, word_inputs)["elmo_representations"][0]
        return vectors if self._projection is None else self._projection(vectors)
