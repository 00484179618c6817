// All occurrences of a word as points in a plane. The color of a point shows its cluster, and how strong it is shows the
// similarity to the selected occurrence, which has a ring. Circles are from the text, diamonds from typed sentences.

import { byId, html, marked, number, percent, sentenceText, spaced, svg } from "./dom.js";
import { text } from "./language.js";
import { colored, hueOf } from "./spans.js";

const MARGIN = 26;
const POINTER_RADIUS = 24; // pixels within which the pointer selects a point
const DRAG_START = 5; // pixels that a pointer moves before it drags the map
const MAX_LABELS = 14;
const WEAKEST = 25; // percent of the color of the least similar point
const ZOOM_STEP = 1.5;
const MAX_ZOOM = 20;
const COMMIT_DELAY = 250; // milliseconds without a gesture after which the address has the new zoom
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

const NO_ZOOM = { scale: 1, x: 0, y: 0 };
let last = null; // what is shown: the response, what exploring does, and the key of the map
let map = null; // the picture, its points and where they are
let zoom = NO_ZOOM; // the scale, and the middle of the view, in units of the width of the whole map
let onZoom = () => {}; // called with a new zoom
let pinned = null; // the cluster that stays highlighted

/** Shows the map of a response. `key` names what is mapped: another map starts without zoom. */
export function showMap(response, key, explore) {
  if (last && last.key !== key) {
    pinned = null;
    if (zoom !== NO_ZOOM) onZoom(null);
  }
  last = { response, key, explore };
  draw();
}

/** Shows a part of the map; null is the whole. */
export function zoomMap(wanted) {
  const next = wanted ?? NO_ZOOM;
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
  byId("zoom-reset").addEventListener("click", () => setZoom(NO_ZOOM));
}

function draw() {
  const { response } = last;
  const { points, clusters } = response;
  const root = byId("map");
  byId("map-frame").hidden = !points.length;
  byId("map-caption").replaceChildren(html("span", { class: "secondary" }, points.length ? text("mapHint") : ""));
  showKey();
  if (!points.length) {
    byId("map-note").textContent = text("mapEmpty");
    root.replaceChildren();
    map = null;
    return;
  }
  const word = points[0].words[points[0].position];
  const [first, second] = response.explained_variance.map((fraction) => percent(fraction));
  const values = { word, first, second, shown: points.length, total: response.total };
  const notes = [text(response.total > points.length ? "mapSome" : "mapAll", values), text("mapKey")];
  byId("map-note").textContent = response.explained_variance[0] === 0 ? text("mapOnePoint") : notes.join(" ");

  const width = Math.max(280, root.clientWidth);
  const height = Math.round(Math.min(460, Math.max(300, width * 0.5)));
  const shades = shadesOf(points);
  const groups = points.map((point, index) => drawPoint(point, shades[index], index === 0, clusters.length));
  const labelGroup = svg("g", {});
  const order = [...groups.keys()].reverse(); // draws the selected occurrence on top
  const picture = svg(
    "svg",
    {
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      role: "group",
      "aria-label": text("mapLabel", { n: points.length, word }),
    },
    labelGroup,
    order.map((index) => groups[index]),
  );
  map = { picture, groups, labelGroup, width, height, whole: layOut(points, width, height), places: [] };
  picture.addEventListener("keydown", handleKey);
  picture.addEventListener("focusin", (event) => highlight(groups.indexOf(event.target)));
  listenToPointer();
  root.replaceChildren(picture);
  place();
  emphasize(pinned);
}

