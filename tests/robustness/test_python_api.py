"""Every public callable with every wrong value for every parameter.

A call either works, for values that can be meant that way, or raises a ``ValueError`` or ``TypeError`` with one line of
explanation (an ``OSError`` where a file is named). Nothing else is raised, and no wrong type is accepted silently.

Every parameter has a kind, and every kind says which of the hostile values it accepts.
"""

import contextlib
import io
import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch

import elmo
from elmo.config import CharCNNConfig, LSTMConfig
from elmo.interop import allennlp
from elmo.model.batches import collate
from elmo.search.occurrences import Occurrences
from elmo.tasks.task import TASKS, task_named
from elmo.tasks.trainer import TrainedTask
from elmo.text.characters import word_to_ids
from elmo.text.tokens import sentences, tokenizer, words

HOSTILE: dict[str, Callable[[], Any]] = {
    "None": lambda: None,
    "True": lambda: True,
    "0": lambda: 0,
    "1": lambda: 1,
    "-1": lambda: -1,
    "2**63": lambda: 2**63,
    "-10**30": lambda: -(10**30),
    "0.5": lambda: 0.5,
    "1.5": lambda: 1.5,
    "nan": lambda: float("nan"),
    "inf": lambda: float("inf"),
    "complex": lambda: 1j,
    "empty string": lambda: "",
    "string": lambda: "no such thing",
    "null character": lambda: "a\0b",
    "surrogate": lambda: "\ud800",
    "long string": lambda: "x" * 100_000,
    "bytes": lambda: b"bytes",
    "bytearray": lambda: bytearray(b"abc"),
    "memoryview": lambda: memoryview(b"abc"),
    "path": lambda: Path("no-such-path"),
    "empty list": list,
    "empty tuple": lambda: (),
    "dict": lambda: {"a": 1},
    "set": lambda: {"a", "b"},
    "range": lambda: range(3),
    "object": object,
    "class": lambda: dict,
    "function": lambda: len,
    "ellipsis": lambda: ...,
    "strings": lambda: ["the play", "out"],
    "word lists": lambda: [["the", "play"], []],
    "tuples": lambda: (("the", "play"), ("out",)),
    "generator": lambda: (words for words in [["a"], ["b", "c"]]),
    "empty generator": lambda: iter(()),
    "ragged": lambda: [["a"], [], ["b", "c", "d"]],
    "[None]": lambda: [None],
    "[nan]": lambda: [float("nan")],
    "[bytes]": lambda: [b"x"],
    "[1]": lambda: [1],
    "None at 1": lambda: [["a"], None],
    "number among words": lambda: [["a", 1]],
    "None among words": lambda: [["a", None]],
    "bytes among words": lambda: [["a", b"b"]],
    "nested": lambda: [["a", ["b"]]],
    "deeply nested": lambda: [[["a"]]],
    "dict at 0": lambda: [{"a": 1}],
    "set at 0": lambda: [{"a"}],
    "np.int64": lambda: np.int64(1),
    "np.float32": lambda: np.float32(0.5),
    "np.bool": lambda: np.True_,
    "np.str": lambda: np.str_("no such thing"),
    "0-d array": lambda: np.array("a"),
    "array of strings": lambda: np.array(["the play", "out"]),
    "matrix of strings": lambda: np.array([["a", "b"], ["c", "d"]]),
    "array of numbers": lambda: np.array([1.0, 2.0]),
    "array of integers": lambda: np.array([1, 2]),
    "object array": lambda: np.array([["a"], None], dtype=object),
    "series": lambda: pd.Series(["the play", "out"]),
    "series with nan": lambda: pd.Series(["the play", float("nan")], dtype=object),
    "table": lambda: pd.DataFrame({"text": ["the play"]}),
    "pd.NA": lambda: pd.NA,
    "0-d tensor": lambda: torch.tensor(1),
    "0-d float tensor": lambda: torch.tensor(0.5),
    "float tensor": lambda: torch.zeros(3, 2, 4),
    "integer tensor": lambda: torch.zeros(2, 3, dtype=torch.long),
    "negative ids": lambda: torch.full((1, 2, 50), -1),
    "large ids": lambda: torch.full((1, 2, 50), 10**9),
    "empty tensor": lambda: torch.zeros(0),
    "bool tensor": lambda: torch.zeros(1, 2, 50, dtype=torch.bool),
    "complex tensor": lambda: torch.zeros(1, 2, 50, dtype=torch.complex64),
}

