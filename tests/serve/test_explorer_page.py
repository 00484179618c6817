"""The explorer page in a real browser."""

import itertools
import re

import pytest

pytest.importorskip("playwright", reason="needs playwright (pip install playwright)")
from playwright.sync_api import expect
from serve.explorer import SENTENCES, TOKEN, explorer_app, hash_of, running

from elmo.serve.examples import opening_of
from elmo.serve.pages import MAX_CHARACTERS, MAX_SENTENCES, MAX_WORDS
from elmo.text.tokens import words

SELECTED = '#words [aria-pressed="true"]'
PLAYS = sum(word.lower() == "play" for sentence in SENTENCES for word in sentence)
CONTRAST = """(selector) => {
  const element = document.querySelector(selector);
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const rgb = (color) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  let behind = element;
  while (rgb(getComputedStyle(behind).backgroundColor)[3] === 0) behind = behind.parentElement;
  const light = (color) => {
    const linear = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    const [r, g, b] = rgb(color).map((value) => linear(value / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [a, b] = [light(getComputedStyle(element).color), light(getComputedStyle(behind).backgroundColor)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}"""
"""The contrast of an element's text with its background, as the WCAG defines it."""

KOREAN = [
    words(line) for line in ("나는 눈이 아프다.", "밤새 눈이 많이 왔다.", "K팝 콘서트에 눈이 왔다 😀.", "눈이 오는 밤.")
]


def neighbors(page, panel):
    return page.locator(f"{panel} .occurrence").all_inner_texts()


def wait_for_answers(page):
    page.wait_for_load_state("networkidle")


def test_the_page_shows_everything_at_once(visit):
    page = visit()
    expect(page.locator(SELECTED)).to_have_text("play")
    expect(page.locator("#neighbors-heading")).to_have_text("Nearest neighbors of play")
    expect(page.locator("#layers .card")).to_have_count(3)
    expect(page.locator("#layers .card").nth(0)).to_contain_text("occurrences with the same vector")
    expect(page.locator("#layers .card").nth(2).locator("li").first).to_contain_text("play")
    expect(page.locator("#map .point")).to_have_count(PLAYS + 2)
    for layers in ("#map-layers", "#heatmap-layers"):
        expect(page.locator(layers).get_by_label("Layer 2 (top)")).to_be_checked()
    expect(page.locator("#heatmap tbody tr")).to_have_count(7)
    expect(page.locator("#heatmap thead th")).to_have_count(8)
    expect(page.locator("#predictions li").first).to_be_visible()
    expect(page.locator("#model-info")).to_contain_text("test text")


def test_clicking_a_word_shows_its_neighbors_and_back_undoes_it(visit):
    page = visit()
    page.locator("#words .word", has_text="bank").first.click()
    expect(page.locator("#neighbors-heading")).to_have_text("Nearest neighbors of bank")
    river = neighbors(page, "#layers .card:nth-child(3)")[0]
    assert "river" in river or "fishing" in river
    assert "word=2.4" in page.url
    page.locator("#words .word", has_text="bank").nth(1).click()
    expect(page.locator("#layers .card:nth-child(3) .occurrence").first).to_have_text(
        re.compile("money|lend|savings|interest")
    )
    page.go_back()
    expect(page.locator(SELECTED)).to_have_text("bank")
    page.go_back()
    expect(page.locator(SELECTED)).to_have_text("play")


def test_words_are_selected_with_the_keyboard(visit):
    page = visit()
    page.locator("#text").focus()
    while not page.evaluate("document.activeElement.matches('.word')"):
        page.keyboard.press("Tab")
    expect(page.locator(SELECTED)).to_be_focused()
    for key in ("ArrowDown", "ArrowLeft", "ArrowLeft", "ArrowLeft"):
        page.keyboard.press(key)
    focused = page.locator("#words .word:focus")
    expect(focused).to_have_text("children")
    page.keyboard.press("Enter")
    expect(page.locator("#neighbors-heading")).to_have_text("Nearest neighbors of children")
    expect(page.locator(SELECTED)).to_be_focused()
    for key, word in (("Home", "Let"), ("End", "."), ("ArrowUp", "."), ("ArrowLeft", "play")):
        page.keyboard.press(key)
        expect(page.locator("#words .word:focus")).to_have_text(word)
    expect(page.locator("#announcement")).to_have_text("Nearest neighbors of children, with 1 occurrence in the text.")


