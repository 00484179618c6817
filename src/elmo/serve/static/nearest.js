// The nearest uses: by each layer, by the mix, and what the word is like without any context.

import { byId, html, layerName, marked, number, sentenceText } from "./dom.js";
import { GAMMA_RANGE, RAW_RANGE } from "./state.js";

/** The list of some uses. `open` is called with a use that is chosen. */
function list(uses, open) {
  if (!uses.length) return html("p", { class: "quiet" }, "No other use has been read.");
  const strongest = Math.max(...uses.map((use) => use.similarity), 1e-9);
  const items = uses.map((use) => {
    const bar = html("span", { class: "bar", "aria-hidden": "true" });
    bar.style.setProperty("--share", Math.max(0, use.similarity / strongest));
    const alike = use.alike > 1 ? html("span", { class: "quiet alike" }, `one of ${use.alike}, all alike`) : "";
    const button = html(
      "button",
      {
        type: "button",
        class: "use",
        title: "Explore this use",
        on: { click: () => open(sentenceText(use.words), use.words[use.position], use.position) },
      },
      ...marked(use.words, use.position),
    );
    return html("li", {}, html("span", { class: "score" }, number(use.similarity), bar), html("span", {}, button, alike));
  });
  return html("ol", { class: "uses" }, items);
}

export function showNearest(answer, open) {
  const count = answer.layers.length;
  byId("nearest-heading").replaceChildren("Nearest uses of ", html("em", {}, answer.word));
  const columns = answer.layers.map((uses, layer) => {
    const name = layerName(layer, count);
    const heading = html("h3", { id: `layer-${layer}` }, name[0].toUpperCase() + name.slice(1));
    const note = layer === 0 ? "The same vector in every sentence." : null;
    return html(
      "div",
      { class: "card", role: "group", "aria-labelledby": `layer-${layer}` },
      heading,
      note ? html("p", { class: "quiet" }, note) : "",
      list(uses, open),
    );
  });
  byId("layers").replaceChildren(...columns);
  showStatic(answer.static, answer.word);
}

export function showMixed(answer, open) {
  byId("mixed").replaceChildren(list(answer.uses, open));
  answer.weights.forEach((weight, layer) => {
    byId(`share-${layer}`).textContent = `${number(100 * weight, weight < 0.01 ? 1 : 0)} %`;
    byId(`raw-${layer}`).setAttribute("aria-valuetext", `${number(100 * weight, 0)} percent`);
  });
  byId("gamma-note").textContent =
    `γ makes all vectors longer or shorter alike: this one now has length ${number(answer.length)}. ` +
    "Dot products grow with γ²; a cosine, and the order of the neighbours, never changes with it.";
}

function showStatic(answer, word) {
  const source = answer.source ?? "layer 0";
  const words = answer.words.map(([other, similarity]) =>
    html("li", {}, other, " ", html("span", { class: "quiet" }, number(similarity))),
  );
  const notes = [];
  if (!answer.known) notes.push(`${source} has no vector for this word.`);
  if (answer.source === null) {
    notes.push("These are the words of the text nearest in layer 0. To see GloVe’s here: ");
    notes.push(html("span", { class: "code" }, "elmo explore --vectors FILE"));
  }
  byId("static").replaceChildren(
    html("h3", {}, "Without context: ", html("em", {}, word), ` in ${source}`),
    html("ul", { class: "chips" }, words),
    notes.length ? html("p", { class: "quiet" }, notes) : "",
  );
}

/** The sliders; `change` is told what they change. */
export function makeSliders(layers, change) {
  const slider = (id, label, low, high, step, input) =>
    html(
      "div",
      { class: "slider" },
      html("label", { for: id }, label),
      html("input", { id, type: "range", min: low, max: high, step, on: { input: (event) => input(Number(event.target.value)) } }),
      html("output", { id: id.replace("raw", "share"), for: id }),
    );
  const rows = [...Array(layers).keys()].map((layer) =>
    slider(`raw-${layer}`, [`s`, html("sub", {}, String(layer))], -RAW_RANGE, RAW_RANGE, 0.1, (value) => {
      change((state) => ({ raw: state.raw.map((old, place) => (place === layer ? value : old)) }));
    }),
  );
  const gamma = slider("gamma", ["γ"], 0, GAMMA_RANGE, 0.05, (value) => change(() => ({ gamma: value })));
  gamma.querySelector("input").setAttribute("aria-describedby", "gamma-note");
  const even = html("button", { type: "button", on: { click: () => change((s) => ({ raw: s.raw.map(() => 0), gamma: 1 })) } }, "All alike");
  const top = html(
    "button",
    { type: "button", on: { click: () => change((s) => ({ raw: s.raw.map((_, j) => (j === layers - 1 ? RAW_RANGE : -RAW_RANGE)) })) } },
    "Top layer only",
  );
  byId("sliders").replaceChildren(...rows, gamma, html("div", { class: "line" }, even, top));
}

export function placeSliders(state) {
  state.raw.forEach((value, layer) => (byId(`raw-${layer}`).value = value));
  const gamma = byId("gamma");
  gamma.value = state.gamma;
  gamma.parentElement.querySelector("output").textContent = number(state.gamma);
}
