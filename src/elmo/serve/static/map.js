// All occurrences of a word as points in a plane. The color of a point shows its similarity to the selected occurrence,
// which has a ring. Circles are from the text, diamonds from the sentences that were typed.

import { byId, html, marked, number, percent, sentenceText, spaced, svg } from "./dom.js";
import { text } from "./language.js";

const MARGIN = 26;
const POINTER_RADIUS = 24; // pixels within which the pointer selects a point
const MAX_LABELS = 14;
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
let last = null;

export function showMap(response, explore) {
  last = { response, explore };
  draw();
}

/** Redraws the map when its width changes. */
export function watchWidth() {
  let width = 0;
  new ResizeObserver(([entry]) => {
    if (last && Math.abs(entry.contentRect.width - width) > 4) draw();
    width = entry.contentRect.width;
  }).observe(byId("map"));
}

function draw() {
  const { response, explore } = last;
  const root = byId("map");
  byId("map-caption").replaceChildren(html("span", { class: "secondary" }, text("mapHint")));
  if (!response.points.length) {
    byId("map-note").textContent = text("mapEmpty");
    byId("map-caption").replaceChildren();
    root.replaceChildren();
    return;
  }
  const word = response.points[0].words[response.points[0].position];
  const [first, second] = response.explained_variance.map((fraction) => percent(fraction));
  const shown = response.points.length;
  const values = { word, first, second, shown, total: response.total };
  byId("map-note").textContent =
    response.explained_variance[0] === 0
      ? text("mapOnePoint")
      : `${text(response.total > shown ? "mapSome" : "mapAll", values)} ${text("mapKey")}`;

  const width = Math.max(280, root.clientWidth);
  const height = Math.round(Math.min(460, Math.max(300, width * 0.5)));
  const places = layOut(response.points, width, height);
  const shades = shadesOf(response.points);
  const points = response.points.map((point, index) => drawPoint(point, places[index], shades[index], index === 0));
  const explorePoint = (index) => {
    const { words, position } = response.points[index];
    explore(sentenceText(words), words[position], position);
  };
  const order = [...points.keys()].reverse(); // draws the selected occurrence on top
  const picture = svg(
    "svg",
    {
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      role: "group",
      "aria-label": text("mapLabel", { n: shown, word }),
    },
    labels(response.points, places, width, height),
    order.map((index) => points[index]),
  );
  picture.addEventListener("keydown", (event) => {
    const index = points.indexOf(event.target.closest(".point"));
    if (index >= 0) handleKey(event, index, points, places, explorePoint);
  });
  picture.addEventListener("focusin", (event) => highlight(points, points.indexOf(event.target), response.points));
  listenToPointer(picture, points, places, response.points, explorePoint);
  root.replaceChildren(picture);
}

/** Returns pixel coordinates: the same scale on both axes, centered. */
function layOut(points, width, height) {
  const [xs, ys] = ["x", "y"].map((axis) => points.map((point) => point[axis]));
  const [left, right, low, high] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const scale = Math.min((width - 2 * MARGIN) / (right - left || 1), (height - 2 * MARGIN) / (high - low || 1));
  return points.map(({ x, y }) => [
    width / 2 + scale * (x - (left + right) / 2),
    height / 2 - scale * (y - (low + high) / 2),
  ]);
}

/** Maps similarities to 0 (the least similar occurrence) to 1 (the most similar). */
function shadesOf(points) {
  const values = points.slice(1).map((point) => point.similarity);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return points.map((point) => Math.min(1, (point.similarity - low) / (high - low || 1)));
}

