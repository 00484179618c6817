"""The routes behind the explorer page, without a browser."""

import json
import time

import numpy as np
import pytest
from fastapi.testclient import TestClient
from serve.explorer import SENTENCES, explorer_app

import elmo
from elmo.datasets.static_vectors import StaticVectors
from elmo.search.sample_texts import ENGLISH, KOREAN
from elmo.search.static_neighbors import StaticNeighbors
from elmo.serve.errors import APIError
from elmo.serve.examples import opening_for, opening_of
from elmo.serve.pages import MAX_SENTENCES, MAX_WORDS, STATIC
from elmo.serve.settings import ServeSettings
from elmo.text.tokens import tokenizer, words

WORDS = ["They", "play", "in", "the", "garden", "."]
PLAYS = sum(word.lower() == "play" for sentence in SENTENCES for word in sentence)
VECTORS = StaticVectors(("play", "game", "river"), np.array([[1, 0], [0.8, 0.6], [0, 1]], np.float32))


@pytest.fixture(scope="module")
def client(model):
    with TestClient(explorer_app(model)) as client:
        while (status := client.get("/explore/status").json())["embedded"] < status["words"]:
            time.sleep(0.01)
        yield client


def post(client, path, **body):
    response = client.post(f"/explore/{path}", json=body)
    assert response.status_code == 200, response.text
    return response.json()


def test_the_status_describes_model_and_text(client, model):
    status = client.get("/explore/status").json()
    assert status["model"] == "tested"
    assert status["layers"] == model.bilm.config.n_representations
    assert status["words"] == status["embedded"] == sum(map(len, SENTENCES))
    assert (status["sentences"], status["texts"], status["truncated"]) == (len(SENTENCES), ["test text"], False)
    assert status["predicts"] is False
    assert (status["limits"]["sentences"], status["limits"]["blanks"]) == (MAX_SENTENCES, ServeSettings().max_blanks)
    assert status["static"] is None


def test_text_is_split_into_sentences_and_words(client):
    found = post(client, "sentences", text="It's <b>late</b>. Go home!\nNow")
    assert found["sentences"] == [
        ["It", "'s", "<", "b", ">", "late", "<", "/", "b", ">", "."],
        ["Go", "home", "!"],
        ["Now"],
    ]
    assert found["spaced"][0] == [True, False, True, *[False] * 8], "the page shows the text as it was written"
    assert found["truncated"] is False
    empty = {"sentences": [], "spaced": [], "truncated": False, "mismatch": None}
    assert post(client, "sentences", text=" \n ") == empty
    long = post(client, "sentences", text=" ".join(["word"] * (MAX_WORDS + 1)))
    assert (len(long["sentences"][0]), len(long["spaced"][0]), long["truncated"]) == (MAX_WORDS, MAX_WORDS, True)
    many = post(client, "sentences", text="No.\n" * (MAX_SENTENCES + 1))
    assert (len(many["sentences"]), many["truncated"]) == (MAX_SENTENCES, True)


def test_neighbors_follow_from_the_vectors_of_the_model(client, model):
    found = post(client, "neighbors", words=WORDS, position=1, k=3)
    query = model.embed([WORDS])[0].layers[:, 1]
    vectors = [sentence.layers for sentence in model.embed(SENTENCES)]
    for layer in (1, 2):
        neighbor = found["layers"][layer][0]
        number = SENTENCES.index(neighbor["words"])
        near = vectors[number][layer, neighbor["position"]]
        cosine = near @ query[layer] / np.linalg.norm(near) / np.linalg.norm(query[layer])
        assert neighbor["similarity"] == pytest.approx(cosine, abs=1e-4)
        every = np.concatenate([v[layer] for v in vectors])
        assert cosine == pytest.approx(
            (every @ query[layer] / np.linalg.norm(every, axis=1) / np.linalg.norm(query[layer])).max(), abs=1e-4
        )
    assert found["layers"][0][0]["similarity"] == pytest.approx(1, abs=1e-4)
    assert found["occurrences"] == PLAYS
    mixed = post(client, "mix", words=WORDS, position=1, raw=[0, 0, 0])
    assert mixed["weights"] == pytest.approx([1 / 3] * 3)
    assert mixed["norm"] == pytest.approx(np.linalg.norm(query.mean(0)), rel=1e-4)


