"""The engine beside its slow twin, ``BiLM.forward``."""

import sys

import pytest
import torch
from torch import Tensor

import elmo
from elmo.config import BiLMConfig, CharCNNConfig, LSTMConfig, WordTableConfig
from elmo.engines import compiled, packed_matrix
from elmo.engines.cpu import CPUEngine, CPUTuning
from elmo.engines.engine import EngineOutput
from elmo.model.batches import collate
from elmo.model.lstm import LSTMState
from elmo.text.vocabulary import Vocabulary

CNN = CharCNNConfig(embedding_dim=4, filters=((1, 8), (2, 8), (3, 16)), n_highway=1, projection_dim=8)
TABLE = Vocabulary(["<S>", "</S>", "<UNK>", "the", "play", "was", "out"])
ZOO = {
    "projection": BiLMConfig(CNN, LSTMConfig(16, 8)),
    "no projection": BiLMConfig(CNN, LSTMConfig(8, None)),
    "one layer": BiLMConfig(CNN, LSTMConfig(16, 8, n_layers=1)),
    "three layers without residual": BiLMConfig(CNN, LSTMConfig(16, 8, n_layers=3, residual=False)),
    "three layers with residual": BiLMConfig(CNN, LSTMConfig(16, 8, n_layers=3)),
    "no clips": BiLMConfig(CNN, LSTMConfig(16, 8, cell_clip=None, projection_clip=None)),
    "narrow clips": BiLMConfig(CNN, LSTMConfig(16, 8, cell_clip=0.3, projection_clip=0.2)),
    "wide": BiLMConfig(CNN, LSTMConfig(512, 8)),
    "tanh, no highway": BiLMConfig(
        CharCNNConfig(4, ((2, 6), (7, 10)), "tanh", n_highway=0, projection_dim=None, max_characters=12),
        LSTMConfig(24, 16),
    ),
    "word table": BiLMConfig(WordTableConfig(len(TABLE), 8), LSTMConfig(16, 8)),
}
SENTENCES = [
    ["the", "play", "was", "out"],
    [],
    ["one"],
    ["x" * 99, "y" * 48, "z" * 47, "w" * 41, "v" * 9, "u" * 10, "", "손을", "👍"],
    ["the"] * 70,
    ["play", "the", "play"],
]


def made(config: BiLMConfig) -> elmo.BiLM:
    torch.manual_seed(0)
    bilm = elmo.BiLM(config, TABLE if isinstance(config.token_layer, WordTableConfig) else None).eval()
    with torch.no_grad():
        for parameter in bilm.lstm.parameters():
            parameter.add_(0.05 * torch.randn_like(parameter))
    return bilm


@pytest.fixture(scope="module", params=ZOO, ids=list(ZOO))
def bilm(request: pytest.FixtureRequest) -> elmo.BiLM:
    return made(ZOO[request.param])


@torch.inference_mode()
def slowly(bilm: elmo.BiLM, sentences: list[list[str]], start: LSTMState | None) -> tuple[list[Tensor], LSTMState]:
    if start is not None and start.h.shape[2] == 1:
        start = start.repeated(len(sentences))
    output = bilm(collate(sentences, bilm.token_layer.encode), start)
    return [output.layers[:, row, 1 : 1 + len(words)] for row, words in enumerate(sentences)], output.state


def split(output: EngineOutput, sentences: list[list[str]]) -> tuple[list[Tensor], LSTMState | None]:
    return list(output.layers.split([len(words) for words in sentences], 1)), output.state


def starts(bilm: elmo.BiLM, kind: str) -> LSTMState | None:
    if kind == "zero":
        return None
    lstm, rows = bilm.config.lstm, 1 if kind == "shared" else len(SENTENCES)
    shape = (lstm.n_layers, 2, rows)
    return LSTMState(0.3 * torch.randn(*shape, lstm.output_dim), 0.3 * torch.randn(*shape, lstm.dim))


def assert_equal(found: list[Tensor], expected: list[Tensor], tolerance: float = 2e-6) -> None:
    for one, other in zip(found, expected, strict=True):
        torch.testing.assert_close(one, other, atol=tolerance, rtol=2e-6)


WAYS = {
    "compiled, few sentences": CPUTuning(few_products=2**40),
    "compiled, many sentences": CPUTuning(few_products=0),
    "torch": CPUTuning(compiled=False),
}


