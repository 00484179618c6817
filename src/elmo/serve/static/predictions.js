// Predicted words for the blanks of a sentence: from both sides, from the left context, from the right context.

import { bar } from "./bars.js";
import { byId, html, marked, percent } from "./dom.js";
import { text } from "./language.js";

const SIDES = [
  ["both", "fromBoth"],
  ["before", "fromLeft"],
  ["after", "fromRight"],
];

export function showPredictions(response) {
  const blocks = response.gaps.map((blank) => {
    const columns = SIDES.map(([side, title]) => {
      const highest = Math.max(...blank[side].map((prediction) => prediction.probability), 1e-12);
      const items = blank[side].map(({ word, probability }) => {
        const score = html("span", { class: "score" }, percent(probability, 1), bar(probability / highest));
        return html("li", {}, html("span", {}, word), score);
      });
      return html("div", { class: "card" }, html("h3", {}, text(title)), html("ol", { class: "predictions" }, items));
    });
    const sentence = response.gaps.length > 1 ? html("p", { class: "sentence", dir: "auto" }, ...marked({ words: response.tokens, position: blank.index })) : "";
    return html("div", {}, sentence, html("div", { class: "columns" }, columns));
  });
  byId("predictions").replaceChildren(...blocks);
}

export function showNoPredictions(reason) {
  byId("predictions").replaceChildren(html("p", { class: "secondary" }, reason));
}
