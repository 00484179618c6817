// All uses of a word as points of a plane. The colour says how near a point is to the chosen use, which is a ring.

import { byId, html, marked, number, sentenceText, spaced, svg } from "./dom.js";

const EDGE = 26;
const REACH = 24; // pixels from the pointer to a point that is meant
const MOST_LABELS = 14;
let last = null;

export function showMap(answer, open) {
  last = { answer, open };
  draw();
}

/** Draws again when the width changes. */
export function watchWidth() {
  let width = 0;
  new ResizeObserver(([entry]) => {
    if (last && Math.abs(entry.contentRect.width - width) > 4) draw();
    width = entry.contentRect.width;
  }).observe(byId("map"));
}

function draw() {
  const { answer, open } = last;
  const root = byId("map");
  byId("map-caption").replaceChildren(html("span", { class: "quiet" }, "Point at a use to read its sentence."));
  if (!answer.points.length) {
    byId("map-note").textContent = "No other use of this word has been read, so there is no map.";
    byId("map-caption").replaceChildren();
    root.replaceChildren();
    return;
  }
  const word = answer.points[0].words[answer.points[0].position];
  const [across, up] = answer.shares.map((share) => `${number(100 * share, 0)} %`);
  const some = answer.total > answer.points.length ? `${answer.points.length} of ` : "";
  byId("map-note").textContent =
    answer.shares[0] === 0
      ? "Here all uses have the same vector: without context there is nothing to map."
      : `${some}${answer.total} uses of “${word}” along their two main directions (${across} and ${up} of the variance). ` +
        "The ring is the chosen use; the fuller the colour of a point, the nearer it is.";

  const width = Math.max(280, root.clientWidth);
  const height = Math.round(Math.min(460, Math.max(300, width * 0.5)));
  const places = onPaper(answer.points, width, height);
  const shades = shadesOf(answer.points);
  const points = answer.points.map((point, index) => pointAt(point, places[index], shades[index], index === 0));
  const explore = (index) => {
    const { words, position } = answer.points[index];
    open(sentenceText(words), words[position], position);
  };
  const order = [...points.keys()].reverse(); // the chosen one on top
  const picture = svg(
    "svg",
    {
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      role: "group",
      "aria-label": `Map of ${answer.points.length} uses of ${word}. Arrow keys go from use to use, Enter explores one.`,
    },
    labels(answer.points, places, width, height),
    order.map((index) => points[index]),
  );
  picture.addEventListener("keydown", (event) => {
    const at = points.indexOf(event.target.closest(".point"));
    if (at >= 0) useKey(event, at, points, places, explore);
  });
  picture.addEventListener("focusin", (event) => show(points, points.indexOf(event.target), answer.points));
  listenToPointer(picture, points, places, answer.points, explore);
  root.replaceChildren(picture);
}

/** Places of the points: both directions to the same scale, the middle in the middle. */
function onPaper(points, width, height) {
  const [xs, ys] = ["x", "y"].map((axis) => points.map((point) => point[axis]));
  const [left, right, low, high] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const scale = Math.min((width - 2 * EDGE) / (right - left || 1), (height - 2 * EDGE) / (high - low || 1));
  return points.map(({ x, y }) => [
    width / 2 + scale * (x - (left + right) / 2),
    height / 2 - scale * (y - (low + high) / 2),
  ]);
}

/** 0 to 1, from the farthest use to the nearest. */
function shadesOf(points) {
  const values = points.slice(1).map((point) => point.similarity);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return points.map((point) => Math.min(1, (point.similarity - low) / (high - low || 1)));
}

