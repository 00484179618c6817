"""ELMo as token embeddings of Flair, with the interface of the class that Flair once had.

    from elmo.interop.flair import ELMoEmbeddings

    embeddings = StackedEmbeddings([ELMoEmbeddings("small"), FlairEmbeddings("news-forward")])

A saved tagger contains the name of the model and its fingerprint, not its weights. Import this module before you load
the tagger: Flair finds classes by the names under which they have registered themselves.
"""

from pathlib import Path
from typing import Any, Literal, get_args

import torch

from elmo.embed.embedder import load

try:
    import flair
    from flair.data import Sentence
    from flair.embeddings.base import TokenEmbeddings, register_embeddings
except ImportError as error:
    raise ImportError("elmo.interop.flair needs an extra package: pip install 'elmo-torch[flair]'") from error

EmbeddingMode = Literal["all", "top", "average"]
"""All layers of a word concatenated, the top one, or their average."""


@register_embeddings("elmo.interop.flair.ELMoEmbeddings")
class ELMoEmbeddings(TokenEmbeddings):
    """The vectors of a biLM for the tokens of Flair's sentences. The biLM is not trained.

    Args:
        model: Name of a model, folder, or Hub id, as for ``elmo.load``. It is ignored if both files are given.
        options_file: ``options.json`` of a published model, together with ``weight_file``.
        weight_file: HDF5 file of a published model, together with ``options_file``.
        embedding_mode: "all" layers concatenated, the "top" one, or their "average".

    Raises:
        ValueError: If an argument is not valid, or if there is no such model.
    """

    def __init__(
        self,
        model: str | Path = "english-original",
        options_file: str | Path | None = None,
        weight_file: str | Path | None = None,
        embedding_mode: EmbeddingMode = "all",
    ) -> None:
        super().__init__()
        if embedding_mode not in get_args(EmbeddingMode):
            raise ValueError(f"embedding_mode must be all, top or average, not {embedding_mode!r}")
        if (options_file is None) != (weight_file is None):
            raise ValueError("give either both options_file and weight_file, or neither")
        if options_file is not None:
            self.embedder = load(options=options_file, weights=weight_file, device=flair.device)
            model = Path(options_file).stem
        else:
            self.embedder = load(model, device=flair.device)
        self.model, self.options_file, self.weight_file = model, options_file, weight_file
        self.embedding_mode: EmbeddingMode = embedding_mode
        self.name = f"elmo-{model}-{embedding_mode}"
        self.static_embeddings = True  # the vectors never change, so a trainer may keep them
        self.eval()

    @property
    def embedding_length(self) -> int:
        """Width of the vector of a token."""
        config = self.embedder.config
        return config.output_dim * (config.n_representations if self.embedding_mode == "all" else 1)

    def _add_embeddings_internal(self, sentences: list[Sentence]) -> None:
        """Add a vector to every token."""
        words = [[token.text for token in sentence] for sentence in sentences]
        for sentence, embedded in zip(sentences, self.embedder.embed(words, self.embedding_mode), strict=True):
            vectors = torch.from_numpy(embedded.layers).to(flair.device)  # (n, D), or (L+1, n, D) for all layers
            if self.embedding_mode == "all":
                vectors = vectors.transpose(0, 1).flatten(1)  # (n, (L+1) * D)
            for token, vector in zip(sentence, vectors, strict=True):
                token.set_embedding(self.name, vector)

    def to_params(self) -> dict[str, Any]:
        """Return what ``from_params`` needs to make the same embeddings."""
        return {
            "model": str(self.model),
            "options_file": None if self.options_file is None else str(self.options_file),
            "weight_file": None if self.weight_file is None else str(self.weight_file),
            "embedding_mode": self.embedding_mode,
            "name": self.name,
            "fingerprint": self.embedder.fingerprint(),
        }

    @classmethod
    def from_params(cls, params: dict[str, Any]) -> "ELMoEmbeddings":
        """Make the embeddings that ``to_params`` described.

        Raises:
            ValueError: If the model is not the one that was used then.
        """
        params = dict(params)
        name, fingerprint = params.pop("name"), params.pop("fingerprint")
        embeddings = cls(**params)
        if embeddings.embedder.fingerprint() != fingerprint:
            raise ValueError(f"{embeddings.model}: is not the model that the saved embeddings were made with")
        embeddings.name = name  # a stack changes the names of its embeddings
        return embeddings
