"""Our own model folder, and the Hugging Face Hub, which keeps such folders.

    config.json          the shape (see ``elmo.config``)
    model.safetensors    the weights, by parameter name
    vocab.txt            the words it can look up or predict, one a line
    dictionary.json      the characters and words it reads, where they are not bytes (see ``elmo.text.dictionary``)
    softmax.safetensors  how it predicts them; absent where a model only embeds
    README.md            the model card

Nothing here is ever unpickled.
"""

import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import nn

from elmo.config import BiLMConfig, CharCNNConfig, WordAndCharCNNConfig, WordTableConfig
from elmo.files import replacing_folder, writing
from elmo.model.bilm import BiLM
from elmo.model.softmax import Softmax
from elmo.text.dictionary import read_dictionary, write_dictionary
from elmo.text.vocabulary import read_vocabulary, write_vocabulary
from elmo.weights.compact import compacted, expanded
from elmo.weights.strict import without_data

CONFIG_FILE = "config.json"
WEIGHTS_FILE = "model.safetensors"
VOCABULARY_FILE = "vocab.txt"
DICTIONARY_FILE = "dictionary.json"
SOFTMAX_FILE = "softmax.safetensors"
CARD_FILE = "README.md"

HUB_PATTERNS = ["*.json", "*.safetensors", "*.hdf5", "*.h5", "*vocab*.txt", CARD_FILE]
HUB_PATTERNS += ["char.dic", "word.dic", "token_embedder.pkl", "encoder.pkl"]
"""What is fetched from the Hub: the files of our folders and of published models."""


def write_folder(
    bilm: BiLM,
    folder: str | Path,
    softmax: Softmax | None = None,
    *,
    card: str | None = None,
    steps: tuple[int, int] | None = None,
) -> None:
    """Write a model folder; the files appear together, when all are whole.

    ``card`` is the text of its ``README.md``; without one, a card that is there already stays. ``steps`` stores the
    weights and those of the softmax rounded, to so many steps each (see ``elmo.weights.compact``).
    """
    with replacing_folder(folder) as scratch, writing(folder):
        (scratch / CONFIG_FILE).write_text(json.dumps(bilm.config.to_dict(), indent=2) + "\n")
        for number, (file, module) in enumerate(((WEIGHTS_FILE, bilm), (SOFTMAX_FILE, softmax))):
            if module is not None:
                tensors = {name: tensor.detach().cpu().contiguous() for name, tensor in module.state_dict().items()}
                metadata = {"format": "pt"}
                if steps is not None:
                    tensors, how = compacted(tensors, steps[number])
                    metadata |= how
                try:
                    save_file(tensors, scratch / file, metadata=metadata)
                except SafetensorError as error:
                    raise OSError(str(error)) from error
                shutil.copymode(scratch / CONFIG_FILE, scratch / file)  # safetensors makes its files private
        if bilm.vocabulary is not None:
            write_vocabulary(bilm.vocabulary, scratch / VOCABULARY_FILE)
        if bilm.dictionary is not None:
            write_dictionary(bilm.dictionary, scratch / DICTIONARY_FILE)
        if card is not None or not (Path(folder) / CARD_FILE).exists():
            (scratch / CARD_FILE).write_text(card or model_card(bilm))


def read_folder(folder: str | Path) -> BiLM:
    """Load a model folder; every weight must be there, in its shape, and no other."""
    folder = Path(folder)
    config = read_config(folder)
    if not (folder / WEIGHTS_FILE).exists():
        raise ValueError(f"{folder}: has {CONFIG_FILE} but no {WEIGHTS_FILE}")
    vocabulary = None
    if isinstance(config.token_layer, WordTableConfig) or (folder / VOCABULARY_FILE).exists():
        vocabulary = read_vocabulary(folder / VOCABULARY_FILE)
    dictionary = None
    if isinstance(config.token_layer, WordAndCharCNNConfig):
        dictionary = read_dictionary(folder / DICTIONARY_FILE)
    try:
        with without_data():
            bilm = BiLM(config, vocabulary, dictionary)
    except ValueError as error:
        raise ValueError(f"{folder}: {error}") from None
    _load_strictly(bilm, folder / WEIGHTS_FILE, CONFIG_FILE)
    return bilm.eval()


def read_softmax(folder: str | Path, bilm: BiLM) -> Softmax | None:
    """Load the softmax that belongs to a model, if it is in a folder that has one."""
    path = Path(folder) / SOFTMAX_FILE
    if not path.exists():
        return None
    if bilm.vocabulary is None:
        raise ValueError(f"{path}: is here without the {VOCABULARY_FILE} it predicts")
    with without_data():
        softmax = Softmax(len(bilm.vocabulary), bilm.config.lstm.output_dim)
    _load_strictly(softmax, path, VOCABULARY_FILE)
    return softmax.eval()


