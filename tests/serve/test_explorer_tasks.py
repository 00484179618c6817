"""The explorer's view of tasks in a real browser: with small trained models, and with results that are made up."""

import itertools
import json
import re

import pytest

pytest.importorskip("playwright", reason="needs playwright (pip install playwright)")
from playwright.sync_api import expect
from serve.explorer import TOKEN, explorer_app, hash_of, running
from serve.test_explorer_page import CONTRAST

from elmo.tasks import html
from elmo.tasks.task import TASKS

EVIL = "😀 <b>Zoë</b> & <img src=x onerror=alert(1)> met 𝒜da."
CARD = {
    "trained_on": "made-up <i>data</i>",
    "objective": "F1",
    "labels": ["ORG", "PER", "X<y>"],
    "scores": {"dev": {"F1": 81.26}, "test": None},
    "layers": [{"place": "input", "weights": [0.25, 0.5, 0.25], "gamma": 1.2}],
}


@pytest.fixture(scope="module")
def address(small, task_folders):
    with running(explorer_app(small, token=TOKEN, tasks=task_folders)) as address:
        yield address


@pytest.fixture
def show(visit):
    """Open the view of a task with a result that is made up."""

    def show(task, result, card=CARD, **options):
        page = visit("#view=ner", **options)

        def answer(route, content):
            route.fulfill(body=json.dumps(content), content_type="application/json")

        page.route("**/explore/tasks/*", lambda route: answer(route, card))
        page.route(f"**/v1/tasks/{task}", lambda route: answer(route, {"task": task, "results": [result]}))
        hash = hash_of(view=task, **dict.fromkeys(parts(task), "typed"))
        page.goto(page.url.partition("#")[0] + hash)
        page.reload()
        expect(page.locator("#task-card")).to_be_visible()
        expect(page.locator("#task-busy")).to_be_hidden()
        return page

    return show


def parts(task):
    return {"squad": ("passage", "question"), "snli": ("premise", "hypothesis")}.get(task, ("text",))


def span(text, part, **more):
    start = text.index(part)
    return {"text": part, "start": start, "end": start + len(part), "words": [0, 1], **more}


def visible_text(page, selector):
    """The text of an element without the labels of what is marked."""
    script = "(e) => { const copy = e.cloneNode(true); copy.querySelectorAll('.tag').forEach((t) => t.remove());"
    return page.locator(selector).evaluate(script + " return copy.textContent; }")


@pytest.mark.parametrize("task", TASKS)
def test_every_task_has_a_result(task, visit, address):
    page = visit(f"#view={task}")
    expect(page.get_by_role("tab", selected=True)).to_have_attribute("id", f"tab-{task}")
    expect(page.locator("#task-card")).to_contain_text("Trained on")
    expect(page.locator("#task-card")).to_contain_text("on the development data")
    expect(page.locator("#task-card .bars li")).not_to_have_count(0)
    expect(page.locator("#task-busy")).to_be_hidden()
    expect(page.locator("#task-error")).to_be_hidden()
    expect(page.locator("#task-result")).not_to_be_empty()
    expect(page.locator("#announcement")).not_to_be_empty()
    own = {part: f"Another <b>{part}</b> 😀." for part in parts(task)}
    for part, text in own.items():
        page.locator(f"#task-{part}").fill(text)
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.locator("#task-busy")).to_be_hidden()
    expect(page.locator("#task-error")).to_be_hidden()
    assert hash_of(view=task, **own) == "#" + page.url.partition("#")[2]
    assert page.locator("#task-result b").count() == 0
    page.go_back()
    expect(page.locator(f"#task-{parts(task)[0]}")).not_to_have_value(own[parts(task)[0]])


def test_a_model_is_loaded_once_and_served_like_others(visit, address):
    page = visit("#view=ner")
    expect(page.locator("#task-card")).to_be_visible()
    requests = []
    page.on("request", lambda request: requests.append(request.url.removeprefix(address)))
    page.locator("#task-examples button").nth(1).click()
    expect(page.locator("#task-busy")).to_be_hidden()
    page.get_by_role("tab", name="Sentiment").click()
    expect(page.locator("#task-result .verdict")).to_be_visible()
    page.get_by_role("tab", name="Named entities").click()
    expect(page.locator("#task-result .marked")).to_be_visible()
    assert [url for url in requests if "tasks" in url] == ["v1/tasks/ner", "explore/tasks/sst", "v1/tasks/sst"]
    listed = page.request.get(f"{address}v1/tasks", headers={"authorization": f"Bearer {TOKEN}"}).json()["data"]
    assert {"ner", "sst"} <= {card["id"] for card in listed}


