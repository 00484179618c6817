// What people do on the map with a mouse or with fingers.

import { distance } from "./map-labels.js";

const DRAG_START = 5; // pixels that a pointer moves before it drags the map

/**
 * Listens to gestures on a picture, and calls, with positions in its pixels:
 * `zoom(factor, center)` for two fingers and for the wheel with Ctrl, without which it scrolls the page;
 * `move(dx, dy)` for dragging, if `canMove()`; `hover(position)` for a mouse without a button pressed;
 * `press(position, touched)` for a click or a tap.
 */
export function listenToGestures(picture, { zoom, move, canMove, hover, press }) {
  const pointers = new Map(); // where each finger or button is down
  let dragged = false;
  const positionOf = (event) => {
    const frame = picture.getBoundingClientRect();
    return [event.clientX - frame.left, event.clientY - frame.top];
  };
  picture.addEventListener("pointerdown", (event) => {
    pointers.set(event.pointerId, positionOf(event));
    if (pointers.size === 1) dragged = false;
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
    picture.addEventListener(end, (event) => pointers.delete(event.pointerId));
  }
  picture.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    const now = positionOf(event);
    if (!before) {
      if (event.pointerType !== "touch") hover(now);
      return;
    }
    const [other] = [...pointers].filter(([id]) => id !== event.pointerId).map(([, position]) => position);
    if (other) {
      zoom(distance(now, other) / (distance(before, other) || 1), other);
    } else if (canMove() && (dragged || distance(before, now) > DRAG_START)) {
      picture.setPointerCapture(event.pointerId);
      move(now[0] - before[0], now[1] - before[1]);
    } else {
      return;
    }
    dragged = true;
    pointers.set(event.pointerId, now);
  });
  picture.addEventListener("click", (event) => {
    if (!dragged) press(positionOf(event), event.pointerType === "touch");
  });
  // One finger scrolls the page, unless the map is zoomed; two never do.
  const keepFingers = (event) => event.touches.length > 1 && event.preventDefault();
  for (const name of ["touchstart", "touchmove"]) picture.addEventListener(name, keepFingers, { passive: false });
  picture.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      zoom(Math.exp(-event.deltaY / 200), positionOf(event));
    },
    { passive: false },
  );
}
