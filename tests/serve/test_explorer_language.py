"""The languages of the explorer page: complete tables, and a switch that the link keeps."""

import re
from html.parser import HTMLParser

import pytest

pytest.importorskip("playwright", reason="needs playwright (pip install playwright)")
from playwright.sync_api import expect
from serve.explorer import hash_of

from elmo.serve.pages import STATIC

HANGUL = re.compile("[가-힣]")
KEY = re.compile(r'\b(?:text|pieces)\(\s*"(\w+)"')
NAMED = re.compile(r'data-(?:text|label)="(\w+)"')


def placeholders(value):
    forms = [value] if isinstance(value, str) else value.values()
    return set().union(*(re.findall(r"\{(\w+)\}", form) for form in forms))


def source(suffix):
    return "\n".join(file.read_text("utf-8") for file in STATIC.glob(f"*.{suffix}"))


@pytest.fixture
def tables(visit):
    page = visit()
    script = "(name) => import(`./${name}.js`).then((module) => module.default)"
    return {name: page.evaluate(script, name) for name in ("english", "korean")}


def test_both_tables_have_the_same_texts(tables):
    english, korean = tables.values()
    assert list(english) == list(korean)
    for key, value in english.items():
        assert placeholders(value) == placeholders(korean[key]), key
        assert not HANGUL.search(str(value)), key


def test_all_texts_are_in_the_tables_and_used(tables):
    used = {*KEY.findall(source("js")), *NAMED.findall(source("html"))}
    assert used <= set(tables["english"])
    quoted = set(re.findall(r'"([\w ]+)"', source("js") + source("html")))
    prefixes = {*re.findall(r"text\(`(\w+) \$", source("js")), *re.findall(r'translated\("(\w+)"', source("js"))}
    unused = {key for key in set(tables["english"]) - quoted - used if key.partition(" ")[0] not in prefixes}
    assert unused == set()


def test_the_page_has_no_text_of_its_own():
    class Texts(HTMLParser):
        def __init__(self):
            super().__init__()
            self.found, self.tags = [], []

        def handle_starttag(self, tag, attributes):
            if tag not in ("meta", "link", "input"):
                self.tags.append(tag)

        def handle_endtag(self, tag):
            self.tags.remove(tag)

        def handle_data(self, data):
            if data.strip() and not {"noscript", "title"} & set(self.tags):
                self.found.append(data.strip())

    parser = Texts()
    parser.feed((STATIC / "index.html").read_text("utf-8"))
    assert parser.found == ["English", "한국어", "+", "−", "⤢"]
    for file in STATIC.glob("*.js"):
        if file.name != "korean.js":
            assert not HANGUL.search(re.sub("가-힣|uac00", "", file.read_text("utf-8"))), file


def test_the_switch_translates_everything_and_the_link_keeps_it(visit, address):
    page = visit(hash_of(text="We play.\nThey play chess.", word="0.1"))
    page.get_by_label("The same word only").check()
    page.locator("#map .point.selected").focus()
    page.get_by_role("button", name="한국어").click()
    expect(page.locator("html")).to_have_attribute("lang", "ko")
    expect(page).to_have_title("ELMo 탐색기")
    expect(page.locator("#neighbors-heading")).to_have_text("‘play’의 최근접 이웃")
    expect(page.locator("#layers h3").nth(2)).to_have_text("2층(최상위)")
    expect(page.locator("#map-note")).to_contain_text("주성분")
    expect(page.locator("#heatmap-note")).to_contain_text("코사인 유사도입니다")
    expect(page.locator("#predictions h3").first).to_have_text("앞뒤 문맥으로")
    expect(page.get_by_role("button", name="한국어")).to_be_focused()
    expect(page.get_by_label("같은 단어만")).to_be_checked()
    assert "lang=ko" in page.url
    texts_of_others = "[hidden], #words, #text, ol, ul, select, #heatmap, #map svg, .examples, [lang=en]"
    english = page.evaluate(
        """(others) => [...document.querySelectorAll("main *, header *, footer")]
          .filter((e) => !e.closest(others))
          .flatMap((e) => [...e.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data.trim()))
          .filter((text) => /[a-z]{4}/i.test(text) && !/[가-힣]/.test(text))""",
        texts_of_others,
    )
    assert set(english) <= {"play", "We", "The", "elmo explore --vectors FILE"}
    other = visit(page.url.removeprefix(address))
    expect(other.locator("#neighbors-heading")).to_have_text("‘play’의 최근접 이웃")
    other.get_by_role("button", name="English").click()
    expect(other.locator("#neighbors-heading")).to_have_text("Nearest neighbors of play")
    assert "lang=en" in other.url


def test_the_choice_is_kept_for_the_next_visit(visit, address):
    page = visit()
    page.get_by_role("button", name="한국어").click()
    page.goto(address)
    page.reload()
    expect(page.locator("h1")).to_have_text("ELMo 탐색기")
    page.locator("#words .word").first.click()
    assert "lang=ko" in page.url, "whoever gets the link sees the same language"


def test_the_language_of_the_browser(visit):
    page = visit(locale="ko-KR")
    expect(page.locator("h1")).to_have_text("ELMo 탐색기")
    assert "lang" not in page.url
    expect(visit(locale="fr-FR").locator("h1")).to_have_text("ELMo explorer")
    expect(visit(hash_of(lang="xx"), locale="ko-KR").locator("h1")).to_have_text("ELMo 탐색기")


def test_warnings_and_errors_are_translated(visit, browser, address):
    page = visit(hash_of(lang="ko", text="나는 눈이 아프다. 밤새 눈이 왔다."))
    expect(page.locator("#mismatch")).to_contain_text("거의 본 적 없는 문자로 쓰였습니다(Hangul")
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(f"{address}#lang=ko")
        expect(page.get_by_role("alert")).to_contain_text("접근 토큰이 올바르지 않습니다")