function pointAt(point, [x, y], shade, chosen) {
  const text = sentenceText(point.words);
  const group = svg(
    "g",
    {
      class: chosen ? "point chosen" : "point",
      role: "button",
      tabindex: chosen ? 0 : -1,
      "aria-label": chosen ? `The chosen use: ${text}` : `${text} Cosine ${number(point.similarity)}.`,
      transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})`,
    },
    svg("circle", { class: "reach", r: 13 }),
    chosen ? svg("circle", { class: "halo", r: 11 }) : [],
    svg("circle", { class: "dot", r: 6 }),
  );
  group.style.setProperty("--shade", `${Math.round(100 * shade)}%`);
  return group;
}

/** Show the sentence of a point; -1 for none. */
function show(points, index, uses) {
  points.forEach((point, place) => point.classList.toggle("shown", place === index));
  if (index < 0) return;
  const { words, position, similarity } = uses[index];
  const near = index === 0 ? "the chosen use" : number(similarity);
  byId("map-caption").replaceChildren(...marked(words, position), ` (${near})`);
}

/** The nearest point is meant, since points may cover each other. A finger shows it first, and explores it then. */
function listenToPointer(picture, points, places, uses, explore) {
  let shown = -1;
  const nearest = (event) => {
    const frame = picture.getBoundingClientRect();
    const here = [event.clientX - frame.left, event.clientY - frame.top];
    const distances = places.map((place) => gap(place, here));
    const best = distances.indexOf(Math.min(...distances));
    return distances[best] <= REACH ? best : -1;
  };
  picture.addEventListener("pointermove", (event) => {
    const index = nearest(event);
    if (event.pointerType === "touch" || index === shown) return;
    shown = index;
    show(points, shown, uses);
  });
  picture.addEventListener("click", (event) => {
    const index = nearest(event);
    if (index < 0) return;
    if (event.pointerType !== "touch" || index === shown) explore(index);
    shown = index;
    show(points, shown, uses);
  });
}

/** A few words around some of the points, where there is room for them: far from each other first. */
function labels(points, places, width, height) {
  const chosen = [];
  const boxes = places.map(([x, y]) => [x - 7, y - 7, x + 7, y + 7]);
  const texts = [];
  const left = new Set(points.keys());
  while (left.size && texts.length < MOST_LABELS) {
    const distance = (index) => Math.min(Infinity, ...chosen.map((other) => gap(places[index], places[other])));
    const next = chosen.length ? [...left].reduce((best, index) => (distance(index) > distance(best) ? index : best)) : 0;
    left.delete(next);
    chosen.push(next);
    const text = snippet(points[next]);
    const [x, y] = places[next];
    const wide = 6.6 * text.length;
    const off = next === 0 ? 17 : 11; // beside the ring
    const side = [
      { anchor: "start", x: x + off, box: [x + 9, y - 9, x + off + 2 + wide, y + 9] },
      { anchor: "end", x: x - off, box: [x - off - 2 - wide, y - 9, x - 9, y + 9] },
    ].find(({ box }) => box[0] > 0 && box[2] < width && box[1] > 0 && box[3] < height && !boxes.some((other) => overlap(box, other)));
    if (!side) continue;
    boxes.push(side.box);
    texts.push(svg("text", { class: "snippet", x: side.x, y: y + 4, "text-anchor": side.anchor, "aria-hidden": "true" }, text));
  }
  return texts;
}

const gap = ([a, b], [c, d]) => Math.hypot(a - c, b - d);
const overlap = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

function snippet({ words, position }) {
  const from = Math.max(0, position - 2);
  const past = Math.min(words.length, position + 3);
  const middle = spaced(words).slice(from, past).join("").trim();
  return (from ? "…" : "") + middle + (past < words.length - 1 ? "…" : "");
}

/** Arrow keys go to the nearest point on that side, Enter explores. */
function useKey(event, at, points, places, explore) {
  const side = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key];
  const enters = event.key === "Enter" || event.key === " ";
  if (!side && !enters) return;
  event.preventDefault();
  if (enters) {
    explore(at);
    return;
  }
  let best = -1;
  let least = Infinity;
  places.forEach(([x, y], index) => {
    const along = (x - places[at][0]) * side[0] + (y - places[at][1]) * side[1];
    const off = Math.abs((x - places[at][0]) * side[1]) + Math.abs((y - places[at][1]) * side[0]);
    if (index !== at && along > 0.5 && along + 2 * off < least) [best, least] = [index, along + 2 * off];
  });
  if (best < 0) return;
  points[at].setAttribute("tabindex", -1);
  points[best].setAttribute("tabindex", 0);
  points[best].focus();
}
