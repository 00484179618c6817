"""ELMo as the first module of a SentenceTransformer.

    import elmo
    from elmo.interop.sentence_transformers import ELMoModule
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling

    words = ELMoModule(elmo.load().bilm)
    model = SentenceTransformer(modules=[words, Pooling(words.get_embedding_dimension(), "mean")])

Load a saved model with ``SentenceTransformer(folder, trust_remote_code=True)``. sentence-transformers requires this
flag for every module that is not its own; the code it runs is this installed file, not code from the folder. The
folder is also a model folder that ``elmo.load`` can load.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import torch

from elmo.config import Tokenize
from elmo.files import read_json_object, reason_of
from elmo.model.batches import from_ids, is_word, to_ids
from elmo.model.bilm import BiLM
from elmo.model.elmo import without_boundaries
from elmo.model.mix import ScalarMix
from elmo.text.tokens import tokenizer_for
from elmo.validation import checked_flag, checked_instance, checked_layers, checked_sentences, checked_text
from elmo.weights.folder import write_folder
from elmo.weights.locate import locate, read_model

try:
    from sentence_transformers.base.modules import InputModule
except ImportError as error:
    raise ImportError(
        "elmo.interop.sentence_transformers needs an extra package: pip install 'elmo-torch[sentence-transformers]'"
    ) from error

MODULE_FILE = "elmo_module.json"


class ELMoModule(InputModule):
    """Map sentences to ``token_embeddings`` (B, T, D) and ``attention_mask`` (B, T).

    Args:
        bilm: The biLM, for example ``elmo.load().bilm``.
        layers: "mix" learns the weights of the layers, starting from their average; "top" or the index of a layer
            selects one layer.
        tokenize: How strings are split into words; see ``Embedder.embed``.
        freeze: Whether to keep the biLM fixed during training. This sets ``requires_grad`` of the biLM that you give,
            which becomes a part of this module.
    """

    def __init__(
        self,
        bilm: BiLM,
        layers: Literal["mix", "top"] | int = "mix",
        tokenize: Tokenize = "model",
        freeze: bool = True,
    ) -> None:
        super().__init__()
        checked_instance("bilm", bilm, BiLM, "such as elmo.load().bilm")
        n_layers = bilm.config.n_representations
        layers = checked_layers(layers, ("mix", "top"), n_layers)
        freeze = checked_flag("freeze", freeze)
        self.split = tokenizer_for(tokenize, bilm.config.tokenizer).words
        self.bilm = bilm.requires_grad_(not freeze)
        self.mix = ScalarMix(n_layers, device=bilm.device) if layers == "mix" else None
        self.layers = layers
        self.tokenize_option = tokenize
        self.freeze = freeze

    def preprocess(
        self, inputs: Sequence[str | Sequence[str]], prompt: str | None = None, **kwargs: Any
    ) -> dict[str, Any]:
        """Encode sentences, each a string or a list of words, with the words of the prompt before each of them."""
        prefix = [] if prompt is None else self.split(checked_text("prompt", prompt))
        words = [prefix + sentence for sentence in checked_sentences(inputs, self.split)]
        ids = to_ids(words, self.bilm.config.token_layer, self.bilm.token_layer.vocabulary)
        features: dict[str, Any] = {"input_ids": ids, "attention_mask": is_word(ids).long()}
        return {**features, "prompt_length": len(prefix)} if prefix else features

    def forward(self, features: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        """Add the word vectors to the features."""
        batch = from_ids(features["input_ids"], self.bilm.token_layer)
        with torch.set_grad_enabled(torch.is_grad_enabled() and not self.freeze):
            output = self.bilm(batch)
            layers, _ = without_boundaries(output.layers, output.mask)  # (L+1, B, T, D)
        if self.mix is not None:
            return {**features, "token_embeddings": self.mix(layers)}
        return {**features, "token_embeddings": layers[-1 if self.layers == "top" else int(self.layers)]}

    def get_embedding_dimension(self) -> int:
        """Return the dimension D of the word vectors."""
        return self.bilm.config.output_dim

    def get_config_dict(self) -> dict[str, Any]:
        """Return the arguments of the constructor, without the biLM."""
        return {"layers": self.layers, "tokenize": self.tokenize_option, "freeze": self.freeze}

    def save(self, output_path: str, *args: Any, **kwargs: Any) -> None:
        """Save the biLM as a model folder, with the options of this module in an additional file."""
        write_folder(self.bilm, output_path)
        options = self.get_config_dict()
        if self.mix is not None:
            options["mix"] = {name: tensor.tolist() for name, tensor in self.mix.state_dict().items()}
        (Path(output_path) / MODULE_FILE).write_text(json.dumps(options, indent=2) + "\n")

    @classmethod
    def load(
        cls,
        model_name_or_path: str | Path,
        subfolder: str = "",
        token: str | None = None,
        revision: str | None = None,
        **kwargs: Any,
    ) -> "ELMoModule":
        """Load a saved module, or any model that ``elmo.load`` can load."""
        path = locate(model_name_or_path, revision=revision, token=token) / subfolder
        bilm = read_model(path)
        stored = path / MODULE_FILE
        if not stored.exists():
            return cls(bilm)
        options = read_json_object(stored)
        try:
            mix = {name: torch.tensor(value, device="cpu") for name, value in options.pop("mix", {}).items()}
            module = cls(bilm, **options)
            if module.mix is not None:
                module.mix.load_state_dict(mix)
        except (ValueError, TypeError, AttributeError, RuntimeError) as error:
            raise ValueError(f"{stored}: damaged ({reason_of(error)})") from None
        return module
