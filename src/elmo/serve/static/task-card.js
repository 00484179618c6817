// What a task model is: the data that it was trained on, its score, and what it learned about the layers of ELMo.

import { bar } from "./bars.js";
import { byId, html, number, percent } from "./dom.js";
import { text, translated } from "./language.js";

/** Shows the card of a model; none before it has been loaded. */
export function showCard(card) {
  byId("task-card").hidden = !card;
  if (!card) return;
  const explanation = card.layers.length ? text("layersLearned") : text("withoutElmo");
  byId("task-card").replaceChildren(
    html("h3", {}, text("theModel")),
    html("p", {}, scoreText(card)),
    html("h3", {}, text("layersTitle")),
    html("p", { class: "secondary" }, explanation),
    ...card.layers.flatMap(mixOfLayers),
  );
}

function mixOfLayers({ place, weights, gamma }) {
  const rows = weights.map((weight, layer) => {
    const name = html("span", {}, text("layer", { layer }));
    return html("li", {}, name, bar(weight), html("span", { class: "score" }, percent(weight)));
  });
  return [html("h4", {}, text(`place ${place}`, { gamma: number(gamma) })), html("ol", { class: "bars" }, rows)];
}

function scoreText({ trained_on: data, scores, objective }) {
  const split = scores.test ? "test" : "dev";
  const value = scores[split]?.[objective];
  if (value === undefined) return text("trainedOn", { data });
  const values = { data, score: translated("score", objective), value: number(value, 1) };
  return text(split === "test" ? "trainedTest" : "trainedDev", values);
}