@pytest.mark.parametrize("start", ["zero", "shared", "own"])
@pytest.mark.parametrize("wants_state", [False, True])
class TestFloat32:
    @pytest.mark.parametrize("way", WAYS)
    def test_equal_to_its_twin(self, bilm: elmo.BiLM, start: str, wants_state: bool, way: str) -> None:
        state = starts(bilm, start)
        expected, expected_state = slowly(bilm, SENTENCES, state)
        engine = CPUEngine(bilm, tuning=WAYS[way])
        layers, new_state = split(engine(SENTENCES, state, wants_state=wants_state), SENTENCES)
        assert_equal(layers, expected)
        if wants_state:
            assert_equal(list(new_state), list(expected_state))
        else:
            assert new_state is None

    def test_parts_of_any_size(self, start: str, wants_state: bool) -> None:
        bilm = made(ZOO["wide"])
        state = starts(bilm, start)
        expected, expected_state = slowly(bilm, SENTENCES, state)
        for positions in (1, 7, 50, 4096):
            engine = CPUEngine(bilm, tuning=CPUTuning(positions_per_product=positions, lookups_per_product=positions))
            layers, new_state = split(engine(SENTENCES, state, wants_state=wants_state), SENTENCES)
            assert_equal(layers, expected)
            if wants_state:
                assert_equal(list(new_state), list(expected_state))


@pytest.mark.parametrize("precision", ["bf16", "int8"])
@pytest.mark.parametrize("library", ["oneDNN", "plain"])
@pytest.mark.parametrize("way", WAYS)
def test_fewer_bits_are_close(
    bilm: elmo.BiLM, precision, library: str, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if library == "plain":
        monkeypatch.setattr(packed_matrix, "_has_onednn", lambda: False)
    expected, _ = slowly(bilm, SENTENCES, None)
    layers, _ = split(CPUEngine(bilm, precision, WAYS[way])(SENTENCES), SENTENCES)
    for one, other in zip(layers, expected, strict=True):
        assert (torch.cosine_similarity(one, other, dim=-1) > 0.99).all()  # 8 numbers, so one of them weighs much


@pytest.mark.parametrize("precision", ["bf16", "int8"])
def test_compiled_loops_round_where_torch_does(precision) -> None:
    bilm = made(ZOO["wide"])
    exact = CPUEngine(bilm)(SENTENCES).layers
    found = {way: (CPUEngine(bilm, precision, tuning)(SENTENCES).layers - exact) for way, tuning in WAYS.items()}
    largest = {way: error.abs().max() for way, error in found.items()}
    assert largest["compiled, many sentences"] < 1.5 * largest["torch"]
    assert largest["compiled, few sentences"] < 1.5 * largest["torch"]


def test_without_llvmlite(monkeypatch: pytest.MonkeyPatch) -> None:
    bilm = made(ZOO["projection"])
    expected = CPUEngine(bilm)(SENTENCES).layers
    monkeypatch.setitem(sys.modules, "llvmlite.binding", None)
    compiled.available.cache_clear()
    try:
        engine = CPUEngine(bilm)
        assert engine.stacks[0][0].loops is None
        assert_equal([engine(SENTENCES).layers], [expected])
    finally:
        compiled.available.cache_clear()


@pytest.mark.parametrize("precision", ["float32", "bf16", "int8"])
def test_a_sentence_has_the_same_bits_alone_and_among_a_few(precision) -> None:
    bilm = made(ZOO["wide"])
    engine = CPUEngine(bilm, precision, CPUTuning(few_products=2**40))
    alone = [CPUEngine(bilm, precision)([sentence]).layers for sentence in SENTENCES]
    for count in range(2, len(SENTENCES) + 1):
        assert torch.equal(engine(SENTENCES[:count]).layers, torch.cat(alone[:count], 1))


@pytest.mark.parametrize("precision", ["float32", "bf16", "int8"])
@pytest.mark.parametrize(("threads", "few"), [(1, True), (2, False), (2, True), (5, False)])
@pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "torch"])
def test_batch_mates_and_threads_make_no_difference(precision, threads: int, few: bool, compiled: bool) -> None:
    bilm = made(ZOO["wide"])
    tuning = CPUTuning(few_products=few * 2**40, shared_sentences=few * 8, compiled=compiled)
    alone = [CPUEngine(bilm, precision, tuning)([sentence]).layers for sentence in SENTENCES]
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        engine = CPUEngine(bilm, precision, tuning)
        together, _ = split(engine(SENTENCES), SENTENCES)
        backwards, _ = split(engine(SENTENCES[::-1]), SENTENCES[::-1])
        assert torch.get_num_threads() == threads
    finally:
        torch.set_num_threads(before)
    assert_equal(together, alone)
    assert_equal(backwards, alone[::-1])


