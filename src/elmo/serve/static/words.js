// The typed sentences, whose words can be chosen. One word is in the order of Tab; arrow keys go to the others.

import { byId, html, spaced } from "./dom.js";

/** The sentences anew, none of their words chosen yet. */
export function showSentences(sentences, choose) {
  const rows = sentences.map((words, sentence) => {
    const pieces = spaced(words);
    const buttons = words.map((word, place) => {
      const attributes = { type: "button", class: "word", on: { click: () => choose(sentence, place) } };
      const button = html("button", attributes, word);
      return pieces[place].startsWith(" ") ? [" ", button] : [button];
    });
    return html("p", { class: "sentence", role: "group", "aria-label": `Sentence ${sentence + 1}` }, buttons);
  });
  byId("words").replaceChildren(...(rows.length ? rows : [html("p", { class: "quiet" }, "Nothing is typed yet.")]));
}

/** Mark the chosen word, and give it the place in the order of Tab. */
export function markWord({ sentence, word }) {
  [...byId("words").children].forEach((row, number) => {
    [...row.querySelectorAll(".word")].forEach((button, place) => {
      const chosen = number === sentence && place === word;
      button.setAttribute("aria-pressed", chosen);
      button.tabIndex = chosen ? 0 : -1;
    });
  });
}

/** Arrow keys within the sentences. */
export function listenToKeys() {
  byId("words").addEventListener("keydown", (event) => {
    const here = event.target.closest(".word");
    const to = here && target(here, event.key);
    if (!to) return;
    event.preventDefault();
    here.tabIndex = -1;
    to.tabIndex = 0;
    to.focus();
  });
}

function target(here, key) {
  const all = [...byId("words").querySelectorAll(".word")];
  const row = [...here.parentElement.querySelectorAll(".word")];
  const at = all.indexOf(here);
  if (key === "ArrowRight") return all[at + 1];
  if (key === "ArrowLeft") return all[at - 1];
  if (key === "Home") return row[0];
  if (key === "End") return row.at(-1);
  const other = { ArrowDown: here.parentElement.nextElementSibling, ArrowUp: here.parentElement.previousElementSibling }[key];
  const others = other ? [...other.querySelectorAll(".word")] : [];
  return others[Math.min(row.indexOf(here), others.length - 1)];
}
