// Builds elements without markup in strings, so that typed text always stays text.

import { text } from "./language.js";

const SVG = "http://www.w3.org/2000/svg";

export const byId = (id) => document.getElementById(id);

function build(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "on") {
      for (const [event, handler] of Object.entries(value)) node.addEventListener(event, handler);
    } else if (value === true) {
      node.setAttribute(name, "");
    } else if (value !== false && value !== null && value !== undefined) {
      node.setAttribute(name, value);
    }
  }
  node.append(...children.flat(Infinity));
  return node;
}

/** Creates an HTML element. Children are elements or text; `on` maps events to handlers. */
export const html = (tag, attributes = {}, ...children) => build(document.createElement(tag), attributes, children);

/** Creates an SVG element. */
export const svg = (tag, attributes = {}, ...children) =>
  build(document.createElementNS(SVG, tag), attributes, children);

const NO_SPACE_BEFORE = /^([.,;:!?%)\]}”…]+|['’](s|t|d|m|re|ve|ll))$/i;
const NO_SPACE_AFTER = /^[([{“]$/;

/**
 * Prefixes words with the spaces of written text. `spaces` tells which words follow one. Where that is not known, or all
 * of them do, as in a pretokenized text, punctuation is attached, and straight quotes open and close in turn.
 */
export function withSpaces(words, spaces) {
  if (spaces && !spaces.every(Boolean)) return words.map((word, place) => (place && spaces[place] ? " " : "") + word);
  const open = new Set();
  let joinNext = true;
  return words.map((word) => {
    const quote = word === '"' || word === "'";
    const closes = quote && open.delete(word);
    const piece = (joinNext || closes || NO_SPACE_BEFORE.test(word) ? "" : " ") + word;
    joinNext = NO_SPACE_AFTER.test(word) || (quote && !closes);
    if (quote && !closes) open.add(word);
    return piece;
  });
}

/** Joins the words of a sentence into text. */
export const sentenceText = (words, spaces) => withSpaces(words, spaces).join("");

/** Returns the text before and after a word: up to `around` words, and more where the text would be cut without a space. */
export function contextOf({ words, position, spaced }, around) {
  const pieces = withSpaces(words, spaced);
  let [from, to] = [Math.max(0, position - around), Math.min(words.length, position + 1 + around)];
  while (from > 0 && !pieces[from].startsWith(" ")) from -= 1;
  while (to < words.length && !pieces[to].startsWith(" ")) to += 1;
  const before = pieces.slice(from, position).join("") + (position && pieces[position].startsWith(" ") ? " " : "");
  const after = pieces.slice(position + 1, to).join("");
  return [from ? `…${before}` : before, to < words.length ? `${after} …` : after];
}

/** Returns the sentence of an occurrence as nodes with its word marked. A long one is cut to the words around it. */
export function marked(occurrence, around = 11) {
  const [before, after] = contextOf(occurrence, around);
  return [before, html("mark", {}, occurrence.words[occurrence.position]), after];
}

/** Formats a number with a true minus sign, and without "-0". */
export const number = (value, digits = 2) => value.toFixed(digits).replace(/^-(?=[0.]*$)/, "").replace("-", "−");

export const percent = (fraction, digits = 0) => `${number(100 * fraction, digits)}%`;

/** Formats a probability. Rounding makes nothing certain or impossible. */
export function probabilityText(probability) {
  if (probability > 0 && probability < 0.005) return "<1%";
  if (probability < 1 && probability >= 0.995) return ">99%";
  return percent(probability);
}

export function layerName(layer, count) {
  if (layer === "mix") return text("mix");
  if (layer === 0) return text("tokenLayer");
  return text(layer === count - 1 ? "topLayer" : "layer", { layer });
}

/** Puts one radio button per layer, and one for the mix, in a fieldset. */
export function addLayerRadios(fieldset, name, count, onChange) {
  const labels = [...Array(count).keys(), "mix"].map((layer) => {
    const input = html("input", { type: "radio", name, value: layer, on: { change: () => onChange(layer) } });
    return html("label", {}, input, ` ${layerName(layer, count)}`);
  });
  fieldset.replaceChildren(html("legend", {}, text("vectors")), ...labels);
}

/** Checks the radio button with a value. */
export function checkRadio(name, value) {
  for (const input of document.getElementsByName(name)) input.checked = input.value === String(value);
}