def test_entities_are_marked_in_place(show):
    people = [span(EVIL, "Zoë", label="PER", probability=0.91), span(EVIL, "𝒜da", label="X<y>", probability=0.5)]
    page = show("ner", {"text": EVIL, "sentences": [], "entities": people})
    marks = page.locator("#task-result mark")
    expect(marks).to_have_count(2)
    expect(marks.nth(0)).to_contain_text("Zoë")
    expect(marks.nth(0).locator(".tag")).to_have_text(" [person]")
    expect(marks.nth(1).locator(".tag")).to_have_text(" [X<y>]")
    assert visible_text(page, "#task-result .marked") == EVIL
    assert page.locator("#task-view b, #task-result b, #task-result img").count() == 0
    expect(page.locator("#task-result .bars li").nth(0)).to_contain_text("91%")
    hues = marks.evaluate_all("marks => marks.map((m) => m.style.getPropertyValue('--hue'))")
    assert hues == [str(hue) for hue in html.HUES[1:3]], "a label has the same color in every text"
    legend = page.get_by_role("list", name="Legend").locator("li")
    expect(legend).to_have_text(["organization: 0", "person: 1", "X<y>: 1"])
    expect(page.locator("#task-card")).to_contain_text(
        "Trained on made-up <i>data</i>; F1 81.3 on the development data."
    )
    expect(page.locator("#task-card .bars li").nth(1)).to_contain_text("Layer 1")
    expect(page.locator("#task-card .bars li").nth(1)).to_contain_text("50%")
    expect(page.locator("#announcement")).to_have_text("2 names were found.")
    page = show("ner", {"text": "None.", "sentences": [], "entities": []})
    expect(page.locator("#task-result")).to_contain_text("No names were found.")


def test_text_from_right_to_left_is_marked_in_one_piece(show):
    text = "التقى محمد بن سلمان مع Ada Lovelace في الرياض."
    entities = [span(text, part, label="PER", probability=0.9) for part in ("محمد بن سلمان", "Ada Lovelace")]
    page = show("ner", {"text": text, "sentences": [], "entities": entities})
    marked = page.locator("#task-result .marked")
    assert marked.evaluate("e => getComputedStyle(e).direction") == "rtl"
    boxes = marked.locator("mark").evaluate_all("marks => marks.map((m) => [...m.getClientRects()].map((r) => r.left))")
    [[first], [second]] = boxes
    assert first > second, "the first name is on the right, in one piece"
    page.locator("#task-text").fill(text)
    assert page.locator("#task-text").evaluate("e => getComputedStyle(e).direction") == "rtl"


def test_frames_are_a_table_with_arguments_under_the_words(show):
    words = ["Cats", "chase", "<b>mice</b>", "that", "run", "."]

    def part(first, after, **more):
        return {"text": " ".join(words[first:after]), "start": 0, "end": 1, "words": [first + 2, after + 2], **more}

    frames = [
        {
            "predicate": part(1, 2),
            "arguments": [part(0, 1, label="ARG0"), part(2, 5, label="ARG1")],
            "sentence": part(0, 6),
        },
        {
            "predicate": part(4, 5),
            "arguments": [part(2, 3, label="ARG0"), part(3, 4, label="R-ARG0")],
            "sentence": part(0, 6),
        },
    ]
    page = show("srl", {"text": "", "sentences": [["Go", "!"], words], "frames": frames})
    table = page.get_by_role("table", name="Predicates and their arguments")
    expect(table.locator("thead th")).to_have_text(words)
    expect(table.locator("tbody th")).to_have_text(["chase", "run"])
    cells = [
        row.locator("td").evaluate_all("cells => cells.map((c) => [c.colSpan, c.firstChild?.textContent ?? ''])")
        for row in table.locator("tbody tr").all()
    ]
    assert cells == [
        [[1, "ARG0"], [1, "V"], [3, "ARG1"], [1, ""]],
        [[2, ""], [1, "ARG0"], [1, "R-ARG0"], [1, "V"], [1, ""]],
    ]
    expect(page.locator("#task-result dl")).to_contain_text("who or what does it (refers back)")
    assert page.locator("#task-result b").count() == 0
    page = show("srl", {"text": "Nothing.", "sentences": [["Nothing", "."]], "frames": []})
    expect(page.locator("#task-result")).to_contain_text("put asterisks around it")