def test_typed_text_is_embedded(visit):
    page = visit()
    page.get_by_label("Type or paste").fill("We play. I play the piano.")
    expect(page.locator("#words .sentence")).to_have_count(2)
    page.locator("#words .word", has_text="play").nth(1).click()
    expect(page.locator("#layers .card:nth-child(3) .occurrence").first).to_contain_text("piano")
    page.get_by_label("Type or paste").fill("")
    expect(page.locator("#words")).to_contain_text("Type a sentence to begin.")
    for heading in ("Nearest neighbors", "Map of all occurrences", "Compare two sentences"):
        expect(page.get_by_role("heading", name=heading)).to_be_hidden()
    page.get_by_label("Type or paste").fill("We play. I play the piano.")
    expect(page.get_by_role("heading", name="Nearest neighbors of We")).to_be_visible()


def test_sliders_change_the_neighbors(visit):
    page = visit(hash_of(text="We saw a play about a king.", word="0.3"))
    before = neighbors(page, "#mix-neighbors")
    page.get_by_role("button", name="Top layer only").click()
    expect(page.locator("#weight-2")).to_have_text("100%")
    wait_for_answers(page)
    assert neighbors(page, "#mix-neighbors") == neighbors(page, "#layers .card:nth-child(3)") != before
    first = page.get_by_role("slider", name="s0")
    first.focus()
    page.keyboard.press("End")
    expect(page.locator("#weight-0")).to_have_text("50%")
    expect(first).to_have_attribute("aria-valuetext", "50 percent")
    assert "s=5%2C-5%2C5" in page.url


def test_gamma_changes_norms_and_dot_products_but_no_cosine(visit):
    page = visit()
    score = page.locator("#mix-neighbors .score").first
    length = re.compile(r"has norm (\d+\.\d+)")
    cosine, before = score.inner_text(), float(length.search(page.locator("#gamma-note").inner_text())[1])
    page.get_by_role("slider", name="γ").fill("2")
    expect(page.locator("#gamma-note")).to_contain_text(f"{2 * before:.1f}"[:-2])
    assert score.inner_text() == cosine
    page.get_by_label("Dot product").check()
    expect(score).not_to_have_text(cosine)
    product = float(score.inner_text())
    page.get_by_role("slider", name="γ").fill("1")
    expect(score).to_have_text(f"{product / 4:.2f}")


def test_typed_text_is_never_markup(visit):
    evil = "<img src=x onerror=alert(1)> we <script>alert(2)</script> play <b>"
    page = visit(hash_of(text=f"{evil}\nAnother <i>.", word="0.9", gap=f"{evil} ___"))
    expect(page.locator("#words")).to_contain_text("script")
    assert page.locator("#words img, #words script, #words b, main script").count() == 0
    page.locator("#words .word", has_text="script").first.click()
    expect(page.locator("#neighbors-heading em")).to_have_text("script")
    page.locator("#words .word", has_text="play").click()
    page.get_by_label("The same word only").check()
    # The explored text contains markup, too.
    framed = page.locator(".occurrence", has_text="frame").first
    expect(framed).to_contain_text("< b > frame")
    assert page.locator("main b, main img").count() == 0
    expect(page.locator("#heatmap table")).to_contain_text("script")


def test_words_from_right_to_left_follow_the_arrow_keys(visit):
    page = visit()
    page.locator("#text").fill("التقى محمد مع Ada.")
    words = page.locator("#words .word")
    expect(words.first).to_have_text("التقى")
    words.first.focus()
    page.keyboard.press("ArrowLeft")
    expect(words.nth(1)).to_be_focused()
    assert words.first.bounding_box()["x"] > words.nth(1).bounding_box()["x"]
    page.keyboard.press("ArrowRight")
    expect(words.first).to_be_focused()


