// Labels of the points of a map: the words around an occurrence, wherever there is room for them.

import { contextOf, svg } from "./dom.js";

const MAX_LABELS = 14;
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

/**
 * Returns labels for points at some places, in pixels, of a picture, starting with points far apart. `taken` are other
 * things in the picture, as [left, top, right, bottom].
 */
export function labels(points, places, { width, height }, taken) {
  const boxes = [...taken, ...places.map(([x, y]) => [x - 7, y - 7, x + 7, y + 7])];
  const isFree = (box) =>
    box[0] > 0 && box[1] > 0 && box[2] < width && box[3] < height && !boxes.some((other) => overlap(box, other));
  const remaining = new Set(points.keys());
  for (const index of points.keys()) {
    const [x, y] = places[index];
    if (x < 0 || x > width || y < 0 || y > height) remaining.delete(index);
  }
  const tried = [];
  const found = [];
  while (remaining.size && found.length < MAX_LABELS) {
    const isolation = (index) => Math.min(Infinity, ...tried.map((other) => distance(places[index], places[other])));
    const next = [...remaining].reduce((best, index) => (isolation(index) > isolation(best) ? index : best));
    remaining.delete(next);
    tried.push(next);
    const label = snippet(points[next]);
    const [x, y] = places[next];
    const offset = next === 0 ? 17 : 11; // leaves room for the ring
    const length = offset + 2 + widthOf(label);
    const side = [
      { anchor: "start", x: x + offset, box: [x + 9, y - 9, x + length, y + 9] },
      { anchor: "end", x: x - offset, box: [x - length, y - 9, x - 9, y + 9] },
    ].find(({ box }) => isFree(box));
    if (!side) continue;
    boxes.push(side.box);
    const attributes = { class: "map-label", x: side.x, y: y + 4, "text-anchor": side.anchor, "aria-hidden": "true" };
    found.push(svg("text", attributes, label));
  }
  return found;
}

function snippet(point) {
  const [before, after] = contextOf(point, 2);
  return (before + point.words[point.position] + after).replace(/^… /, "…").replace(/ …$/, "…");
}

/** Estimates the width of a label in pixels; the characters of East Asian scripts are about twice as wide as others. */
const widthOf = (label) => [...label].reduce((sum, character) => sum + (WIDE.test(character) ? 12.5 : 6.6), 0);

export const distance = ([a, b], [c, d]) => Math.hypot(a - c, b - d);

const overlap = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
