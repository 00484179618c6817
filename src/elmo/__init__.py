"""ELMo: contextual word vectors from a bidirectional language model.

>>> import elmo
>>> model = elmo.load("my-model")                                # doctest: +SKIP
>>> [sentence] = model.embed(["The play was sold out ."])        # doctest: +SKIP
>>> sentence.layers.shape                                        # doctest: +SKIP
(3, 6, 256)

The public names are imported when they are first used, so that ``import elmo`` costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from elmo.config import BiLMConfig
    from elmo.embed.embedder import Embedder, load
    from elmo.model.bilm import BiLM
    from elmo.model.elmo import ELMo
    from elmo.model.mix import ScalarMix
    from elmo.tasks.load import load_task
    from elmo.weights.listing import models

__version__ = "0.1.0"
__all__ = ["BiLM", "BiLMConfig", "ELMo", "Embedder", "ScalarMix", "__version__", "load", "load_task", "models"]

_HOME = {
    "BiLM": "elmo.model.bilm",
    "BiLMConfig": "elmo.config",
    "ELMo": "elmo.model.elmo",
    "Embedder": "elmo.embed.embedder",
    "ScalarMix": "elmo.model.mix",
    "load": "elmo.embed.embedder",
    "load_task": "elmo.tasks.load",
    "models": "elmo.weights.listing",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'elmo' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value  # the next access is an ordinary one
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