def test_the_map_can_be_navigated_and_opens_occurrences(visit):
    page = visit()
    selected = page.locator("#map .point.selected")
    expect(selected).to_have_attribute("aria-label", "Selected occurrence: The critics praised her new play.")
    selected.focus()
    expect(page.locator("#map-caption")).to_contain_text("selected occurrence")
    for key in ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"):
        page.keyboard.press(key)
        if not page.evaluate("document.activeElement.matches('.selected')"):
            break
    caption = page.locator("#map-caption mark")
    expect(caption).to_have_text(re.compile("play", re.IGNORECASE))
    page.keyboard.press("Enter")
    expect(page.locator("#words .sentence")).to_have_count(5)
    expect(page.locator(SELECTED)).to_be_focused()
    expect(page.locator(SELECTED)).to_have_text(re.compile("play", re.IGNORECASE))
    wait_for_answers(page)
    page.locator("#map").scroll_into_view_if_needed()
    box = page.locator("#map .point:not(.selected) .dot").first.bounding_box()
    page.mouse.move(box["x"] + 6, box["y"] + 6)
    expect(page.locator("#map .highlighted")).to_have_count(1)
    expect(page.locator("#map-caption mark")).to_be_visible()
    page.locator("#map-layers").get_by_label("Layer 0 (no context)").check()
    expect(page.locator("#map-note")).to_contain_text("principal components")  # Play and play differ


def test_clusters_have_colors_and_a_key(visit):
    page = visit(hash_of(text="They play. I saw the play.", word="0.1"))
    points = [
        {"words": ["They", "play", "."], "position": 1, "x": x, "y": x * x, "similarity": 1 - x, "typed": x == 0}
        for x in range(9)
    ]
    for place in (2, 3):
        points[place]["cluster"] = 1
    clusters = [
        {"size": 7, "contexts": ["<b>to</b> play", "chess"], "center": 1},
        {"size": 2, "contexts": [], "center": 2},
    ]
    made_up = {"points": [{"cluster": 0, **point} for point in points], "clusters": clusters, "total": 9}
    page.route("**/explore/map", lambda route: route.fulfill(json={**made_up, "explained_variance": [0.5, 0.1]}))
    page.locator("#map-layers").get_by_label("Layer 1").check()
    key = page.locator("#map-clusters button")
    expect(key).to_have_count(2)
    expect(key.first).to_contain_text("<b>to</b> play · chess")
    expect(key.first).to_contain_text("7 occurrences")
    expect(key.nth(1)).to_contain_text("2 occurrences, no typical phrase")
    numbers = page.locator("#map .cluster-number")
    expect(numbers).to_have_text(["1", "2"])
    frame, *boxes = page.evaluate(
        """() => ["#map svg", "#map .cluster-number", "#map .dot", ".map-label", ".zoom"]
          .flatMap((selector) => [...document.querySelectorAll(selector)])
          .map((e) => e.getBoundingClientRect()).map((r) => [r.left, r.top, r.right, r.bottom])"""
    )
    for number, box in enumerate(boxes[:2]):
        assert frame[0] < box[0] < box[2] < frame[2]
        assert frame[1] < box[1] < box[3] < frame[3]
        for other in boxes[number + 1 :]:
            assert box[0] >= other[2] or box[2] <= other[0] or box[1] >= other[3] or box[3] <= other[1]
    hues = page.locator("#map .point").evaluate_all("points => points.map((p) => p.style.getPropertyValue('--hue'))")
    assert (hues.count("130"), len(set(hues))) == (2, 2)
    dimmed = page.locator("#map .point.dimmed")
    key.nth(1).focus()
    expect(dimmed).to_have_count(len(hues) - 2)
    page.keyboard.press("Enter")
    expect(key.nth(1)).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Escape")
    expect(key.nth(1)).to_have_attribute("aria-pressed", "false")
    expect(dimmed).to_have_count(0)
    page.keyboard.press("Enter")
    page.locator("#map .point.selected").focus()
    expect(dimmed).to_have_count(len(hues) - 2)
    page.keyboard.press("ArrowRight")
    expect(page.locator("#map-caption")).to_contain_text(re.compile(r"cluster [12]\)"))
    page.unroute("**/explore/map")
    page.locator("#map-layers").get_by_label("Layer 0 (no context)").check()
    expect(page.locator("#map-key")).to_be_hidden()
    expect(dimmed).to_have_count(0)


