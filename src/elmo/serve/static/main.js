// The page: one state, which the URL stores. Every change of the state requests what the page then needs.

import { Loader, request } from "./api.js";
import { addLayerRadios, byId, checkRadio, html, sentenceText } from "./dom.js";
import { comparedPair, fillSentenceSelects, showHeatmap, showNoComparison } from "./heatmap.js";
import { showMap, watchWidth } from "./map.js";
import { makeSliders, setSliders, showMixNeighbors, showNeighbors } from "./neighbors.js";
import { showNoPredictions, showPredictions } from "./predictions.js";
import { exampleText, fromHash, toHash } from "./state.js";
import { startTheme } from "./theme.js";
import { linkWithToken, takeToken } from "./token.js";
import { listenToKeys, markSelected, showSentences } from "./words.js";

const BLANK = "___";
const COPY_LINK = "Copy link to this view";
let status = null;
let state = null;
let sentences = [];
let sentencesText = null; // the text that `sentences` are from
let comparison = null; // the last response about two sentences

/** Announces a text to screen readers, unless it was the last one announced. */
function announce(text) {
  if (byId("announcement").textContent !== text) byId("announcement").textContent = text;
}

const errors = {};

/** Shows the error of a part of the page; an empty text clears it. */
function showError(part, text) {
  errors[part] = text;
  const shown = [...new Set(Object.values(errors).filter(Boolean))].join(" ");
  byId("error").textContent = shown;
  byId("error").hidden = !shown;
}

const loader = (part, show) => new Loader(show, (text) => showError(part, text));

const loaders = {
  sentences: loader("sentences", updateSentences),
  neighbors: loader("neighbors", (response, body) => {
    showNeighbors(response, body, explore);
    const times = response.occurrences === 1 ? "1 occurrence" : `${response.occurrences} occurrences`;
    announce(`Nearest neighbors of ${response.word}, with ${times} in the text.`);
  }),
  mix: loader("mix", (response) => showMixNeighbors(response, explore)),
  map: loader("map", (response) => showMap(response, explore)),
  comparison: loader("comparison", (response, body) => {
    comparison = { response, body };
    if (sentences[state.first] && sentences[state.second]) showComparison();
  }),
  predictions: new Loader(showPredictions, (text) => text && showNoPredictions(text)),
};

/** The response has all layers, so switching between them needs no request. */
function showComparison() {
  const { response, body } = comparison;
  const matrix = state.heatmapLayer === "mix" ? response.mix : response.layers[state.heatmapLayer];
  showHeatmap(matrix, body.first, body.second);
}

/** Updates the state, the URL and the page. With `undoable`, the back button returns to the previous state. */
function change(changes, undoable = false) {
  state = { ...state, ...(typeof changes === "function" ? changes(state) : changes) };
  const url = toHash(state, status) || location.pathname;
  history[undoable ? "pushState" : "replaceState"](null, "", url);
  refresh();
}

/** Shows the state and requests what it needs. `force`: even what was requested before, as more text is embedded. */
function refresh(force = false) {
  if (byId("text").value !== state.text) byId("text").value = state.text;
  if (byId("cloze").value !== state.cloze) byId("cloze").value = state.cloze;
  checkRadio("same-word", state.sameWord ? "same" : "any");
  checkRadio("measure", state.measure);
  checkRadio("map-layer", state.mapLayer);
  checkRadio("heatmap-layer", state.heatmapLayer);
  setSliders(state);
  if (sentencesText !== state.text) {
    loaders.sentences.load({ path: "explore/sentences", body: { text: state.text } });
    return; // the rest depends on the sentences
  }
  markSelected(state);
  byId("first").value = state.first;
  byId("second").value = state.second;
  const words = sentences[state.sentence];
  const { word: position, raw, gamma, measure, sameWord, mapLayer } = state;
  const selected = { words, position };
  const search = { ...selected, measure, same_word: sameWord };
  const mapBody = { ...selected, typed: sentences, layer: mapLayer === "mix" ? raw : mapLayer };
  loaders.neighbors.load(words && { path: "explore/neighbors", body: search }, force);
  loaders.mix.load(words && { path: "explore/mix", body: { ...search, raw, gamma } }, force);
  loaders.map.load(words && { path: "explore/map", body: mapBody }, force);
  const [first, second] = [sentences[state.first], sentences[state.second]];
  loaders.comparison.load(first && second && { path: "explore/similarity", body: { first, second, raw } });
  if (!first || !second) showNoComparison();
  else if (comparison) showComparison();
  if (status.predicts) {
    const hasBlank = state.cloze.includes(BLANK);
    loaders.predictions.load(hasBlank ? { path: "predict", body: { text: state.cloze, count: 8 } } : null);
    if (!hasBlank) showNoPredictions("There is no blank yet. Write ___ where a word is missing.");
  }
}

/** Shows sentences that the server has split a text into. */
function setSentences(response, text) {
  sentences = response.sentences;
  sentencesText = text;
  showSentences(sentences, (sentence, word) => change({ sentence, word }, true));
  fillSentenceSelects(sentences);
  byId("truncated").hidden = !response.truncated;
  byId("mismatch").textContent = response.mismatch ? `Warning: ${response.mismatch}.` : "";
  byId("mismatch").hidden = !response.mismatch;
}

