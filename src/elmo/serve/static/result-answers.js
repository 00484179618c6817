// Question answering: the best answers, marked in the passage and listed with their probabilities.

import { barList } from "./bars.js";
import { html, probabilityText } from "./dom.js";
import { text } from "./language.js";
import { markedText, markOverlapping, tag } from "./spans.js";

export function answerResult({ passage, best }) {
  const nodes = markOverlapping(passage, best, (indices, part, start, end) => {
    const ending = indices.filter((index) => best[index].end === end).map((index) => index + 1);
    const edges = [best[0].start === start ? "first" : "", best[0].end === end ? "last" : ""].join(" ");
    const rivals = indices.some((index) => index > 0) ? "rival" : "";
    const attributes = { class: `answer ${indices[0] === 0 ? "best" : ""} ${rivals} ${edges}`, "data-ranks": indices.join(" ") };
    return html("mark", attributes, part, ending.length ? tag(ending.join(", ")) : "");
  });
  const shown = markedText(nodes);
  const rows = best.map((answer, rank) => ({
    name: html("button", { type: "button", class: "found", "data-rank": rank }, `${rank + 1}. `, html("bdi", {}, answer.text)),
    probability: answer.probability,
    best: rank === 0,
  }));
  const list = barList(rows);
  listen(list, shown);
  const summary = text("answerFound", { answer: best[0].text, percent: probabilityText(best[0].probability) });
  return { elements: [shown, html("h3", {}, text("answers")), list], summary };
}

/** Pointing at an answer of the list, or moving the focus to it, highlights it in the passage. Pressing scrolls to it. */
function listen(list, shown) {
  const highlight = (rank) => {
    for (const mark of shown.querySelectorAll("mark")) {
      mark.classList.toggle("highlighted", mark.dataset.ranks.split(" ").includes(rank));
    }
  };
  const rankOf = (event) => event.target.closest("li")?.querySelector("[data-rank]").dataset.rank;
  for (const event of ["pointerover", "focusin"]) list.addEventListener(event, (happened) => highlight(rankOf(happened)));
  for (const event of ["pointerleave", "focusout"]) list.addEventListener(event, () => highlight(null));
  list.addEventListener("click", (event) => {
    highlight(rankOf(event));
    shown.querySelector(".highlighted")?.scrollIntoView({ block: "nearest" });
  });
}
