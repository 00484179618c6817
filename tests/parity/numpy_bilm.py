"""Slow NumPy float64 twin of the ELMo biLM, the oracle that the library is tested against.

It was written from the description of the published models alone and shares nothing with the library.
Everything that makes a fast implementation hard to get right is absent here: sentences run one at a time,
so there is no batching, no padding, no mask, no sorting by length and no reversal of padded tensors; each
step of the recurrence is spelled out. Use it on small models only.

Letters in the shape comments: d character dimension, w filter width, m filter count, F sum of the filter
counts, P projection_dim, D lstm dim, L number of LSTM layers, C max_characters_per_token, V vocabulary
rows, n tokens of a sentence without its boundaries, T = n + 2 positions with them, R rows in a state, K
layers mixed.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
Datasets = dict[str, npt.NDArray[np.float32]]

# Ids before the shift. 0..255 are the bytes themselves.
BEGIN_SENTENCE, END_SENTENCE, BEGIN_WORD, END_WORD, WORD_PADDING = 256, 257, 258, 259, 260
# The strings that stand for the sentence boundaries (AllenNLP maps them always, also inside the text).
BOUNDARY_IDS = {"<S>": BEGIN_SENTENCE, "</S>": END_SENTENCE}

FORGET_BIAS = 1.0  # a constant of the cell, not part of the stored bias B


def lstm_prefix(direction: int, layer: int) -> str:
    """Name the HDF5 group of one LSTM cell; direction 0 is forward and 1 is backward."""
    return f"RNN_{direction}/RNN/MultiRNNCell/Cell{layer}/LSTMCell"


def random_model(
    seed: int,
    *,
    filters: Sequence[tuple[int, int]] = ((1, 4), (2, 8), (3, 16)),
    char_dim: int = 4,
    activation: str = "relu",
    n_highway: int | None = 2,
    dim: int = 12,
    projection_dim: int = 8,
    n_layers: int = 2,
    residual: bool = True,
    cell_clip: float | None = 3.0,
    proj_clip: float | None = 3.0,
    token_vocabulary: int | None = None,
    scale: float = 1.0,
    max_characters: int = 50,
) -> tuple[dict[str, Any], Datasets]:
    """Make the options and the weights of a random model in the published format.

    `n_highway`, `cell_clip` and `proj_clip` given as None leave their key out of the options.
    `token_vocabulary` makes a token-input model with that many rows (no `char_cnn`). `scale` multiplies
    every LSTM dataset (W_0, B and W_P_0): with the other defaults both clips bind plainly from about 4
    on. One-layer models keep the `MultiRNNCell/Cell0` level in the names, because that is what readers of
    the format expect, although bilm-tf's own dump leaves it out.
    """
    rng = np.random.default_rng(seed)
    datasets: Datasets = {}

    def draw(name: str, shape: tuple[int, ...], deviation: float) -> None:
        datasets[name] = (rng.standard_normal(shape) * deviation).astype("<f4")

    lstm: dict[str, Any] = {
        "use_skip_connections": residual,
        "n_layers": n_layers,
        "projection_dim": projection_dim,
        "dim": dim,
    }
    if cell_clip is not None:
        lstm["cell_clip"] = cell_clip
    if proj_clip is not None:
        lstm["proj_clip"] = proj_clip
    options: dict[str, Any] = {"lstm": lstm}

    if token_vocabulary is not None:
        draw("embedding", (token_vocabulary, projection_dim), 1.0)  # (V, P)
    else:
        char_cnn: dict[str, Any] = {
            "embedding": {"dim": char_dim},
            "filters": [[width, count] for width, count in filters],
            "n_characters": 262,  # the inference value: the 261 stored rows and the zero row in front
            "max_characters_per_token": max_characters,
            "activation": activation,
        }
        if n_highway is not None:
            char_cnn["n_highway"] = n_highway
        options["char_cnn"] = char_cnn
        total = sum(count for _, count in filters)  # F
        draw("char_embed", (261, char_dim), 1.0)  # (261, d)
        for i, (width, count) in enumerate(filters):
            draw(f"CNN/W_cnn_{i}", (1, width, char_dim, count), (width * char_dim) ** -0.5)  # (1, w, d, m)
            draw(f"CNN/b_cnn_{i}", (count,), 0.5)  # (m,)
        for k in range(n_highway or 0):
            for part in ("carry", "transform"):
                draw(f"CNN_high_{k}/W_{part}", (total, total), total**-0.5)  # (F, F)
                # Trained models start at -2 in b_carry. Zero mean keeps the gate half open instead, so that a
                # gate read the wrong way round changes the result plainly.
                draw(f"CNN_high_{k}/b_{part}", (total,), 0.5)  # (F,)
        if total != projection_dim:
            draw("CNN_proj/W_proj", (total, projection_dim), total**-0.5)  # (F, P)
            draw("CNN_proj/b_proj", (projection_dim,), 0.5)  # (P,)

    for direction in range(2):
        for layer in range(n_layers):
            prefix = lstm_prefix(direction, layer)
            fan_in = 2 * projection_dim  # input (P) and previous projected state (P)
            draw(f"{prefix}/W_0", (fan_in, 4 * dim), scale * fan_in**-0.5)  # (2P, 4D)
            draw(f"{prefix}/B", (4 * dim,), scale * 0.5)  # (4D,)
            if dim != projection_dim:
                draw(f"{prefix}/W_P_0", (dim, projection_dim), scale * dim**-0.5)  # (D, P)
    return options, datasets


def write_published(
    folder: str | Path, options: Mapping[str, Any], datasets: Mapping[str, npt.NDArray[np.float32]]
) -> None:
    """Write `options.json` and `weights.hdf5` into `folder` (made when missing)."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "options.json").write_text(json.dumps(options, indent=2) + "\n", encoding="utf-8")
    with h5py.File(folder / "weights.hdf5", "w") as file:
        for name, value in datasets.items():
            file.create_dataset(name, data=value, dtype="<f4")  # h5py makes the groups named by the slashes