@pytest.mark.skipif(not packed_matrix._has_onednn(), reason="this torch has no oneDNN, whose sums have a fixed order")
@pytest.mark.parametrize("precision", ["float32", "bf16", "int8"])
def test_a_change_of_threads_within_a_sentence_changes_no_bit(precision, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = CPUEngine(elmo.load("small").bilm, precision, CPUTuning(compiled=False))
    expected = engine([SENTENCES[3]]).layers
    before = torch.get_num_threads()
    torch.set_num_threads(4)
    used = []

    def learn(rows: int, seconds: float, now: float) -> None:
        used.append(torch.get_num_threads())
        engine.chooser.threads = 1 + len(used) % 4

    monkeypatch.setattr(engine.chooser, "learn", learn)
    try:
        found = engine([SENTENCES[3]]).layers
        assert torch.get_num_threads() == 4
    finally:
        torch.set_num_threads(before)
    assert set(used) == {1, 2, 3, 4}
    assert torch.equal(found, expected)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("precision", ["float32", "bf16", "int8"])
def test_the_bundled_model(precision, way: str) -> None:
    bilm = elmo.load("small").bilm
    lines = (
        "The play was sold out , and so were the two that followed it in the spring .",
        "Play !",
        "Children play in the yard while their parents talk about antidisestablishmentarianism .",
    )
    sentences = [line.split() for line in lines]
    expected, _ = slowly(bilm, sentences, None)
    layers, _ = split(CPUEngine(bilm, precision, WAYS[way])(sentences), sentences)
    for one, other in zip(layers, expected, strict=True):
        if precision == "float32":
            torch.testing.assert_close(one, other, atol=1e-5, rtol=2e-6)
        assert (torch.cosine_similarity(one, other, dim=-1) > 0.999).all()


class TestCachedWords:
    def test_they_change_nothing(self) -> None:
        bilm = made(ZOO["projection"])
        expected = CPUEngine(bilm)(SENTENCES).layers
        engine = CPUEngine(bilm, tuning=CPUTuning(words_per_group=2))
        for _ in range(2):
            assert_equal([engine(SENTENCES).layers], [expected])
        assert "play" in engine.word_vectors.rows

    def test_their_number_is_bounded(self) -> None:
        bilm = made(ZOO["projection"])
        engine = CPUEngine(bilm, tuning=CPUTuning(cached_bytes=5 * 8 * 4))
        for sentence in (["a", "b"], ["c", "a"], ["d", "e"], list("fghijklm"), ["a"]):
            [[expected], _] = slowly(bilm, [sentence], None)
            assert_equal([engine([sentence]).layers], [expected])
            assert len(engine.word_vectors.rows) <= max(5, len(sentence) + 2)  # those of the batch are always kept

    def test_recent_ones_are_kept(self) -> None:
        engine = CPUEngine(made(ZOO["projection"]), tuning=CPUTuning(cached_bytes=10 * 8 * 4))
        for sentence in (list("abcd"), list("efgh"), list("ab")):
            engine([sentence])
        cache = engine.word_vectors
        before = {word: cache.table[row].clone() for word, row in cache.rows.items()}
        engine([list("wx")])
        assert set("abwx") < set(cache.rows)
        assert not set("cdefgh") <= set(cache.rows)
        for word in "ab":
            assert torch.equal(cache.table[cache.rows[word]], before[word])
        assert cache.computed == 2 + 4 + 4 + 2


def test_nothing() -> None:
    engine = CPUEngine(made(ZOO["projection"]))
    assert engine([[], []]).layers.shape == (3, 0, 16)
    assert engine([]).layers.shape == (3, 0, 16)
    state = engine([[], []], wants_state=True).state
    assert state.h.shape == (2, 2, 2, 8)
