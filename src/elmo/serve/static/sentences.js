// The typed sentences with selectable words. Only one word is in the Tab order; the arrow keys reach the others.

import { byId, html, withSpaces } from "./dom.js";
import { text } from "./language.js";

/** Shows sentences, with no word selected. `spaced` tells which of their words follow a space. */
export function showSentences({ sentences, spaced }, select) {
  const rows = sentences.map((words, sentence) => {
    const pieces = withSpaces(words, spaced[sentence]);
    const buttons = words.map((word, position) => {
      const attributes = { type: "button", class: "word", on: { click: () => select(sentence, position) } };
      const button = html("button", attributes, word);
      return pieces[position].startsWith(" ") ? [" ", button] : [button];
    });
    const label = text("sentence", { number: sentence + 1 });
    return html("p", { class: "sentence", dir: "auto", role: "group", "aria-label": label }, buttons);
  });
  const empty = html("p", { class: "secondary" }, text("noSentence"));
  byId("words").replaceChildren(...(rows.length ? rows : [empty]));
}

/** Marks the selected word and puts it in the Tab order. A word that is selected now is scrolled into view. */
export function markSelected({ sentence, word }) {
  [...byId("words").children].forEach((row, index) => {
    [...row.querySelectorAll(".word")].forEach((button, position) => {
      const selected = index === sentence && position === word;
      if (selected && button.getAttribute("aria-pressed") !== "true") reveal(button);
      button.setAttribute("aria-pressed", selected);
      button.tabIndex = selected ? 0 : -1;
    });
  });
}

/** Scrolls the list of sentences, but not the page, if a word is not visible. */
function reveal(word) {
  const list = byId("words");
  const [inner, outer] = [word, list].map((element) => element.getBoundingClientRect());
  const visible = inner.top >= outer.top && inner.bottom <= outer.bottom;
  if (!visible) list.scrollTop += inner.top - outer.top - outer.height / 2;
}

/** Lets the arrow keys move between words. */
export function listenToKeys() {
  byId("words").addEventListener("keydown", (event) => {
    const current = event.target.closest(".word");
    const next = current && nextWord(current, event.key);
    if (!next) return;
    event.preventDefault();
    current.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
}

function nextWord(current, key) {
  const all = [...byId("words").querySelectorAll(".word")];
  const row = [...current.parentElement.querySelectorAll(".word")];
  const index = all.indexOf(current);
  const forward = current.matches(":dir(rtl)") ? -1 : 1;
  if (key === "ArrowRight") return all[index + forward];
  if (key === "ArrowLeft") return all[index - forward];
  if (key === "Home") return row[0];
  if (key === "End") return row.at(-1);
  const { nextElementSibling, previousElementSibling } = current.parentElement;
  const otherRow = { ArrowDown: nextElementSibling, ArrowUp: previousElementSibling }[key];
  const others = otherRow ? [...otherRow.querySelectorAll(".word")] : [];
  return others[Math.min(row.indexOf(current), others.length - 1)];
}