def read_published(options_file: str | Path, weights_file: str | Path) -> tuple[dict[str, Any], Datasets]:
    """Read a published model back into the form that `random_model` gives."""
    options: dict[str, Any] = json.loads(Path(options_file).read_text(encoding="utf-8"))
    datasets: Datasets = {}

    def visit(name: str, item: object) -> None:
        if isinstance(item, h5py.Dataset):
            datasets[name] = item[...]

    with h5py.File(weights_file, "r") as file:
        file.visititems(visit)
    return options, datasets


def character_rows(tokens: Sequence[str], max_characters: int = 50) -> IntArray:
    """Spell tokens as rows of shifted character ids, shape (number of tokens, max_characters)."""
    rows = np.empty((len(tokens), max_characters), dtype=np.int64)  # (n, C)
    for row, token in zip(rows, tokens, strict=True):
        if token in BOUNDARY_IDS:
            inner = [BOUNDARY_IDS[token]]
        else:
            # "ignore" drops what UTF-8 cannot hold (lone surrogates). The cut counts bytes, so it may split a
            # character; two places are kept for the word markers, so END_WORD is always there.
            inner = list(token.encode("utf-8", "ignore")[: max_characters - 2])
        ids = [BEGIN_WORD, *inner, END_WORD]
        ids += [WORD_PADDING] * (max_characters - len(ids))
        row[:] = ids
    return rows + 1  # the shift of inference: id 0 is kept for "no token here"


def sigmoid(x: Array) -> Array:
    """Logistic function, written with tanh so that large arguments do not overflow."""
    return 0.5 * (1.0 + np.tanh(0.5 * x))


def relu(x: Array) -> Array:
    """Cut negative values to zero."""
    return np.maximum(x, 0.0)


def clip(x: Array, limit: float | None) -> Array:
    """Clip to [-limit, limit]; None means no clip."""
    return x if limit is None else np.clip(x, -limit, limit)


@dataclass
class State:
    """LSTM state of every batch row; axis 1 is the direction (0 forward, 1 backward), axis 2 the layer."""

    c: Array  # (R, 2, L, D) clipped cell
    h: Array  # (R, 2, L, P) clipped projected output, without any residual

    @property
    def rows(self) -> int:
        """Number of batch rows that have a state."""
        return len(self.c)