INTEGERS = {"0", "1", "-1", "2**63", "-10**30", "np.int64", "0-d tensor"}
NUMBERS = INTEGERS | {"0.5", "1.5", "np.float32", "0-d float tensor"}
STRINGS = {"empty string", "string", "null character", "surrogate", "long string", "np.str"}
LISTS_OF_WORDS = {"word lists", "tuples", "generator", "ragged", "matrix of strings", "empty list", "empty tuple"}
LISTS_OF_WORDS |= {"empty generator"}
STRINGS_IN_LISTS = {"strings", "array of strings", "series"}
NO_ITEMS = {"empty list", "empty tuple", "empty generator"}
FLAT = {"array of integers", "array of numbers", "range", "[1]"}

KINDS: dict[str, set[str]] = {
    "sentences": LISTS_OF_WORDS | STRINGS_IN_LISTS,
    "word lists": LISTS_OF_WORDS,
    "one sentence": STRINGS_IN_LISTS | NO_ITEMS,
    "text": STRINGS,
    "count": {"1", "np.int64", "0-d tensor"},
    "optional count": {"None", "1", "np.int64", "0-d tensor"},
    "projection": {"None", "1", "0", "np.int64", "0-d tensor"},
    "GPU": {"-1"},
    "flag": {"True", "0", "1", "np.bool"},
    "fraction": {"0", "1", "0.5", "np.int64", "np.float32", "0-d tensor", "0-d float tensor"},
    "number": NUMBERS,
    "layers": {"0", "1", "np.int64", "0-d tensor"},
    "choice": set(),
    "optional choice": {"None"},
    "device": set(),
    "model": {"None"},
    "optional": {"None"},
    "optional string": STRINGS | {"None"},
    "token": STRINGS | {"None", "True"},
    "output": {"string", "path", "np.str", "empty string", "surrogate"},
    "vocabulary": {"None"} | STRINGS_IN_LISTS | NO_ITEMS,
    "layer weights": {"None", "range"},
    "optional path": STRINGS | {"None", "path"},
    "some word lists": LISTS_OF_WORDS - NO_ITEMS,
    "some sentences": (LISTS_OF_WORDS | STRINGS_IN_LISTS) - NO_ITEMS,
    "layers to check later": {"0", "1", "2**63", "np.int64", "0-d tensor"},
    "ids": {"empty ids"},
    "nothing": set(),
    "examples": NO_ITEMS,
    "lines": STRINGS_IN_LISTS | LISTS_OF_WORDS,
    "texts of a task": LISTS_OF_WORDS | STRINGS_IN_LISTS | {"deeply nested"},
    "text of a task": STRINGS | LISTS_OF_WORDS | STRINGS_IN_LISTS,
}
"""The hostile values that are fine for each kind of parameter. All others must be refused."""

MUST_WORK = {
    "sentences": LISTS_OF_WORDS | STRINGS_IN_LISTS,
    "word lists": LISTS_OF_WORDS,
    "layers": {"0", "1", "np.int64"},
    "count": {"1", "np.int64"},
    "optional count": {"None", "1", "np.int64"},
    "flag": {"True", "np.bool"},
    "fraction": {"0", "0.5", "np.float32"},
    "texts of a task": LISTS_OF_WORDS | STRINGS_IN_LISTS | {"deeply nested"},
    "text of a task": STRINGS | LISTS_OF_WORDS | STRINGS_IN_LISTS,
}
"""The hostile values that must not be refused: unusual, but what they mean is clear."""


class Call:
    """A callable with valid arguments, and the kind of each parameter to be attacked."""

    def __init__(self, name: str, function: Callable[..., Any], valid: dict[str, Any], /, **kinds: str) -> None:
        self.name, self.function, self.valid, self.kinds = name, function, valid, kinds


