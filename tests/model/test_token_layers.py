"""Every kind of token layer behind one interface."""

import dataclasses

import numpy as np
import pytest
import torch

import elmo
from elmo.config import CharCNNConfig, LSTMConfig, TokenLayerConfig, WordAndCharCNNConfig, WordTableConfig
from elmo.model.convolution import filter_maxima
from elmo.model.token_layers import TokenVocabulary, build_token_layer, read_vocabulary, vocabulary_file, words_to_ids
from elmo.text.dictionary import CHARACTER_MARKERS, Dictionary
from elmo.text.vocabulary import Vocabulary

DICTIONARY = Dictionary([*CHARACTER_MARKERS, "t", "h", "e"], ["<oov>", "the"])
KINDS: dict[str, tuple[TokenLayerConfig, TokenVocabulary]] = {
    "character CNN": (CharCNNConfig(4, ((1, 8), (3, 16)), projection_dim=8), None),
    "word table": (WordTableConfig(4, 8), Vocabulary(["<S>", "</S>", "<UNK>", "the"])),
    "word and character CNN": (
        WordAndCharCNNConfig(9, 8, 2, 4, embedding_dim=4, filters=((1, 8), (3, 16))),
        DICTIONARY,
    ),
    "Unicode characters": (
        WordAndCharCNNConfig(9, 8, embedding_dim=4, filters=((1, 8), (3, 16))),
        Dictionary(DICTIONARY.characters),
    ),
}
WORDS = ["the", "", "hat", "x" * 60, "<S>", "t" * 44]


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> tuple[TokenLayerConfig, TokenVocabulary]:
    return KINDS[request.param]


@pytest.mark.parametrize("kind", ["character CNN", "word and character CNN"], indirect=True)
def test_words_that_are_cut(kind: tuple[TokenLayerConfig, TokenVocabulary]) -> None:
    """The end of a word that is cut makes no difference."""
    layer = build_token_layer(*kind)
    assert layer.word_limit.split()[0] == "48"
    for word in ("t" * 47, "t" * 48, "t" * 49, "é" * 24, "é" * 24 + "t", "é" * 49, "t" * 300):
        same = torch.equal(layer.encode([word]), layer.encode([word[:-1]]))
        assert layer.count_cut(["the", word, word]) == 2 * same, word
    assert layer.count_cut([]) == 0


def test_columns_of_padding_change_nothing(kind: tuple[TokenLayerConfig, TokenVocabulary]) -> None:
    torch.manual_seed(0)
    layer = build_token_layer(*kind)
    layer.init_weights()
    whole = torch.from_numpy(words_to_ids(WORDS, *kind))
    with torch.no_grad():
        expected = layer(whole)
        for row, word in enumerate(WORDS):
            short = layer.encode([word])
            assert short.shape[1:] <= whole.shape[1:]
            torch.testing.assert_close(layer(short), expected[row : row + 1], atol=1e-6, rtol=1e-6)
    assert expected.shape == (len(WORDS), 8)


@pytest.mark.parametrize("name", ["character CNN", "word and character CNN"])
@pytest.mark.parametrize("cut", [True, False], ids=["cut", "whole"])
def test_the_fast_gradient_of_the_convolutions_is_that_of_the_twin(name: str, cut: bool) -> None:
    torch.manual_seed(0)
    layer = build_token_layer(*KINDS[name]).double()
    layer.init_weights()
    words = ["the", "", "hat", "tttt", "thehat" * 3, *(() if cut else ("x" * 60, "t" * 44, "h" * 45, "e" * 47))]
    ids = torch.from_numpy(words_to_ids(words, *KINDS[name]))
    cnn = layer
    if name != "character CNN":
        cnn, ids = layer.characters, ids[:, 1:]
    if cut:
        ids = ids[:, : cnn.columns_for(20)]
    d_maxima = torch.randn(len(words), 24, dtype=torch.float64)
    results = []
    for compute in (cnn._maxima, cnn._maxima_on_cpu):
        layer.zero_grad()
        maxima = compute(ids)
        maxima.backward(d_maxima)
        results.append([maxima, cnn.embedding.weight.grad.clone(), *(c.weight.grad.clone() for c in cnn.convolutions)])
    torch.testing.assert_close(results[1], results[0])


