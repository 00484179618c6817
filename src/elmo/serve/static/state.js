// The view as one object, which the URL fragment stores, so that a link shows the same view to others.

import { sentenceText } from "./dom.js";
import { LANGUAGES } from "./language.js";
import { MAX_ZOOM } from "./map-zoom.js";
import { EXAMPLES, PARTS, TASKS } from "./task-examples.js";

export const RAW_RANGE = 5;
export const GAMMA_RANGE = 3;

/** The text of an example: one sentence per line. */
export const exampleText = ({ sentences, spaced }) =>
  sentences.map((words, number) => sentenceText(words, spaced[number])).join("\n");

/** The view without a fragment, for the model and the text that the server describes. */
function defaults({ layers, examples, blank }) {
  return {
    language: null, // not chosen
    view: "words", // or the name of a task
    inputs: Object.fromEntries(TASKS.map((task) => [task, EXAMPLES[task][0]])),
    text: examples.slice(0, 2).map(exampleText).join("\n"),
    sentence: 0,
    word: examples[0].position,
    raw: Array(layers).fill(0),
    gamma: 1,
    measure: "cosine",
    sameWord: false,
    mapLayer: layers - 1,
    mapZoom: null, // or the scale and the middle of the part that is shown, see map-zoom.js
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

/**
 * Parses a fragment. It describes one view; what the others showed before stays, as does a language that was chosen.
 * Missing or invalid values of the view itself fall back to the defaults.
 */
export function fromHash(hash, status, previous) {
  const parameters = new URLSearchParams(hash.replace(/^#/, ""));
  const before = previous ?? defaults(status);
  const language = languageOf(hash) ?? before.language;
  const view = parameters.get("view");
  if (!TASKS.includes(view)) return { ...before, language, view: "words", ...wordsOf(parameters, status) };
  const given = PARTS[view].map((part) => [part, parameters.get(part)]);
  const complete = given.every(([, value]) => value !== null);
  const input = complete ? Object.fromEntries(given) : EXAMPLES[view][0];
  return { ...before, language, view, inputs: { ...before.inputs, [view]: input } };
}

/** The part of the state that belongs to the view of words. */
function wordsOf(parameters, status) {
  const { layers } = status;
  const fallback = defaults(status);
  const layer = (name, otherwise) => {
    const text = parameters.get(name);
    return text === "mix" ? text : inRange(integer(text, -1), 0, layers - 1, otherwise);
  };
  const selected = /^(\d{1,3})\.(\d{1,3})$/.exec(parameters.get("word") ?? "");
  const raw = (parameters.get("s") ?? "").split(",").map(Number);
  const valid = raw.length === layers && raw.every((value) => Math.abs(value) <= RAW_RANGE);
  return {
    text: (parameters.get("text") ?? fallback.text).slice(0, status.limits.characters),
    sentence: selected ? Number(selected[1]) : fallback.sentence,
    word: selected ? Number(selected[2]) : fallback.word,
    raw: parameters.has("s") && valid ? raw : fallback.raw,
    gamma: inRange(parseFloat(parameters.get("gamma")), 0, GAMMA_RANGE, fallback.gamma),
    measure: parameters.get("by") === "dot" ? "dot" : "cosine",
    sameWord: parameters.get("in") === "same",
    mapLayer: layer("map", fallback.mapLayer),
    mapZoom: zoomOf(parameters.get("zoom")),
    first: integer(parameters.get("down"), fallback.first),
    second: integer(parameters.get("across"), fallback.second),
    heatmapLayer: layer("heat", fallback.heatmapLayer),
    cloze: (parameters.get("gap") ?? fallback.cloze).slice(0, 1000),
  };
}

function zoomOf(text) {
  const [scale, x, y] = (text ?? "").split(",").map(Number);
  return scale > 1 && scale <= MAX_ZOOM && Math.abs(x) <= 0.5 && Math.abs(y) <= 0.5 ? { scale, x, y } : null;
}

/** Writes the view that is shown as a fragment, without values that equal the defaults. */
export function toHash(state, status) {
  const fallback = defaults(status);
  const { view } = state;
  const pairs = [
    ["lang", state.language, fallback.language],
    ["view", view, fallback.view],
    ...(view === "words" ? wordPairs(state, fallback) : inputPairs(state.inputs[view], fallback.inputs[view])),
  ];
  const changed = pairs.filter(([, value, otherwise]) => value !== otherwise).map(([name, value]) => [name, String(value)]);
  return changed.length ? `#${new URLSearchParams(changed)}` : "";
}

/** All texts of an input, unless it is the first example. */
function inputPairs(input, example) {
  const parts = Object.keys(example);
  return parts.every((part) => input[part] === example[part]) ? [] : parts.map((part) => [part, input[part], null]);
}

const wordPairs = (state, fallback) => [
  ["text", state.text, fallback.text],
  ["word", `${state.sentence}.${state.word}`, `${fallback.sentence}.${fallback.word}`],
  ["s", state.raw.join(","), fallback.raw.join(",")],
  ["gamma", state.gamma, fallback.gamma],
  ["by", state.measure, fallback.measure],
  ["in", state.sameWord ? "same" : "any", "any"],
  ["map", state.mapLayer, fallback.mapLayer],
  ["zoom", state.mapZoom && Object.values(state.mapZoom).map((value) => value.toFixed(3)).join(","), null],
  ["down", state.first, fallback.first],
  ["across", state.second, fallback.second],
  ["heat", state.heatmapLayer, fallback.heatmapLayer],
  ["gap", state.cloze, fallback.cloze],
];
