"""Our own model folder, and the Hugging Face Hub, which stores such folders.

    config.json          the shape of the model (see ``elmo.config``)
    model.safetensors    the weights, by parameter name
    vocab.txt            the words that the model looks up or predicts, one per line
    dictionary.json      the characters and words of an ELMoForManyLangs model (see ``elmo.text.dictionary``)
    softmax.safetensors  the softmax; absent if the model cannot predict words
    checksums.json       size and SHA-256 of the files above, except config.json, which may be edited
    README.md            the model card

Nothing here is ever unpickled.
"""

import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from safetensors.torch import save_file
from torch import nn

from elmo.config import MAX_CONFIG_BYTES, BiLMConfig
from elmo.files import (
    WEIGHTS_FILE,
    read_json_object,
    reason_of,
    replacing_folder,
    verify_checksums,
    write_checksums,
    writing,
)
from elmo.model.bilm import BiLM
from elmo.model.softmax import Softmax
from elmo.model.token_layers import TokenVocabulary, read_vocabulary, vocabulary_file
from elmo.text.vocabulary import Vocabulary
from elmo.weights.compact import compacted
from elmo.weights.strict import load_weights, without_data

CONFIG_FILE = "config.json"
SOFTMAX_FILE = "softmax.safetensors"
PREDICTED_WORDS_FILE = "vocab.txt"
"""The vocabulary of the softmax. A model that looks words up predicts the same words, so one file serves both."""
CARD_FILE = "README.md"

HUB_PATTERNS = ["*.json", "*.safetensors", "*.hdf5", "*.h5", "*vocab*.txt", CARD_FILE]
HUB_PATTERNS += ["char.dic", "word.dic", "token_embedder.pkl", "encoder.pkl"]
"""Files that are downloaded from the Hub: those of our folders and of published models."""


def write_folder(
    bilm: BiLM,
    folder: str | Path,
    softmax: Softmax | None = None,
    *,
    card: str | None = None,
    steps: tuple[int, int] | None = None,
) -> None:
    """Write a model folder. The files appear together, when all are complete.

    Args:
        bilm: The model.
        folder: The folder to write; other files in it are kept.
        softmax: The softmax of a model that can predict words.
        card: The text of ``README.md``; by default an existing card is kept, or a short one is written.
        steps: Quantize the weights of the model and of the softmax to this many steps (see ``elmo.weights.compact``).
    """
    files = bilm.token_layer.files()
    if softmax is not None:
        files[PREDICTED_WORDS_FILE] = softmax.vocabulary.to_bytes()
    with replacing_folder(folder) as scratch, writing(folder):
        (scratch / CONFIG_FILE).write_text(json.dumps(bilm.config.to_dict(), indent=2) + "\n")
        for number, (file, module) in enumerate(((WEIGHTS_FILE, bilm), (SOFTMAX_FILE, softmax))):
            if module is not None:
                _write_weights(module, scratch / file, None if steps is None else steps[number])
                shutil.copymode(scratch / CONFIG_FILE, scratch / file)  # safetensors makes its files private
        for file, content in files.items():
            (scratch / file).write_bytes(content)
        write_checksums(scratch, [file.name for file in scratch.iterdir() if file.name != CONFIG_FILE])
        if card is not None or not (Path(folder) / CARD_FILE).exists():
            (scratch / CARD_FILE).write_text(card or model_card(bilm), "utf-8")
    if softmax is None:
        (Path(folder) / SOFTMAX_FILE).unlink(missing_ok=True)  # of another model that was here before


def read_folder(folder: str | Path) -> BiLM:
    """Load a model folder. Every weight must be there, in its shape, and no other.

    The files are compared with their checksums, unless the folder has none.

    Raises:
        ValueError: If a file is missing or damaged, or does not match the configuration.
    """
    folder = Path(folder)
    config = read_config(folder)
    if not (folder / WEIGHTS_FILE).exists():
        raise ValueError(f"{folder}: has {CONFIG_FILE} but no {WEIGHTS_FILE}")
    verify_checksums(folder, {WEIGHTS_FILE, vocabulary_file(config.token_layer) or WEIGHTS_FILE})
    vocabulary = read_token_vocabulary(folder, config)
    try:
        with without_data():
            bilm = BiLM(config, vocabulary)
    except ValueError as error:
        raise ValueError(f"{folder}: {error}") from None
    load_weights(bilm, folder / WEIGHTS_FILE, CONFIG_FILE)
    return bilm.eval()


def read_softmax(folder: str | Path, bilm: BiLM) -> Softmax | None:
    """Load the softmax of a model; None if its folder has none."""
    path, words = Path(folder) / SOFTMAX_FILE, Path(folder) / PREDICTED_WORDS_FILE
    verify_checksums(folder, [SOFTMAX_FILE])
    if not path.exists():
        return None
    verify_checksums(folder, [PREDICTED_WORDS_FILE])
    if not words.exists():
        raise ValueError(f"{path}: {PREDICTED_WORDS_FILE}, which lists the words that it predicts, is missing")
    try:
        vocabulary = Vocabulary.from_bytes(words.read_bytes())
        if not len(vocabulary):
            raise ValueError("has no words")
    except ValueError as error:
        raise ValueError(f"{words}: {error}") from None
    with without_data():
        softmax = Softmax(vocabulary, bilm.config.lstm.output_dim)
    load_weights(softmax, path, PREDICTED_WORDS_FILE)
    return softmax.eval()