def test_the_fast_gradient_of_the_convolutions_is_that_of_finite_differences() -> None:
    torch.manual_seed(0)
    ids = torch.randint(1, 9, (5, 8))
    windows, ends = torch.tensor([1, 4, 6, 6, 3]), torch.tensor([6, 6, 5, 4])
    table, filters = (torch.randn(size, dtype=torch.float64, requires_grad=True) for size in ((9, 2), (4, 2, 3)))
    assert torch.autograd.gradcheck(lambda t, f: filter_maxima(t, f, ids, windows, ends), (table, filters))


def test_no_words_to_convolve() -> None:
    layer = build_token_layer(*KINDS["character CNN"])
    layer(torch.zeros(0, 50, dtype=torch.long)).sum().backward()


def test_no_words(kind: tuple[TokenLayerConfig, TokenVocabulary]) -> None:
    layer = build_token_layer(*kind)
    assert len(layer.encode([])) == 0


def test_lengths_of_arrays_and_tensors() -> None:
    for config, vocabulary in (KINDS["character CNN"], KINDS["word and character CNN"]):
        layer, ids = build_token_layer(config, vocabulary), words_to_ids(WORDS, config, vocabulary)
        np.testing.assert_array_equal(layer.lengths(ids), layer.lengths(torch.from_numpy(ids)).numpy())
        assert layer.lengths(ids).max() == ids.shape[1]
    with pytest.raises(TypeError, match="no columns"):
        build_token_layer(*KINDS["word table"]).lengths(words_to_ids(["the"], *KINDS["word table"]))


def test_files_bring_the_vocabulary_back(kind: tuple[TokenLayerConfig, TokenVocabulary]) -> None:
    config, vocabulary = kind
    files = build_token_layer(config, vocabulary).files()
    assert list(files) == ([] if vocabulary is None else [vocabulary_file(config)])
    again = read_vocabulary(config, files.__getitem__)
    np.testing.assert_array_equal(words_to_ids(WORDS, config, again), words_to_ids(WORDS, config, vocabulary))


def test_fingerprint_covers_weights_configuration_and_vocabulary() -> None:
    def made(token_layer: TokenLayerConfig, vocabulary: TokenVocabulary, **lstm: float) -> elmo.BiLM:
        torch.manual_seed(0)
        return elmo.BiLM(elmo.BiLMConfig(token_layer, LSTMConfig(4, 8, **lstm)), vocabulary)

    config, vocabulary = KINDS["word table"]
    same = made(config, vocabulary)
    assert same.fingerprint() == made(config, vocabulary).fingerprint()
    others = [
        made(config, Vocabulary(["<S>", "</S>", "<UNK>", "The"])),
        made(config, vocabulary, cell_clip=2.0),
        made(config, vocabulary, residual=False),
        made(*KINDS["word and character CNN"]),
        made(KINDS["word and character CNN"][0], Dictionary(DICTIONARY.characters, ["<oov>", "THE"])),
        made(*KINDS["character CNN"]),
        made(dataclasses.replace(KINDS["character CNN"][0], activation="tanh"), None),
        made(config, vocabulary),
    ]
    with torch.no_grad():
        others[-1].lstm.layers[0].bias[0, 0] += 1e-7
    assert len({same.fingerprint(), *(other.fingerprint() for other in others)}) == len(others) + 1


def test_a_vocabulary_that_does_not_fit() -> None:
    config, _ = KINDS["word and character CNN"]
    with pytest.raises(ValueError, match="needs its dictionary"):
        build_token_layer(config, None)
    with pytest.raises(ValueError, match="9 characters and 0 words, but the model has 9 and 2"):
        build_token_layer(config, Dictionary(DICTIONARY.characters))
    with pytest.raises(ValueError, match="needs its vocabulary"):
        words_to_ids(["the"], KINDS["word table"][0], None)
