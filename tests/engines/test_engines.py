"""Which engine is chosen, and that all of them compute the same as ``BiLM.forward``."""

from collections.abc import Callable

import pytest
import torch

import elmo
from elmo.config import CharCNNConfig, LSTMConfig, TokenLayerConfig, WordAndCharCNNConfig, WordTableConfig
from elmo.engines import engine_for
from elmo.engines.cpu import CPUEngine
from elmo.engines.cuda import CUDAEngine
from elmo.engines.engine import Engine
from elmo.engines.reference import ReferenceEngine
from elmo.model.lstm import LSTMState
from elmo.model.token_layers import TokenVocabulary
from elmo.text.dictionary import CHARACTER_MARKERS, Dictionary
from elmo.text.vocabulary import Vocabulary

TOKEN_LAYERS: dict[str, tuple[TokenLayerConfig, TokenVocabulary]] = {
    "character CNN": (CharCNNConfig(4, ((1, 8), (3, 16)), projection_dim=8), None),
    "word table": (WordTableConfig(5, 8), Vocabulary(["<S>", "</S>", "<UNK>", "the", "play"])),
    "word and character CNN": (
        WordAndCharCNNConfig(len(CHARACTER_MARKERS) + 3, 8, 2, 4, embedding_dim=4, filters=((1, 8), (3, 16))),
        Dictionary([*CHARACTER_MARKERS, "t", "h", "e"], ["<oov>", "the"]),
    ),
}
ENGINES: dict[str, Callable[[elmo.BiLM], Engine]] = {
    "cpu": CPUEngine,
    "cuda": lambda bilm: CUDAEngine(bilm, torch.float32, ((8, 2), (16, 2))),
}
SENTENCES = [["the", "play", "was", "x" * 60], [], ["the"], ["they"] * 20, ["play", "the"]]


def made(kind: str, residual: bool = True) -> elmo.BiLM:
    torch.manual_seed(0)
    config, vocabulary = TOKEN_LAYERS[kind]
    bilm = elmo.BiLM(elmo.BiLMConfig(config, LSTMConfig(16, 8, n_layers=3, residual=residual)), vocabulary).eval()
    with torch.no_grad():
        for parameter in bilm.lstm.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
    return bilm


@pytest.mark.parametrize("kind", TOKEN_LAYERS)
@pytest.mark.parametrize("residual", [True, False], ids=["residual", "no residual"])
@pytest.mark.parametrize("start", ["zero", "shared", "own"])
@pytest.mark.parametrize("engine", ENGINES)
def test_engines_agree(kind: str, residual: bool, start: str, engine: str) -> None:
    bilm = made(kind, residual)
    rows = 1 if start == "shared" else len(SENTENCES)
    state = None if start == "zero" else LSTMState(torch.randn(3, 2, rows, 8) / 3, torch.randn(3, 2, rows, 16) / 3)
    expected = ReferenceEngine(bilm)(SENTENCES, state, wants_state=True)
    found = ENGINES[engine](bilm)(SENTENCES, state, wants_state=True)
    torch.testing.assert_close(found.layers, expected.layers, atol=2e-6, rtol=2e-6)
    torch.testing.assert_close(tuple(found.state), tuple(expected.state), atol=2e-6, rtol=2e-6)
    without = ENGINES[engine](bilm)(SENTENCES, state)
    assert without.state is None
    torch.testing.assert_close(without.layers, expected.layers, atol=2e-6, rtol=2e-6)


@pytest.mark.parametrize("engine", [ReferenceEngine, *ENGINES.values()])
def test_batches_hold_every_sentence_once(engine: Callable[[elmo.BiLM], Engine]) -> None:
    lengths = [3, 9, 2, 30, 5, 5]
    batches = list(engine(made("word table")).batches(lengths, 12))
    assert sorted(index for batch in batches for index in batch) == list(range(6))
    assert all(sum(lengths[index] for index in batch) <= 12 or len(batch) == 1 for batch in batches)


def test_the_choice() -> None:
    bilm = made("character CNN")
    assert isinstance(engine_for(bilm), CPUEngine)
    assert isinstance(engine_for(bilm, "int8"), CPUEngine)
    assert isinstance(engine_for(bilm.double()), ReferenceEngine)
    assert isinstance(engine_for(bilm.to("meta")), ReferenceEngine)
    with pytest.raises(ValueError, match="int8 is available on the CPU only, but the model is on meta"):
        engine_for(bilm, "int8")
    with pytest.raises(ValueError, match="precision must be"):
        engine_for(bilm, "float16")  # type: ignore[arg-type]


@pytest.mark.gpu
def test_the_choice_on_a_gpu() -> None:
    assert isinstance(engine_for(made("character CNN").cuda()), CUDAEngine)


def test_a_model_in_training_stays_so() -> None:
    bilm = made("character CNN").train()
    ReferenceEngine(bilm)(SENTENCES)
    assert bilm.training