def test_clusters_are_highlighted_with_pointer_and_keyboard(show):
    text = "Ann told her brother that she left. He nodded."
    clusters = [
        [span(text, part) for part in ("Ann", "her", "she")],
        [span(text, part) for part in ("her brother", "He")],
        [span(text, "told")],
    ]
    page = show("coref", {"text": text, "sentences": [], "clusters": clusters})
    mentions = page.locator("#task-result .mention")
    expect(mentions).to_have_count(5)
    assert visible_text(page, "#task-result .marked") == text
    expect(page.locator(".mention .mention")).to_contain_text("her")  # inside "her brother"
    highlighted = page.locator(".mention.highlighted")
    page.locator(".mention", has_text="she").hover()
    expect(highlighted).to_have_count(3)
    page.locator("#result-heading").hover()
    expect(highlighted).to_have_count(0)
    mentions.first.focus()
    expect(highlighted).to_have_count(3)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".mention:focus")).to_have_attribute("aria-label", "her brother, cluster 2")
    expect(highlighted).to_have_count(2)
    page.keyboard.press("ArrowDown")
    expect(page.locator(".mention:focus")).to_have_attribute("aria-label", "He, cluster 2")
    button = page.get_by_role("button", name="1 Ann, her, she")
    button.focus()
    page.keyboard.press("Enter")
    expect(button).to_have_attribute("aria-pressed", "true")
    page.locator("#result-heading").hover()
    page.get_by_role("tab").first.focus()
    expect(highlighted).to_have_count(3)
    button.focus()
    page.keyboard.press("Escape")
    expect(button).to_have_attribute("aria-pressed", "false")
    expect(highlighted).to_have_count(0)
    page.locator(".mention[tabindex='0']").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="2 her brother, He")).to_have_attribute("aria-pressed", "true")
    page = show("coref", {"text": "Ann.", "sentences": [], "clusters": [[span("Ann.", "Ann")]]})
    expect(page.locator("#task-result")).to_contain_text("No two expressions were found")


def test_the_answer_and_its_rivals_are_marked(show):
    passage = f"{EVIL} It rises in the Black Forest of Germany."
    best = [
        span(passage, "the Black Forest", probability=0.6),
        span(passage, "Black Forest of Germany", probability=0.3),
        span(passage, "𝒜da", probability=0.1),
    ]
    page = show("squad", {"question": "?", "passage": passage, **best[0], "best": best})
    assert visible_text(page, "#task-result .marked") == passage
    expect(page.locator("mark.best")).to_have_text(["the ", "Black Forest [1]"])
    expect(page.locator("mark.rival")).to_have_text(["𝒜da [3]", "Black Forest [1]", " of Germany [2]"])
    expect(page.locator("#task-result .bars li").first).to_contain_text("60%")
    page.get_by_role("button", name="2. Black Forest of Germany").focus()
    expect(page.locator("mark.highlighted")).to_have_text(["Black Forest [1]", " of Germany [2]"])
    page.set_viewport_size({"width": 390, "height": 300})
    page.get_by_role("button", name="3. 𝒜da").click()
    expect(page.locator("mark.highlighted")).to_have_text(["𝒜da [3]"])
    expect(page.locator("mark.highlighted")).to_be_in_viewport()
    expect(page.locator("#announcement")).to_have_text("The answer is “the Black Forest”, with a probability of 60%.")