def calls(model: elmo.Embedder, folder: Path) -> list[Call]:
    """List the public API: ``elmo.__all__``, the adapters, and the functions on the page "Python API"."""
    text, tokens = ["the play"], [["the", "play"]]
    options, weights = folder / "options.json", folder / "weights.hdf5"
    files = {"options_file": options, "weight_file": weights}
    bilm, ids = model.bilm, allennlp.batch_to_ids(tokens)
    module = elmo.ELMo(bilm)
    batch = collate(tokens, bilm.token_layer.encode)
    embedder = allennlp.ElmoEmbedder(options, weights)
    shim = allennlp.Elmo(options, weights, 1, vocab_to_cache=["pad", "the", "play"])
    token_embedder = allennlp.ElmoTokenEmbedder(options, weights)
    embedding = {"layers": "layers", "pool": "optional choice", "tokenize": "choice", "initial_state": "choice"}
    embedding |= {
        "merge": "optional choice",
        "batch_tokens": "optional count",
        "batch_sentences": "count",
        "sentences": "sentences",
    }
    cnn = CharCNNConfig(4, ((1, 4),), "relu", 1, 8, 50)
    found = [
        Call(
            "load",
            elmo.load,
            {"model": folder},
            model="model",
            device="device",
            precision="choice",
            revision="optional string",
            token="token",
        ),
        Call(
            "load(options)",
            elmo.load,
            {"options": options, "weights": weights},
            options="nothing",
            weights="nothing",
            vocabulary="optional path",
            embedding="optional",
        ),
        Call("models", elmo.models, {}, language="optional string"),
        Call("from_pretrained", elmo.Embedder.from_pretrained, {"name": folder}, name="model"),
        Call(
            "Embedder",
            elmo.Embedder,
            {"bilm": bilm},
            bilm="nothing",
            warm_up="sentences",
            softmax="optional",
            precision="choice",
        ),
        Call("embed", model.embed, {"sentences": text}, **embedding),
        Call("embed_stream", lambda **k: list(model.embed_stream(**k)), {"sentences": text}, **embedding),
        Call("embed_batch", model.embed_batch, {"sentences": text}, sentences="sentences", state="optional"),
        Call("save", model.save, {"folder": "m"}, folder="output"),
        Call(
            "ELMo",
            elmo.ELMo,
            {"bilm": bilm},
            bilm="nothing",
            mixes="count",
            dropout="fraction",
            layer_norm="flag",
            freeze="flag",
            layers="choice",
            keep_boundaries="flag",
        ),
        Call("ELMo.forward", module, {"batch": tokens}, batch="some word lists"),
        Call("ELMo.penalty", module.penalty, {"strength": 0.1}, strength="number"),
        Call("ScalarMix", elmo.ScalarMix, {"n_layers": 3}, n_layers="count", layer_norm="flag"),
        Call("ScalarMix.forward", elmo.ScalarMix(4), {"layers": torch.zeros(4, 2, 3)}, layers="nothing"),
        Call("ScalarMix.penalty", elmo.ScalarMix(3).penalty, {"strength": 0.1}, strength="number"),
        Call("BiLM", elmo.BiLM, {"config": bilm.config}, config="nothing", vocabulary="optional"),
        Call("BiLM.forward", bilm, {"batch": batch}, batch="nothing", state="optional"),
        Call(
            "BiLMConfig",
            elmo.BiLMConfig,
            {"token_layer": cnn, "lstm": LSTMConfig(8, 8)},
            token_layer="nothing",
            lstm="nothing",
            tokenizer="choice",
        ),
        Call("BiLMConfig.from_dict", elmo.BiLMConfig.from_dict, {"data": {}}, data="nothing"),
        Call("batch_to_ids", allennlp.batch_to_ids, {"batch": tokens}, batch="word lists"),
        Call(
            "ElmoEmbedder",
            allennlp.ElmoEmbedder,
            files,
            options_file="nothing",
            weight_file="nothing",
            cuda_device="GPU",
            stateful="flag",
        ),
        Call("embed_sentence", embedder.embed_sentence, {"sentence": tokens[0]}, sentence="one sentence"),
        Call("ElmoEmbedder.embed_batch", embedder.embed_batch, {"batch": tokens}, batch="word lists"),
        Call("batch_to_embeddings", embedder.batch_to_embeddings, {"batch": tokens}, batch="word lists"),
        Call(
            "embed_sentences",
            lambda **k: list(embedder.embed_sentences(**k)),
            {"sentences": tokens},
            sentences="word lists",
            batch_size="count",
        ),
        Call(
            "embed_file",
            lambda **k: embedder.embed_file(**{"input_file": io.StringIO("a\n"), **k}),
            {"output_file_path": "o.h5"},
            input_file="lines",
            output_file_path="output",
            output_format="choice",
            batch_size="count",
            forget_sentences="flag",
            use_sentence_keys="flag",
        ),
        Call(
            "Elmo",
            allennlp.Elmo,
            {**files, "num_output_representations": 1},
            options_file="nothing",
            weight_file="nothing",
            num_output_representations="count",
            requires_grad="flag",
            do_layer_norm="flag",
            dropout="fraction",
            vocab_to_cache="vocabulary",
            keep_sentence_boundaries="flag",
            scalar_mix_parameters="layer weights",
            module="optional",
            stateful="flag",
        ),
        Call("Elmo.forward", shim, {"inputs": ids}, inputs="nothing", word_inputs="optional"),
        Call(
            "ElmoTokenEmbedder",
            allennlp.ElmoTokenEmbedder,
            files,
            do_layer_norm="flag",
            dropout="fraction",
            requires_grad="flag",
            projection_dim="projection",
            vocab_to_cache="vocabulary",
            scalar_mix_parameters="layer weights",
        ),
        Call("ElmoTokenEmbedder.forward", token_embedder, {"elmo_tokens": ids}, elmo_tokens="nothing"),
        Call(
            "allennlp.ScalarMix",
            allennlp.ScalarMix,
            {"mixture_size": 3},
            mixture_size="count",
            do_layer_norm="flag",
            initial_scalar_parameters="layer weights",
            trainable="flag",
        ),
        Call(
            "allennlp.ScalarMix.forward",
            allennlp.ScalarMix(4, do_layer_norm=True),
            {"tensors": list(torch.zeros(4, 1, 2, 3)), "mask": torch.ones(1, 2)},
            tensors="nothing",
            mask="nothing",
        ),
        Call(
            "convert_word_to_char_ids",
            allennlp.ELMoCharacterMapper.convert_word_to_char_ids,
            {"word": "a"},
            word="text",
        ),
        Call(
            "remove_sentence_boundaries",
            allennlp.remove_sentence_boundaries,
            {"tensor": torch.zeros(1, 3, 2), "mask": torch.ones(1, 3)},
            tensor="nothing",
            mask="nothing",
        ),
        Call("words", words, {"text": "a"}, text="text"),
        Call("sentences", sentences, {"text": "a"}, text="text"),
        Call("tokenizer", tokenizer, {"name": "words"}, name="choice"),
        Call("word_to_ids", word_to_ids, {"word": "a"}, word="text"),
        Call(
            "Occurrences.of",
            Occurrences.of,
            {"sentences": tokens},
            sentences="some sentences",
            tokenizer="choice",
        ),
        *(adapter_calls(bilm, folder)),
    ]
    labels = {"labels": ["O"]}
    for name in TASKS:
        task = task_named(name)
        found.append(Call(f"{name}.split", task.split, {"text": "a", "tokenizer": tokenizer("words")}, text="text"))
        trained = TrainedTask(task, _stub(None), labels)
        found.append(Call(f"{name}.predict", trained.predict, {}, examples="examples"))
    entities = TrainedTask(task_named("ner"), _stub([]), labels)
    found.append(Call("load_task", elmo.load_task, {"name": "no such task"}, name="nothing", device="device"))
    found.append(
        Call("ner.stream", lambda texts: list(entities.stream(texts)), {"texts": text}, texts="texts of a task")
    )
    found.append(Call("ner.__call__", lambda text: entities(text=text), {"text": "a"}, text="text of a task"))
    return found


