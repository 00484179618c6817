// The similarity of every word of one sentence to every word of another, as a table with colored cells.

import { byId, html, number, sentenceText } from "./dom.js";
import { text } from "./language.js";

// Scripts that are also written from top to bottom keep their letters upright; others are turned on their side.
const WRITTEN_DOWNWARD = /[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Shows the similarities of the words of two sentences, whose texts describe the table. */
export function showHeatmap(matrix, first, second, texts) {
  const values = matrix.flat();
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const head = html("tr", {}, html("td", {}), second.map(columnHead));
  const rows = matrix.map((row, i) => {
    const cells = row.map((value, j) => {
      const cell = html("td", { title: `${first[i]} – ${second[j]}` }, number(value));
      cell.style.setProperty("--heat", `${Math.round((100 * (value - low)) / (high - low || 1))}%`);
      return cell;
    });
    return html("tr", {}, html("th", { scope: "row" }, first[i]), cells);
  });
  const caption = html(
    "caption",
    { class: "visually-hidden" },
    text("comparisonCaption", { first: texts[0], second: texts[1] }),
  );
  byId("heatmap").replaceChildren(html("table", {}, caption, html("thead", {}, head), html("tbody", {}, rows)));
  byId("heatmap-note").textContent = text("comparisonNote", { low: number(low), high: number(high) });
}

function columnHead(word) {
  return html("th", { scope: "col" }, html("span", { class: WRITTEN_DOWNWARD.test(word) ? "upright" : "sideways" }, word));
}

export function showNoComparison() {
  byId("heatmap").replaceChildren();
  byId("heatmap-note").textContent = text("oneSentence");
}

/**
 * Returns which of `count` sentences to compare, from those that were compared before the text changed. A sentence is
 * compared with itself only if it was before.
 */
export function comparedPair(first, second, count) {
  if (count < 2) return [first, second]; // until there are two again
  const [one, other] = [first, second].map((index) => Math.min(index, count - 1));
  return one === other && first !== second ? [count - 2, count - 1] : [one, other];
}

/** Offers the typed sentences in both select elements. */
export function fillSentenceSelects({ sentences, spaced }) {
  for (const id of ["first", "second"]) {
    const options = sentences.map((words, index) => html("option", { value: index }, shorten(sentenceText(words, spaced[index]))));
    byId(id).replaceChildren(...options);
  }
}

const shorten = (sentence) => (sentence.length > 60 ? `${sentence.slice(0, 57)}…` : sentence);
