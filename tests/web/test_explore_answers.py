"""What the explorer's page is told, without a browser."""

import json
import time

import numpy as np
import pytest

pytest.importorskip("fastapi", reason="needs elmo-torch[serve]")
pytest.importorskip("uvicorn", reason="needs elmo-torch[serve]")
from fastapi.testclient import TestClient
from web.explorer import SENTENCES, explorer_app

from elmo.datasets.static_vectors import StaticVectors
from elmo.search.static_neighbors import StaticNeighbors
from elmo.serve.errors import Refusal
from elmo.serve.pages import MAX_SENTENCES, MAX_WORDS, SAMPLE, STATIC
from elmo.text.reading import read_sentences

WORDS = ["They", "play", "in", "the", "garden", "."]
PLAYS = sum(word.lower() == "play" for sentence in SENTENCES for word in sentence)
VECTORS = StaticVectors(("play", "game", "river"), np.array([[1, 0], [0.8, 0.6], [0, 1]], np.float32))


@pytest.fixture(scope="module")
def client(model):
    with TestClient(explorer_app(model)) as client:
        while (status := client.get("/explore/status").json())["done"] < status["words"]:
            time.sleep(0.01)
        yield client


def asked(client, path, **body):
    response = client.post(f"/explore/{path}", json=body)
    assert response.status_code == 200, response.text
    return response.json()


def test_the_status_says_what_there_is(client, model):
    status = client.get("/explore/status").json()
    assert status["model"] == "tested"
    assert status["layers"] == model.bilm.config.n_representations
    assert status["words"] == status["done"] == sum(map(len, SENTENCES))
    assert (status["sentences"], status["text"], status["cut"]) == (len(SENTENCES), "test text", False)
    assert status["predicts"] is False
    assert status["static"] is None


def test_text_is_cut_in_sentences_and_words(client):
    found = asked(client, "sentences", text="It's <b>late</b>. Go home!\nNow")
    assert found["sentences"] == [
        ["It", "'s", "<", "b", ">", "late", "<", "/", "b", ">", "."],
        ["Go", "home", "!"],
        ["Now"],
    ]
    assert found["cut"] is False
    assert asked(client, "sentences", text=" \n ") == {"sentences": [], "cut": False}
    long = asked(client, "sentences", text=" ".join(["word"] * (MAX_WORDS + 1)))
    assert (len(long["sentences"][0]), long["cut"]) == (MAX_WORDS, True)
    many = asked(client, "sentences", text="No.\n" * (MAX_SENTENCES + 1))
    assert (len(many["sentences"]), many["cut"]) == (MAX_SENTENCES, True)


def test_nearest_uses_are_those_of_the_models_vectors(client, model):
    found = asked(client, "nearest", words=WORDS, position=1, k=3)
    query = model.embed([WORDS])[0].layers[:, 1]
    vectors = [sentence.layers for sentence in model.embed(SENTENCES)]
    for layer in (1, 2):
        use = found["layers"][layer][0]
        number = SENTENCES.index(use["words"])
        near = vectors[number][layer, use["position"]]
        cosine = near @ query[layer] / np.linalg.norm(near) / np.linalg.norm(query[layer])
        assert use["similarity"] == pytest.approx(cosine, abs=1e-4)
        every = np.concatenate([v[layer] for v in vectors])
        assert cosine == pytest.approx(
            (every @ query[layer] / np.linalg.norm(every, axis=1) / np.linalg.norm(query[layer])).max(), abs=1e-4
        )
    assert found["layers"][0][0]["similarity"] == pytest.approx(1, abs=1e-4)
    assert found["uses"] == PLAYS
    mixed = asked(client, "mixed", words=WORDS, position=1, raw=[0, 0, 0])
    assert mixed["weights"] == pytest.approx([1 / 3] * 3)
    assert mixed["length"] == pytest.approx(np.linalg.norm(query.mean(0)), rel=1e-4)


def test_a_mix_of_one_layer_is_that_layer_and_gamma_changes_products_alone(client):
    plain = {"words": WORDS, "position": 1, "raw": [-20, -20, 20]}
    found = asked(client, "mixed", **plain)
    top = asked(client, "nearest", words=WORDS, position=1)["layers"][2]
    assert [use["words"] for use in found["uses"]] == [use["words"] for use in top]
    doubled = asked(client, "mixed", **plain, gamma=2)
    assert doubled["uses"] == found["uses"]
    assert doubled["length"] == pytest.approx(2 * found["length"])
    products = asked(client, "mixed", **plain, measure="dot")
    larger = asked(client, "mixed", **plain, measure="dot", gamma=2)
    assert [use["words"] for use in larger["uses"]] == [use["words"] for use in products["uses"]]
    assert larger["uses"][0]["similarity"] == pytest.approx(4 * products["uses"][0]["similarity"], rel=1e-4)


def test_the_same_word_only(client):
    found = asked(client, "mixed", words=WORDS, position=1, raw=[0, 0, 0], same_word=True, k=50)
    assert {use["words"][use["position"]].lower() for use in found["uses"]} == {"play"}
    assert len(found["uses"]) == PLAYS


def test_a_sentence_of_the_text_is_not_its_own_neighbour(client):
    sentence = SENTENCES[0]
    found = asked(client, "nearest", words=sentence, position=1)["layers"]
    assert sentence not in [use["words"] for layer in found for use in layer]


def test_without_static_vectors_the_first_layer_stands_in(client):
    static = asked(client, "nearest", words=WORDS, position=1)["static"]
    assert static["source"] is None
    assert "play" not in [word for word, _ in static["words"]]
    assert len(static["words"]) == 12


