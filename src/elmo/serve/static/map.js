// All occurrences of a word as points in a plane. The color of a point shows its cluster, and how strong it is shows the
// similarity to the selected occurrence, which has a ring. Circles are from the text, diamonds from typed sentences.

import { colored, hueOf } from "./colors.js";
import { byId, html, marked, number, percent, sentenceText, svg } from "./dom.js";
import { text } from "./language.js";
import { listenToGestures } from "./map-gestures.js";
import { distance, labels } from "./map-labels.js";
import { showLegend } from "./map-legend.js";
import { MAX_ZOOM, movedBy, placeOf, WHOLE, zoomedBy } from "./map-zoom.js";

const MARGIN = 26;
const POINTER_RADIUS = 24; // pixels within which the pointer selects a point
const WEAKEST = 25; // percent of the color of the least similar point
const ZOOM_STEP = 1.5;
const COMMIT_DELAY = 250; // milliseconds without a gesture after which the address has the new zoom
const BUTTONS = [50, 130]; // width and height of the corner with the buttons, which the whole map leaves free

let last = null; // what is shown: the response, what exploring does, and the key of the map
let map = null; // the picture, its points, where they are without zoom, and where they are now
let zoom = WHOLE;
let onZoom = () => {}; // called with a new zoom
let commitTimer = 0;
let highlighted = -1; // the point under the pointer or with the focus
let pressed = null; // the cluster that stays emphasized

/** Shows the map of a response. `key` names what is mapped: another map starts without zoom. */
export function showMap(response, key, explore) {
  if (last && last.key !== key) {
    pressed = null;
    if (zoom !== WHOLE) onZoom(null);
  }
  last = { response, key, explore };
  draw();
}

/** Shows a part of the map; null is the whole. */
export function zoomMap(wanted) {
  const next = wanted ?? WHOLE;
  if (next.scale === zoom.scale && next.x === zoom.x && next.y === zoom.y) return;
  zoom = next;
  if (map) place();
}

/** Redraws the map when its width changes, and zooms with buttons; `changed` is called with every new zoom. */
export function startMap(changed) {
  onZoom = changed;
  let width = 0;
  new ResizeObserver(([entry]) => {
    if (last && Math.abs(entry.contentRect.width - width) > 4) draw();
    width = entry.contentRect.width;
  }).observe(byId("map"));
  byId("zoom-in").addEventListener("click", () => zoomBy(ZOOM_STEP));
  byId("zoom-out").addEventListener("click", () => zoomBy(1 / ZOOM_STEP));
  byId("zoom-reset").addEventListener("click", () => zoomBy(1 / MAX_ZOOM));
  byId("map-key").addEventListener("keydown", (event) => event.key === "Escape" && pressCluster(pressed));
}

function draw() {
  const { response } = last;
  const { points, clusters } = response;
  const root = byId("map");
  byId("map-frame").hidden = !points.length;
  byId("map-note").textContent = noteOf(response);
  byId("map-caption").replaceChildren(html("span", { class: "secondary" }, points.length ? text("mapHint") : ""));
  showClusters();
  highlighted = -1;
  if (!points.length) {
    root.replaceChildren();
    map = null;
    return;
  }
  const width = Math.max(280, root.clientWidth);
  const height = Math.round(Math.min(460, Math.max(300, width * 0.5)));
  const shades = shadesOf(points);
  const groups = points.map((point, index) => drawPoint(point, shades[index], index === 0, clusters.length));
  const labelGroup = svg("g", {});
  const order = [...groups.keys()].reverse(); // draws the selected occurrence on top
  const label = text("mapLabel", { n: points.length, word: wordOf(points[0]) });
  const attributes = { viewBox: `0 0 ${width} ${height}`, width, height, role: "group", "aria-label": label };
  const picture = svg("svg", attributes, labelGroup, order.map((index) => groups[index]));
  map = { picture, groups, labelGroup, width, height, whole: layOut(points, width - BUTTONS[0], height), places: [] };
  picture.addEventListener("keydown", handleKey);
  picture.addEventListener("focusin", (event) => highlight(groups.indexOf(event.target)));
  listenToGestures(picture, { zoom: zoomBy, move: moveBy, canMove: () => zoom.scale > 1, hover, press });
  root.replaceChildren(picture);
  place();
  emphasize(null);
}

const wordOf = ({ words, position }) => words[position];

function noteOf({ points, total, explained_variance: explained }) {
  if (!points.length) return text("mapEmpty");
  if (explained[0] === 0) return text("mapOnePoint");
  const [first, second] = explained.map((fraction) => percent(fraction));
  const values = { word: wordOf(points[0]), first, second, shown: points.length, total };
  return `${text(total > points.length ? "mapSome" : "mapAll", values)} ${text("mapKey")}`;
}

/** Returns the coordinates in pixels without zoom: the same scale on both axes, centered. */
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

function drawPoint(point, shade, selected, nClusters) {
  const values = { sentence: sentenceText(point.words, point.spaced), cosine: number(point.similarity), cluster: point.cluster + 1 };
  const key = selected ? "selectedOccurrence" : nClusters > 1 ? "clusteredOccurrence" : "otherOccurrence";
  const group = svg(
    "g",
    {
      class: `point${selected ? " selected" : ""}${point.typed ? " typed" : ""}${nClusters > 1 ? " hued" : ""}`,
      role: "button",
      tabindex: selected ? 0 : -1,
      "aria-label": text(key, values),
    },
    svg("circle", { class: "background", r: 13 }),
    selected ? svg("circle", { class: "ring", r: 11 }) : [],
    point.typed ? svg("path", { class: "dot", d: "M0-8 8 0 0 8-8 0Z" }) : svg("circle", { class: "dot", r: 6 }),
  );
  group.style.setProperty("--shade", `${Math.round(WEAKEST + (100 - WEAKEST) * shade)}%`);
  return colored(group, hueOf(point.cluster));
}

