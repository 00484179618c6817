// The view of words: neighbors of a selected word, a map of its occurrences, a comparison and blanks.

import { announce, app, change, showError } from "./app.js";
import { Loader, request } from "./api.js";
import { addLayerRadios, byId, checkRadio, html, percent, sentenceText } from "./dom.js";
import { comparedPair, fillSentenceSelects, showHeatmap, showNoComparison } from "./heatmap.js";
import { pieces, text } from "./language.js";
import { showMap, startMap, zoomMap } from "./map.js";
import { makeSliders, setSliders, showMixNeighbors, showNeighbors } from "./neighbors.js";
import { showNoPredictions, showPredictions } from "./predictions.js";
import { listenToKeys, markSelected, showSentences } from "./sentences.js";
import { exampleText } from "./state.js";

const BLANK = "___";
let split = { sentences: [], spaced: [], truncated: false, mismatch: null }; // the last response about a text
let splitText = null; // the text that it is about
let outdated = false; // whether more of the text was embedded while another view was shown

const loader = (part, show) => new Loader(show, (message) => showError(part, message));

const loaders = {
  sentences: loader("sentences", updateSentences),
  neighbors: loader("neighbors", (response, body) => {
    showNeighbors(response, { ...body, spaced: spacesOf(body.words) }, explore);
    announce(text("neighborsFound", { word: response.word, n: response.occurrences }));
  }),
  mix: loader("mix", (response) => showMixNeighbors(response, explore)),
  map: loader("map", (response, { words, position, layer }) => {
    for (const point of response.points) point.spaced ??= spacesOf(point.words);
    showMap(response, JSON.stringify([words[position].toLowerCase(), layer]), explore);
  }),
  comparison: loader("comparison", (response, body) => {
    if (split.sentences[app.state.first] && split.sentences[app.state.second]) showComparison(response, body);
  }),
  predictions: new Loader(showPredictions, (message) => message && showNoPredictions(message)),
};

/** Returns which words of a typed sentence follow a space. */
const spacesOf = (words) => split.spaced[split.sentences.findIndex((other) => other.join(" ") === words.join(" "))];

/** The response has all layers, so switching between them needs no request. */
function showComparison(response, body) {
  const { heatmapLayer } = app.state;
  const texts = [body.first, body.second].map((words) => sentenceText(words, spacesOf(words)));
  showHeatmap(heatmapLayer === "mix" ? response.mix : response.layers[heatmapLayer], body.first, body.second, texts);
}

/** Shows the state and requests what it needs. `force`: even what was requested before, as more text is embedded. */
export function showWords(force = outdated) {
  const { state } = app;
  outdated = false;
  if (byId("text").value !== state.text) byId("text").value = state.text;
  if (byId("cloze").value !== state.cloze) byId("cloze").value = state.cloze;
  checkRadio("same-word", state.sameWord ? "same" : "any");
  checkRadio("measure", state.measure);
  checkRadio("map-layer", state.mapLayer);
  checkRadio("heatmap-layer", state.heatmapLayer);
  setSliders(state);
  zoomMap(state.mapZoom);
  if (splitText !== state.text) {
    loaders.sentences.load({ path: "explore/sentences", body: { text: state.text } });
    return; // the rest depends on the sentences
  }
  markSelected(state);
  byId("first").value = state.first;
  byId("second").value = state.second;
  const { sentences } = split;
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
  if (first && second) loaders.comparison.showAgain();
  else showNoComparison();
  if (app.status.predicts) {
    const [n, most] = [state.cloze.split(BLANK).length - 1, app.status.limits.blanks];
    const problem = n === 0 ? text("noBlank") : n > most ? text("tooManyBlanks", { n, most }) : "";
    loaders.predictions.load(problem ? null : { path: "predict", body: { sentence: state.cloze, count: 8 } });
    if (problem) showNoPredictions(problem);
  }
}

/** Shows everything again, in the present language. */
export function translateWords() {
  showStatus();
  addLayerRadios(byId("map-layers"), "map-layer", app.status.layers, (layer) => change({ mapLayer: layer }));
  addLayerRadios(byId("heatmap-layers"), "heatmap-layer", app.status.layers, (layer) => change({ heatmapLayer: layer }));
  makeSliders(app.status.layers, change);
  const command = html("span", { class: "code" }, "elmo explore FILE");
  byId("truncated").replaceChildren(...pieces("truncated", { ...app.status.limits, command }));
  showExamples();
  if (splitText === null) {
    byId("neighbors-heading").textContent = text("neighbors");
    return;
  }
  setSentences(split, splitText);
  for (const name of ["neighbors", "mix", "map", "predictions"]) loaders[name].showAgain();
}