def test_static_vectors_are_shown_where_the_word_has_one(model):
    with TestClient(explorer_app(model, StaticNeighbors(VECTORS, "GloVe"))) as client:
        assert client.get("/explore/status").json()["static"] == "GloVe"
        body = {"words": ["Play", "chess"]}
        known, unknown = [asked(client, "nearest", position=place, **body)["static"] for place in (0, 1)]
    assert known["words"] == [["game", pytest.approx(0.8)], ["river", pytest.approx(0.0)]]
    assert (unknown["known"], unknown["words"]) == (False, [])


def test_the_map_begins_with_the_chosen_use(client):
    found = asked(client, "map", words=WORDS, position=1, by=2)
    assert found["total"] == len(found["points"]) == PLAYS + 1
    assert found["points"][0]["words"] == WORDS
    assert all(-1.001 <= point["similarity"] <= 1.001 for point in found["points"])
    without = asked(client, "map", words=["Nobody", "knows"], position=0, by=[0, 0, 0])
    assert without["points"] == []


def test_similarities_of_two_sentences(client, model):
    other = ["The", "play", "ended"]
    found = asked(client, "similarity", first=WORDS, second=other, raw=[0, 0, 0])
    assert len(found["layers"]) == 3
    assert np.array(found["mix"]).shape == (len(WORDS), len(other))
    assert found["layers"][0][1][1] == pytest.approx(1, abs=1e-4)
    first, second = (sentence.layers.mean(0) for sentence in model.embed([WORDS, other]))
    cosine = first[1] @ second[1] / np.linalg.norm(first[1]) / np.linalg.norm(second[1])
    assert found["mix"][1][1] == pytest.approx(cosine, abs=1e-4)


@pytest.mark.parametrize(
    ("path", "body", "part"),
    [
        ("nearest", {"words": WORDS, "position": 6}, "6 words"),
        ("nearest", {"words": WORDS, "position": -1}, "position"),
        ("mixed", {"words": WORDS, "position": 0, "raw": [0]}, "3 layers"),
        ("mixed", {"words": WORDS, "position": 0, "raw": [0, 0, 1e9]}, "raw"),
        ("nearest", {"words": [], "position": 0}, "words"),
        ("nearest", {"words": [""], "position": 0}, "words"),
        ("nearest", {"words": ["a"] * (MAX_WORDS + 1), "position": 0}, "words"),
        ("map", {"words": WORDS, "position": 0, "by": 3}, "no layer 3"),
        ("map", {"words": WORDS, "position": 0, "by": [0, 0]}, "3 layers"),
        ("similarity", {"first": WORDS, "raw": [0, 0, 0]}, "second"),
        ("sentences", {"text": "a", "other": 1}, "other"),
        ("sentences", {"text": 5}, "text"),
        ("sentences", {"text": "half a character: \ud800"}, "text"),
        ("nearest", {"words": ["\udfff"], "position": 0}, "words"),
    ],
)
def test_what_cannot_be_answered_is_refused_with_the_reason(client, path, body, part):
    headers = {"content-type": "application/json"}
    response = client.post(f"/explore/{path}", content=json.dumps(body), headers=headers)
    assert response.status_code == 422
    assert part in response.json()["error"]["message"]


def test_the_page_needs_nothing_from_elsewhere(client):
    page = client.get("/")
    assert page.headers["content-type"].startswith("text/html")
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert client.get("/main.js").headers["content-type"].startswith("text/javascript")
    for file in STATIC.iterdir():
        text = file.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")  # a name, not an address
        assert "http://" not in text, file
        assert "https://" not in text, file
        assert "innerHTML" not in text, file
        assert " onclick" not in text, file
        assert client.get(f"/{file.name}").status_code == 200
    for path in ("/missing.js", "/../uses.py", "/..%2fuses.py", "/%2e%2e/uses.py"):
        assert client.get(path).status_code == 404


def test_the_server_below_the_page_still_answers(client):
    assert client.get("/health").json()["status"] == "ok"
    assert client.post("/embed", json={"sentences": ["A play ."]}).status_code == 200


def test_the_sample_is_small_and_full_of_words_with_several_meanings():
    assert SAMPLE.stat().st_size < 150_000
    found = [[word.lower() for word in sentence] for sentence in read_sentences([SAMPLE])]
    assert len(found) == len({tuple(sentence) for sentence in found}) > 500
    for word in ("play", "bank", "spring", "light", "bat", "match", "right"):
        assert sum(word in sentence for sentence in found) >= 25, word


def test_a_text_that_cannot_be_read_to_its_end_is_said(model, monkeypatch):
    app = explorer_app(model)
    batcher = app.state.service.models["tested"].batcher

    def fail(*arguments):
        raise RuntimeError("out of memory")

    monkeypatch.setattr(batcher, "embed", fail)
    with TestClient(app) as client:
        while (status := client.get("/explore/status").json())["problem"] is None:
            time.sleep(0.01)
    assert status["done"] == 0
    assert status["problem"] == "The text could not be read to its end: out of memory"


def test_reading_goes_on_when_the_line_is_free_again(model, monkeypatch):
    app = explorer_app(model)
    batcher = app.state.service.models["tested"].batcher
    embed, refused = batcher.embed, []

    def busy_once(*arguments):
        if not refused:
            refused.append(True)
            raise Refusal(429, "too many")
        return embed(*arguments)

    monkeypatch.setattr(batcher, "embed", busy_once)
    with TestClient(app) as client:
        while (status := client.get("/explore/status").json())["done"] < status["words"]:
            time.sleep(0.01)
    assert refused == [True]
