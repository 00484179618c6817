"""A drop-in replacement for the ELMo classes of AllenNLP.

Only the imports change:

    from allennlp.commands.elmo import ElmoEmbedder                      (AllenNLP 0.9)
    from allennlp.modules.elmo import Elmo, batch_to_ids                 (all versions)

become

    from elmo.interop.allennlp import Elmo, ElmoEmbedder, batch_to_ids

``ElmoTokenEmbedder``, ``ScalarMix``, ``ELMoCharacterMapper``, ``remove_sentence_boundaries`` and ``_ElmoBiLm`` are
here, too. Arguments have the order, the meaning and the defaults they had in AllenNLP. Options and weights can be URLs.

AllenNLP carried the LSTM state from call to call, so the same sentence got different vectors each time. Here every
sentence starts from a zero state; ``stateful=True`` reproduces AllenNLP's behavior exactly.
"""

from elmo.interop.allennlp.embedder import ElmoEmbedder
from elmo.interop.allennlp.mixture import LayerMixture as ScalarMix
from elmo.interop.allennlp.modules import (
    DEFAULT_OPTIONS_FILE,
    DEFAULT_WEIGHT_FILE,
    Elmo,
    ELMoCharacterMapper,
    ElmoTokenEmbedder,
    _ElmoBiLm,
    batch_to_ids,
    remove_sentence_boundaries,
)

__all__ = [
    "DEFAULT_OPTIONS_FILE",
    "DEFAULT_WEIGHT_FILE",
    "ELMoCharacterMapper",
    "Elmo",
    "ElmoEmbedder",
    "ElmoTokenEmbedder",
    "ScalarMix",
    "_ElmoBiLm",
    "batch_to_ids",
    "remove_sentence_boundaries",
]