def test_probabilities_are_bars(show):
    probabilities = {"entailment": 0.02, "neutral": 0.004, "contradiction": 0.976}
    result = {"premise": "a", "hypothesis": "b", "label": "contradiction", "probabilities": probabilities}
    page = show("snli", result)
    expect(page.locator(".verdict")).to_have_text("The hypothesis contradicts the premise")
    expect(page.locator("#announcement")).to_have_text("The hypothesis contradicts the premise (98%)")
    expect(page.locator("#task-result .bars .score")).to_have_text(["2%", "<1%", "98%"])
    classes = {"very negative": 0, "negative": 0.1, "neutral": 0.2, "positive": 0.3, "very positive": 0.4}
    sentence = {"text": "<b>Good</b>.", "start": 0, "end": 1, "words": [0, 1], "label": "very positive"}
    sentences = [{**sentence, "probabilities": classes}] * 2
    result = {"text": "", "label": "very positive", "probabilities": classes, "sentences": sentences}
    page = show("sst", result)
    expect(page.locator(".verdict")).to_have_text("Very positive")
    expect(page.locator("#task-result .bars .score")).to_have_text(["0%", "10%", "20%", "30%", "40%"])
    expect(page.locator(".by-sentence li")).to_have_count(2)
    widths = page.locator(".by-sentence li:first-child .part").evaluate_all("parts => parts.map((p) => p.clientWidth)")
    assert widths == sorted(widths)


def test_a_link_shows_the_same_view_in_korean(show, visit, address):
    page = visit(hash_of(view="squad", passage="A <b>passage</b>.", question="Why?", lang="ko"))
    expect(page.get_by_role("tab", name="질의응답")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_label("지문")).to_have_value("A <b>passage</b>.")
    expect(page.locator("#task-card")).to_contain_text("학습 데이터:")
    expect(page.get_by_role("heading", name="가장 확률이 높은 답")).to_be_visible()
    page.get_by_role("button", name="English").click()
    expect(page.get_by_role("heading", name="The most probable answers")).to_be_visible()
    expect(page.get_by_label("Passage")).to_have_value("A <b>passage</b>.")


def test_views_keep_what_was_typed(visit):
    page = visit(hash_of(text="We play chess.", word="0.1"))
    page.get_by_role("button", name="Tasks").click()
    expect(page.locator("#task-panel")).to_be_visible()
    assert "We+play" not in page.url, "a link to one view does not reveal what was typed in the other"
    page.locator("#task-text").fill("Ada met Charles.")
    page.keyboard.press("Control+Enter")
    expect(page).to_have_url(re.compile("Ada"))
    page.get_by_role("tab", name="Sentiment").click()
    page.get_by_role("button", name="Words").click()
    expect(page.locator('#words [aria-pressed="true"]')).to_have_text("play")
    page.get_by_role("button", name="Tasks").click()
    expect(page.get_by_role("tab", selected=True)).to_have_text("Sentiment")
    page.get_by_role("tab", name="Named entities").click()
    expect(page.locator("#task-text")).to_have_value("Ada met Charles.")
    for _ in range(5):
        page.go_back()
    expect(page.locator("#words-view")).to_be_hidden()
    page.go_back()
    expect(page.locator('#words [aria-pressed="true"]')).to_have_text("play")


def test_tabs_are_moved_with_the_keyboard(visit):
    page = visit("#view=ner")
    page.get_by_role("tab", selected=True).focus()
    for key, name in (("ArrowRight", "Semantic roles"), ("End", "Sentiment"), ("ArrowRight", "Named entities")):
        page.keyboard.press(key)
        expect(page.get_by_role("tab", name=name)).to_be_focused()
        expect(page.get_by_role("tab", selected=True)).to_have_text(name)
    expect(page.get_by_role("tabpanel", name="Named entities")).to_be_visible()


def test_empty_texts_and_errors_are_explained(browser, address):
    page = browser.new_page()
    page.goto(f"{address}#view=squad&token={TOKEN}")
    expect(page.locator("#task-card")).to_be_visible()
    question, run = page.get_by_role("textbox", name="Question"), page.get_by_role("button", name="Run", exact=True)
    question.fill(" ")
    run.click()
    expect(page.locator("#task-error")).to_have_text("Enter a question about the passage.")
    expect(question).to_be_focused()
    question.fill("Why?")
    passage = page.get_by_role("textbox", name="Passage")
    for text, message in (
        ("", "Enter a passage"),
        ("word " * 100_000, "500,000 characters"),
        ("a " * 9000, "too many words"),
    ):
        passage.fill(text)
        run.click()
        expect(page.locator("#task-error")).to_contain_text(message)
    page.locator("#task-examples button").first.click()
    expect(page.locator("#task-error")).to_be_hidden()
    expect(page.locator("#task-result .marked")).to_be_visible()
    page.close()


