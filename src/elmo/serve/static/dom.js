// Elements, without markup in strings: whatever is typed stays text.

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

/** An HTML element; children are elements or text. `on` holds what happens at events. */
export const html = (tag, attributes = {}, ...children) => build(document.createElement(tag), attributes, children);

/** The same for pictures. */
export const svg = (tag, attributes = {}, ...children) =>
  build(document.createElementNS(SVG, tag), attributes, children);

const NO_SPACE_BEFORE = /^([.,;:!?%)\]}”…]+|['’](s|t|d|m|re|ve|ll))$/i;
const NO_SPACE_AFTER = /^[([{“]$/;

/** The words of a sentence, with the spaces that people write between them. Every second straight quote closes. */
export function spaced(words) {
  const open = new Set();
  let joined = true; // to what follows
  return words.map((word) => {
    const quote = word === '"' || word === "'";
    const closes = quote && open.delete(word);
    const piece = (joined || closes || NO_SPACE_BEFORE.test(word) ? "" : " ") + word;
    joined = NO_SPACE_AFTER.test(word) || (quote && !closes);
    if (quote && !closes) open.add(word);
    return piece;
  });
}

/** A sentence as text. */
export const sentenceText = (words) => spaced(words).join("");

/** A sentence as elements, with one word marked; of a long one, what stands around that word. */
export function marked(words, position, around = 11) {
  const pieces = spaced(words);
  const [from, past] = [position - around, position + 1 + around];
  const start = from > 0 ? "…" : "";
  const end = past < words.length ? " …" : "";
  return [
    start + pieces.slice(Math.max(0, from), position).join("") + (pieces[position].startsWith(" ") ? " " : ""),
    html("mark", {}, words[position]),
    pieces.slice(position + 1, past).join("") + end,
  ];
}

/** A number that is read aloud well: a true minus, and no more digits than matter. */
export const number = (value, digits = 2) => value.toFixed(digits).replace(/^-(?=[0.]*$)/, "").replace("-", "−");

export const layerName = (layer, count) =>
  layer === "mix" ? "your mix" : layer === 0 ? "layer 0, no context" : layer === count - 1 ? `layer ${layer}, top` : `layer ${layer}`;

/** Radio buttons for the layers, in a fieldset that has only its legend. */
export function layerChoice(fieldset, name, count, change) {
  const layers = [...Array(count).keys(), "mix"];
  for (const layer of layers) {
    const input = html("input", { type: "radio", name, value: layer, on: { change: () => change(layer) } });
    fieldset.append(html("label", {}, input, ` ${layerName(layer, count)}`));
  }
}

/** Tick the radio button of a value. */
export function tick(name, value) {
  for (const input of document.getElementsByName(name)) input.checked = input.value === String(value);
}