def test_the_map_can_be_zoomed_and_the_link_keeps_it(visit, address):
    page = visit(hash_of(text="They play.", word="0.1"))
    page.locator("#map").scroll_into_view_if_needed()
    place = "e => [...e.querySelectorAll('.point')].map((p) => p.getAttribute('transform'))"
    picture = page.locator("#map svg")
    before = picture.evaluate(place)
    expect(page.get_by_role("button", name="Zoom out")).to_be_disabled()
    page.get_by_role("button", name="Zoom in").click()
    page.wait_for_url(re.compile(r"zoom=1\.500%2C0\.000%2C0\.000"))
    zoomed = picture.evaluate(place)
    assert zoomed != before
    other = visit(page.url.removeprefix(address))
    assert other.locator("#map svg").evaluate(place) == zoomed
    box = picture.bounding_box()
    page.mouse.move(box["x"] + 100, box["y"] + 100)
    page.mouse.down()
    page.mouse.move(box["x"] + 130, box["y"] + 120, steps=4)
    page.mouse.up()
    expect(page.locator("#words .sentence")).to_have_count(1)  # dragging is not clicking
    page.wait_for_url(re.compile(r"zoom=1\.500%2C-0\.0"))
    page.keyboard.down("Control")
    page.mouse.wheel(0, -300)
    page.keyboard.up("Control")
    page.wait_for_url(re.compile(r"zoom=6"))
    selected = page.locator("#map .point.selected")
    selected.focus()
    page.keyboard.press("0")
    page.wait_for_url(re.compile("^((?!zoom).)*$"))
    assert picture.evaluate(place) == before
    page.keyboard.press("+")
    page.wait_for_url(re.compile(r"zoom=1\.5"))
    page.locator("#map-layers").get_by_label("Layer 1").check()
    page.wait_for_url(re.compile("^((?!zoom).)*$"))  # another map is shown as a whole


def test_two_fingers_zoom_the_map(visit):
    page = visit(hash_of(text="They play.", word="0.1"), has_touch=True, viewport={"width": 390, "height": 800})
    page.locator("#map-frame").scroll_into_view_if_needed()
    box = page.locator("#map svg").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    touch = page.context.new_cdp_session(page)
    for kind, apart in (("touchStart", 20), ("touchMove", 30), ("touchMove", 40), ("touchEnd", None)):
        fingers = [] if apart is None else [{"x": x + side * apart, "y": y, "id": side + 1} for side in (-1, 1)]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})
    page.wait_for_url(re.compile(r"zoom=[23]\."))
    expect(page.locator("#words .sentence")).to_have_count(1)  # it was not a tap


def test_the_first_tap_reads_and_the_second_explores(visit):
    page = visit(hash_of(text="They play.", word="0.1"), has_touch=True, viewport={"width": 390, "height": 800})
    page.locator("#map-frame").scroll_into_view_if_needed()
    box = page.locator("#map .point .dot").first.bounding_box()
    page.touchscreen.tap(box["x"] + 6, box["y"] + 6)
    expect(page.locator("#map-caption mark")).to_have_text(re.compile("play", re.IGNORECASE))
    expect(page.locator("#words .sentence")).to_have_count(1)
    page.touchscreen.tap(box["x"] + 6, box["y"] + 6)
    expect(page.locator("#words .sentence")).not_to_have_count(1)


def test_a_neighbor_can_be_explored(visit):
    page = visit()
    found = page.locator("#layers .card:nth-child(3) .occurrence").first
    sentence = found.inner_text()
    found.click()
    expect(page.locator("#words .sentence").last).to_have_text(sentence)
    expect(page.get_by_label("Type or paste")).to_have_value(re.compile(re.escape(sentence)))
    page.locator("#words .word").first.click()
    expect(page.locator("#words .sentence")).to_have_count(5)
    page.goto(page.url.partition("#")[0] + hash_of(text="We play hide and seek.", word="0.1"))
    page.locator("#mix-neighbors .occurrence", has_text="hide and seek").click()
    expect(page.locator("#words .sentence")).to_have_count(3)
    expect(page.locator("#words .sentence").last.locator('[aria-pressed="true"]')).to_have_text("play")


def test_sentences_are_shown_with_normal_spacing(visit):
    quoted = "\"Play it again\", she said (twice), 'or I'll go.'"
    page = visit(hash_of(text=quoted, word="0.1", **{"in": "same"}))
    expect(page.locator("#words .sentence")).to_have_text(quoted)
    page = visit(hash_of(text="We play", word="0.1", **{"in": "same"}))
    expect(page.locator("#map-note")).to_contain_text(f"{PLAYS + 1} occurrences")
    labels = [point.get_attribute("aria-label") for point in page.locator("#map .point").all()]
    assert any(label.startswith("\"Play it again\", she said, 'or I'll go.'") for label in labels)