def test_a_mix_of_one_layer_is_that_layer_and_gamma_changes_only_dot_products(client):
    plain = {"words": WORDS, "position": 1, "raw": [-20, -20, 20]}
    found = post(client, "mix", **plain)
    top = post(client, "neighbors", words=WORDS, position=1)["layers"][2]
    assert [neighbor["words"] for neighbor in found["neighbors"]] == [neighbor["words"] for neighbor in top]
    doubled = post(client, "mix", **plain, gamma=2)
    assert doubled["neighbors"] == found["neighbors"]
    assert doubled["norm"] == pytest.approx(2 * found["norm"])
    products = post(client, "mix", **plain, measure="dot")
    larger = post(client, "mix", **plain, measure="dot", gamma=2)
    assert [neighbor["words"] for neighbor in larger["neighbors"]] == [
        neighbor["words"] for neighbor in products["neighbors"]
    ]
    assert larger["neighbors"][0]["similarity"] == pytest.approx(4 * products["neighbors"][0]["similarity"], rel=1e-4)


def test_the_same_word_only(client):
    found = post(client, "mix", words=WORDS, position=1, raw=[0, 0, 0], same_word=True, k=50)
    assert {neighbor["words"][neighbor["position"]].lower() for neighbor in found["neighbors"]} == {"play"}
    assert len(found["neighbors"]) == PLAYS


def test_a_sentence_of_the_text_is_not_its_own_neighbor(client):
    sentence = SENTENCES[0]
    found = post(client, "neighbors", words=sentence, position=1)["layers"]
    assert sentence not in [neighbor["words"] for layer in found for neighbor in layer]


def test_without_static_vectors_the_token_layer_is_used(client):
    static = post(client, "neighbors", words=WORDS, position=1)["static"]
    assert static["source"] is None
    assert "play" not in [word for word, _ in static["words"]]
    assert len(static["words"]) == 12


def test_static_neighbors(model):
    with TestClient(explorer_app(model, StaticNeighbors(VECTORS, "GloVe"))) as client:
        assert client.get("/explore/status").json()["static"] == "GloVe"
        body = {"words": ["Play", "chess"]}
        known, unknown = [post(client, "neighbors", position=place, **body)["static"] for place in (0, 1)]
    assert known["words"] == [["game", pytest.approx(0.8)], ["river", pytest.approx(0.0)]]
    assert (unknown["known"], unknown["words"]) == (False, [])


def test_a_typed_sentence_is_embedded_once_however_often_it_has_the_word(client):
    """A hundred copies of each of these sentences would not fit in the queue of the model."""
    typed = [["the"] * (MAX_WORDS - 1) + [str(number)] for number in range(4)]
    found = post(client, "map", words=typed[0], position=0, typed=typed, layer=2)
    assert sum(point["typed"] for point in found["points"]) == 4 * (MAX_WORDS - 1)


def test_the_map_begins_with_the_selected_occurrence(client):
    found = post(client, "map", words=WORDS, position=1, layer=2)
    assert found["total"] == len(found["points"]) == PLAYS + 1
    assert found["points"][0]["words"] == WORDS
    assert all(-1.001 <= point["similarity"] <= 1.001 for point in found["points"])
    own = [WORDS, ["Play", "and", "play"], ["Nothing"], SENTENCES[0]]
    found = post(client, "map", words=WORDS, position=1, layer=2, typed=own)
    assert found["total"] == len(found["points"]) == PLAYS + 3, "a sentence of the text is shown only once"
    typed = [(point["words"], point["position"]) for point in found["points"] if point["typed"]]
    assert typed == [(WORDS, 1), (own[1], 0), (own[1], 2), (SENTENCES[0], 1)]
    without = post(client, "map", words=["Nobody", "knows"], position=0, layer=[0, 0, 0])
    assert without["points"] == []


