// What is written between the points of a map, wherever there is room: the numbers of clusters, so that colors are not
// all that tells them apart, and the words around occurrences.

import { colored, hueOf } from "./colors.js";
import { contextOf, svg } from "./dom.js";

const MAX_LABELS = 14;
const NUMBER_SIZE = 18; // width and height of the number of a cluster, in pixels
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

/**
 * Returns numbers and labels for points at some places, in pixels, of a picture. `taken` are other things in it, as
 * [left, top, right, bottom].
 */
export function labels({ points, clusters }, places, { width, height }, taken) {
  const boxes = [...taken, ...places.map((place, index) => boxAround(place, radiusOf(index)))];
  const isInside = (box) => box[0] > 0 && box[1] > 0 && box[2] < width && box[3] < height;
  const take = (box) => isInside(box) && !boxes.some((other) => overlap(box, other)) && boxes.push(box);
  const visible = [...points.keys()].filter((index) => isInside(boxAround(places[index], 0)));
  const numbered = clusters.length > 1 ? [...clusters.keys()] : [];
  return [
    ...numbered.flatMap((cluster) => numberOf(cluster, points, places, visible, take)),
    ...contextLabels(points, places, visible, take),
  ];
}

/** Returns the number of a cluster, next to one of its points: the nearest to their middle that has room for it. */
function numberOf(cluster, points, places, visible, take) {
  const own = visible.filter((index) => points[index].cluster === cluster);
  const middle = middleOf(own.map((index) => places[index]));
  const outward = own.sort((a, b) => distance(places[a], middle) - distance(places[b], middle));
  for (const index of outward) {
    const [x, y] = places[index];
    const apart = radiusOf(index) + NUMBER_SIZE / 2 + 1;
    for (const place of [[x, y - apart], [x, y + apart], [x + apart, y], [x - apart, y]]) {
      const nearest = visible.reduce((best, other) => (distance(places[other], place) < distance(places[best], place) ? other : best));
      if (points[nearest].cluster === cluster && take(boxAround(place, NUMBER_SIZE / 2))) return [drawNumber(cluster, place)];
    }
  }
  return [];
}

function drawNumber(cluster, [x, y]) {
  const attributes = { class: "cluster-number hued", transform: `translate(${x} ${y})`, "aria-hidden": "true" };
  const corner = -NUMBER_SIZE / 2;
  const square = svg("rect", { x: corner, y: corner, width: NUMBER_SIZE, height: NUMBER_SIZE, rx: 4 });
  return colored(svg("g", attributes, square, svg("text", { y: 4.5, "text-anchor": "middle" }, String(cluster + 1))), hueOf(cluster));
}

/** Returns the median of places on each axis, which is among most of them. */
function middleOf(places) {
  const median = (axis) => places.map((place) => place[axis]).sort((a, b) => a - b)[Math.floor(places.length / 2)];
  return [median(0), median(1)];
}

/** Returns the words around occurrences, starting with points far apart. */
function contextLabels(points, places, visible, take) {
  const remaining = new Set(visible);
  const tried = [];
  const found = [];
  while (remaining.size && found.length < MAX_LABELS) {
    const isolation = (index) => Math.min(Infinity, ...tried.map((other) => distance(places[index], places[other])));
    const next = [...remaining].reduce((best, index) => (isolation(index) > isolation(best) ? index : best));
    remaining.delete(next);
    tried.push(next);
    const label = snippet(points[next]);
    const [x, y] = places[next];
    const [near, offset] = [radiusOf(next) + 2, radiusOf(next) + 4];
    const far = offset + 2 + widthOf(label);
    const side = [
      { anchor: "start", x: x + offset, box: [x + near, y - 9, x + far, y + 9] },
      { anchor: "end", x: x - offset, box: [x - far, y - 9, x - near, y + 9] },
    ].find(({ box }) => take(box));
    if (!side) continue;
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

/** How far a point reaches from its place; the first is the selected occurrence, which has a ring. */
const radiusOf = (index) => (index === 0 ? 13 : 7);

const boxAround = ([x, y], reach) => [x - reach, y - reach, x + reach, y + reach];

export const distance = ([a, b], [c, d]) => Math.hypot(a - c, b - d);

const overlap = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
