"""Random models in exactly the files of ELMoForManyLangs."""

import json
from pathlib import Path
from typing import Any

import torch

CHARACTERS = ["a", "k", "t", "e", "r", "ñ", "語", "😀", "\u3000", "<bos>", "<eos>", "<oov>", "<pad>", "<bow>", "<eow>"]
WORDS = ["<oov>", "<bos>", "<eos>", "<pad>", "kat", "ter", "語", "karaktereke"]
SHAPE = {
    "encoder": {"name": "elmo", "projection_dim": 6, "cell_clip": 1, "proj_clip": 0.5, "dim": 9, "n_layers": 2},
    "token_embedder": {
        "name": "cnn",
        "activation": "relu",
        "filters": [[1, 4], [2, 5], [3, 7]],
        "n_highway": 2,
        "word_dim": 5,
        "char_dim": 4,
        "max_characters_per_token": 13,
    },
    "classifier": {"name": "sampled_softmax", "n_samples": 8192},
    "dropout": 0.1,
}

Tensors = dict[str, torch.Tensor]


def shape(**changes: Any) -> dict[str, Any]:
    """``SHAPE`` with other values; a key belongs to whichever section has it."""
    changed = json.loads(json.dumps(SHAPE))
    for key, value in changes.items():
        changed["encoder" if key in SHAPE["encoder"] else "token_embedder"][key] = value
    return changed


def random_weights(shape: dict[str, Any], seed: int = 0) -> tuple[Tensors, Tensors]:
    """The content of ``token_embedder.pkl`` and ``encoder.pkl``."""
    tokens, encoder = shape["token_embedder"], shape["encoder"]
    width, dim = encoder["projection_dim"], encoder["dim"]
    filters = sum(count for _, count in tokens["filters"])
    generator = torch.Generator().manual_seed(seed)

    def draw(*size: int) -> torch.Tensor:
        return torch.randn(size, generator=generator)

    token_weights: Tensors = {}
    if tokens["word_dim"]:
        token_weights["word_emb_layer.embedding.weight"] = draw(len(WORDS), tokens["word_dim"])
    # The row of <pad> is not zero in these models.
    token_weights["char_emb_layer.embedding.weight"] = draw(len(CHARACTERS), tokens["char_dim"])
    for i, (size, count) in enumerate(tokens["filters"]):
        token_weights[f"convolutions.{i}.weight"] = draw(count, tokens["char_dim"], size) / 2
        token_weights[f"convolutions.{i}.bias"] = draw(count)
    for i in range(tokens["n_highway"]):
        token_weights[f"highways._layers.{i}.weight"] = draw(2 * filters, filters) / 4
        token_weights[f"highways._layers.{i}.bias"] = draw(2 * filters)
    token_weights["projection.weight"] = draw(width, tokens["word_dim"] + filters) / 4
    token_weights["projection.bias"] = draw(width)
    encoder_weights: Tensors = {}
    for layer in range(encoder["n_layers"]):
        for direction in ("forward", "backward"):
            cell = f"{direction}_layer_{layer}"
            encoder_weights[f"{cell}.input_linearity.weight"] = draw(4 * dim, width) / 3
            encoder_weights[f"{cell}.state_linearity.weight"] = draw(4 * dim, width) / 3
            encoder_weights[f"{cell}.state_linearity.bias"] = draw(4 * dim) + 1
            encoder_weights[f"{cell}.state_projection.weight"] = draw(width, dim) / 3
    return token_weights, encoder_weights


def write(folder: Path, shape: dict[str, Any] = SHAPE, *, zipped: bool = True) -> Path:
    """Write a random model as ELMoForManyLangs did; ``zipped`` is the format of ``torch.save`` since 1.6."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps({"seed": 1, "config_path": "/users/x/configs/cnn.json"}))
    (folder / "cnn.json").write_text(json.dumps(shape))
    for name, entries in (("char.dic", CHARACTERS), ("word.dic", WORDS)):
        lines = [f"{entry}\t{number}\n" for number, entry in enumerate(entries)]
        # Their order in the file is that of a dictionary of Python, which says nothing.
        (folder / name).write_text("".join(reversed(lines)), encoding="utf-8")
    for name, tensors in zip(("token_embedder.pkl", "encoder.pkl"), random_weights(shape), strict=True):
        torch.save(tensors, folder / name, _use_new_zipfile_serialization=zipped)
    return folder