def test_similarities_of_two_sentences(client, model):
    other = ["The", "play", "ended"]
    found = post(client, "similarity", first=WORDS, second=other, raw=[0, 0, 0])
    assert len(found["layers"]) == 3
    assert np.array(found["mix"]).shape == (len(WORDS), len(other))
    assert found["layers"][0][1][1] == pytest.approx(1, abs=1e-4)
    first, second = (sentence.layers.mean(0) for sentence in model.embed([WORDS, other]))
    cosine = first[1] @ second[1] / np.linalg.norm(first[1]) / np.linalg.norm(second[1])
    assert found["mix"][1][1] == pytest.approx(cosine, abs=1e-4)


@pytest.mark.parametrize(
    ("path", "body", "part"),
    [
        ("neighbors", {"words": WORDS, "position": 6}, "6 words"),
        ("neighbors", {"words": WORDS, "position": -1}, "position"),
        ("mix", {"words": WORDS, "position": 0, "raw": [0]}, "3 layers"),
        ("mix", {"words": WORDS, "position": 0, "raw": [0, 0, 1e9]}, "raw"),
        ("neighbors", {"words": [], "position": 0}, "words"),
        ("neighbors", {"words": [""], "position": 0}, "words"),
        ("neighbors", {"words": ["a"] * (MAX_WORDS + 1), "position": 0}, "words"),
        ("map", {"words": WORDS, "position": 0, "layer": 3}, "no layer 3"),
        ("map", {"words": WORDS, "position": 0, "layer": [0, 0]}, "3 layers"),
        ("similarity", {"first": WORDS, "raw": [0, 0, 0]}, "second"),
        ("sentences", {"text": "a", "other": 1}, "other"),
        ("sentences", {"text": 5}, "text"),
        ("sentences", {"text": "a lone surrogate: \ud800"}, "text"),
        ("neighbors", {"words": ["\udfff"], "position": 0}, "words"),
    ],
)
def test_invalid_requests(client, path, body, part):
    headers = {"content-type": "application/json"}
    response = client.post(f"/explore/{path}", content=json.dumps(body), headers=headers)
    assert response.status_code == 422
    assert part in response.json()["error"]["message"]


def test_the_page_loads_nothing_from_other_servers(client):
    page = client.get("/")
    assert page.headers["content-type"].startswith("text/html")
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert client.get("/main.js").headers["content-type"].startswith("text/javascript")
    for file in STATIC.iterdir():
        text = file.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")  # a namespace, not an address
        assert "http://" not in text, file
        assert "https://" not in text, file
        assert "innerHTML" not in text, file
        assert " onclick" not in text, file
        assert client.get(f"/{file.name}").status_code == 200
    for path in ("/missing.js", "/../pages.py", "/..%2fpages.py", "/%2e%2e/pages.py"):
        assert client.get(path).status_code == 404


def test_the_api_is_available_next_to_the_page(client):
    assert client.get("/health").json()["status"] == "ok"
    assert client.post("/embed", json={"sentences": ["A play ."]}).status_code == 200


@pytest.mark.parametrize("tokenizer_name", ["words", "korean"])
@pytest.mark.parametrize("sample", [ENGLISH, KOREAN], ids=lambda sample: sample.path.stem)
def test_openings_have_many_neighbors_in_the_samples(sample, tokenizer_name):
    if tokenizer_name == "korean":
        pytest.importorskip("mecab", reason="python-mecab-ko is not installed (extra: korean)")
    split = tokenizer(tokenizer_name).words
    found = [[word.lower() for word in split(sentence)] for sentence in sample.sentences()]
    opening = opening_for(sample, tokenizer_name)
    assert len(opening.examples) == 6
    for example in opening.examples:
        assert example.sentences[0][example.position] == example.word
        assert all(example.word in sentence for sentence in example.sentences)
        assert sum(example.word in sentence for sentence in found) >= 8, example.word
        assert not {" ".join(sentence) for sentence in example.sentences} & {" ".join(words) for words in found}
    assert opening.blank.count("___") == 1


def test_examples_are_split_as_the_model_does():
    pytest.importorskip("mecab", reason="python-mecab-ko is not installed (extra: korean)")
    opening = opening_for(KOREAN, "korean")
    assert [example.word for example in opening.examples] == ["손", "배", "눈", "은행", "사과", "의사"]
    for example in opening.examples:
        again = tokenizer("korean").words(" ".join(example.sentences[0]))
        assert again[example.position] == example.word  # the page sends the sentence back
    assert opening.blank == "어제는 하루 종일 ___이 내렸다."
    assert opening_for(KOREAN).examples[0].word == "눈이"
    assert opening_for(ENGLISH, "whitespace") == opening_for(ENGLISH)