class Twin:
    """The biLM of one published model, in float64."""

    def __init__(
        self,
        options: Mapping[str, Any],
        datasets: Mapping[str, npt.NDArray[np.float32]],
        *,
        begin_id: int | None = None,
        end_id: int | None = None,
    ) -> None:
        """Keep the weights as float64; `begin_id` and `end_id` are the boundaries of a token-input model."""
        self.weights: dict[str, Array] = {name: np.asarray(v, np.float64) for name, v in datasets.items()}
        lstm = options["lstm"]
        self.n_layers: int = lstm["n_layers"]
        self.dim: int = lstm["dim"]
        self.projection_dim: int = lstm["projection_dim"]
        self.residual: bool = lstm.get("use_skip_connections", False)
        self.cell_clip: float | None = lstm.get("cell_clip")
        self.proj_clip: float | None = lstm.get("proj_clip")
        self.char_cnn: Mapping[str, Any] | None = options.get("char_cnn")
        self.boundaries: tuple[Any, Any] = ("<S>", "</S>")
        if self.char_cnn is None:
            if begin_id is None or end_id is None:
                raise ValueError("a token-input model needs begin_id and end_id")
            self.boundaries = (begin_id, end_id)

    # Token encoder

    def token_vectors(self, tokens: Sequence[str] | Sequence[int]) -> Array:
        """Context-free vectors (n, P) of exactly the tokens given; no boundaries are added."""
        if self.char_cnn is None:
            ids = np.asarray(tokens, np.int64)  # (n,)
            if (ids < 0).any():
                raise IndexError("token ids count from 0")  # NumPy would read them from the end of the table
            return self.weights["embedding"][ids]  # (n, P)
        words = [str(token) for token in tokens]
        return self.vectors_of_rows(character_rows(words, self.char_cnn["max_characters_per_token"]))

    def vectors_of_rows(self, rows: IntArray) -> Array:
        """Token vectors (n, P) of rows of shifted character ids (n, C); a row of zeros is allowed."""
        vectors = [self._character_cnn(row) for row in rows]
        return np.array(vectors, np.float64).reshape(len(rows), self.projection_dim)  # (n, P)

    def _character_cnn(self, row: IntArray) -> Array:
        """Encode one row of shifted character ids (C,) as a token vector (P,)."""
        assert self.char_cnn is not None
        activations: dict[str, Callable[[Array], Array]] = {"relu": relu, "tanh": np.tanh}
        activate = activations[self.char_cnn["activation"]]
        stored = self.weights["char_embed"]  # (261, d), without a row for id 0
        table = np.concatenate([np.zeros((1, stored.shape[1])), stored])  # (262, d)
        characters = table[row]  # (C, d)

        pooled = []
        for i, (width, _) in enumerate(self.char_cnn["filters"]):
            kernel = self.weights[f"CNN/W_cnn_{i}"][0]  # (w, d, m), the leading axis of length 1 dropped
            bias = self.weights[f"CNN/b_cnn_{i}"]  # (m,)
            starts = range(len(row) - width + 1)  # places where the filter fits; the in-word padding counts too
            windows = np.stack([characters[s : s + width] for s in starts])  # (C-w+1, w, d)
            responses = np.einsum("swd,wdm->sm", windows, kernel) + bias  # (C-w+1, m)
            pooled.append(activate(responses.max(axis=0)))  # (m,)
        x = np.concatenate(pooled)  # (F,)

        for k in range(self.char_cnn.get("n_highway") or 0):
            prefix = f"CNN_high_{k}"
            # The datasets called "carry" hold the gate of the transformed part, not of the carried one.
            gate = sigmoid(x @ self.weights[f"{prefix}/W_carry"] + self.weights[f"{prefix}/b_carry"])  # (F,)
            # Always relu here, whatever the activation of the convolutions.
            new = relu(x @ self.weights[f"{prefix}/W_transform"] + self.weights[f"{prefix}/b_transform"])  # (F,)
            x = gate * new + (1.0 - gate) * x  # (F,)

        if len(x) != self.projection_dim:  # a model with F == P has no projection
            x = x @ self.weights["CNN_proj/W_proj"] + self.weights["CNN_proj/b_proj"]  # (P,)
        return x

    # LSTM stacks

    def run(
        self, sentences: Sequence[Sequence[str]] | Sequence[Sequence[int]], state: State | None = None
    ) -> tuple[list[Array], State]:
        """Run a batch and give each sentence's layers, shape (L + 1, n + 2, 2P), and the new state.

        Sentence r starts from row r of `state` and leaves its final state in that row of the new one. Rows
        beyond the batch keep their state; for a batch larger than the state, zero rows are added first. The
        state passed in is not changed.
        """
        new_state = self._grown(state, len(sentences))
        results = []
        for r, sentence in enumerate(sentences):
            begin, end = self.boundaries
            x = self.token_vectors([begin, *sentence, end])  # (T, P)
            layers = np.empty((self.n_layers + 1, len(x), 2 * self.projection_dim))  # (L+1, T, 2P)
            layers[0] = np.concatenate([x, x], axis=1)  # (T, 2P), twice to be as wide as the others
            for direction in range(2):
                # The backward stack reads the sentence from </S> to <S>. Its outputs are turned round again,
                # so that both halves of a position speak about the same token.
                order = slice(None) if direction == 0 else slice(None, None, -1)
                half = slice(direction * self.projection_dim, (direction + 1) * self.projection_dim)
                inputs = x[order]  # (T, P)
                for layer in range(self.n_layers):
                    cell, projected = new_state.c[r, direction, layer], new_state.h[r, direction, layer]
                    outputs = np.empty_like(inputs)  # (T, P)
                    for t, x_t in enumerate(inputs):
                        cell, projected = self._step(direction, layer, x_t, cell, projected)
                        outputs[t] = projected
                    new_state.c[r, direction, layer] = cell
                    new_state.h[r, direction, layer] = projected
                    if self.residual and layer > 0:
                        # After the clip, outside the recurrence, and never from the token vectors to layer 0.
                        outputs = outputs + inputs  # (T, P)
                    layers[layer + 1, :, half] = outputs[order]
                    inputs = outputs
            results.append(layers)
        return results, new_state

    def _step(self, direction: int, layer: int, x: Array, c: Array, h: Array) -> tuple[Array, Array]:
        """One step of one cell: input x (P,), previous cell c (D,) and output h (P,) give the new c and h."""
        prefix = lstm_prefix(direction, layer)
        z = np.concatenate([x, h]) @ self.weights[f"{prefix}/W_0"] + self.weights[f"{prefix}/B"]  # (4D,)
        i, j, f, o = np.split(z, 4)  # input gate, candidate, forget gate, output gate: (D,) each
        c = sigmoid(f + FORGET_BIAS) * c + sigmoid(i) * np.tanh(j)  # (D,)
        c = clip(c, self.cell_clip)  # before the output reads it: the clipped cell is carried and used
        h = sigmoid(o) * np.tanh(c)  # (D,)
        if self.dim != self.projection_dim:  # without a projection there is no projection clip either
            h = clip(h @ self.weights[f"{prefix}/W_P_0"], self.proj_clip)  # (P,)
        return c, h

    def _grown(self, state: State | None, rows: int) -> State:
        """Copy a state (None: no rows) and add zero rows until there are at least `rows`."""
        old = 0 if state is None else state.rows
        total = max(old, rows)
        c = np.zeros((total, 2, self.n_layers, self.dim))  # (R, 2, L, D)
        h = np.zeros((total, 2, self.n_layers, self.projection_dim))  # (R, 2, L, P)
        if state is not None:
            c[:old], h[:old] = state.c, state.h
        return State(c, h)