function drawPoint(point, [x, y], shade, selected) {
  const sentence = sentenceText(point.words);
  const group = svg(
    "g",
    {
      class: `point${selected ? " selected" : ""}${point.typed ? " typed" : ""}`,
      role: "button",
      tabindex: selected ? 0 : -1,
      "aria-label": text(selected ? "selectedOccurrence" : "otherOccurrence", { sentence, cosine: number(point.similarity) }),
      transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})`,
    },
    svg("circle", { class: "background", r: 13 }),
    selected ? svg("circle", { class: "ring", r: 11 }) : [],
    point.typed ? svg("path", { class: "dot", d: "M0-8 8 0 0 8-8 0Z" }) : svg("circle", { class: "dot", r: 6 }),
  );
  group.style.setProperty("--shade", `${Math.round(100 * shade)}%`);
  return group;
}

/** Highlights a point and shows its sentence; -1 for none. */
function highlight(points, index, occurrences) {
  points.forEach((point, other) => point.classList.toggle("highlighted", other === index));
  if (index < 0) return;
  const { words, position, similarity, typed } = occurrences[index];
  const key = index === 0 ? "captionSelected" : typed ? "captionTyped" : "captionOther";
  const note = text(key, { cosine: number(similarity) });
  byId("map-caption").replaceChildren(...marked(words, position), ` (${note})`);
}

/** Points may overlap, so the nearest one counts. On a touch screen, the first tap highlights, the second explores. */
function listenToPointer(picture, points, places, occurrences, explorePoint) {
  let highlighted = -1;
  const nearest = (event) => {
    const frame = picture.getBoundingClientRect();
    const pointer = [event.clientX - frame.left, event.clientY - frame.top];
    const distances = places.map((place) => distance(place, pointer));
    const best = distances.indexOf(Math.min(...distances));
    return distances[best] <= POINTER_RADIUS ? best : -1;
  };
  picture.addEventListener("pointermove", (event) => {
    const index = nearest(event);
    if (event.pointerType === "touch" || index === highlighted) return;
    highlighted = index;
    highlight(points, highlighted, occurrences);
  });
  picture.addEventListener("click", (event) => {
    const index = nearest(event);
    if (index < 0) return;
    if (event.pointerType !== "touch" || index === highlighted) explorePoint(index);
    highlighted = index;
    highlight(points, highlighted, occurrences);
  });
}

/** Labels points with the words around the occurrence where there is room, starting with points far apart. */
function labels(points, places, width, height) {
  const tried = [];
  const boxes = places.map(([x, y]) => [x - 7, y - 7, x + 7, y + 7]);
  const texts = [];
  const remaining = new Set(points.keys());
  while (remaining.size && texts.length < MAX_LABELS) {
    const isolation = (index) => Math.min(Infinity, ...tried.map((other) => distance(places[index], places[other])));
    const next = tried.length ? [...remaining].reduce((best, index) => (isolation(index) > isolation(best) ? index : best)) : 0;
    remaining.delete(next);
    tried.push(next);
    const label = snippet(points[next]);
    const [x, y] = places[next];
    const labelWidth = widthOf(label);
    const offset = next === 0 ? 17 : 11; // leaves room for the ring
    const side = [
      { anchor: "start", x: x + offset, box: [x + 9, y - 9, x + offset + 2 + labelWidth, y + 9] },
      { anchor: "end", x: x - offset, box: [x - offset - 2 - labelWidth, y - 9, x - 9, y + 9] },
    ].find(({ box }) => box[0] > 0 && box[2] < width && box[1] > 0 && box[3] < height && !boxes.some((other) => overlap(box, other)));
    if (!side) continue;
    boxes.push(side.box);
    texts.push(svg("text", { class: "map-label", x: side.x, y: y + 4, "text-anchor": side.anchor, "aria-hidden": "true" }, label));
  }
  return texts;
}

/** Estimates the width of a label in pixels; the characters of East Asian scripts are about twice as wide as others. */
const widthOf = (label) => [...label].reduce((sum, character) => sum + (WIDE.test(character) ? 12.5 : 6.6), 0);

const distance = ([a, b], [c, d]) => Math.hypot(a - c, b - d);
const overlap = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

function snippet({ words, position }) {
  const from = Math.max(0, position - 2);
  const to = Math.min(words.length, position + 3);
  const middle = spaced(words).slice(from, to).join("").trim();
  return (from ? "…" : "") + middle + (to < words.length - 1 ? "…" : "");
}

/** Arrow keys move to the nearest point in that direction; Enter and Space explore it. */
function handleKey(event, current, points, places, explorePoint) {
  const direction = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key];
  const activates = event.key === "Enter" || event.key === " ";
  if (!direction && !activates) return;
  event.preventDefault();
  if (activates) {
    explorePoint(current);
    return;
  }
  let best = -1;
  let least = Infinity;
  places.forEach(([x, y], index) => {
    const [dx, dy] = [x - places[current][0], y - places[current][1]];
    const along = dx * direction[0] + dy * direction[1];
    const across = Math.abs(dx * direction[1]) + Math.abs(dy * direction[0]);
    if (index !== current && along > 0.5 && along + 2 * across < least) [best, least] = [index, along + 2 * across];
  });
  if (best < 0) return;
  points[current].setAttribute("tabindex", -1);
  points[best].setAttribute("tabindex", 0);
  points[best].focus();
}