@pytest.mark.parametrize(
    ("sentences", "words"),
    [
        (SENTENCES, ["play", "bank"]),
        ([words(line) for line in ("나는 눈이 아프다.", "밤새 눈이 왔다.", "나는 간다.")], ["눈이"]),
        ([["A", "play", "."]], ["play"]),
        ([["!"]], ["!"]),
    ],
)
def test_examples_are_taken_from_the_text(sentences, words):
    opening = opening_of({tuple(sentence): [True] * len(sentence) for sentence in sentences})
    assert {example.word.lower() for example in opening.examples} >= set(words)
    for example in opening.examples:
        assert example.sentences[0][example.position] == example.word
        assert set(example.sentences) <= set(map(tuple, sentences))
        assert len(example.sentences) == len(set(example.sentences)) == min(2, len(sentences))
    assert opening.blank.count("___") == 1


def test_examples_are_written_as_in_the_text():
    opening = opening_of({("집", "에", "간다", "."): (True, False, True, False)})
    assert opening.examples[0].spaced == ((True, False, True, False),)
    assert opening.blank == "집에 ___."


def test_a_script_that_the_model_has_hardly_seen_is_reported():
    with TestClient(explorer_app(elmo.load("small"))) as client:
        assert post(client, "sentences", text="They play in the garden.")["mismatch"] is None
        mismatch = post(client, "sentences", text="밤새 눈이 왔다.")["mismatch"]
        assert (mismatch["rate"], mismatch["script"]) == (1, "Hangul")
        assert mismatch["known"] < mismatch["vocabulary"] / 100


def test_the_text_can_only_be_read_with_the_token(model):
    with TestClient(explorer_app(model, token="secret")) as client:
        assert client.get("/").status_code == 200
        assert all(client.get(f"/{file.name}").status_code == 200 for file in STATIC.iterdir())
        for path in ("/explore/status", "/v1/models", "/metrics", "/missing.js", "/index.html/"):
            assert client.get(path).status_code == 401, path
        paths = ("/explore/sentences", "/explore/neighbors", "/explore/map", "/explore/mix", "/explore/similarity")
        for path in (*paths, "/embed", "/predict"):
            assert client.post(path, json={}).status_code == 401, path
        allowed = client.get("/explore/status", headers={"authorization": "Bearer secret"})
        assert allowed.status_code == 200
        rebound = client.get("/explore/status", headers={"authorization": "Bearer secret", "host": "evil.example"})
        assert rebound.status_code == 403


def test_an_error_while_embedding_the_text_is_reported(model, monkeypatch):
    app = explorer_app(model)
    batcher = app.state.service.models["tested"].batcher

    def fail(*arguments):
        raise RuntimeError("out of memory")

    monkeypatch.setattr(batcher, "embed", fail)
    with TestClient(app) as client:
        while (status := client.get("/explore/status").json())["error"] is None:
            time.sleep(0.01)
    assert status["embedded"] == 0
    assert status["error"] == "out of memory"


def test_embedding_resumes_when_the_queue_has_room(model, monkeypatch):
    app = explorer_app(model)
    batcher = app.state.service.models["tested"].batcher
    embed, rejected = batcher.embed, []

    def busy_once(*arguments):
        if not rejected:
            rejected.append(True)
            raise APIError(429, "too many")
        return embed(*arguments)

    monkeypatch.setattr(batcher, "embed", busy_once)
    with TestClient(app) as client:
        while (status := client.get("/explore/status").json())["embedded"] < status["words"]:
            time.sleep(0.01)
    assert rejected == [True]


def test_a_sentence_that_the_queue_can_never_hold_is_reported(model):
    with TestClient(explorer_app(model, sentences=[WORDS, ["word"] * 40_000, WORDS * 2])) as client:
        while (status := client.get("/explore/status").json())["error"] is None:
            time.sleep(0.01)
    assert status["embedded"] == len(WORDS)
    assert "more than the limit of 32768" in status["error"]
