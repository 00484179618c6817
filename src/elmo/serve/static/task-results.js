// How the results of each task look. The server describes them; see POST /v1/tasks/{name} in its documentation.

import { html, number, percent } from "./dom.js";
import { text, translated } from "./language.js";
import { colored, hueOf, markOverlapping, markSpans, tag } from "./spans.js";

const ROLE_HUES = { V: 7, ARG0: 0, ARG1: 1, ARG2: 2, ARG3: 3, ARG4: 4 };
const OTHER_ROLE = 5;
const NEGATIVE = 10;
const POSITIVE = 200;
/** The colors of the classes of sentiment, from very negative to very positive; null is gray. */
const SENTIMENT_HUES = [NEGATIVE, NEGATIVE, null, POSITIVE, POSITIVE];
const ENTAILMENT_HUES = { entailment: 130, neutral: null, contradiction: 10 };

const SHOW = { ner: entities, srl: frames, coref: clusters, squad: answers, snli: entailment, sst: sentiment };

/** Returns a result as elements, and one sentence about it for screen readers. */
export const resultOf = (task, result) => SHOW[task](result);

/** Returns a bar whose length is a fraction of 1. A hue of null is gray; without one, it has the color of the page. */
export function bar(fraction, hue) {
  const kind = { undefined: "", null: "gray" }[hue] ?? "hued";
  const element = html("span", { class: `bar thick ${kind}`, "aria-hidden": "true" });
  element.style.setProperty("--fraction", fraction);
  return kind === "hued" ? colored(element, hue) : element;
}

const paragraph = (children) => html("p", { class: "marked" }, children);
const note = (message) => html("p", { class: "secondary" }, message);

/** Returns rows of a name, a bar and a percentage. */
function bars(rows) {
  const items = rows.map(({ name, probability, hue, best = false }) =>
    html(
      "li",
      { class: best ? "best" : null },
      html("span", {}, name),
      bar(probability, hue),
      html("span", { class: "score" }, percent(probability, probability > 0 && probability < 0.01 ? 1 : 0)),
    ),
  );
  return html("ol", { class: "bars" }, items);
}

// Named entities

function entities({ text: source, entities: found }) {
  if (!found.length) return { elements: [paragraph(source), note(text("noEntities"))], summary: text("noEntities") };
  const labels = [...new Set(found.map((entity) => entity.label))].sort();
  const hue = (entity) => hueOf(labels.indexOf(entity.label));
  const name = (entity) => translated("entity", entity.label);
  const nodes = markSpans(source, found, (index, children) => {
    const title = `${name(found[index])}, ${percent(found[index].probability)}`;
    return colored(html("mark", { class: "hued", title }, children, tag(name(found[index]))), hue(found[index]));
  });
  const rows = found.map((entity) => ({
    name: [entity.text, " ", html("span", { class: "secondary" }, name(entity))],
    probability: entity.probability,
    hue: hue(entity),
  }));
  return { elements: [paragraph(nodes), bars(rows)], summary: text("entitiesFound", { n: found.length }) };
}

// Semantic roles

function frames({ text: source, sentences, frames: found }) {
  if (!found.length) {
    return { elements: [paragraph(source), note(text("noFrames"))], summary: text("noFrames") };
  }
  const words = sentences.flat();
  const starts = [...new Set(found.map((frame) => frame.sentence.words[0]))];
  const tables = starts.map((start) => {
    const own = found.filter((frame) => frame.sentence.words[0] === start);
    return frameTable(words, own);
  });
  const roles = [...new Set(found.flatMap((frame) => frame.arguments.map((argument) => argument.label)))].sort();
  return { elements: [...tables, roleKey(["V", ...roles])], summary: text("framesFound", { n: found.length }) };
}