/** Shows new sentences, and keeps the selection at the same position as far as that exists. */
function updateSentences(response, body) {
  setSentences(response, body.text);
  if (body.text !== state.text) return refresh();
  const clamp = (value, length) => Math.max(0, Math.min(value, length - 1));
  const sentence = clamp(state.sentence, sentences.length);
  const [first, second] = comparedPair(state.first, state.second, sentences.length);
  change({ sentence, word: clamp(state.word, sentences[sentence]?.length ?? 1), first, second });
}

/** Selects an occurrence that was found, and adds its sentence to the typed ones. */
async function explore(text, word, position) {
  let sentence = sentences.findIndex((words) => sentenceText(words) === text);
  let typed = state.text;
  if (sentence < 0) {
    sentence = sentences.length;
    typed = `${state.text.trimEnd()}\n${text}`;
    try {
      setSentences(await request("explore/sentences", { text: typed }), typed);
    } catch (error) {
      showError("sentences", error.message);
      return;
    }
  }
  // A line of a pretokenized text may be more than one sentence here.
  while (sentence < sentences.length - 1 && position >= sentences[sentence].length) {
    position -= sentences[sentence].length;
    sentence += 1;
  }
  sentence = Math.min(sentence, sentences.length - 1);
  const found = sentences[sentence][position] === word;
  change({ text: typed, sentence, word: found ? position : Math.max(0, sentences[sentence].indexOf(word)) }, true);
  byId("words").querySelector('[aria-pressed="true"]')?.focus();
}

function showStatus() {
  const { model, layers, dim, text, words, embedded } = status;
  const truncated = status.truncated ? " (the beginning of a longer text)" : "";
  byId("model-info").textContent =
    `Model ${model}: ${layers} layers, ${dim} dimensions. ` +
    `Text: ${text}, ${status.sentences.toLocaleString("en")} sentences${truncated}.`;
  byId("loading").hidden = embedded === words;
  byId("progress").value = embedded / words;
  byId("progress-label").textContent =
    `Embedding the text: ${embedded.toLocaleString("en")} of ${words.toLocaleString("en")} words`;
}

/** Polls the server while it embeds the text, and shows what is found so far. */
async function followProgress() {
  while (status.embedded < status.words) {
    const before = status.embedded;
    await new Promise((resolve) => setTimeout(resolve, 500));
    try {
      status = await request("explore/status");
    } catch (error) {
      showError("status", error.message);
      continue;
    }
    showStatus();
    showError("status", status.error ?? "");
    if (status.error) return;
    // Results do not change while the keyboard focus is in them.
    const inUse = ["layers", "mix-neighbors", "map"].some((id) => byId(id).contains(document.activeElement));
    if (status.embedded > before && sentencesText === state.text && !inUse) refresh(true);
  }
  announce("The whole text has been embedded.");
}

function addListeners() {
  let timer = 0;
  const changeSoon = (changes) => {
    clearTimeout(timer);
    timer = setTimeout(() => change(changes), 250);
  };
  byId("text").addEventListener("input", (event) => changeSoon({ text: event.target.value }));
  byId("cloze").addEventListener("input", (event) => changeSoon({ cloze: event.target.value }));
  for (const id of ["first", "second"]) {
    byId(id).addEventListener("change", (event) => change({ [id]: Number(event.target.value) }));
  }
  for (const input of document.getElementsByName("same-word")) {
    input.addEventListener("change", () => change({ sameWord: input.value === "same" }));
  }
  for (const input of document.getElementsByName("measure")) {
    input.addEventListener("change", () => change({ measure: input.value }));
  }
  for (const example of status.examples) {
    const view = { text: exampleText(example), sentence: 0, word: example.position, first: 0, second: 1 };
    byId("examples").append(html("button", { type: "button", on: { click: () => change(view, true) } }, example.word));
  }
  byId("blank-out").addEventListener("click", () => {
    const words = [...(sentences[state.sentence] ?? [])];
    if (!words.length) return;
    words[state.word] = BLANK;
    change({ cloze: sentenceText(words) });
    byId("cloze").focus();
  });
  byId("copy-link").addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(linkWithToken());
      byId("copy-link").textContent = "Link copied";
      announce("The link to this view was copied to the clipboard.");
    } catch {
      byId("copy-link").textContent = "Copy the link from the address bar";
    }
    setTimeout(() => (byId("copy-link").textContent = COPY_LINK), 3000);
  });
  addEventListener("popstate", () => {
    takeToken();
    state = fromHash(location.hash, status);
    refresh();
  });
  listenToKeys();
  watchWidth();
}

async function start() {
  takeToken();
  startTheme();
  try {
    status = await request("explore/status");
  } catch (error) {
    showError("status", error.message);
    return;
  }
  state = fromHash(location.hash, status);
  showStatus();
  makeSliders(status.layers, change);
  addLayerRadios(byId("map-layers"), "map-layer", status.layers, (layer) => change({ mapLayer: layer }));
  addLayerRadios(byId("heatmap-layers"), "heatmap-layer", status.layers, (layer) => change({ heatmapLayer: layer }));
  byId("cloze-section").hidden = !status.predicts;
  addListeners();
  refresh();
  await followProgress();
}

start();