def read_config(folder: Path) -> BiLMConfig:
    """Read ``config.json`` alone."""
    path = folder / CONFIG_FILE
    content = read_json_object(path, MAX_CONFIG_BYTES)
    try:
        return BiLMConfig.from_dict(content)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def read_token_vocabulary(folder: Path, config: BiLMConfig) -> TokenVocabulary:
    """Read what the token layer of a folder looks words up in; None if it needs nothing."""
    path = folder

    def read(name: str) -> bytes:
        nonlocal path
        path = folder / name
        try:
            return path.read_bytes()
        except FileNotFoundError:
            raise FileNotFoundError(f"{path}: no such file, but the model needs it to read words") from None

    try:
        return read_vocabulary(config.token_layer, read)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def _write_weights(module: nn.Module, path: Path, steps: int | None) -> None:
    tensors = {name: tensor.detach().cpu().contiguous() for name, tensor in module.state_dict().items()}
    metadata = {"format": "pt"}
    if steps is not None:
        # Nobody else reads these tensors, so "format" is left out: safetensors writes two entries in random order.
        tensors, metadata = compacted(tensors, steps)
    try:
        save_file(tensors, path, metadata=metadata)
    except SafetensorError as error:
        raise OSError(str(error)) from error


def fetch_from_hub(repo_id: str, *, revision: str | None, token: str | None) -> Path:
    """Download a model from the Hugging Face Hub unless it is in the local cache, and return its folder."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError

    try:
        return Path(snapshot_download(repo_id, revision=revision, token=token, allow_patterns=HUB_PATTERNS))
    except HFValidationError:
        raise FileNotFoundError(f"{repo_id}: no such folder or archive") from None
    except (LocalEntryNotFoundError, HfHubHTTPError) as error:
        raise ValueError(
            f"{repo_id}: no such folder or archive, and not available on the Hub ({reason_of(error)})"
        ) from None


def push_to_hub(
    bilm: BiLM,
    repo_id: str,
    softmax: Softmax | None = None,
    *,
    private: bool = False,
    token: str | None = None,
    message: str | None = None,
) -> str:
    """Upload a model folder to the Hub, creating the repository if needed, and return its URL."""
    from huggingface_hub import HfApi

    api = HfApi(token=token)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "model"
        write_folder(bilm, folder, softmax)
        url = api.create_repo(repo_id, private=private, exist_ok=True)
        api.upload_folder(repo_id=repo_id, folder_path=folder, commit_message=message or "Upload ELMo model")
    return str(url)


def model_card(
    bilm: BiLM,
    history: str = "Please describe here what the model was trained on, and under which license it is shared.",
) -> str:
    """Write a first ``README.md`` for a model: what it is, how to use it, how it was made."""
    config = bilm.config
    properties = "\n".join(f"| {name} | {value} |" for name, value in describe(bilm).items())
    return f"""---
library_name: elmo-torch
tags: [elmo, bilm, feature-extraction]
---
# ELMo

A bidirectional language model whose layers serve as contextual word vectors
({config.n_representations} layers of {config.output_dim} dimensions per word).

| | |
|---|---|
{properties}

```python
import elmo

model = elmo.load("this/folder")  # or its id on the Hub
for sentence in model.embed(["The play was sold out ."]):
    print(sentence.tokens, sentence.layers.shape)
```

{history}
"""


def describe(bilm: BiLM) -> dict[str, Any]:
    """Return the most important properties of a model, for display."""
    config, lstm = bilm.config, bilm.config.lstm
    projection = "no projection" if lstm.projection_dim is None else f"projected to {lstm.projection_dim}"
    return {
        "parameters": f"{_published_parameters(bilm):,}",
        "layers": f"{config.n_representations} (token layer and {lstm.n_layers} LSTM)",
        "dimensions": f"{config.output_dim} ({lstm.output_dim} forward, {lstm.output_dim} backward)",
        "tokenizer": config.tokenizer,
        **bilm.token_layer.describe(),
        "LSTM cell": f"{lstm.dim}, {projection}",
        "clips": f"cell {lstm.cell_clip}, projection {lstm.projection_clip}",
        "residual": "from the second LSTM layer on" if lstm.residual else "none",
    }


def _published_parameters(bilm: BiLM) -> int:
    """Count parameters as the published models do: without the row of zeros that begins each table."""
    tables = [module for module in bilm.modules() if isinstance(module, nn.Embedding)]
    return sum(p.numel() for p in bilm.parameters()) - sum(table.embedding_dim for table in tables)