def test_text_is_shown_as_it_was_written(browser, small):
    written = ["They play ( not sing ).", "We play it ; or not."]
    app = explorer_app(small, sentences=written)
    with running(app) as address:
        page = browser.new_page()
        page.goto(address + hash_of(text="You play , I read.", word="0.1", **{"in": "same"}))
        expect(page.locator("#words .sentence")).to_have_text("You play , I read.")
        expect(page.locator("#selected-sentence")).to_have_text("You play , I read.")
        expect(page.locator("#mix-neighbors .occurrence")).to_have_text([written[0], written[1]])
        expect(page.locator("#map .point").last).to_have_attribute(
            "aria-label", "Selected occurrence: You play , I read."
        )
        page.locator("#mix-neighbors .occurrence").first.click()
        expect(page.locator("#text")).to_have_value(f"You play , I read.\n{written[0]}")
        page.get_by_role("button", name="Blank out").click()
        expect(page.locator("#cloze")).to_have_value("They ___ ( not sing ).")
        page.close()


def test_two_sentences_are_compared_in_every_layer(visit):
    page = visit(hash_of(text="We play.\nThey play cards.\nBanks lend.", down="0", across="1"))
    expect(page.locator("#heatmap tbody tr")).to_have_count(3)
    expect(page.locator("#heatmap thead th")).to_have_text(["They", "play", "cards", "."])
    page.locator("#heatmap-layers").get_by_label("Layer 0 (no context)").check()
    expect(page.locator("#heatmap tbody tr:nth-child(2) td").nth(1)).to_have_text("1.00")
    page.get_by_label("Columns").select_option("Banks lend.")
    expect(page.locator("#heatmap thead th")).to_have_text(["Banks", "lend", "."])
    assert "across=2" in page.url


def test_a_sentence_is_compared_with_itself_only_on_request(visit):
    page = visit()
    text = page.get_by_label("Type or paste")
    heads = page.locator("#heatmap thead th")
    for typed, columns in (
        ("We play. They sing. I read.", ["They", "sing", "."]),
        ("We play.", []),
        ("We play. You win.", ["You", "win", "."]),
    ):
        text.fill(typed)
        expect(heads).to_have_text(columns)
    expect(page.locator("#heatmap tbody th")).to_have_text(["We", "play", "."])
    page.get_by_label("Columns").select_option("We play.")
    expect(heads).to_have_text(["We", "play", "."])
    page.get_by_label("Columns").select_option("You win.")
    text.fill("Alone.")
    expect(page.locator("#heatmap-note")).to_contain_text("Type a second sentence")


def test_a_comparison_of_later_sentences_moves_with_a_shorter_text(visit):
    page = visit(hash_of(text="One is here.\nTwo are there.\nThree sing.\nFour read.", down="2", across="3"))
    expect(page.locator("#heatmap thead th")).to_have_text(["Four", "read", "."])
    page.get_by_label("Type or paste").fill("One is here.\nTwo are there.")
    expect(page.locator("#heatmap thead th")).to_have_text(["Two", "are", "there", "."])
    expect(page.locator("#heatmap tbody th")).to_have_text(["One", "is", "here", "."])