def _stub(prediction: Any) -> Any:
    """A task model that always predicts the same."""

    def predict(examples: list[Any]) -> list[Any]:
        return [prediction] * len(examples)

    words = SimpleNamespace(device=torch.device("cpu"), bilm_config=None)
    return SimpleNamespace(eval=lambda: None, predict=predict, predict_in_detail=predict, words=words)


def adapter_calls(bilm: elmo.BiLM, folder: Path) -> list[Call]:
    """List the adapters for libraries that are installed."""
    from elmo.interop.sentence_transformers import ELMoModule
    from elmo.interop.sklearn import ELMoVectorizer
    from elmo.interop.spacy import elmo_tok2vec
    from elmo.interop.transformers import ElmoConfig, ElmoTokenizer

    text = ["the play"]
    module = ELMoModule(bilm)
    config = ElmoConfig.from_dict(bilm.config.to_dict())
    hf_tokenizer = ElmoTokenizer(config)
    settings = {"layers": "layers", "pool": "choice", "tokenize": "choice", "batch_tokens": "optional count"}
    return [
        Call(
            "ELMoVectorizer",
            lambda **k: ELMoVectorizer(folder, **k).fit(text),
            {},
            device="device",
            **settings,
        ),
        Call("ELMoVectorizer.transform", ELMoVectorizer(folder).transform, {"X": text}, X="sentences"),
        Call(
            "ELMoModule", ELMoModule, {"bilm": bilm}, bilm="nothing", layers="layers", tokenize="choice", freeze="flag"
        ),
        Call(
            "ELMoModule.preprocess", module.preprocess, {"inputs": text}, inputs="sentences", prompt="optional string"
        ),
        Call("elmo_tok2vec", elmo_tok2vec, {"name": str(folder)}, layers="layers to check later"),
        Call("ElmoTokenizer", ElmoTokenizer, {"config": config}, tokenize="choice"),
        Call("ElmoTokenizer.__call__", hf_tokenizer, {"text": text}, text="texts"),
    ]


