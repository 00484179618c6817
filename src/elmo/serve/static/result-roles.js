// Semantic roles: a table for each sentence, with a row for each predicate and its arguments under the words. Where the
// table is too wide, the sentence is repeated for each predicate, with its arguments marked.

import { colored, hueOf } from "./colors.js";
import { html } from "./dom.js";
import { text, translated } from "./language.js";
import { markedText, markSpans, tag } from "./spans.js";

const ROLE_COLORS = { V: 7, ARG0: 0, ARG1: 1, ARG2: 2, ARG3: 3, ARG4: 4 };
const OTHER_COLOR = 5;

export function roleResult({ text: source, sentences, frames }) {
  if (!frames.length) {
    const summary = text("noFrames");
    return { elements: [markedText(source), html("p", { class: "secondary" }, summary)], summary };
  }
  const words = sentences.flat();
  const starts = [...new Set(frames.map((frame) => frame.sentence.words[0]))];
  const tables = starts.map((start) => sentence(words, frames.filter((frame) => frame.sentence.words[0] === start)));
  const roles = [...new Set(frames.flatMap((frame) => frame.arguments.map((argument) => argument.label)))].sort();
  return { elements: [...tables, legend(["V", ...roles])], summary: text("framesFound", { n: frames.length }) };
}

/** Returns the frames of a sentence, as a table if it fits. */
function sentence(words, frames) {
  const whole = html("div", { class: "sentence-frames" }, table(words, frames), html("ol", { "aria-label": text("frames") }, frames.map(line)));
  const [asTable] = whole.children;
  new ResizeObserver(() => whole.classList.toggle("wrapped", asTable.offsetWidth > whole.clientWidth)).observe(whole);
  return whole;
}

/** Returns a sentence with the roles of a frame marked in it. */
function line({ predicate, arguments: found, sentence: { text: source, start: first } }) {
  const labeled = [{ ...predicate, label: "V" }, ...found];
  const spans = labeled.map(({ start, end }) => ({ start: start - first, end: end - first }));
  const nodes = markSpans(source, spans, (index, children) => {
    const { label } = labeled[index];
    return colored(html("mark", { class: "hued", dir: "auto", title: roleName(label) }, children, tag(label)), roleHue(label));
  });
  return html("li", {}, markedText(nodes));
}

/** Returns a table with the words of a sentence at the top and a row for each of its frames. */
function table(words, frames) {
  const [first, after] = frames[0].sentence.words;
  const heads = words.slice(first, after).map((word) => html("th", { scope: "col" }, word));
  const rows = frames.map((frame) =>
    html("tr", {}, html("th", { scope: "row" }, frame.predicate.text), cells(frame, first, after)),
  );
  const head = html("thead", {}, html("tr", {}, html("td", {}), heads));
  const caption = html("caption", { class: "visually-hidden" }, text("frames"));
  return html("table", { class: "frames" }, caption, head, html("tbody", {}, rows));
}

/** Returns the cells of a frame: one for each role, as wide as its words, and empty ones between them. */
function cells({ predicate, arguments: found }, first, after) {
  const labeled = [{ ...predicate, label: "V" }, ...found].sort((a, b) => a.words[0] - b.words[0]);
  const row = [];
  let position = first;
  const fill = (end) => end > position && row.push(html("td", { colspan: end - position }));
  for (const { words: place, label, text: part } of labeled) {
    const start = Math.max(position, place[0]);
    if (place[1] <= start) continue; // inside the one before
    fill(start);
    const hidden = html("span", { class: "visually-hidden" }, ` ${part}`);
    const attributes = { class: "role hued", colspan: place[1] - start, title: roleName(label) };
    row.push(colored(html("td", attributes, html("span", {}, label), hidden), roleHue(label)));
    position = place[1];
  }
  fill(after);
  return row;
}

/** The role without the prefixes for continued and referring arguments. */
const plainRole = (label) => label.replace(/^[CR]-/, "");
const roleHue = (label) => hueOf(ROLE_COLORS[plainRole(label)] ?? OTHER_COLOR);

function roleName(label) {
  const role = translated("role", plainRole(label));
  if (label.startsWith("C-")) return text("roleContinued", { role });
  if (label.startsWith("R-")) return text("roleReference", { role });
  return role;
}

function legend(labels) {
  const items = labels.map((label) => {
    const role = colored(html("span", { class: "role hued" }, label), roleHue(label));
    return html("div", {}, html("dt", {}, role), html("dd", {}, roleName(label)));
  });
  return html("dl", { class: "roles", "aria-label": text("legend") }, items);
}