def _load_strictly(module: nn.Module, path: Path, described_by: str) -> None:
    """Fill a module without data from a safetensors file; every tensor must fit, and none be left over."""
    try:
        with safe_open(path, "pt") as file:
            stored = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (not a dict)
            tensors = expanded(stored, file.metadata())
    except (SafetensorError, OSError, KeyError, ValueError, RuntimeError) as error:
        raise ValueError(f"{path}: damaged or not a safetensors file ({error})") from None
    expected = module.state_dict()
    for name in sorted(expected.keys() | tensors.keys()):
        if name not in tensors:
            raise ValueError(f"{path}: {name} is missing, but {described_by} calls for it")
        if name not in expected:
            raise ValueError(f"{path}: {name} has no place in a model of {described_by}")
        if tensors[name].shape != expected[name].shape:
            raise ValueError(
                f"{path}: {name} is {tuple(tensors[name].shape)}, but {described_by} calls for "
                f"{tuple(expected[name].shape)}"
            )
    module.load_state_dict(tensors, strict=True, assign=True)


def read_config(folder: Path) -> BiLMConfig:
    """Read ``config.json`` alone."""
    path = folder / CONFIG_FILE
    try:
        return BiLMConfig.from_dict(json.loads(path.read_text("utf-8")))
    except ValueError as error:  # JSON that does not parse is one too
        raise ValueError(f"{path}: {error}") from None


def fetch_from_hub(repo_id: str, *, revision: str | None = None, token: str | None = None) -> Path:
    """Download a model from the Hugging Face Hub, or find it in the local cache; gives its folder."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError

    try:
        return Path(snapshot_download(repo_id, revision=revision, token=token, allow_patterns=HUB_PATTERNS))
    except (LocalEntryNotFoundError, HfHubHTTPError) as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise ValueError(f"{repo_id}: not a local folder, and not to be had from the Hub ({reason})") from None


def push_to_hub(
    bilm: BiLM,
    repo_id: str,
    softmax: Softmax | None = None,
    *,
    private: bool = False,
    token: str | None = None,
    message: str | None = None,
) -> str:
    """Upload a model folder to the Hub, creating the repository if needed; gives its address."""
    from huggingface_hub import HfApi

    api = HfApi(token=token)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "model"
        write_folder(bilm, folder, softmax)
        address = api.create_repo(repo_id, private=private, exist_ok=True)
        api.upload_folder(repo_id=repo_id, folder_path=folder, commit_message=message or "Upload ELMo model")
    return str(address)


def model_card(
    bilm: BiLM, history: str = "What it was trained on, and under which licence, is for its author to say here."
) -> str:
    """A first ``README.md`` for a model: what it is, how to use it, how it came to be."""
    config = bilm.config
    facts = "\n".join(f"| {name} | {value} |" for name, value in describe(bilm).items())
    return f"""---
library_name: elmo-torch
tags: [elmo, bilm, feature-extraction]
---
# ELMo

A bidirectional language model whose layers serve as contextual word vectors
({config.n_representations} layers of {config.output_dim} numbers for every word).

| | |
|---|---|
{facts}

```python
import elmo

model = elmo.load("this/folder")  # or its id on the Hub
for sentence in model.embed(["The play was sold out ."]):
    print(sentence.tokens, sentence.layers.shape)
```

{history}
"""


def describe(bilm: BiLM) -> dict[str, Any]:
    """The facts about a model that people ask for first."""
    config, lstm, tokens = bilm.config, bilm.config.lstm, bilm.config.token_layer
    facts: dict[str, Any] = {
        "parameters": f"{_stored_numbers(bilm):,}",
        "layers": f"{config.n_representations} (word vector and {lstm.n_layers} LSTM)",
        "dimensions": f"{config.output_dim} ({lstm.output_dim} forward, {lstm.output_dim} backward)",
    }
    if isinstance(tokens, WordTableConfig):
        facts["words"] = f"looked up, {tokens.vocabulary_size:,} known"
    else:
        if isinstance(tokens, CharCNNConfig):
            facts["words"] = f"by character, {tokens.max_characters - 2} bytes at most"
        else:
            facts["words"] = f"by character, {tokens.n_characters:,} known, {tokens.max_characters - 2} at most"
            facts["words"] += f"; looked up, {tokens.vocabulary_size:,} known" if tokens.vocabulary_size else ""
        filters = " ".join(f"{width}x{count}" for width, count in tokens.filters)
        facts["character CNN"] = f"{tokens.embedding_dim}-d characters, filters {filters}, {tokens.activation}"
        facts["highway layers"] = tokens.n_highway
    facts["LSTM cell"] = f"{lstm.dim}, " + (
        "no projection" if lstm.projection_dim is None else f"projected to {lstm.projection_dim}"
    )
    facts["clips"] = f"cell {lstm.cell_clip}, projection {lstm.projection_clip}"
    facts["residual"] = "from the second LSTM layer on" if lstm.residual else "none"
    return facts


def _stored_numbers(bilm: BiLM) -> int:
    """Parameters as the published models count them: without the row of zeros that begins each table."""
    tables = [module for module in bilm.modules() if isinstance(module, nn.Embedding)]
    return sum(p.numel() for p in bilm.parameters()) - sum(table.embedding_dim for table in tables)