KINDS["texts"] = KINDS["sentences"] | STRINGS
MUST_WORK["texts"] = MUST_WORK["sentences"]

DRAWN = 8
"""Further values for each parameter in the normal run; ``ELMO_TEST_FULL=1`` runs all of them."""


def refused(call: Call, parameter: str, value: Any) -> BaseException | None:
    """Make the call with one wrong argument, and return what it raises."""
    try:
        call.function(**{**call.valid, parameter: value})
    except Exception as error:
        return error
    return None


def complaint(call: Call, parameter: str, name: str) -> str | None:
    """Say what is wrong with the answer to one hostile value; None if nothing is."""
    kind = call.kinds[parameter]
    error = refused(call, parameter, HOSTILE[name]())
    place = f"{call.name}({parameter}={name})"
    if error is None:
        return None if name in KINDS[kind] else f"{place}: accepted silently"
    if not isinstance(error, ValueError | TypeError | OSError):
        return f"{place}: {type(error).__name__}: {str(error)[:150]}"
    if not str(error).strip():
        return f"{place}: {type(error).__name__} without a message"
    if len(str(error).splitlines()) > 1:
        return f"{place}: message of several lines: {str(error)[:150]!r}"
    if name in MUST_WORK.get(kind, set()):
        return f"{place}: refused: {error}"
    return None


@pytest.fixture(scope="module")
def public_calls(published_folder: Path) -> list[Call]:
    return calls(elmo.load(published_folder), published_folder)


@pytest.fixture(autouse=True)
def _in_scratch_folder(tmp_path: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(tmp_path)
    with contextlib.ExitStack() as stack:
        stack.callback(os.chdir, before)
        yield


def test_valid_arguments_work(public_calls: list[Call]) -> None:
    for call in public_calls:
        if call.name in ("BiLMConfig.from_dict", "load_task") or call.name.endswith(".predict"):
            continue
        call.function(**call.valid)


def test_every_public_name_is_attacked(public_calls: list[Call]) -> None:
    names = {call.name.split("(")[0].split(".")[0] for call in public_calls}
    assert set(elmo.__all__) - {"__version__"} <= names


def test_hostile_values(public_calls: list[Call]) -> None:
    generator = random.Random(0)
    complaints, count = [], 0
    for call in public_calls:
        for parameter, kind in call.kinds.items():
            chosen = list(HOSTILE)
            if not os.environ.get("ELMO_TEST_FULL"):
                important = {"None", "nan", "bytes", "[None]"} | MUST_WORK.get(kind, set())
                rest = [name for name in chosen if name not in important]
                chosen = sorted(important) + generator.sample(rest, DRAWN)
            for name in chosen:
                count += 1
                if (found := complaint(call, parameter, name)) is not None:
                    complaints.append(found)
    assert not complaints, f"{len(complaints)} of {count} cases:\n" + "\n".join(complaints)