@pytest.mark.parametrize("text", ["😀🎉", "나는 어제 서울에서 Ada를 만났다."])
def test_text_that_is_not_english_gives_a_warning(visit, text):
    page = visit(hash_of(view="ner", text=text))
    expect(page.locator("#task-result .marked")).to_contain_text(text[-2:])
    expect(page.locator("#task-warning")).to_be_visible()
    page.locator("#task-examples button").first.click()
    expect(page.locator("#task-result .marked")).to_contain_text("Ada Lovelace")
    expect(page.locator("#task-warning")).to_be_hidden()


def test_what_is_typed_stays_until_it_is_run(visit):
    page = visit("#view=ner")
    expect(page.locator("#task-card")).to_be_visible()
    examples = page.locator("#task-examples button")
    expect(examples.first).to_have_attribute("aria-current", "true")
    page.locator("#task-text").fill("Not run yet.")
    page.get_by_role("tab", name="Coreference").click()
    expect(page).to_have_title("Coreference – ELMo explorer")
    page.get_by_role("tab", name="Named entities").click()
    expect(page.locator("#task-text")).to_have_value("Not run yet.")
    page.get_by_role("button", name="한국어").click()
    expect(page.locator("#task-text")).to_have_value("Not run yet.")
    examples.nth(1).click()
    expect(page.locator("#task-text")).to_have_value(re.compile("Marie Curie"))
    expect(examples.nth(1)).to_have_attribute("aria-current", "true")
    page.go_back()
    expect(page.locator("#task-text")).to_have_value(re.compile("Ada Lovelace"))
    page.go_forward()
    expect(page.locator("#task-result .marked")).to_contain_text("Marie Curie")


def test_a_phone_shows_the_result_at_once(visit):
    page = visit("#view=sst", viewport={"width": 390, "height": 700}, reduced_motion="reduce")
    expect(page.locator(".verdict")).to_be_visible()
    expect(page.get_by_role("heading", name="Result")).not_to_be_in_viewport()
    page.locator("#task-examples button").nth(1).click()
    expect(page.get_by_role("heading", name="Result")).to_be_in_viewport()


def test_a_slow_answer_leaves_the_page_in_place(browser, address):
    page = browser.new_page(viewport={"width": 390, "height": 700}, reduced_motion="reduce")
    page.goto(f"{address}#view=squad&token={TOKEN}")
    expect(page.locator("#task-result .marked")).to_be_visible()
    waiting = []
    page.route("**/v1/tasks/squad", lambda route: waiting.append(route))
    height = page.locator("#task-output").bounding_box()["height"]
    page.locator("#task-question").fill("Why?")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#task-busy")).to_have_text("Computing…")
    expect(page.locator("#task-busy")).to_be_in_viewport()
    assert page.locator("#task-output").bounding_box()["height"] == height
    assert len(waiting) == 1, "Ctrl+Enter runs it once"
    with page.expect_event("requestfailed") as canceled:
        page.keyboard.press("Enter")
    assert "ABORTED" in canceled.value.failure, "nobody waits for the first answer any more"
    expect(page.locator("#task-busy")).to_be_visible()
    page.wait_for_timeout(100)
    waiting[-1].abort()
    expect(page.locator("#task-error")).to_contain_text("not responding")
    expect(page.locator("#task-error")).to_be_in_viewport()
    expect(page.locator("#task-output")).to_be_hidden()
    page.unroute_all()
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.locator("#task-result .marked")).to_be_visible()
    expect(page.locator("#task-error")).to_be_hidden()
    page.close()