/** Puts everything where the zoom wants it. `moving`: without labels, because the next place follows soon. */
function place(moving = false) {
  const { width, height, whole, groups, labelGroup, picture } = map;
  const move = (element, [x, y]) => element.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
  map.places = whole.map((point) => placeOf(point, zoom, map));
  map.places.forEach((position, index) => move(groups[index], position));
  const corner = [width - BUTTONS[0], 0, width, BUTTONS[1]];
  labelGroup.replaceChildren(...(moving ? [] : labels(last.response, map.places, { width, height }, [corner])));
  picture.classList.toggle("zoomed", zoom.scale > 1);
  byId("zoom-in").disabled = zoom.scale >= MAX_ZOOM;
  byId("zoom-out").disabled = byId("zoom-reset").disabled = zoom.scale <= 1;
}

/** Shows a new zoom; the address follows when the gesture has ended. */
function setZoom(next) {
  zoom = next;
  place(true);
  clearTimeout(commitTimer);
  commitTimer = setTimeout(() => {
    if (map) place();
    onZoom(zoom === WHOLE ? null : zoom);
  }, COMMIT_DELAY);
}

const zoomBy = (factor, center = null) => setZoom(zoomedBy(zoom, factor, center, map));

const moveBy = (dx, dy) => setZoom(movedBy(zoom, dx, dy, map));

/** Highlights a point and shows its sentence; -1 for none. */
function highlight(index) {
  highlighted = index;
  map.groups.forEach((point, other) => point.classList.toggle("highlighted", other === index));
  if (index < 0) return;
  const point = last.response.points[index];
  const { similarity, typed, cluster } = point;
  const key = index === 0 ? "captionSelected" : typed ? "captionTyped" : "captionOther";
  const notes = [text(key, { cosine: number(similarity) })];
  if (last.response.clusters.length > 1) notes.push(text("captionCluster", { cluster: cluster + 1 }));
  byId("map-caption").replaceChildren(...marked(point), ` (${notes.join(", ")})`);
}

function explorePoint(index) {
  const { words, spaced, position } = last.response.points[index];
  last.explore(sentenceText(words, spaced), words[position], position);
}

/** Returns the point that is nearest to a position, because points may overlap; -1 if none is near. */
function pointAt(position) {
  const distances = map.places.map((point) => distance(point, position));
  const best = distances.indexOf(Math.min(...distances));
  return distances[best] <= POINTER_RADIUS ? best : -1;
}

function hover(position) {
  const index = pointAt(position);
  if (index !== highlighted) highlight(index);
}

/** On a touch screen, the first tap highlights a point, and the second explores it. */
function press(position, touched) {
  const index = pointAt(position);
  if (index < 0) return;
  if (!touched || index === highlighted) explorePoint(index);
  else highlight(index);
}

const showClusters = () => showLegend(last.response, pressed, pressCluster, emphasize);

/** Keeps a cluster emphasized. A second press, or Escape, undoes the first. */
function pressCluster(cluster) {
  pressed = cluster === pressed ? null : cluster;
  const buttons = [...byId("map-clusters").querySelectorAll("button")];
  buttons.forEach((button, index) => button.setAttribute("aria-pressed", index === pressed));
  emphasize(null);
}

/** Dims the points of all clusters but one; null is the cluster that was pressed, if any. */
function emphasize(cluster) {
  const shown = cluster ?? pressed;
  last.response.points.forEach((point, index) => {
    map.groups[index].classList.toggle("dimmed", shown !== null && point.cluster !== shown);
  });
}

/** Arrow keys move to the nearest point in that direction; Enter and Space explore it; +, - and 0 zoom. */
function handleKey(event) {
  const current = map.groups.indexOf(event.target.closest(".point"));
  const direction = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key];
  const factor = { "+": ZOOM_STEP, "=": ZOOM_STEP, "-": 1 / ZOOM_STEP, 0: 1 / MAX_ZOOM }[event.key];
  const activates = event.key === "Enter" || event.key === " ";
  if (current < 0 || event.ctrlKey || event.metaKey || (!direction && !activates && !factor)) return;
  event.preventDefault();
  if (activates) explorePoint(current);
  else if (factor) zoomBy(factor, map.places[current]);
  else focusNext(current, direction);
}

function focusNext(current, direction) {
  const { places, groups } = map;
  let best = -1;
  let least = Infinity;
  places.forEach(([x, y], index) => {
    const [dx, dy] = [x - places[current][0], y - places[current][1]];
    const along = dx * direction[0] + dy * direction[1];
    const across = Math.abs(dx * direction[1]) + Math.abs(dy * direction[0]);
    if (index !== current && along > 0.5 && along + 2 * across < least) [best, least] = [index, along + 2 * across];
  });
  if (best < 0) return;
  groups[current].setAttribute("tabindex", -1);
  groups[best].setAttribute("tabindex", 0);
  groups[best].focus();
  bringIntoView(places[best]);
}

/** Moves a zoomed map so that a point is visible. */
function bringIntoView([x, y]) {
  const outside = (value, size) => Math.min(0, size - MARGIN - value) + Math.max(0, MARGIN - value);
  const [dx, dy] = [outside(x, map.width), outside(y, map.height)];
  if (dx || dy) moveBy(dx, dy);
}