/** Shows sentences that the server has split a text into. */
function setSentences(response, from) {
  split = response;
  splitText = from;
  const { truncated, mismatch } = response;
  showSentences(response, (sentence, word) => change({ sentence, word }, true));
  fillSentenceSelects(response);
  byId("truncated").hidden = !truncated && from.length < app.status.limits.characters;
  byId("mismatch").textContent = mismatch ? mismatchText(mismatch) : "";
  byId("mismatch").hidden = !mismatch;
  byId("results").hidden = byId("blank-out").hidden = !response.sentences.length;
}

const mismatchText = ({ rate, ...values }) =>
  text(values.script ? "foreignScript" : "unknownWords", { ...values, rate: percent(rate) });

/** Shows new sentences, and keeps the selection at the same position as far as that exists. */
function updateSentences(response, body) {
  const { state } = app;
  setSentences(response, body.text);
  if (body.text !== state.text) return showWords();
  const { sentences } = response;
  const clamp = (value, length) => Math.max(0, Math.min(value, length - 1));
  const sentence = clamp(state.sentence, sentences.length);
  const [first, second] = comparedPair(state.first, state.second, sentences.length);
  return change({ sentence, word: clamp(state.word, sentences[sentence]?.length ?? 1), first, second });
}

/** Selects an occurrence that was found, and adds its sentence to the typed ones. */
async function explore(found, word, position) {
  let sentence = split.sentences.findIndex((words, number) => sentenceText(words, split.spaced[number]) === found);
  let typed = app.state.text;
  if (sentence < 0) {
    const { sentences: most, characters } = app.status.limits;
    const full = split.sentences.length === most || typed.length + found.length >= characters;
    sentence = full ? 0 : split.sentences.length; // a text that is full loses its end
    typed = full ? `${found}\n${typed}`.slice(0, characters) : `${typed.trimEnd()}\n${found}`;
    try {
      setSentences(await request("explore/sentences", { text: typed }), typed);
    } catch (error) {
      showError("sentences", error.message);
      return;
    }
  }
  // A line of a pretokenized text may be more than one sentence here.
  const { sentences } = split;
  while (sentence < sentences.length - 1 && position >= sentences[sentence].length) {
    position -= sentences[sentence].length;
    sentence += 1;
  }
  sentence = Math.min(sentence, sentences.length - 1);
  const same = sentences[sentence][position] === word;
  change({ text: typed, sentence, word: same ? position : Math.max(0, sentences[sentence].indexOf(word)) }, true);
  byId("words").querySelector('[aria-pressed="true"]')?.focus();
}

function showStatus() {
  const { model, layers, dim, texts, sentences, truncated, words, embedded } = app.status;
  const name = { 0: text("sampleText"), 1: texts[0] }[texts.length] ?? text("severalTexts", { n: texts.length });
  byId("model-info").textContent =
    `${text("aboutWords")} ${text("aboutModel", { model, layers, dim })} ` +
    text(truncated ? "aboutBeginning" : "aboutText", { text: name, n: sentences });
  byId("loading").hidden = embedded === words;
  byId("progress").value = embedded / words;
  byId("progress-label").textContent = text("embedding", { done: embedded, total: words });
}

/** Polls the server while it embeds the text, and shows what is found so far. */
export async function followProgress() {
  while (app.status.embedded < app.status.words) {
    const before = app.status.embedded;
    await new Promise((resolve) => setTimeout(resolve, 500));
    try {
      app.status = await request("explore/status");
    } catch (error) {
      showError("status", error.message);
      continue;
    }
    const { embedded, error } = app.status;
    showStatus();
    showError("status", error ? text("embeddingFailed", { reason: error }) : "");
    if (error) return;
    // Results do not change while the keyboard focus is in them.
    const inUse = ["layers", "mix-neighbors", "map-frame", "map-key"].some((id) => byId(id).contains(document.activeElement));
    outdated ||= embedded > before && app.state.view !== "words";
    if (embedded > before && !outdated && splitText === app.state.text && !inUse) showWords(true);
  }
  if (app.state.view === "words") announce(text("embedded"));
}

function showExamples() {
  const buttons = app.status.examples.map((example) => {
    const view = { text: exampleText(example), sentence: 0, word: example.position, first: 0, second: 1 };
    return html("button", { type: "button", on: { click: () => change(view, true) } }, example.word);
  });
  byId("examples").replaceChildren(html("span", { class: "secondary" }, text("examplesBefore")), ...buttons);
}

/** Prepares the view; `translateWords` and `showWords` then show it. */
export function startWords() {
  let timer = 0;
  const changeSoon = (changes) => {
    clearTimeout(timer);
    timer = setTimeout(() => change(changes), 250);
  };
  byId("text").maxLength = app.status.limits.characters;
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
  byId("blank-out").addEventListener("click", () => {
    const words = [...(split.sentences[app.state.sentence] ?? [])];
    if (!words.length) return;
    words[app.state.word] = BLANK;
    change({ cloze: sentenceText(words, split.spaced[app.state.sentence]) });
    byId("cloze").focus();
  });
  byId("cloze-section").hidden = !app.status.predicts;
  listenToKeys();
  startMap((mapZoom) => change({ mapZoom }));
}