def test_without_models_the_tabs_say_how_to_get_them(browser, small, task_folders, tmp_path):
    (tmp_path / "ner").mkdir()
    tasks = {"sst": task_folders["sst"], "ner": tmp_path / "ner"}
    with running(explorer_app(small, tasks=tasks)) as address:
        page = browser.new_page()
        page.goto(f"{address}#view=srl")
        expect(page.locator("#task-missing")).to_contain_text("No trained model of this task is installed.")
        expect(page.locator("#task-missing")).to_contain_text("run pip install elmo-model-tasks")
        expect(page.locator("#task-missing")).to_contain_text("train your own with elmo task train srl")
        expect(page.get_by_text("Try an example")).to_be_hidden()
        expect(page.get_by_role("button", name="Run", exact=True)).to_be_hidden()
        tabs = page.get_by_role("tablist").bounding_box()
        page.get_by_role("tab", name="Sentiment").click()
        expect(page.locator(".verdict")).to_be_visible()
        expect(page.get_by_text("Try an example")).to_be_visible()
        assert page.get_by_role("tablist").bounding_box() == tabs, "the tabs stay where they are"
        page.get_by_role("tab", name="Named entities").click()
        expect(page.locator("#task-error")).to_contain_text("run.json")  # the folder is not a run
        page.close()


def test_the_view_suits_everyone(show):
    text = "Ann told her brother that she left."
    clusters = [[span(text, part) for part in ("Ann", "her")], [span(text, part) for part in ("her brother", "left")]]
    result = {"text": text, "sentences": [], "clusters": clusters}
    page = show("coref", result, viewport={"width": 1400, "height": 700}, reduced_motion="reduce")
    unnamed = page.evaluate(
        """() => [...document.querySelectorAll("button, textarea, [role], [tabindex='0']")]
          .filter((e) => e.checkVisibility())
          .filter((e) => !(e.innerText || e.labels?.length || e.matches("[aria-label], [aria-labelledby]")))
          .map((e) => e.outerHTML)"""
    )
    assert unnamed == []
    script = (
        "[...document.querySelectorAll('h1, h2, h3, h4')].filter((h) => h.checkVisibility()).map((h) => +h.tagName[1])"
    )
    levels = page.evaluate(script)
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in itertools.pairwise(levels))
    selectors = [".mention", ".mention > .tag", ".cluster", ".key-number", "#task-about", "#task-card .secondary"]
    selectors += ['[role="tab"]', '[aria-selected="true"]', ".view", "#task-form .primary", "#task-examples button"]
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for selector in selectors:
            assert page.evaluate(CONTRAST, selector) >= 4.5, (scheme, selector)
    for width in (1400, 768, 360):
        page.set_viewport_size({"width": width, "height": 700})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize(("count", "width", "wrapped"), [(8, 1400, False), (60, 1400, True), (8, 360, True)])
def test_a_sentence_that_is_too_wide_for_a_table_is_repeated_for_each_predicate(show, count, width, wrapped):
    words = [f"<b>{number}</b>" for number in range(count)]
    text = "Before. " + " ".join(words)

    def part(first, after, **more):
        return span(text, " ".join(words[first:after]), **more) | {"words": [first + 2, after + 2]}

    frames = [
        {"predicate": part(3, 4), "arguments": [part(5, 7, label="ARGM-TMP")], "sentence": part(0, count)},
        {"predicate": part(6, 7), "arguments": [], "sentence": part(0, count)},
    ]
    result = {"text": text, "sentences": [["Before", "."], words], "frames": frames}
    page = show("srl", result, viewport={"width": width, "height": 700})
    table, lines = page.get_by_role("table"), page.locator("#task-result li")
    expect(table).to_be_visible(visible=not wrapped)  # decided once the page has been laid out
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    if not wrapped:
        expect(lines.first).to_be_hidden()
        return
    expect(lines).to_have_count(2)
    expect(lines.first.locator("mark")).to_have_text(["<b>3</b> [V]", "<b>5</b> <b>6</b> [ARGM-TMP]"])
    assert visible_text(page, "#task-result li:first-child .marked") == " ".join(words)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for selector in (".roles .role", "#task-result mark", "#task-result mark .tag"):
            assert page.evaluate(CONTRAST, selector) >= 4.5, (scheme, selector)
