// The view as one object, which the URL fragment stores, so that a link shows the same view to others.

import { sentenceText } from "./dom.js";
import { LANGUAGES } from "./language.js";

export const RAW_RANGE = 5;
export const GAMMA_RANGE = 3;

/** The text of an example: one sentence per line. */
export const exampleText = (example) => example.sentences.map(sentenceText).join("\n");

/** The view without a fragment, for the model and the text that the server describes. */
export function defaults({ layers, examples, blank }) {
  return {
    language: null, // not chosen
    text: examples.slice(0, 2).map(exampleText).join("\n"),
    sentence: 0,
    word: examples[0].position,
    raw: Array(layers).fill(0),
    gamma: 1,
    measure: "cosine",
    sameWord: false,
    mapLayer: "mix",
    first: 0,
    second: 1,
    heatmapLayer: layers - 1,
    cloze: blank,
  };
}

/** The language that a fragment asks for, or null. */
export function languageOf(hash) {
  const found = new URLSearchParams(hash.replace(/^#/, "")).get("lang");
  return LANGUAGES.includes(found) ? found : null;
}

const inRange = (value, low, high, fallback) => (value >= low && value <= high ? value : fallback);
const integer = (text, fallback) => (/^\d{1,4}$/.test(text ?? "") ? Number(text) : fallback);

/** Parses a fragment. Missing or invalid values fall back to the defaults; a language that was chosen stays. */
export function fromHash(hash, status, previous) {
  const { layers } = status;
  const fallback = defaults(status);
  const parameters = new URLSearchParams(hash.replace(/^#/, ""));
  const layer = (name, otherwise) => {
    const text = parameters.get(name);
    return text === "mix" ? text : inRange(integer(text, -1), 0, layers - 1, otherwise);
  };
  const selected = /^(\d{1,3})\.(\d{1,3})$/.exec(parameters.get("word") ?? "");
  const raw = (parameters.get("s") ?? "").split(",").map(Number);
  const valid = raw.length === layers && raw.every((value) => Math.abs(value) <= RAW_RANGE);
  return {
    language: languageOf(hash) ?? previous?.language ?? fallback.language,
    text: (parameters.get("text") ?? fallback.text).slice(0, 20000),
    sentence: selected ? Number(selected[1]) : fallback.sentence,
    word: selected ? Number(selected[2]) : fallback.word,
    raw: parameters.has("s") && valid ? raw : fallback.raw,
    gamma: inRange(parseFloat(parameters.get("gamma")), 0, GAMMA_RANGE, fallback.gamma),
    measure: parameters.get("by") === "dot" ? "dot" : "cosine",
    sameWord: parameters.get("in") === "same",
    mapLayer: layer("map", fallback.mapLayer),
    first: integer(parameters.get("down"), fallback.first),
    second: integer(parameters.get("across"), fallback.second),
    heatmapLayer: layer("heat", fallback.heatmapLayer),
    cloze: (parameters.get("gap") ?? fallback.cloze).slice(0, 1000),
  };
}

/** Writes a view as a fragment, without values that equal the defaults. */
export function toHash(state, status) {
  const fallback = defaults(status);
  const pairs = [
    ["lang", state.language, fallback.language],
    ["text", state.text, fallback.text],
    ["word", `${state.sentence}.${state.word}`, `${fallback.sentence}.${fallback.word}`],
    ["s", state.raw.join(","), fallback.raw.join(",")],
    ["gamma", state.gamma, fallback.gamma],
    ["by", state.measure, fallback.measure],
    ["in", state.sameWord ? "same" : "any", "any"],
    ["map", state.mapLayer, fallback.mapLayer],
    ["down", state.first, fallback.first],
    ["across", state.second, fallback.second],
    ["heat", state.heatmapLayer, fallback.heatmapLayer],
    ["gap", state.cloze, fallback.cloze],
  ];
  const changed = pairs.filter(([, value, otherwise]) => value !== otherwise).map(([name, value]) => [name, String(value)]);
  return changed.length ? `#${new URLSearchParams(changed)}` : "";
}
