// The page: one state, which the address holds; every change of it asks the server what is then missing.

import { Asker, ask } from "./api.js";
import { byId, html, layerChoice, sentenceText, tick } from "./dom.js";
import { showGuesses, showNoGuesses } from "./gap.js";
import { fillChoices, showHeat } from "./heat.js";
import { showMap, watchWidth } from "./map.js";
import { makeSliders, placeSliders, showMixed, showNearest } from "./nearest.js";
import { EXAMPLES, fromHash, toHash } from "./state.js";
import { startTheme } from "./theme.js";
import { listenToKeys, markWord, showSentences } from "./words.js";

const GAP = "___";
let status = null;
let state = null;
let sentences = [];
let sentencesOf = null; // the text they were cut from
let compared = null; // the last answer about two sentences

/** Say something to those who do not see it; not twice the same. */
function announce(text) {
  if (byId("live").textContent !== text) byId("live").textContent = text;
}

const problems = {};

/** Show what is wrong with a part of the page; nothing where the text is empty. */
function complain(part, text) {
  problems[part] = text;
  const shown = [...new Set(Object.values(problems).filter(Boolean))].join(" ");
  byId("problem").textContent = shown;
  byId("problem").hidden = !shown;
}

const asker = (part, show) => new Asker(show, (text) => complain(part, text));

const askers = {
  cut: asker("cut", takeSentences),
  nearest: asker("nearest", (answer) => {
    showNearest(answer, open);
    announce(`Nearest uses of ${answer.word}, which was read ${answer.uses} times.`);
  }),
  mixed: asker("mixed", (answer) => showMixed(answer, open)),
  map: asker("map", (answer) => showMap(answer, open)),
  heat: asker("heat", (answer, body) => {
    compared = { answer, body };
    showCompared();
  }),
  gap: new Asker(showGuesses, (text) => text && showNoGuesses(text)),
};

/** The answer about two sentences has all layers, so that another one needs no question. */
function showCompared() {
  const { answer, body } = compared;
  showHeat(state.heatLayer === "mix" ? answer.mix : answer.layers[state.heatLayer], body.first, body.second);
}

/** Change the state, the address and what is shown. `step`: the back button undoes it. */
function change(changes, step = false) {
  state = { ...state, ...(typeof changes === "function" ? changes(state) : changes) };
  const address = toHash(state) || location.pathname;
  history[step ? "pushState" : "replaceState"](null, "", address);
  refresh();
}

/** Show the state, and ask for what it needs. `again`: the server knows more than before. */
function refresh(again = false) {
  if (byId("text").value !== state.text) byId("text").value = state.text;
  if (byId("gap").value !== state.gap) byId("gap").value = state.gap;
  tick("same", state.same ? "same" : "any");
  tick("measure", state.measure);
  tick("map-layer", state.mapLayer);
  tick("heat-layer", state.heatLayer);
  placeSliders(state);
  if (sentencesOf !== state.text) {
    askers.cut.want({ path: "explore/sentences", body: { text: state.text } });
    return; // what follows depends on the sentences
  }
  markWord(state);
  byId("first").value = state.first;
  byId("second").value = state.second;
  const words = sentences[state.sentence];
  const { word: position, raw, gamma, measure, same, mapLayer } = state;
  const use = { words, position };
  const search = { ...use, measure, same_word: same };
  askers.nearest.want(words && { path: "explore/nearest", body: search }, again);
  askers.mixed.want(words && { path: "explore/mixed", body: { ...search, raw, gamma } }, again);
  askers.map.want(words && { path: "explore/map", body: { ...use, by: mapLayer === "mix" ? raw : mapLayer } }, again);
  const [first, second] = [sentences[state.first], sentences[state.second]];
  askers.heat.want(first && second && { path: "explore/similarity", body: { first, second, raw } });
  if (compared) showCompared();
  if (status.predicts) {
    const asks = state.gap.includes(GAP);
    askers.gap.want(asks ? { path: "predict", body: { text: state.gap, count: 8 } } : null);
    if (!asks) showNoGuesses("There is no gap yet: write ___ for the missing word.");
  }
}

/** The text has been cut in sentences. */
function useSentences(answer, text) {
  sentences = answer.sentences;
  sentencesOf = text;
  showSentences(sentences, (sentence, word) => change({ sentence, word }, true));
  fillChoices(sentences);
  byId("cut").hidden = !answer.cut;
}

/** The chosen word stays where it was, as far as the new sentences have such a place. */
function takeSentences(answer, body) {
  useSentences(answer, body.text);
  if (body.text !== state.text) return refresh();
  const clamp = (value, length) => Math.max(0, Math.min(value, length - 1));
  const sentence = clamp(state.sentence, sentences.length);
  change({
    sentence,
    word: clamp(state.word, sentences[sentence]?.length ?? 1),
    first: clamp(state.first, sentences.length),
    second: clamp(state.second, sentences.length),
  });
}

