"""One reversible table between the published dataset names and our parameter names.

Each row gives the name of a tensor in a published HDF5 file, its name in a ``BiLM``, and the change of layout between
them. Reading and writing both follow this table and nothing else.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from elmo.config import BiLMConfig, CharCNNConfig


@dataclass(frozen=True)
class Layout:
    """A change of axes and its inverse; both also work on the meta device."""

    to_ours: Callable[[Tensor], Tensor]
    to_published: Callable[[Tensor], Tensor]


SAME = Layout(lambda t: t, lambda t: t)
TRANSPOSED = Layout(lambda t: t.T, lambda t: t.T)
"""Published matrices are input-major (y = x W), those of ``nn.Linear`` are output-major."""
CONVOLUTION = Layout(lambda t: t[0].permute(2, 1, 0), lambda t: t.permute(2, 1, 0)[None])
"""(1, width, in, out) in the file, (out, in, width) in ``nn.Conv1d``."""
WITHOUT_ROW_0 = Layout(lambda t: torch.cat([torch.zeros_like(t[:1]), t]), lambda t: t[1:])
"""Tables are stored without the row of zeros that means "no word"."""


@dataclass(frozen=True)
class Name:
    """One row of the table."""

    published: str
    """Path of the dataset in the HDF5 file."""
    ours: str
    """Name of the parameter in ``BiLM.state_dict()``."""
    layout: Layout
    direction: int | None = None
    """For the LSTM: the half of our parameter that the dataset holds (0 forward, 1 backward)."""


def lstm_group(direction: int, layer: int) -> str:
    """The HDF5 group of one direction of one LSTM layer."""
    return f"RNN_{direction}/RNN/MultiRNNCell/Cell{layer}/LSTMCell"


def name_table(config: BiLMConfig) -> list[Name]:
    """Return all rows for a model of this configuration."""
    rows: list[Name] = []
    tokens = config.token_layer
    if isinstance(tokens, CharCNNConfig):
        rows.append(Name("char_embed", "token_layer.embedding.weight", WITHOUT_ROW_0))
        for i in range(len(tokens.filters)):
            rows.append(Name(f"CNN/W_cnn_{i}", f"token_layer.convolutions.{i}.weight", CONVOLUTION))
            rows.append(Name(f"CNN/b_cnn_{i}", f"token_layer.convolutions.{i}.bias", SAME))
        for i in range(tokens.n_highway):
            # What the files call "carry" is the gate of the transformed path.
            for published, ours in (("carry", "gate"), ("transform", "transform")):
                highway = f"token_layer.highways.{i}.{ours}"
                rows.append(Name(f"CNN_high_{i}/W_{published}", f"{highway}.weight", TRANSPOSED))
                rows.append(Name(f"CNN_high_{i}/b_{published}", f"{highway}.bias", SAME))
        if tokens.projection_dim is not None:
            rows.append(Name("CNN_proj/W_proj", "token_layer.projection.weight", TRANSPOSED))
            rows.append(Name("CNN_proj/b_proj", "token_layer.projection.bias", SAME))
    else:
        rows.append(Name("embedding", "token_layer.embedding.weight", WITHOUT_ROW_0))
    for layer in range(config.lstm.n_layers):
        for direction in (0, 1):
            group = lstm_group(direction, layer)
            rows.append(Name(f"{group}/W_0", f"lstm.layers.{layer}.weight", SAME, direction))
            rows.append(Name(f"{group}/B", f"lstm.layers.{layer}.bias", SAME, direction))
            if config.lstm.projection_dim is not None:
                rows.append(Name(f"{group}/W_P_0", f"lstm.layers.{layer}.projection", SAME, direction))
    return rows


def to_published(config: BiLMConfig, state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Convert our parameters to the published names and layout."""
    datasets = {}
    for row in name_table(config):
        ours = state[row.ours] if row.direction is None else state[row.ours][row.direction]
        datasets[row.published] = row.layout.to_published(ours).contiguous()
    return datasets


def to_ours(config: BiLMConfig, datasets: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Convert published datasets to our names and layout."""
    parts: dict[str, list[Tensor]] = {}
    directed: set[str] = set()
    for row in name_table(config):  # forward comes before backward
        parts.setdefault(row.ours, []).append(row.layout.to_ours(datasets[row.published]))
        if row.direction is not None:
            directed.add(row.ours)
    return {
        name: torch.stack(tensors) if name in directed else tensors[0].contiguous() for name, tensors in parts.items()
    }
