"""ELMo for Hugging Face Transformers.

    import elmo.interop.transformers                 # registers ELMo with AutoConfig, AutoModel and AutoTokenizer
    from transformers import AutoModel, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained("my-model")
    model = AutoModel.from_pretrained("my-model")
    layers = model(**tokenizer(["The play was sold out ."])).hidden_states     # L+1 times (B, T, D)

Both libraries read and write the same model folders. The registered classes are thin wrappers around ``BiLM``, which
does not depend on Transformers.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

import torch
from torch import Tensor

from elmo.config import FORMAT_VERSION, BiLMConfig, CharCNNConfig, LSTMConfig, Tokenize, TokenizerName
from elmo.files import WEIGHTS_FILE, read_json_object, write_checksums
from elmo.model.batches import from_ids, is_word, to_ids
from elmo.model.bilm import BiLM
from elmo.model.elmo import without_boundaries
from elmo.model.token_layers import TokenVocabulary, vocabulary_file
from elmo.text.tokens import tokenizer_for
from elmo.validation import checked_sentences, shown
from elmo.weights.folder import CONFIG_FILE, read_config, read_token_vocabulary
from elmo.weights.locate import is_ours, locate, read_model

try:
    from transformers import AutoConfig, AutoModel, AutoTokenizer, BatchEncoding, PreTrainedConfig, PreTrainedModel
    from transformers.modeling_outputs import BaseModelOutput
except ImportError as error:
    raise ImportError(
        "elmo.interop.transformers needs an extra package: pip install 'elmo-torch[transformers]'"
    ) from error

TOKENIZER_FILE = "tokenizer_config.json"


class ElmoConfig(PreTrainedConfig):
    """The content of ``config.json``; without arguments, the architecture of the bundled model."""

    model_type = "elmo"

    def __init__(
        self,
        token_layer: dict[str, Any] | None = None,
        lstm: dict[str, Any] | None = None,
        tokenizer: TokenizerName = "words",
        format_version: int = FORMAT_VERSION,
        output_hidden_states: bool = True,  # all layers are computed anyway, and ELMo users need them
        **kwargs: Any,
    ) -> None:
        default = BiLMConfig(CharCNNConfig(), LSTMConfig(dim=1024, projection_dim=128)).to_dict()
        self.token_layer = default["token_layer"] if token_layer is None else token_layer
        self.lstm = default["lstm"] if lstm is None else lstm
        self.tokenizer = tokenizer
        self.format_version = format_version
        super().__init__(output_hidden_states=output_hidden_states, **kwargs)

    @property
    def bilm(self) -> BiLMConfig:
        """The same configuration as a ``BiLMConfig``, whose constructor checks it."""
        return BiLMConfig.from_dict(
            {
                "model_type": self.model_type,
                "format_version": self.format_version,
                "tokenizer": self.tokenizer,
                "token_layer": self.token_layer,
                "lstm": self.lstm,
            }
        )

    @property
    def hidden_size(self) -> int:
        """Dimension D of every layer."""
        return self.bilm.output_dim

    @property
    def num_hidden_layers(self) -> int:
        """Number of LSTM layers; ``hidden_states`` has one more, the token layer."""
        return self.bilm.lstm.n_layers


class ElmoModel(PreTrainedModel):
    """A biLM with the interface of a Transformers model.

    Args:
        config: The architecture.
        vocabulary: Vocabulary of the token layer, if it needs one; ``from_pretrained`` reads it from the folder.
    """

    config_class = ElmoConfig
    base_model_prefix = "bilm"
    main_input_name = "input_ids"

    def __init__(self, config: ElmoConfig, vocabulary: TokenVocabulary = None) -> None:
        super().__init__(config)
        self.bilm = BiLM(config.bilm, vocabulary)
        self.post_init()

    def forward(
        self,
        input_ids: Tensor,
        attention_mask: Tensor | None = None,
        output_hidden_states: bool | None = None,
        return_dict: bool | None = None,
    ) -> BaseModelOutput | tuple[Any, ...]:
        """Map the ids of ``ElmoTokenizer`` to layers (B, T, D), which are zero at padding.

        Sentence boundaries are added here and removed from the output.
        """
        if attention_mask is not None:
            input_ids = input_ids * attention_mask.reshape(*input_ids.shape[:2], *[1] * (input_ids.dim() - 2))
        output = self.bilm(from_ids(input_ids, self.bilm.token_layer))
        layers, _ = without_boundaries(output.layers, output.mask)
        requested = self.config.output_hidden_states if output_hidden_states is None else output_hidden_states
        result = BaseModelOutput(last_hidden_state=layers[-1], hidden_states=tuple(layers) if requested else None)
        return result.to_tuple() if return_dict is False else result

    @classmethod
    def from_pretrained(
        cls,
        pretrained_model_name_or_path: str | Path,
        *args: Any,
        config: ElmoConfig | None = None,
        revision: str | None = None,
        token: str | None = None,
        **kwargs: Any,
    ) -> "ElmoModel":
        """Load any model that ``elmo.load`` can load; missing or unexpected weights are an error.

        Further options such as ``dtype`` and ``device_map`` have their usual meaning.
        """
        bilm = read_model(locate(pretrained_model_name_or_path, revision=revision, token=token))
        if config is None:
            config, kwargs = ElmoConfig.from_dict(bilm.config.to_dict(), return_unused_kwargs=True, **kwargs)
        weights = {f"{cls.base_model_prefix}.{name}": tensor for name, tensor in bilm.state_dict().items()}
        vocabulary = bilm.token_layer.vocabulary
        return super().from_pretrained(None, vocabulary, *args, config=config, state_dict=weights, **kwargs)

    def save_pretrained(
        self, save_directory: str | Path, *, state_dict: dict[str, Tensor] | None = None, **kwargs: Any
    ) -> None:
        """Save a model folder, for ``from_pretrained`` and ``elmo.load``."""
        weights = self.state_dict() if state_dict is None else state_dict
        ours = {name.removeprefix(f"{self.base_model_prefix}."): tensor for name, tensor in weights.items()}
        super().save_pretrained(save_directory, state_dict=ours, **kwargs)
        files = self.bilm.token_layer.files()
        for name, content in files.items():
            (Path(save_directory) / name).write_bytes(content)
        write_checksums(save_directory, [WEIGHTS_FILE, *files])

    def _init_weights(self, module: torch.nn.Module) -> None:
        """Do nothing: the biLM initializes its own weights."""


class ElmoTokenizer:
    """Encode sentences for ``ElmoModel``.

    This is not a subclass of a Transformers tokenizer, because each word is encoded as a row of characters.

    Args:
        config: The architecture of the model.
        vocabulary: Vocabulary of the token layer, if it needs one.
        tokenize: How strings are split into words; see ``Embedder.embed``.
    """

    model_input_names = ("input_ids", "attention_mask")

    def __init__(self, config: ElmoConfig, vocabulary: TokenVocabulary = None, tokenize: Tokenize = "model") -> None:
        self.config = config
        self.vocabulary = vocabulary
        self.split = tokenizer_for(tokenize, config.bilm.tokenizer).words
        self.tokenize_option = tokenize

    def __call__(
        self,
        text: str | Sequence[str] | Sequence[Sequence[str]],
        is_split_into_words: bool = False,
        padding: bool | str = True,
        return_tensors: str = "pt",
    ) -> BatchEncoding:
        """Encode one or more sentences as a padded batch of ``input_ids`` and ``attention_mask``.

        Args:
            text: A sentence or a list of sentences, each a string or a list of words.
            is_split_into_words: Whether a flat list of strings is a single sentence instead of several.
            padding: Must be True or "longest".
            return_tensors: Must be "pt".
        """
        if padding not in (True, "longest") or return_tensors != "pt":
            raise ValueError(
                "the ELMo tokenizer only returns padded torch tensors: use padding=True and return_tensors='pt'"
            )
        if is_split_into_words and isinstance(text, str):
            raise ValueError("is_split_into_words=True needs a list of words, not a string")
        sentences: Any = [text] if isinstance(text, str) else text
        if is_split_into_words and isinstance(sentences, Sequence) and all(isinstance(word, str) for word in sentences):
            sentences = [sentences]
        words = list(checked_sentences(sentences, self.tokenize))
        ids = to_ids(words, self.config.bilm.token_layer, self.vocabulary)
        return BatchEncoding({"input_ids": ids, "attention_mask": is_word(ids).long()})

    def tokenize(self, text: str) -> list[str]:
        """Split a sentence into words."""
        return self.split(text)

    @classmethod
    def from_pretrained(
        cls,
        name: str | Path,
        *,
        tokenize: Tokenize | None = None,
        revision: str | None = None,
        token: str | None = None,
        **_: Any,
    ) -> "ElmoTokenizer":
        """Load the tokenizer of a model; other options that ``AutoTokenizer`` passes are ignored."""
        path = locate(name, revision=revision, token=token)
        if tokenize is None:
            tokenize = _stored_tokenize(path / TOKENIZER_FILE)
        if is_ours(path):
            config = read_config(path)
            vocabulary = read_token_vocabulary(path, config)
        else:
            bilm = read_model(path)
            config, vocabulary = bilm.config, bilm.token_layer.vocabulary
        return cls(ElmoConfig.from_dict(config.to_dict()), vocabulary, tokenize)

    def save_pretrained(self, save_directory: str | Path, **_: Any) -> None:
        """Save the tokenizer, in the folder of a model or in one of its own."""
        folder = Path(save_directory)
        folder.mkdir(parents=True, exist_ok=True)
        options = {"tokenizer_class": type(self).__name__, "tokenize": self.tokenize_option}
        (folder / TOKENIZER_FILE).write_text(json.dumps(options, indent=2) + "\n")
        if not (folder / CONFIG_FILE).exists():
            self.config.save_pretrained(folder)
        file = vocabulary_file(self.config.bilm.token_layer)
        if self.vocabulary is not None and file is not None:
            (folder / file).write_bytes(self.vocabulary.to_bytes())


def _stored_tokenize(path: Path) -> Tokenize:
    """Return how a saved tokenizer splits strings; without one, the model decides."""
    tokenize: Any = read_json_object(path).get("tokenize", "model") if path.exists() else "model"
    if tokenize not in get_args(Tokenize):
        raise ValueError(f"{path}: tokenize must be one of {', '.join(get_args(Tokenize))}, not {shown(tokenize)}")
    return tokenize


AutoConfig.register("elmo", ElmoConfig, exist_ok=True)
AutoModel.register(ElmoConfig, ElmoModel, exist_ok=True)
AutoTokenizer.register(ElmoConfig, ElmoTokenizer, exist_ok=True)