/** Puts points and labels where the zoom wants them. `moving`: without labels, because the next place follows soon. */
function place(moving = false) {
  const { width, height, whole, groups, labelGroup, picture } = map;
  map.places = whole.map(([x, y]) => [
    width / 2 + zoom.scale * (x - width / 2 - zoom.x * width),
    height / 2 + zoom.scale * (y - height / 2 - zoom.y * width),
  ]);
  map.places.forEach(([x, y], index) => groups[index].setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`));
  labelGroup.replaceChildren(...(moving ? [] : labels(last.response.points, map.places, width, height)));
  picture.classList.toggle("zoomed", zoom.scale > 1);
  byId("zoom-in").disabled = zoom.scale >= MAX_ZOOM;
  byId("zoom-out").disabled = byId("zoom-reset").disabled = zoom.scale <= 1;
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

// Zoom

let commitTimer = 0;

/** Zooms, keeping the middle of the view inside the map; the address follows when the gesture has ended. */
function setZoom({ scale, x, y }) {
  if (!map) return;
  const limit = (value, most) => Math.max(-most, Math.min(most, value));
  const bounded = Math.max(1, Math.min(MAX_ZOOM, scale));
  const room = (1 - 1 / bounded) / 2; // how far the middle can move until the edge of the map is that of the view
  const next = { scale: bounded, x: limit(x, room), y: limit(y, (room * map.height) / map.width) };
  zoom = bounded === 1 ? NO_ZOOM : next;
  place(true);
  clearTimeout(commitTimer);
  commitTimer = setTimeout(() => {
    place();
    onZoom(zoom === NO_ZOOM ? null : zoom);
  }, COMMIT_DELAY);
}

/** Zooms by a factor. The point of the map under `center`, in pixels of the picture, stays there. */
function zoomBy(factor, center = null) {
  if (!map) return;
  const { width, height } = map;
  const [dx, dy] = center ? [(center[0] - width / 2) / width, (center[1] - height / 2) / width] : [0, 0];
  const scale = Math.max(1, Math.min(MAX_ZOOM, zoom.scale * factor));
  setZoom({ scale, x: zoom.x + dx / zoom.scale - dx / scale, y: zoom.y + dy / zoom.scale - dy / scale });
}

const panBy = (dx, dy) =>
  setZoom({ ...zoom, x: zoom.x - dx / map.width / zoom.scale, y: zoom.y - dy / map.width / zoom.scale });

// Points

/** Maps similarities to 0 (the least similar occurrence) to 1 (the most similar). */
function shadesOf(points) {
  const values = points.slice(1).map((point) => point.similarity);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return points.map((point) => Math.min(1, (point.similarity - low) / (high - low || 1)));
}

function drawPoint(point, shade, selected, nClusters) {
  const values = { sentence: sentenceText(point.words), cosine: number(point.similarity), cluster: point.cluster + 1 };
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

/** Highlights a point and shows its sentence; -1 for none. */
function highlight(index) {
  map.groups.forEach((point, other) => point.classList.toggle("highlighted", other === index));
  if (index < 0) return;
  const { words, position, similarity, typed, cluster } = last.response.points[index];
  const key = index === 0 ? "captionSelected" : typed ? "captionTyped" : "captionOther";
  const notes = [text(key, { cosine: number(similarity) })];
  if (last.response.clusters.length > 1) notes.push(text("captionCluster", { cluster: cluster + 1 }));
  byId("map-caption").replaceChildren(...marked(words, position), ` (${notes.join(", ")})`);
}

function explorePoint(index) {
  const { words, position } = last.response.points[index];
  last.explore(sentenceText(words), words[position], position);
}

// Clusters

/** Lists the clusters with what is typical of them. */
function showKey() {
  const { points, clusters } = last.response;
  byId("map-key").hidden = clusters.length < 2;
  const rows = clusters.map(({ size, contexts, center }, cluster) => {
    const { words, position } = points[center];
    const name = contexts.length ? html("strong", {}, contexts.join(" · ")) : "";
    const example = html("span", { class: "secondary" }, ...marked(words, position, 4));
    const attributes = { type: "button", class: "cluster hued", "aria-pressed": "false", "data-cluster": cluster };
    const count = html("span", { class: "secondary" }, text("clusterSize", { n: size }));
    const label = html("span", { class: "key-number" }, String(cluster + 1));
    return html("li", {}, colored(html("button", attributes, label, " ", name, " ", count, " ", example), hueOf(cluster)));
  });
  byId("map-clusters").replaceChildren(...rows);
  for (const button of byId("map-clusters").querySelectorAll("button")) {
    const own = Number(button.dataset.cluster);
    button.addEventListener("click", () => {
      pinned = pinned === own ? null : own;
      emphasize(pinned);
    });
    for (const event of ["pointerenter", "focus"]) button.addEventListener(event, () => emphasize(own));
    for (const event of ["pointerleave", "blur"]) button.addEventListener(event, () => emphasize(pinned));
  }
}

/** Dims the points of all clusters but one; null dims none. */
function emphasize(cluster) {
  last.response.points.forEach((point, index) => {
    map.groups[index].classList.toggle("dimmed", cluster !== null && point.cluster !== cluster);
  });
  for (const button of byId("map-clusters").querySelectorAll("button")) {
    button.setAttribute("aria-pressed", Number(button.dataset.cluster) === pinned);
  }
}

// Pointer and keyboard

/**
 * Points may overlap, so the nearest one counts. On a touch screen, the first tap highlights, the second explores. A
 * map that is zoomed can be dragged. Two fingers, or the wheel with Ctrl, zoom.
 */
function listenToPointer() {
  const { picture } = map;
  const pointers = new Map(); // where each finger or button is down
  let highlighted = -1;
  let dragged = false;
  const placeOf = (event) => {
    const frame = picture.getBoundingClientRect();
    return [event.clientX - frame.left, event.clientY - frame.top];
  };
  const nearest = (event) => {
    const pointer = placeOf(event);
    const distances = map.places.map((place) => distance(place, pointer));
    const best = distances.indexOf(Math.min(...distances));
    return distances[best] <= POINTER_RADIUS ? best : -1;
  };
  picture.addEventListener("pointerdown", (event) => {
    pointers.set(event.pointerId, placeOf(event));
    if (pointers.size === 1) dragged = false;
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
    picture.addEventListener(end, (event) => pointers.delete(event.pointerId));
  }
  picture.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    const now = placeOf(event);
    if (before) {
      const others = [...pointers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
      if (others.length) {
        zoomBy(distance(now, others[0]) / (distance(before, others[0]) || 1), others[0]);
        dragged = true;
      } else if (zoom.scale > 1 && (dragged || distance(before, now) > DRAG_START)) {
        panBy(now[0] - before[0], now[1] - before[1]);
        dragged = true;
        picture.setPointerCapture(event.pointerId);
      } else {
        return;
      }
      pointers.set(event.pointerId, now);
      return;
    }
    const index = nearest(event);
    if (event.pointerType === "touch" || index === highlighted) return;
    highlighted = index;
    highlight(highlighted);
  });
  picture.addEventListener("click", (event) => {
    const index = nearest(event);
    if (dragged || index < 0) return;
    if (event.pointerType !== "touch" || index === highlighted) explorePoint(index);
    highlighted = index;
    highlight(highlighted);
  });
  picture.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return; // otherwise the page could not be scrolled past the map
      event.preventDefault();
      zoomBy(Math.exp(-event.deltaY / 200), placeOf(event));
    },
    { passive: false },
  );
}

/** Arrow keys move to the nearest point in that direction; Enter and Space explore it; +, - and 0 zoom. */
function handleKey(event) {
  const current = map.groups.indexOf(event.target.closest(".point"));
  const direction = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key];
  const factor = { "+": ZOOM_STEP, "=": ZOOM_STEP, "-": 1 / ZOOM_STEP, 0: 1 / MAX_ZOOM }[event.key];
  const activates = event.key === "Enter" || event.key === " ";
  if (current < 0 || event.ctrlKey || event.metaKey || (!direction && !activates && !factor)) return;
  event.preventDefault();
  if (activates) return void explorePoint(current);
  if (factor) return void zoomBy(factor, map.places[current]);
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
  const { width, height } = map;
  const outside = (value, size) => Math.min(0, size - MARGIN - value) + Math.max(0, MARGIN - value);
  const [dx, dy] = [outside(x, width), outside(y, height)];
  if (dx || dy) panBy(dx, dy);
}

// Labels

/** Labels points with the words around the occurrence where there is room, starting with points far apart. */
function labels(points, places, width, height) {
  const tried = [];
  const boxes = places.map(([x, y]) => [x - 7, y - 7, x + 7, y + 7]);
  boxes.push([width - 50, 0, width, 130]); // the buttons
  const texts = [];
  const visible = [...points.keys()].filter((index) => {
    const [x, y] = places[index];
    return x > 0 && x < width && y > 0 && y < height;
  });
  const remaining = new Set(visible);
  while (remaining.size && texts.length < MAX_LABELS) {
    const isolation = (index) => Math.min(Infinity, ...tried.map((other) => distance(places[index], places[other])));
    const next = [...remaining].reduce((best, index) => (isolation(index) > isolation(best) ? index : best));
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
