// Nearest neighbors of the selected word: in each layer, in the weighted mix, and without context.

import { bar } from "./bars.js";
import { byId, html, layerName, marked, number, percent, sentenceText } from "./dom.js";
import { pieces, text } from "./language.js";
import { GAMMA_RANGE, RAW_RANGE } from "./state.js";

/** Builds a list of neighbors. `explore` is called with the text, word and position of the one that is clicked. */
function list(neighbors, explore) {
  if (!neighbors.length) return html("p", { class: "secondary" }, text("noOccurrences"));
  const highest = Math.max(...neighbors.map((neighbor) => neighbor.similarity), 1e-9);
  const items = neighbors.map((neighbor) => {
    const { words, spaced, position, similarity, occurrences } = neighbor;
    const count = occurrences > 1 ? text("occurrencesAlike", { n: occurrences }) : "";
    const button = html(
      "button",
      {
        type: "button",
        class: "occurrence",
        dir: "auto",
        title: text("exploreOccurrence"),
        on: { click: () => explore(sentenceText(words, spaced), words[position], position) },
      },
      ...marked(neighbor),
    );
    const found = html("span", {}, button, count ? html("span", { class: "secondary count" }, count) : "");
    return html("li", {}, html("span", { class: "score" }, number(similarity), bar(Math.max(0, similarity / highest))), found);
  });
  return html("ol", { class: "neighbors" }, items);
}

export function showNeighbors(response, selected, explore) {
  const count = response.layers.length;
  byId("neighbors-heading").replaceChildren(...pieces("neighborsOf", { word: html("em", {}, response.word) }));
  byId("selected-sentence").replaceChildren(...marked(selected, 20));
  const columns = response.layers.map((neighbors, layer) =>
    html(
      "div",
      { class: "card", role: "group", "aria-labelledby": `layer-${layer}` },
      html("h3", { id: `layer-${layer}` }, layerName(layer, count)),
      layer === 0 ? html("p", { class: "secondary" }, text("sameVector")) : "",
      list(neighbors, explore),
    ),
  );
  byId("layers").replaceChildren(...columns);
  showStatic(response.static, response.word);
}

export function showMixNeighbors(response, explore) {
  byId("mix-neighbors").replaceChildren(list(response.neighbors, explore));
  response.weights.forEach((weight, layer) => {
    byId(`weight-${layer}`).textContent = percent(weight, weight < 0.01 ? 1 : 0);
    byId(`raw-${layer}`).setAttribute("aria-valuetext", text("percent", { percent: number(100 * weight, 0) }));
  });
  byId("gamma-note").textContent = text("gammaNote", { norm: number(response.norm) });
}

function showStatic(response, word) {
  const source = response.source ?? text("tokenLayerSource");
  const words = response.words.map(([other, similarity]) =>
    html("li", {}, other, " ", html("span", { class: "secondary" }, number(similarity))),
  );
  const notes = [];
  if (!response.known) notes.push(text("noStaticVector", { source }));
  if (response.source === null) {
    notes.push(...pieces("staticHint", { command: html("span", { class: "code" }, "elmo explore --vectors FILE") }));
  }
  byId("static").replaceChildren(
    html("h3", {}, ...pieces("withoutContext", { word: html("em", {}, word), source })),
    words.length ? html("ul", { class: "chips" }, words) : "",
    notes.length ? html("p", { class: "secondary" }, notes) : "",
  );
}

/** Creates the sliders for the weights of the layers and for gamma. `onChange` receives a function of the state. */
export function makeSliders(layers, onChange) {
  const slider = (id, label, low, high, step, input) =>
    html(
      "div",
      { class: "slider" },
      html("label", { for: id }, label),
      html("input", { id, type: "range", min: low, max: high, step, on: { input: (event) => input(Number(event.target.value)) } }),
      html("output", { id: id.replace("raw", "weight"), for: id }),
    );
  const rows = [...Array(layers).keys()].map((layer) =>
    slider(`raw-${layer}`, ["s", html("sub", {}, String(layer))], -RAW_RANGE, RAW_RANGE, 0.1, (value) => {
      onChange((state) => ({ raw: state.raw.map((old, index) => (index === layer ? value : old)) }));
    }),
  );
  const gamma = slider("gamma", ["γ"], 0, GAMMA_RANGE, 0.05, (value) => onChange(() => ({ gamma: value })));
  gamma.querySelector("input").setAttribute("aria-describedby", "gamma-note");
  const button = (label, changes) => html("button", { type: "button", on: { click: () => onChange(changes) } }, label);
  const equal = button(text("equalWeights"), (state) => ({ raw: state.raw.map(() => 0), gamma: 1 }));
  const top = button(text("topOnly"), (state) => ({
    raw: state.raw.map((_, layer) => (layer === layers - 1 ? RAW_RANGE : -RAW_RANGE)),
  }));
  byId("sliders").replaceChildren(...rows, gamma, html("div", { class: "row" }, equal, top));
}

export function setSliders(state) {
  state.raw.forEach((value, layer) => (byId(`raw-${layer}`).value = value));
  const gamma = byId("gamma");
  gamma.value = state.gamma;
  gamma.parentElement.querySelector("output").textContent = number(state.gamma);
}
