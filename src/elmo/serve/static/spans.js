// Parts of a text, marked in place. Positions count characters as the server does: by code points, not as strings do.

import { html } from "./dom.js";

/**
 * Returns a text as nodes in which spans, which may be nested, are the elements that `mark(index, children)` returns.
 * The longer of two spans that start together is outside. Of spans that cross, the second is cut off at the end of the
 * first.
 */
export function markSpans(source, spans, mark) {
  const characters = Array.from(source);
  const piece = (start, end) => characters.slice(start, end).join("");
  const order = [...spans.keys()].sort((a, b) => spans[a].start - spans[b].start || spans[b].end - spans[a].end);
  let next = 0;
  const fill = (start, end) => {
    const nodes = [];
    let position = start;
    while (next < order.length && spans[order[next]].start < end) {
      const index = order[next];
      next += 1;
      const [from, to] = [Math.max(position, spans[index].start), Math.min(end, spans[index].end)];
      if (to <= from) continue;
      nodes.push(piece(position, from), mark(index, fill(from, to)));
      position = to;
    }
    return [...nodes, piece(position, end)].filter((node) => node !== "");
  };
  return fill(0, characters.length);
}

/**
 * Returns a text as nodes in which each stretch that some of the spans cover is what
 * `mark(indices, part, start, end)` returns.
 */
export function markOverlapping(source, spans, mark) {
  const characters = Array.from(source);
  const edges = new Set([0, characters.length, ...spans.flatMap(({ start, end }) => [start, end])]);
  const sorted = [...edges].sort((a, b) => a - b);
  return sorted.slice(1).map((end, place) => {
    const start = sorted[place];
    const part = characters.slice(start, end).join("");
    const indices = [...spans.keys()].filter((index) => spans[index].start <= start && end <= spans[index].end);
    return indices.length ? mark(indices, part, start, end) : part;
  });
}

/** Returns a small label that follows a marked part. Screen readers get it in brackets. */
export const tag = (label) =>
  html(
    "span",
    { class: "tag" },
    html("span", { class: "visually-hidden" }, " ["),
    label,
    html("span", { class: "visually-hidden" }, "]"),
  );

/** Returns a paragraph with marked parts. Its spaces and lines are those of the text. */
export const markedText = (nodes, attributes = {}) => html("p", { ...attributes, class: "marked", dir: "auto" }, nodes);