/** Returns a table with the words of a sentence at the top and a row for each predicate. */
function frameTable(words, found) {
  const [first, after] = found[0].sentence.words;
  const heads = words.slice(first, after).map((word) => html("th", { scope: "col" }, word));
  const rows = found.map((frame) => {
    const { predicate } = frame;
    const labeled = [{ ...predicate, label: "V" }, ...frame.arguments].sort((a, b) => a.words[0] - b.words[0]);
    const cells = [];
    let position = first;
    for (const { words: place, label, text: part } of labeled) {
      const start = Math.max(position, place[0]);
      if (place[1] <= start) continue; // inside the one before
      if (start > position) cells.push(html("td", { colspan: start - position }));
      const hidden = html("span", { class: "visually-hidden" }, ` ${part}`);
      const attributes = { class: "role hued", colspan: place[1] - start, title: roleName(label) };
      cells.push(colored(html("td", attributes, html("span", {}, label), hidden), roleHue(label)));
      position = place[1];
    }
    if (after > position) cells.push(html("td", { colspan: after - position }));
    return html("tr", {}, html("th", { scope: "row" }, predicate.text), cells);
  });
  const caption = html("caption", { class: "visually-hidden" }, text("frames"));
  const corner = html("td", { class: "corner" });
  const table = html("table", { class: "frames" }, caption, html("thead", {}, html("tr", {}, corner, heads)), html("tbody", {}, rows));
  return html("div", { class: "scroll", role: "region", tabindex: 0, "aria-label": text("frames") }, table);
}

/** The role without the prefixes for continued and referring arguments. */
const plainRole = (label) => label.replace(/^[CR]-/, "");
const roleHue = (label) => hueOf(ROLE_HUES[plainRole(label)] ?? OTHER_ROLE);

function roleName(label) {
  const name = translated("role", plainRole(label));
  if (label.startsWith("C-")) return text("roleContinued", { role: name });
  if (label.startsWith("R-")) return text("roleReference", { role: name });
  return name;
}

function roleKey(labels) {
  const items = labels.map((label) =>
    html("div", {}, html("dt", {}, colored(html("span", { class: "role hued" }, label), roleHue(label))), html("dd", {}, roleName(label))),
  );
  return html("dl", { class: "key" }, items);
}

// Coreference

function clusters({ text: source, clusters: found }) {
  const several = found.filter((cluster) => cluster.length > 1);
  if (!several.length) return { elements: [paragraph(source), note(text("noClusters"))], summary: text("noClusters") };
  const mentions = several.flatMap((cluster, number) => cluster.map((mention) => ({ ...mention, number })));
  const nodes = markSpans(source, mentions, (index, children) => {
    const { number: cluster, text: part } = mentions[index];
    const label = text("mention", { mention: part, cluster: cluster + 1 });
    const attributes = { class: "mention hued", role: "group", "aria-label": label, tabindex: -1, "data-cluster": cluster };
    return colored(html("span", attributes, children, tag(String(cluster + 1))), hueOf(cluster));
  });
  const shown = html("p", { class: "marked", role: "group", "aria-label": text("mentions") }, nodes);
  const rows = several.map((cluster, number) => {
    const names = [...new Set(cluster.map((mention) => mention.text))].join(", ");
    const attributes = { type: "button", class: "cluster hued", "aria-pressed": "false", "data-cluster": number };
    const key = html("span", { class: "key-number" }, String(number + 1));
    return html("li", {}, colored(html("button", attributes, key, " ", names), hueOf(number)));
  });
  const whole = html("div", { class: "coreference" }, shown, note(text("clustersHint")), html("ol", { class: "clusters" }, rows));
  listenToClusters(whole);
  return { elements: [whole], summary: text("clustersFound", { n: several.length }) };
}