def test_a_long_text_has_limits_and_its_own_scrolling(visit):
    page = visit(hash_of(text="We play.\n" * (MAX_SENTENCES + 1), word="30.1"))
    note, sentences = page.locator("#truncated"), page.locator("#words .sentence")
    limits = f"{MAX_SENTENCES} sentences, {MAX_WORDS} words per sentence, and {MAX_CHARACTERS:,} characters"
    expect(note).to_contain_text(limits)
    expect(sentences).to_have_count(MAX_SENTENCES)
    expect(sentences.first).not_to_be_in_viewport()
    expect(page.locator(SELECTED)).to_be_in_viewport(ratio=1)
    assert page.evaluate("scrollY") == 0
    assert page.locator("#neighbors-heading").bounding_box()["y"] < 800
    page.locator(SELECTED).focus()
    for _ in range(12):
        page.keyboard.press("ArrowUp")
    expect(sentences.nth(18).locator(":focus")).to_be_in_viewport(ratio=1)
    found = page.locator("#layers .card:nth-child(3) .occurrence").first
    sentence = found.inner_text()
    found.click()  # the text is full, so the sentence replaces the last one
    expect(sentences.first).to_have_text(sentence)
    expect(sentences.first.locator('[aria-pressed="true"]')).to_be_focused()
    page.get_by_label("Type or paste").fill("a " * (MAX_CHARACTERS // 2))
    expect(sentences).to_have_count(1)
    expect(note).to_be_visible()
    page.get_by_label("Type or paste").fill("We play.")
    expect(note).to_be_hidden()


def test_typed_sentences_are_on_the_map(visit):
    page = visit(hash_of(text="We play.\nThey play chess, and I play, too.\nNobody sings.", word="0.1"))
    expect(page.locator("#map .point")).to_have_count(PLAYS + 3)
    expect(page.locator("#map .point.typed path.dot")).to_have_count(3)
    own = page.locator("#map .point.typed:not(.selected)").first
    own.focus()
    expect(page.locator("#map-caption")).to_contain_text("your sentence")
    page.goto(page.url.partition("#")[0] + hash_of(text="We frumble.\nThey frumble.", word="0.1"))
    expect(page.locator("#map .point")).to_have_count(2)


def test_korean(browser, small):
    """The text and the examples are Korean; the model has only seen English."""
    opening = opening_of({tuple(sentence): [True] * len(sentence) for sentence in KOREAN})
    app = explorer_app(small, sentences=KOREAN, opening=opening)
    with running(app) as address:
        page = browser.new_page()
        page.goto(address)
        expect(page.locator(SELECTED)).to_have_text("눈이")
        expect(page.locator("#mismatch")).to_contain_text("script that the model has hardly seen (Hangul")
        expect(page.locator("#examples button").first).to_have_text("눈이")
        expect(page.locator("#cloze")).to_have_value(re.compile("___"))
        page.get_by_label("Type or paste").fill("\n".join(["나는 눈이 아프다.", "K팝 콘서트에 눈이 왔다 😀 now."]))
        heads = page.locator("#heatmap thead th span")
        expect(heads).to_have_text(["K팝", "콘서트에", "눈이", "왔다", "😀", "now", "."])
        turned = (
            "spans => spans.map((s) => [getComputedStyle(s).transform !== 'none', getComputedStyle(s).textOrientation])"
        )
        upright, sideways = [False, "mixed"], [True, "sideways"]
        assert heads.evaluate_all(turned) == [*[upright] * 4, *[sideways] * 3]
        page.get_by_label("Type or paste").fill("They play. We sing.")
        expect(page.locator("#mismatch")).to_be_hidden()
        page.close()


def test_the_token_moves_from_the_address_to_the_storage(visit, address):
    page = visit(hash_of(text="We play.", word="0.1"))
    assert page.url == address + hash_of(text="We play.", word="0.1"), "the view stays in the address"
    assert page.evaluate("localStorage.getItem('elmo-token')") == TOKEN
    page.reload()
    expect(page.locator(SELECTED)).to_have_text("play")
    tab = page.context.new_page()  # a link without the token, in the same browser
    tab.goto(page.url)
    expect(tab.locator(SELECTED)).to_have_text("play")


def test_the_copied_link_works_in_another_browser(browser, visit, address):
    page = visit(hash_of(text="We play.", word="0.1"), permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("button", name="Link copied")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    with browser.new_context() as other:
        tab = other.new_page()
        tab.goto(link)
        expect(tab.locator(SELECTED)).to_have_text("play")
        assert TOKEN not in tab.url


def test_without_the_token_the_page_says_where_to_find_it(browser, address):
    for hash in ("", "#token=wrong"):
        with browser.new_context() as context:
            page = context.new_page()
            page.goto(address + hash)
            expect(page.get_by_role("alert")).to_contain_text("Open the address that elmo explore printed")
            expect(page.locator("#words")).to_be_empty()


def test_blanks_are_filled(visit):
    page = visit()
    columns = page.locator("#predictions .card")
    expect(columns).to_have_count(3)
    expect(columns.first).to_contain_text("spring")
    page.get_by_role("button", name="Blank out the selected word").click()
    expect(page.locator("#cloze")).to_have_value("The critics praised her new ___.")
    expect(page.locator("#predictions li").first).to_contain_text("%")
    for text, message in (("Nothing is missing.", "There is no blank yet"), ("___ " * 12, "12 blanks; at most 8 are")):
        page.locator("#cloze").fill(text)
        expect(page.locator("#predictions")).to_contain_text(message)
        page.locator("#cloze").fill("The critics praised her new ___.")
        expect(page.locator("#predictions li").first).to_contain_text("%")


def test_a_link_shows_the_same_view(visit, address):
    page = visit()
    page.get_by_role("button", name="bank", exact=True).first.click()
    page.get_by_label("The same word only").check()
    page.get_by_role("slider", name="s1").fill("3")
    page.locator("#map-layers").get_by_label("Layer 1").check()
    page.locator("#heatmap-layers").get_by_label("Weighted mix").check()
    page.locator("#cloze").fill("A ___ link.")
    page.wait_for_url(re.compile("gap="))
    wait_for_answers(page)
    other = visit(page.url.removeprefix(address))
    wait_for_answers(other)
    for panel in ("#words", "#layers", "#mix-neighbors", "#static", "#map-note", "#heatmap", "#predictions"):
        assert other.locator(panel).inner_text() == page.locator(panel).inner_text(), panel
    expect(other.locator("#map-layers").get_by_label("Layer 1")).to_be_checked()
    assert other.url == page.url


def test_a_damaged_link_still_shows_a_page(visit, address):
    page = visit()
    for hash in ("#word=99.99", "#s=1&gamma=x&map=7&heat=-1", "#text=", "#%E0%A4%A", "#s=a,b,c&down=9999"):
        page.goto(address + hash)
        page.reload()
        expect(page.locator("#words")).not_to_be_empty()
        expect(page.locator("#error")).to_be_hidden()


def test_light_and_dark(visit):
    page = visit(color_scheme="dark")
    switch = page.get_by_role("button", name="Dark mode")
    expect(switch).to_have_attribute("aria-pressed", "true")
    background = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(background)
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "false")
    assert page.evaluate(background) != dark
    page.reload()
    expect(switch).to_have_attribute("aria-pressed", "false")


def test_text_has_enough_contrast(visit):
    page = visit(reduced_motion="reduce")
    expect(page.locator("#heatmap table")).to_be_visible()
    selectors = ["#model-info", "#static .secondary", ".chips li", "h2 em", SELECTED, "#layers .score", "#layers mark"]
    selectors += ["footer", "#examples button", ".tools button", "#theme", "#heatmap th", "legend", "#gamma-note"]
    hottest = page.locator("#heatmap tbody td").evaluate_all(
        "cells => cells.map(c => parseInt(c.style.getPropertyValue('--heat'))).indexOf(100)"
    )
    columns = page.locator("#heatmap thead th").count()
    cell = f"#heatmap tbody tr:nth-child({hottest // columns + 1}) td:nth-child({hottest % columns + 2})"
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for selector in (*selectors, cell):
            assert page.evaluate(CONTRAST, selector) >= 4.5, (scheme, selector)


def test_nothing_is_wider_than_the_window(visit):
    page = visit(viewport={"width": 1400, "height": 700})
    expect(page.locator("#predictions li").first).to_be_visible()
    expect(page.locator("#map svg")).to_be_visible()
    for width in (1400, 768, 360):
        page.set_viewport_size({"width": width, "height": 700})
        page.wait_for_function("document.querySelector('#map svg').clientWidth <= innerWidth - 20")
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_every_control_has_a_name(visit):
    page = visit()
    unnamed = page.evaluate(
        """() => [...document.querySelectorAll("button, input, select, textarea, [role=button], [tabindex='0']")]
          .filter((e) => !(e.innerText || e.labels?.length || e.matches("[aria-label], [aria-labelledby]")))
          .map((e) => e.outerHTML)"""
    )
    assert unnamed == []
    levels = page.evaluate("[...document.querySelectorAll('h1, h2, h3')].map((h) => Number(h.tagName[1]))")
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in itertools.pairwise(levels))


def test_the_page_reports_a_server_that_has_stopped(browser, model):
    with running(explorer_app(model)) as address:
        page = browser.new_page()
        page.goto(address)
        expect(page.locator("#layers .neighbors").first).to_be_visible()
        expect(page.locator("#cloze-section")).to_be_hidden()  # this model cannot predict
        expect(page.locator("#loading")).to_be_hidden()
        wait_for_answers(page)
    page.locator("#words .word").first.click()
    expect(page.get_by_role("alert")).to_contain_text("not responding")
    page.close()
