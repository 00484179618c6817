// Words for the gaps of a sentence: by both sides, by what stands before, by what comes after.

import { byId, html, marked, number } from "./dom.js";

const SIDES = [
  ["both", "From both sides"],
  ["before", "From what stands before"],
  ["after", "From what comes after"],
];

export function showGuesses(answer) {
  const blocks = answer.gaps.map((gap) => {
    const columns = SIDES.map(([side, title]) => {
      const strongest = Math.max(...gap[side].map((guess) => guess.probability), 1e-12);
      const items = gap[side].map(({ word, probability }) => {
        const bar = html("span", { class: "bar", "aria-hidden": "true" });
        bar.style.setProperty("--share", probability / strongest);
        return html("li", {}, html("span", {}, word), html("span", { class: "score" }, `${number(100 * probability, 1)} %`, bar));
      });
      return html("div", { class: "card" }, html("h3", {}, title), html("ol", { class: "guesses" }, items));
    });
    const which = answer.gaps.length > 1 ? html("p", { class: "sentence" }, ...marked(answer.tokens, gap.index)) : "";
    return html("div", {}, which, html("div", { class: "columns" }, columns));
  });
  byId("guesses").replaceChildren(...blocks);
}

export function showNoGuesses(why) {
  byId("guesses").replaceChildren(html("p", { class: "quiet" }, why));
}
