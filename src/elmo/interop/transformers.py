"""ELMo among the models of Hugging Face Transformers.

    import elmo.interop.transformers                 # tells AutoConfig, AutoModel and AutoTokenizer about ELMo
    from transformers import AutoModel, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained("my-model")
    model = AutoModel.from_pretrained("my-model")
    layers = model(**tokenizer(["The play was sold out ."])).hidden_states     # L+1 times (B, T, D)

The folders are those that ``elmo.load`` reads and ``save_pretrained`` writes, in both libraries. What is registered
is a thin cover around our own ``BiLM``, which knows nothing of Transformers.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from elmo.config import FORMAT_VERSION, BiLMConfig, CharCNNConfig, LSTMConfig, Tokenize, WordTableConfig
from elmo.embed.embedder import tokenizer as tokenizer_called
from elmo.interop.ids import ids_to_batch, sentences_to_ids
from elmo.model.batches import words_in
from elmo.model.bilm import BiLM
from elmo.model.elmo import without_boundaries
from elmo.text.vocabulary import Vocabulary, read_vocabulary, write_vocabulary
from elmo.weights.folder import CONFIG_FILE, VOCABULARY_FILE, read_config
from elmo.weights.locate import is_ours, locate, read_model

try:
    from transformers import AutoConfig, AutoModel, AutoTokenizer, BatchEncoding, PreTrainedConfig, PreTrainedModel
    from transformers.modeling_outputs import BaseModelOutput
except ImportError as error:
    raise ImportError("elmo.interop.transformers needs an extra: pip install 'elmo-torch[transformers]'") from error

TOKENIZER_FILE = "tokenizer_config.json"


class ElmoConfig(PreTrainedConfig):
    """The content of our ``config.json``; without arguments, the shape of the bundled model."""

    model_type = "elmo"

    def __init__(
        self,
        token_layer: dict[str, Any] | None = None,
        lstm: dict[str, Any] | None = None,
        format_version: int = FORMAT_VERSION,
        output_hidden_states: bool = True,  # all layers are computed anyhow, and they are what ELMo is about
        **kwargs: Any,
    ) -> None:
        default = BiLMConfig(CharCNNConfig(), LSTMConfig(dim=1024, projection_dim=128)).to_dict()
        self.token_layer = default["token_layer"] if token_layer is None else token_layer
        self.lstm = default["lstm"] if lstm is None else lstm
        self.format_version = format_version
        super().__init__(output_hidden_states=output_hidden_states, **kwargs)

    @property
    def bilm(self) -> BiLMConfig:
        """The same as our own configuration; a ValueError where it makes no sense."""
        return BiLMConfig.from_dict(
            {
                "model_type": self.model_type,
                "format_version": self.format_version,
                "token_layer": self.token_layer,
                "lstm": self.lstm,
            }
        )

    @property
    def hidden_size(self) -> int:
        """Width D of every layer."""
        return self.bilm.output_dim

    @property
    def num_hidden_layers(self) -> int:
        """LSTM layers; ``hidden_states`` has one more, the word vectors."""
        return self.bilm.lstm.n_layers


class ElmoModel(PreTrainedModel):
    """A biLM behind the calls of a Transformers model.

    ``vocabulary`` is for models that look words up; ``from_pretrained`` finds it in the folder.
    """

    config_class = ElmoConfig
    base_model_prefix = "bilm"
    main_input_name = "input_ids"

    def __init__(self, config: ElmoConfig, vocabulary: Vocabulary | None = None) -> None:
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
        """Ids (B, T, characters) as the tokenizer gives them to layers (B, T, D), zero at padding.

        Rows have no sentence boundaries: those are added here and taken off again.
        """
        if attention_mask is not None:
            input_ids = input_ids * attention_mask.reshape(*input_ids.shape[:2], *[1] * (input_ids.dim() - 2))
        output = self.bilm(ids_to_batch(input_ids, self.bilm.config, self.bilm.vocabulary))
        layers, _ = without_boundaries(output.layers, output.mask)
        wanted = self.config.output_hidden_states if output_hidden_states is None else output_hidden_states
        result = BaseModelOutput(last_hidden_state=layers[-1], hidden_states=tuple(layers) if wanted else None)
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
        """Load whatever ``elmo.load`` finds under this name; every weight must fit.

        ``dtype``, ``device_map`` and the like mean what they mean elsewhere in Transformers; the Hub is asked as
        ``elmo.load`` asks it.
        """
        bilm = read_model(locate(pretrained_model_name_or_path, revision=revision, token=token))
        if config is None:
            config, kwargs = ElmoConfig.from_dict(bilm.config.to_dict(), return_unused_kwargs=True, **kwargs)
        weights = {f"{cls.base_model_prefix}.{name}": tensor for name, tensor in bilm.state_dict().items()}
        return super().from_pretrained(None, bilm.vocabulary, *args, config=config, state_dict=weights, **kwargs)

    def save_pretrained(
        self, save_directory: str | Path, *, state_dict: dict[str, Tensor] | None = None, **kwargs: Any
    ) -> None:
        """Write a folder that ``elmo.load`` and ``from_pretrained`` read."""
        weights = self.state_dict() if state_dict is None else state_dict
        ours = {name.removeprefix(f"{self.base_model_prefix}."): tensor for name, tensor in weights.items()}
        super().save_pretrained(save_directory, state_dict=ours, **kwargs)
        if self.bilm.vocabulary is not None:
            write_vocabulary(self.bilm.vocabulary, Path(save_directory) / VOCABULARY_FILE)

    def _init_weights(self, module: torch.nn.Module) -> None:
        """The biLM has drawn its own when it was made."""


class ElmoTokenizer:
    """Sentences to what the model reads. It is no subclass of theirs, since a word is a row of characters here.

    ``tokenize``: how strings become words; "words" is for raw text, "whitespace" for text that is tokenised already.
    """

    model_input_names = ("input_ids", "attention_mask")

    def __init__(self, config: ElmoConfig, vocabulary: Vocabulary | None = None, tokenize: Tokenize = "words") -> None:
        self.config = config
        self.vocabulary = vocabulary
        self.split = tokenizer_called(tokenize)
        self.tokenize_option = tokenize

    def __call__(
        self,
        text: str | Sequence[str] | Sequence[Sequence[str]],
        is_split_into_words: bool = False,
        padding: bool | str = True,
        return_tensors: str = "pt",
    ) -> BatchEncoding:
        """One sentence or several, each a string or a list of words, to ``input_ids`` and ``attention_mask``.

        A flat list of strings is a list of sentences, unless ``is_split_into_words`` says that it is one sentence.
        The result is always a batch of torch tensors, padded to its longest sentence.
        """
        if padding not in (True, "longest") or return_tensors != "pt":
            raise ValueError("the ELMo tokenizer gives padded torch tensors: padding=True, return_tensors='pt'")
        sentences: list[Any] = [text] if isinstance(text, str) else list(text)
        if is_split_into_words and all(isinstance(word, str) for word in sentences):
            sentences = [sentences]
        words = [self.tokenize(sentence) if isinstance(sentence, str) else list(sentence) for sentence in sentences]
        ids = sentences_to_ids(words, self.config.bilm, self.vocabulary)
        return BatchEncoding({"input_ids": ids, "attention_mask": words_in(ids).long()})

    def tokenize(self, text: str) -> list[str]:
        """The words of one sentence."""
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
        """Read what the model under this name calls for; options that only AutoTokenizer knows are not needed here."""
        path = locate(name, revision=revision, token=token)
        if tokenize is None:
            tokenize = _stored_tokenize(path / TOKENIZER_FILE)
        if is_ours(path):
            config = read_config(path)
            looks_up = isinstance(config.token_layer, WordTableConfig)
            vocabulary = read_vocabulary(path / VOCABULARY_FILE) if looks_up else None
        else:
            bilm = read_model(path)
            config, vocabulary = bilm.config, bilm.vocabulary
        return cls(ElmoConfig.from_dict(config.to_dict()), vocabulary, tokenize)

    def save_pretrained(self, save_directory: str | Path, **_: Any) -> None:
        """Write what ``from_pretrained`` needs, beside a model or alone."""
        folder = Path(save_directory)
        folder.mkdir(parents=True, exist_ok=True)
        facts = {"tokenizer_class": type(self).__name__, "tokenize": self.tokenize_option}
        (folder / TOKENIZER_FILE).write_text(json.dumps(facts, indent=2) + "\n")
        if not (folder / CONFIG_FILE).exists():
            self.config.save_pretrained(folder)
        if self.vocabulary is not None:
            write_vocabulary(self.vocabulary, folder / VOCABULARY_FILE)


def _stored_tokenize(path: Path) -> Tokenize:
    """How a tokenizer that was saved splits strings; folders without one are for raw text."""
    if not path.exists():
        return "words"
    try:
        return json.loads(path.read_text("utf-8")).get("tokenize", "words")
    except (ValueError, AttributeError) as error:
        raise ValueError(f"{path}: damaged ({error})") from None


AutoConfig.register("elmo", ElmoConfig, exist_ok=True)
AutoModel.register(ElmoConfig, ElmoModel, exist_ok=True)
AutoTokenizer.register(ElmoConfig, ElmoTokenizer, exist_ok=True)