/** Pointing at a mention or a cluster, or moving the focus to it, highlights all its mentions. Pressing keeps that. */
function listenToClusters(whole) {
  const mentions = [...whole.querySelectorAll(".mention")];
  const buttons = [...whole.querySelectorAll(".cluster")];
  let pinned = null;
  const highlight = (cluster) => {
    whole.classList.toggle("highlighting", cluster !== null);
    for (const element of [...mentions, ...buttons]) {
      element.classList.toggle("highlighted", element.dataset.cluster === cluster);
    }
  };
  const clusterOf = (event) => event.target.closest("[data-cluster]")?.dataset.cluster ?? pinned;
  whole.addEventListener("pointerover", (event) => highlight(clusterOf(event)));
  whole.addEventListener("pointerleave", () => highlight(pinned));
  whole.addEventListener("focusin", (event) => highlight(clusterOf(event)));
  whole.addEventListener("focusout", () => highlight(pinned));
  whole.addEventListener("click", (event) => {
    const cluster = event.target.closest("[data-cluster]")?.dataset.cluster ?? null;
    pinned = cluster === pinned ? null : cluster;
    for (const button of buttons) button.setAttribute("aria-pressed", button.dataset.cluster === pinned);
    highlight(pinned);
  });
  mentions[0].tabIndex = 0;
  whole.addEventListener("keydown", (event) => {
    const current = event.target.closest(".mention");
    const next = current && nextMention(mentions, current, event.key);
    if (!next) return;
    event.preventDefault();
    current.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
}

/** Left and right go through all mentions, up and down through those of the same cluster. */
function nextMention(mentions, current, key) {
  const own = mentions.filter((mention) => mention.dataset.cluster === current.dataset.cluster);
  const [list, step] = { ArrowRight: [mentions, 1], ArrowLeft: [mentions, -1], ArrowDown: [own, 1], ArrowUp: [own, -1] }[key] ?? [];
  return list?.[list.indexOf(current) + step];
}

// Question answering

function answers({ passage, best }) {
  const nodes = markOverlapping(passage, best, (indices, part, start, end) => {
    const ending = indices.filter((index) => best[index].end === end).map((index) => index + 1);
    const edges = [best[0].start === start ? "first" : "", best[0].end === end ? "last" : ""].join(" ");
    const attributes = { class: `answer rank-${indices[0] + 1} ${edges}`, "data-ranks": indices.join(" ") };
    return html("mark", attributes, part, ending.length ? tag(ending.join(", ")) : "");
  });
  const shown = paragraph(nodes);
  const rows = best.map((answer, rank) => ({
    name: html("button", { type: "button", class: "found", "data-rank": rank }, `${rank + 1}. ${answer.text}`),
    probability: answer.probability,
    best: rank === 0,
  }));
  const list = bars(rows);
  const highlight = (rank) => {
    for (const mark of shown.querySelectorAll("mark")) {
      mark.classList.toggle("highlighted", rank !== undefined && mark.dataset.ranks.split(" ").includes(rank));
    }
  };
  const rankOf = (event) => event.target.closest("li")?.querySelector("[data-rank]").dataset.rank;
  for (const event of ["pointerover", "focusin"]) list.addEventListener(event, (found) => highlight(rankOf(found)));
  for (const event of ["pointerleave", "focusout"]) list.addEventListener(event, () => highlight());
  const summary = text("answerFound", { answer: best[0].text, percent: percent(best[0].probability) });
  return { elements: [shown, html("h3", {}, text("answers")), list], summary };
}

// Entailment

function entailment({ label, probabilities }) {
  const rows = Object.entries(probabilities).map(([name, probability]) => ({
    name: translated("relation", name),
    probability,
    hue: ENTAILMENT_HUES[name],
    best: name === label,
  }));
  const summary = text("labelFound", { label: translated("relation", label), percent: percent(probabilities[label]) });
  return { elements: [html("p", { class: "verdict" }, summary), bars(rows)], summary };
}

// Sentiment

function sentiment({ label, probabilities, sentences }) {
  const names = Object.keys(probabilities);
  const rows = names.map((name, place) => ({
    name: translated("sentiment", name),
    probability: probabilities[name],
    hue: SENTIMENT_HUES[place],
    best: name === label,
  }));
  const summary = text("labelFound", { label: translated("sentiment", label), percent: percent(probabilities[label]) });
  const elements = [html("p", { class: "verdict" }, summary), bars(rows)];
  if (sentences.length > 1) elements.push(html("h3", {}, text("bySentence")), sentenceBars(sentences, names));
  return { elements, summary };
}

/** Returns a list of sentences, each with a bar that has a part for each class. */
function sentenceBars(sentences, names) {
  const items = sentences.map(({ text: sentence, label, probabilities }) => {
    const parts = names.map((name, place) => {
      const part = html("span", { class: `part class-${place}` });
      part.style.setProperty("--fraction", probabilities[name]);
      return SENTIMENT_HUES[place] === null ? part : colored(part, SENTIMENT_HUES[place]);
    });
    const name = `${translated("sentiment", label)} ${number(100 * probabilities[label], 0)}%`;
    return html("li", {}, html("span", {}, sentence), html("span", { class: "stack", "aria-hidden": "true" }, parts), html("span", { class: "secondary" }, name));
  });
  return html("ol", { class: "by-sentence" }, items);
}
