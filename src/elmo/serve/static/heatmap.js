// The similarity of every word of one sentence to every word of another, as a table with colored cells.

import { byId, html, number, sentenceText } from "./dom.js";

export function showHeatmap(matrix, first, second) {
  const values = matrix.flat();
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const head = html("tr", {}, html("td", {}), second.map((word) => html("th", { scope: "col" }, html("span", {}, word))));
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
    `Cosine similarities. Rows: ${sentenceText(first)} Columns: ${sentenceText(second)}`,
  );
  byId("heatmap").replaceChildren(html("table", {}, caption, html("thead", {}, head), html("tbody", {}, rows)));
  byId("heatmap-note").textContent =
    `Cosine similarity. The color scale runs from ${number(low)} (lowest) to ${number(high)} (highest).`;
}

/** Offers the typed sentences in both select elements. */
export function fillSentenceSelects(sentences) {
  for (const id of ["first", "second"]) {
    const options = sentences.map((words, index) => html("option", { value: index }, shorten(sentenceText(words))));
    byId(id).replaceChildren(...options);
  }
}

const shorten = (text) => (text.length > 60 ? `${text.slice(0, 57)}…` : text);