/** Explore a use that was found: its sentence joins those that are typed. */
async function open(text, word, position) {
  let sentence = sentences.findIndex((words) => sentenceText(words) === text);
  let typed = state.text;
  if (sentence < 0) {
    sentence = sentences.length;
    typed = `${state.text.trimEnd()}\n${text}`;
    try {
      useSentences(await ask("explore/sentences", { text: typed }), typed);
    } catch (error) {
      complain("cut", error.message);
      return;
    }
  }
  // What is one sentence in a tokenised text may be several here.
  while (sentence < sentences.length - 1 && position >= sentences[sentence].length) {
    position -= sentences[sentence].length;
    sentence += 1;
  }
  sentence = Math.min(sentence, sentences.length - 1);
  const same = sentences[sentence][position] === word;
  change({ text: typed, sentence, word: same ? position : Math.max(0, sentences[sentence].indexOf(word)) }, true);
  byId("words").querySelector('[aria-pressed="true"]')?.focus();
}

function showFacts() {
  const left = status.cut ? " (the beginning of a longer text)" : "";
  byId("facts").textContent =
    `Model ${status.model}, ${status.layers} layers of ${status.dim} numbers · ${status.text}, ` +
    `${status.sentences.toLocaleString("en")} sentences${left}`;
  const part = status.done / status.words;
  byId("reading").hidden = part === 1;
  byId("progress").value = part;
  byId("progress-text").textContent =
    `Reading the text: ${status.done.toLocaleString("en")} of ${status.words.toLocaleString("en")} words`;
}

/** While the text is being read, show what can be seen so far. */
async function follow() {
  while (status.done < status.words) {
    const before = status.done;
    await new Promise((resolve) => setTimeout(resolve, 500));
    try {
      status = await ask("explore/status");
    } catch (error) {
      complain("status", error.message);
      continue;
    }
    showFacts();
    complain("status", status.problem ?? "");
    if (status.problem) return;
    // Not under the fingers of somebody who goes through the results.
    const inUse = ["layers", "mixed", "map"].some((id) => byId(id).contains(document.activeElement));
    if (status.done > before && sentencesOf === state.text && !inUse) refresh(true);
  }
  announce("The whole text has been read.");
}

function listen() {
  let typing = 0;
  const soon = (changes) => {
    clearTimeout(typing);
    typing = setTimeout(() => change(changes), 250);
  };
  byId("text").addEventListener("input", (event) => soon({ text: event.target.value }));
  byId("gap").addEventListener("input", (event) => soon({ gap: event.target.value }));
  for (const id of ["first", "second"]) {
    byId(id).addEventListener("change", (event) => change({ [id]: Number(event.target.value) }));
  }
  for (const input of document.getElementsByName("same")) {
    input.addEventListener("change", () => change({ same: input.value === "same" }));
  }
  for (const input of document.getElementsByName("measure")) {
    input.addEventListener("change", () => change({ measure: input.value }));
  }
  for (const [name, { word, lines }] of Object.entries(EXAMPLES)) {
    const show = () => change({ text: lines.join("\n"), sentence: 0, word, first: 0, second: 1 }, true);
    byId("examples").append(html("button", { type: "button", on: { click: show } }, name));
  }
  byId("blank").addEventListener("click", () => {
    const words = [...(sentences[state.sentence] ?? [])];
    if (!words.length) return;
    words[state.word] = GAP;
    change({ gap: sentenceText(words) });
    byId("gap").focus();
  });
  byId("share").addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      byId("share").textContent = "Link copied";
      announce("The link to this view is in the clipboard.");
    } catch {
      byId("share").textContent = "The address above is the link";
    }
    setTimeout(() => (byId("share").textContent = "Copy link to this view"), 3000);
  });
  addEventListener("popstate", () => {
    state = fromHash(location.hash, status.layers);
    refresh();
  });
  listenToKeys();
  watchWidth();
}

async function start() {
  startTheme();
  try {
    status = await ask("explore/status");
  } catch (error) {
    complain("status", error.message);
    return;
  }
  state = fromHash(location.hash, status.layers);
  showFacts();
  makeSliders(status.layers, change);
  layerChoice(byId("map-layers"), "map-layer", status.layers, (layer) => change({ mapLayer: layer }));
  layerChoice(byId("heat-layers"), "heat-layer", status.layers, (layer) => change({ heatLayer: layer }));
  byId("gap-section").hidden = !status.predicts;
  listen();
  refresh();
  await follow();
}

start();
