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
from elmo.tasks.load import save_task
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


def test_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folders: dict[str, Path]) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("elmo.tasks.load.locate_task", lambda name: folders.get(name, Path(name)))
    fix_random_seed(0)
    embed, tag, tasks = run_examples("spaCy")
    expected = elmo.load().embed([[token.text for token in sentence] for sentence in embed["doc"].sents])
    assert len(expected) == 2
    np.testing.assert_allclose(embed["layers"], np.concatenate([s.layers for s in expected], 1), atol=1e-5, rtol=1e-5)
    np.testing.assert_allclose(embed["vectors"], embed["layers"].mean(0), atol=1e-5, rtol=1e-5)
    np.testing.assert_array_equal(embed["play"], embed["layers"][:, 1])
    np.testing.assert_array_equal(embed["again"](embed["doc"].text).tensor, embed["vectors"])
    assert tag["tags"] == ["DET", "NOUN", "VERB", "ADJ", "PUNCT"]
    for words, tags in tag["tagged"]:
        assert [token.tag_ for token in tag["nlp"](words)] == tags.split()
    found = tasks["again"](tasks["doc"].text)
    assert entities_of(found) == entities_of(tasks["doc"]) != []
    assert clusters_of(found) == clusters_of(tasks["doc"]) != {}


def test_entry_points() -> None:
    """spaCy finds the adapter without an import."""
    ours = elmo.interop.spacy
    for name, made_by in {
        "elmo": ours.make_elmo,
        "elmo_ner": ours.make_entities,
        "elmo_coref": ours.make_coref,
    }.items():
        [factory] = entry_points(group="spacy_factories", name=name)
        assert factory.load() is made_by
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


# Task models

TEXT = "Ann saw mister Hugo in the old house. She ran to him. Hugo left Ann."