def scalar_mix(layers: Array, w: Sequence[float] | Array, gamma: float) -> Array:
    """Sum the layers (K, ..., 2P) with the K weights gamma * softmax(w); the result is (..., 2P)."""
    logits = np.asarray(w, np.float64)  # (K,)
    powers = np.exp(logits - logits.max())  # (K,), the shift avoids overflow and cancels in the quotient
    shares = powers / powers.sum()  # (K,)
    if len(shares) != len(layers):
        raise ValueError(f"{len(shares)} weights for {len(layers)} layers")
    mixed: Array = gamma * np.einsum("k,k...->...", shares, np.asarray(layers, np.float64))  # (..., 2P)
    return mixed


def allennlp_layer_norm(batch: Sequence[Array], eps: float = 1e-13) -> list[Array]:
    """Normalise each layer of a batch by one mean and one variance, as AllenNLP's `do_layer_norm` does.

    `batch` holds the layers (K, n + 2, 2P) of each sentence with its boundaries, as `Twin.run` gives
    them. For each layer, one scalar mean and one scalar population variance come from all positions
    (boundaries included) and all dimensions of the whole batch, so a sentence's result depends on its
    batch mates. There is no scale or offset after it. The description gives the size of `eps` but not its
    place; here it is added to the variance, inside the root. Inside or outside is far below float32
    rounding unless a layer is almost constant.
    """
    if not batch:
        return []
    together = np.concatenate([np.asarray(layers, np.float64) for layers in batch], axis=1)  # (K, sum of T, 2P)
    mean = together.mean(axis=(1, 2), keepdims=True)  # (K, 1, 1)
    variance = ((together - mean) ** 2).mean(axis=(1, 2), keepdims=True)  # (K, 1, 1)
    return [(np.asarray(layers, np.float64) - mean) / np.sqrt(variance + eps) for layers in batch]
