import pickle
from importlib.metadata import entry_points
from pathlib import Path

import numpy as np
import pytest
import torch

pytest.importorskip("spacy", reason="spaCy is not installed (extra: spacy)")

import spacy
import srsly
from interop.documented import run_examples
from spacy.tokens import Doc, DocBin
from spacy.training import Example
from thinc.api import fix_random_seed

import elmo
import elmo.interop.spacy
from elmo.config import LSTMConfig, WordTableConfig
from elmo.text.vocabulary import Vocabulary

SENTENCE = "The play was sold out ."


@pytest.fixture(scope="session")
def folder(model: elmo.Embedder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("spacy") / "model"
    model.save_pretrained(folder)
    return folder


def blank(folder: Path, *before: str, **options) -> spacy.Language:
    nlp = spacy.blank("en")
    for name in before:
        nlp.add_pipe(name)
    nlp.add_pipe("elmo", config={"model": {"name": str(folder), **options}})
    return nlp


def test_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    fix_random_seed(0)
    embed, tag = run_examples("spaCy")
    expected = elmo.load().embed([[token.text for token in sentence] for sentence in embed["doc"].sents])
    assert len(expected) == 2
    np.testing.assert_allclose(embed["layers"], np.concatenate([s.layers for s in expected], 1), atol=1e-5, rtol=1e-5)
    np.testing.assert_allclose(embed["vectors"], embed["layers"].mean(0), atol=1e-5, rtol=1e-5)
    np.testing.assert_array_equal(embed["play"], embed["layers"][:, 1])
    np.testing.assert_array_equal(embed["again"](embed["doc"].text).tensor, embed["vectors"])
    assert tag["tags"] == ["DET", "NOUN", "VERB", "ADJ", "PUNCT"]
    for words, tags in tag["tagged"]:
        assert [token.tag_ for token in tag["nlp"](words)] == tags.split()


def test_entry_points() -> None:
    """spaCy finds the adapter without an import."""
    [factory] = entry_points(group="spacy_factories", name="elmo")
    assert factory.load() is elmo.interop.spacy.make_elmo
    [architecture] = entry_points(group="spacy_architectures", name="elmo.Tok2Vec.v1")
    assert architecture.load() is elmo.interop.spacy.elmo_tok2vec


@pytest.mark.parametrize(("layers", "same"), [("mix", "average"), ("top", "top"), (1, 1)])
def test_vectors(model: elmo.Embedder, folder: Path, layers, same) -> None:
    doc = blank(folder, layers=layers)(SENTENCE)
    [expected] = model.embed([SENTENCE])
    np.testing.assert_allclose(doc._.elmo, expected.layers, atol=1e-5, rtol=1e-5)
    np.testing.assert_allclose(doc.tensor, model.embed([SENTENCE], same)[0].layers, atol=1e-5, rtol=1e-5)
    np.testing.assert_array_equal(doc[1:3]._.elmo, doc._.elmo[:, 1:3])


def test_white_space_and_empty_docs(model: elmo.Embedder, folder: Path) -> None:
    nlp = blank(folder)
    texts = ["The  play", "", " \n ", "out"]
    docs = list(nlp.pipe(texts))
    assert [doc.tensor.shape for doc in docs] == [(3, 16), (0, 16), (1, 16), (1, 16)]
    np.testing.assert_allclose(docs[0]._.elmo[:, [0, 2]], model.embed(["The play"])[0].layers, atol=1e-5, rtol=1e-5)
    assert not docs[0]._.elmo[:, 1].any()
    assert not docs[2].tensor.any()
    assert nlp("").tensor.shape == (0, 16)
    assert nlp.make_doc("unseen")[0]._.elmo is None


def test_serialized(folder: Path, tmp_path: Path) -> None:
    nlp = blank(folder, layers="top")
    doc = nlp(SENTENCE)
    nlp.to_disk(tmp_path / "pipeline")
    config = (tmp_path / "pipeline" / "config.cfg").read_text()
    (tmp_path / "pipeline" / "config.cfg").write_text(config.replace(str(folder), "gone"))
    again = spacy.load(tmp_path / "pipeline")  # the model is part of the pipeline
    np.testing.assert_array_equal(again(SENTENCE).tensor, doc.tensor)
    other = blank(Path("gone"), layers="top").from_bytes(nlp.to_bytes())
    np.testing.assert_array_equal(other(SENTENCE).tensor, doc.tensor)
    copied = pickle.loads(pickle.dumps(nlp.get_pipe("elmo").model))  # as for spawned processes
    np.testing.assert_array_equal(copied.predict([doc])[0], doc.tensor)
    store = DocBin(store_user_data=True, docs=[doc])
    [stored] = store.get_docs(nlp.vocab)
    np.testing.assert_array_equal(stored._.elmo, doc._.elmo)


def test_a_model_that_looks_words_up(tmp_path: Path) -> None:
    config = elmo.BiLMConfig(WordTableConfig(5, 4), LSTMConfig(6, 4))
    model = elmo.Embedder(elmo.BiLM(config, Vocabulary(["<S>", "</S>", "<UNK>", "The", "play"])))
    model.save_pretrained(tmp_path / "words")
    data = blank(tmp_path / "words").to_bytes()
    doc = blank(Path("gone")).from_bytes(data)(SENTENCE)
    np.testing.assert_allclose(doc._.elmo, model.embed([SENTENCE])[0].layers, atol=1e-5, rtol=1e-5)

    shim = elmo.interop.spacy.BiLMShim(str(tmp_path / "words"))
    stored = srsly.msgpack_loads(shim.to_bytes())
    del stored["files"]
    stored["vocabulary"] = ["<S>", "</S>", "<UNK>", "The", "play"]  # as version 0.1 saved it
    old = elmo.interop.spacy.BiLMShim("gone").from_bytes(srsly.msgpack_dumps(stored))
    np.testing.assert_array_equal(old.embedder.embed([SENTENCE])[0].layers, shim.embedder.embed([SENTENCE])[0].layers)


def test_a_model_of_many_langs(many_langs_folder: Path, tmp_path: Path) -> None:
    """The dictionary of characters and words is saved with the pipeline."""
    nlp = blank(many_langs_folder)
    [expected] = elmo.load(many_langs_folder).embed(["kat 語 ter"])
    np.testing.assert_allclose(nlp("kat 語 ter")._.elmo, expected.layers, atol=1e-5, rtol=1e-5)
    nlp.to_disk(tmp_path / "pipeline")
    config = (tmp_path / "pipeline" / "config.cfg").read_text()
    (tmp_path / "pipeline" / "config.cfg").write_text(config.replace(str(many_langs_folder), "gone"))
    for again in (spacy.load(tmp_path / "pipeline"), blank(Path("gone")).from_bytes(nlp.to_bytes())):
        np.testing.assert_allclose(again("kat 語 ter")._.elmo, expected.layers, atol=1e-5, rtol=1e-5)


def tagger(tok2vec: dict, folder: Path | None = None) -> tuple[spacy.Language, list[Example]]:
    """Create a pipeline with a tagger, and examples in which the tag of "play" depends on its context."""
    nlp = spacy.blank("en") if folder is None else blank(folder)
    nlp.add_pipe("tagger", config={"model": {"@architectures": "spacy.Tagger.v2", "tok2vec": tok2vec}})
    tagged = {"They play a game": "P V D N", "The play was long": "D N V J", "We watch the play": "P V D N"}
    return nlp, [
        Example.from_dict(Doc(nlp.vocab, words=words.split()), {"tags": tags.split()}) for words, tags in tagged.items()
    ]


@pytest.mark.parametrize("kind", ["listens", "frozen", "own"])
def test_a_tagger_learns(kind: str, folder: Path, tmp_path: Path) -> None:
    fix_random_seed(0)
    if kind == "own":
        nlp, examples = tagger({"@architectures": "elmo.Tok2Vec.v1", "name": str(folder)})
    else:
        nlp, examples = tagger({"@architectures": "spacy.Tok2VecListener.v1", "width": 16, "upstream": "elmo"}, folder)
    optimizer = nlp.initialize(lambda: examples)
    optimizer.learn_rate = 0.1
    frozen = {"exclude": ["elmo"], "annotates": ["elmo"]} if kind == "frozen" else {}
    for _ in range(200):
        nlp.update(examples, sgd=optimizer, **frozen)
    nlp.to_disk(tmp_path)
    for trained in (nlp, spacy.load(tmp_path)):
        for example in examples:
            assert [token.tag_ for token in trained(example.text)] == example.get_aligned("TAG", as_string=True)
    mix = nlp.get_pipe("tagger").model.get_ref("tok2vec") if kind == "own" else nlp.get_pipe("elmo").model
    assert bool(mix.layers[1].get_param("weights").any()) == (kind != "frozen")


def test_gradients_of_the_mixture() -> None:
    mix = elmo.interop.spacy.elmo_tok2vec().layers[1]
    random = np.random.default_rng(0)
    docs = [random.standard_normal((3, n, 4)).astype(np.float32) for n in (2, 0, 5)]
    wanted = [random.standard_normal((n, 4)).astype(np.float32) for n in (2, 0, 5)]
    mix.initialize(X=docs)
    mix.set_param("weights", np.array([0.3, -0.2, 0.5], np.float32))
    mix.set_param("gamma", np.array([1.5], np.float32))

    torch_mix = elmo.ScalarMix(3)
    torch_mix.load_state_dict(
        {"weights": torch.tensor(mix.get_param("weights")), "gamma": torch.tensor(mix.get_param("gamma")[0])}
    )
    vectors, backprop = mix.begin_update(docs)
    backprop(wanted)
    for layers, gradient, ours in zip(docs, wanted, vectors, strict=True):
        theirs = torch_mix(torch.tensor(layers))
        np.testing.assert_allclose(ours, theirs.detach().numpy(), atol=1e-5, rtol=1e-5)
        theirs.backward(torch.tensor(gradient))
    np.testing.assert_allclose(mix.get_grad("weights"), torch_mix.weights.grad.numpy(), atol=1e-5)
    np.testing.assert_allclose(mix.get_grad("gamma")[0], torch_mix.gamma.grad.numpy(), atol=1e-5)


def test_misuse(folder: Path) -> None:
    with pytest.raises(ValueError, match="layers must be"):
        blank(folder, layers=7)(SENTENCE)
    with pytest.raises(ValueError, match="layers must be"):
        elmo.interop.spacy.elmo_tok2vec(layers=-1)
    with pytest.raises(ValueError, match="gone"):
        blank(Path("gone"))(SENTENCE)
