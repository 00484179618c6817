import json
from typing import Any

import pytest

import elmo
from elmo.config import CharCNNConfig, LSTMConfig, WordTableConfig

CONFIGS = {
    "published small": elmo.BiLMConfig(CharCNNConfig(), LSTMConfig(1024, 128)),
    "no projections": elmo.BiLMConfig(
        CharCNNConfig(4, ((1, 3), (2, 5)), "tanh", 0, None), LSTMConfig(8, None, 1, None, None, False)
    ),
    "word table": elmo.BiLMConfig(WordTableConfig(10, 8), LSTMConfig(16, 8)),
}


@pytest.mark.parametrize("config", CONFIGS.values(), ids=CONFIGS.keys())
def test_to_json_and_back(config: elmo.BiLMConfig) -> None:
    assert elmo.BiLMConfig.from_dict(json.loads(json.dumps(config.to_dict()))) == config


def test_derived_sizes() -> None:
    small = CONFIGS["published small"]
    assert (small.n_representations, small.output_dim, small.token_layer.filters_dim) == (3, 256, 2048)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        pytest.param(lambda: CharCNNConfig(filters=()), "at least one filter", id="no filters"),
        pytest.param(lambda: CharCNNConfig(filters=((60, 1),)), "does not fit", id="filter wider than a word"),
        pytest.param(lambda: CharCNNConfig(filters=((1, 1),), max_characters=2), "room", id="no room"),
        pytest.param(lambda: CharCNNConfig(activation="gelu"), "relu or tanh", id="activation"),
        pytest.param(lambda: CharCNNConfig(n_highway=-1), "n_highway", id="highway"),
        pytest.param(lambda: CharCNNConfig(embedding_dim=0), "embedding_dim", id="zero width"),
        pytest.param(lambda: LSTMConfig(4, 4, cell_clip=0), "cell_clip", id="clip 0"),
        pytest.param(lambda: LSTMConfig(4, 4, residual="yes"), "residual", id="residual"),
        pytest.param(lambda: LSTMConfig(True, 4), "dim", id="a truth value is no number"),
        pytest.param(lambda: LSTMConfig(4, 4, cell_clip=float("inf")), "cell_clip", id="infinite clip"),
        pytest.param(lambda: LSTMConfig(4, 4, cell_clip=10**400), "cell_clip", id="clip that is no float"),
        pytest.param(lambda: LSTMConfig(4, 4, n_layers=10**7), "n_layers .* at most 1,000", id="millions of layers"),
        pytest.param(lambda: LSTMConfig(10**5000, 4), "dim .* not a huge number", id="thousands of digits"),
        pytest.param(lambda: CharCNNConfig(n_highway=10**7), "n_highway .* at most 1,000", id="millions of highways"),
        pytest.param(lambda: CharCNNConfig(n_highway=True), "n_highway", id="a truth value is no count"),
        pytest.param(lambda: CharCNNConfig(max_characters=10**9), "max_characters .* at most", id="word of a gigabyte"),
        pytest.param(lambda: CharCNNConfig(filters=((1, 1),) * 10**6), "1000 at most", id="a million filters"),
        pytest.param(lambda: CharCNNConfig(filters=((1.5, 2),)), "list of .width, count", id="half a character"),
        pytest.param(lambda: CharCNNConfig(filters="ab"), "list of .width, count", id="filters as text"),
        pytest.param(lambda: WordTableConfig(10**12, 8), "vocabulary_size", id="a trillion words"),
        pytest.param(lambda: elmo.BiLMConfig(CharCNNConfig(), LSTMConfig(8, 4)), "the same width", id="widths"),
        pytest.param(lambda: elmo.BiLMConfig(CharCNNConfig(), LSTMConfig(8, 128), "bpe"), "tokenizer must", id="bpe"),
    ],
)
def test_what_cannot_be_built(make: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        pytest.param(lambda d: d.pop("model_type"), "model_type", id="another model"),
        pytest.param(lambda d: d.update(format_version=99), "format_version", id="newer format"),
        pytest.param(lambda d: d.pop("token_layer"), "token_layer", id="no token layer"),
        pytest.param(lambda d: d["token_layer"].update(kind="bpe"), "kind", id="unknown kind"),
        pytest.param(lambda d: d["lstm"].update(depth=3), "lstm.depth is unknown", id="unknown field"),
        pytest.param(lambda d: d["lstm"].pop("dim"), "lstm.dim is missing", id="missing field"),
        pytest.param(lambda d: d.update(lstm=[1]), "lstm is missing", id="not an object"),
        pytest.param(lambda d: d["token_layer"].update(filters=3), "filters must be a list", id="wrong type"),
        pytest.param(
            lambda d: d.update(tokenizer="bpe"),
            "tokenizer must be one of whitespace, words, korean, not 'bpe'",
            id="tokenizer",
        ),
        pytest.param(lambda d: d.update(tokenizer=None), "tokenizer must be one of", id="tokenizer null"),
        pytest.param(lambda d: d.update(tokenizer=["words"]), "tokenizer must be one of", id="tokenizer list"),
    ],
)
def test_bad_json(change: Any, message: str) -> None:
    data = json.loads(json.dumps(CONFIGS["published small"].to_dict()))
    change(data)
    with pytest.raises(ValueError, match=message):
        elmo.BiLMConfig.from_dict(data)


def test_tokenizer() -> None:
    """Models of earlier versions do not name their tokenizer; theirs is "words"."""
    data = CONFIGS["published small"].to_dict()
    assert data["tokenizer"] == "words"
    assert elmo.BiLMConfig.from_dict({**data, "tokenizer": "whitespace"}).tokenizer == "whitespace"
    del data["tokenizer"]
    assert elmo.BiLMConfig.from_dict(data).tokenizer == "words"
