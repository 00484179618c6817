// The similarity of all words of one sentence with all of another, as a table in colours.

import { byId, html, number, sentenceText } from "./dom.js";

export function showHeat(matrix, first, second) {
  const values = matrix.flat();
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const head = html("tr", {}, html("td", {}), second.map((word) => html("th", { scope: "col" }, html("span", {}, word))));
  const rows = matrix.map((row, place) => {
    const cells = row.map((value, other) => {
      const cell = html("td", { title: `${first[place]} – ${second[other]}` }, number(value));
      cell.style.setProperty("--heat", `${Math.round((100 * (value - low)) / (high - low || 1))}%`);
      return cell;
    });
    return html("tr", {}, html("th", { scope: "row" }, first[place]), cells);
  });
  const caption = html("caption", { class: "unseen" }, `Cosines: ${sentenceText(first)} Across: ${sentenceText(second)}`);
  byId("heat").replaceChildren(html("table", {}, caption, html("thead", {}, head), html("tbody", {}, rows)));
  byId("heat-note").textContent = `Cosines. The colours run from ${number(low)} (pale) to ${number(high)} (full).`;
}

/** The typed sentences to choose two from. */
export function fillChoices(sentences) {
  for (const id of ["first", "second"]) {
    const options = sentences.map((words, index) => html("option", { value: index }, short(sentenceText(words))));
    byId(id).replaceChildren(...options);
  }
}

const short = (text) => (text.length > 60 ? `${text.slice(0, 57)}…` : text);