@pytest.fixture(scope="session")
def folders(task_folders: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Run folders of tiny task models, which have learned little, but find something in every sentence."""
    folder = tmp_path_factory.mktemp("spacy")
    ner, coref = elmo.load_task(task_folders["ner"]), elmo.load_task(task_folders["coref"])
    with torch.no_grad():
        ner.model.project.bias[ner.model.tag_ids["O"]] -= 1
        coref.model.pair.rest[-1].bias += 10
    save_task(ner, folder / "ner")
    save_task(coref, folder / "coref")
    return {"ner": folder / "ner", "coref": folder / "coref", "sst": task_folders["sst"]}


def with_tasks(folders: dict[str, Path], *before: str, **config) -> spacy.Language:
    """A pipeline in which both components share a model."""
    nlp = spacy.blank("en")
    for name in before:
        nlp.add_pipe(name)
    nlp.add_pipe("elmo_ner", config={"task": str(folders["ner"])})
    nlp.add_pipe("elmo_coref", config={"task": str(folders["coref"]), "elmo": "elmo_ner", **config})
    return nlp


def entities_of(doc: Doc) -> list[tuple[str, int, int]]:
    return [(entity.label_, entity.start, entity.end) for entity in doc.ents]


def clusters_of(doc: Doc) -> dict[str, list[tuple[int, int]]]:
    return {name: [(span.start, span.end) for span in group] for name, group in doc.spans.items()}


class TestTasks:
    @pytest.mark.parametrize("before", [[], ["sentencizer"]], ids=["own sentences", "sentencizer"])
    def test_results_are_those_of_the_task(self, folders: dict[str, Path], before: list[str]) -> None:
        nlp = with_tasks(folders, *before)
        doc = nlp(TEXT)
        sentences = [[token.text for token in sentence] for sentence in spacy_sentences(doc)]
        assert len(sentences) == 3
        ner, coref = elmo.load_task(folders["ner"]), elmo.load_task(folders["coref"])
        [entities], [clusters] = ner([sentences]), coref([sentences])
        assert entities_of(doc) == [(found.label, *found.words) for found in entities]
        expected = [[mention.words for mention in cluster] for cluster in clusters if len(cluster) > 1]
        assert clusters_of(doc) == {f"coref_clusters_{n}": cluster for n, cluster in enumerate(expected, 1)}
        assert entities_of(doc)
        assert clusters_of(doc)
        assert nlp.get_pipe("elmo_coref").task.elmo is nlp.get_pipe("elmo_ner").task.elmo

    def test_streams_and_unusual_docs(self, folders: dict[str, Path]) -> None:
        nlp = with_tasks(folders)
        texts = [TEXT, "", " \n ", "Ann   saw\n\nHugo .", "😀 😀", "東京は大きい。", f"{TEXT} " * 60, TEXT]
        docs = list(nlp.pipe(texts, batch_size=3))
        assert [doc.text for doc in docs] == texts
        for doc, text in zip(docs, texts, strict=True):
            assert (entities_of(nlp(text)), clusters_of(nlp(text))) == (entities_of(doc), clusters_of(doc))
            for span in [*doc.ents, *(span for group in doc.spans.values() for span in group)]:
                assert span.text == span.text.strip() != ""

    def test_entities_that_are_set_are_kept(self, folders: dict[str, Path]) -> None:
        nlp = spacy.blank("en")
        nlp.add_pipe("entity_ruler").add_patterns([{"label": "HOUSE", "pattern": "Hugo in the old house"}])
        nlp.add_pipe("elmo_ner", config={"task": str(folders["ner"])})
        before = entities_of(with_tasks(folders)(TEXT))
        kept = [entity for entity in before if entity[2] <= 3 or entity[1] >= 8]
        assert entities_of(nlp(TEXT)) == sorted([("HOUSE", 3, 8), *kept], key=lambda entity: entity[1])

    def test_clusters_of_an_earlier_call_are_replaced(self, folders: dict[str, Path]) -> None:
        nlp = with_tasks(folders, prefix="refers")
        doc = nlp(TEXT)
        doc.spans["refers_99"], doc.spans["mine"] = [doc[0:1]], [doc[0:2]]
        again = clusters_of(nlp(doc))
        assert "refers_99" not in again
        assert again["mine"] == [(0, 2)]
        assert any(name.startswith("refers_") for name in again)

    def test_evaluate(self, folders: dict[str, Path]) -> None:
        nlp = with_tasks(folders)
        doc = nlp(TEXT)
        gold = Example(nlp.make_doc(TEXT), doc)
        assert nlp.evaluate([gold])["ents_f"] == 1.0

    @pytest.mark.parametrize("shared_with", [None, "elmo_ner", "elmo"])
    def test_serialized(self, shared_with: str | None, folders: dict[str, Path], folder: Path, tmp_path: Path) -> None:
        """The models are part of the pipeline, and a shared one only once."""
        nlp = spacy.blank("en")
        if shared_with == "elmo":
            nlp.add_pipe("elmo", config={"model": {"name": str(folder)}})
        nlp.add_pipe("elmo_ner", config={"task": str(folders["ner"]), "elmo": "elmo" if nlp.pipe_names else None})
        nlp.add_pipe("elmo_coref", config={"task": str(folders["coref"]), "elmo": shared_with})
        doc = nlp(TEXT)
        nlp.to_disk(tmp_path / "pipeline")
        nlp.to_disk(tmp_path / "pipeline")  # replaces what is there
        copies = {path.parent.name for path in (tmp_path / "pipeline").glob("*/elmo")}
        assert copies == {None: {"elmo_ner", "elmo_coref"}, "elmo_ner": {"elmo_ner"}, "elmo": set()}[shared_with]
        config = (tmp_path / "pipeline" / "config.cfg").read_text()
        for path in (*folders.values(), folder):
            config = config.replace(str(path), "gone")
        (tmp_path / "pipeline" / "config.cfg").write_text(config)
        loaded = spacy.load(tmp_path / "pipeline")
        from_bytes = spacy.blank("en").from_config(spacy.Config().from_str(config)).from_bytes(nlp.to_bytes())
        for again in (loaded, from_bytes, spacy.blank("en").from_config(loaded.config).from_bytes(loaded.to_bytes())):
            found = again(TEXT)
            assert (entities_of(found), clusters_of(found)) == (entities_of(doc), clusters_of(doc))
            shared = again.get_pipe("elmo_ner").task.elmo is again.get_pipe("elmo_coref").task.elmo
            assert shared == (shared_with is not None)
        loaded.to_disk(tmp_path / "pipeline")  # where it comes from
        assert entities_of(spacy.load(tmp_path / "pipeline")(TEXT)) == entities_of(doc)
        assert entities_of(nlp.make_doc(TEXT)) == []

    def test_config(self, folders: dict[str, Path]) -> None:
        nlp = with_tasks(folders, prefix="refers")
        assert nlp.config["components"]["elmo_coref"] == {
            "factory": "elmo_coref",
            "task": str(folders["coref"]),
            "elmo": "elmo_ner",
            "prefix": "refers",
        }
        again = spacy.blank("en").from_config(spacy.Config().from_str(nlp.config.to_str()))
        assert again.config["components"] == nlp.config["components"]
        assert clusters_of(again(TEXT)) == clusters_of(nlp(TEXT))
        assert nlp.analyze_pipes()["summary"]["elmo_ner"]["assigns"][0] == "doc.ents"
        assert set(nlp.get_pipe("elmo_ner").labels) == {"person", "place"}
        assert spacy.blank("en").add_pipe("elmo_ner").labels == ()

    def test_pickled(self, folders: dict[str, Path]) -> None:
        """As for spawned processes."""
        nlp = with_tasks(folders, prefix="refers")
        doc = nlp(TEXT)
        ner, coref = pickle.loads(pickle.dumps((nlp.get_pipe("elmo_ner"), nlp.get_pipe("elmo_coref"))))
        found = coref(ner(nlp.make_doc(TEXT)))
        assert (entities_of(found), clusters_of(found)) == (entities_of(doc), clusters_of(doc))
        assert coref.sharing is ner
        fresh = spacy.blank("en").add_pipe("elmo_ner", config={"task": str(folders["ner"])})
        assert entities_of(pickle.loads(pickle.dumps(fresh))(nlp.make_doc(TEXT))) == entities_of(doc)

    def test_several_processes(self, folders: dict[str, Path]) -> None:
        nlp = with_tasks(folders)
        docs = list(nlp.pipe([TEXT] * 3, n_process=2, batch_size=1))
        assert [entities_of(doc) for doc in docs] == [entities_of(nlp(TEXT))] * 3
        assert [clusters_of(doc) for doc in docs] == [clusters_of(nlp(TEXT))] * 3

    def test_errors(self, folders: dict[str, Path]) -> None:
        nlp = spacy.blank("en")
        with pytest.raises(
            ValueError, match="elmo: no component named 'elmo_ner' with an ELMo model is in the pipeline"
        ):
            nlp.add_pipe("elmo_coref", config={"elmo": "elmo_ner"})
        nlp.add_pipe("sentencizer")
        with pytest.raises(ValueError, match="elmo: no component named 'sentencizer' with an ELMo model"):
            nlp.add_pipe("elmo_coref", config={"elmo": "sentencizer"})
        nlp.add_pipe("elmo_ner", config={"task": str(folders["sst"])})
        with pytest.raises(ValueError, match="sst: is a model for sst, not for ner"):
            nlp(TEXT)
        nlp.remove_pipe("elmo_ner")
        component = nlp.add_pipe("elmo_ner", config={"task": "gone"})
        with pytest.raises(ValueError, match="gone: is not a run folder"):
            nlp(TEXT)
        with pytest.raises(ValueError, match="is not the name of a file"):
            component.from_bytes(srsly.msgpack_dumps({"../run.json": b"{}"}))
        handled = []
        nlp.set_error_handler(lambda name, component, docs, error: handled.append((name, len(docs))))
        assert list(nlp.pipe([TEXT, TEXT])) == []
        assert handled == [("elmo_ner", 2)]


def spacy_sentences(doc: Doc) -> list[list]:
    """The sentences of a text in which every sentence ends in a period."""
    sentences: list[list] = [[]]
    for token in doc:
        sentences[-1].append(token)
        if token.text == ".":
            sentences.append([])
    return sentences[:-1]
