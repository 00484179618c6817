// Which part of the map is shown: its scale, and the middle of the view, in units of the width of the whole map.

export const MAX_ZOOM = 20;
export const WHOLE = { scale: 1, x: 0, y: 0 };

const limit = (value, low, high) => Math.max(low, Math.min(high, value));

/** Returns a zoom whose view does not reach beyond the edges of the map, which has a width and a height in pixels. */
function bounded({ scale, x, y }, { width, height }) {
  const most = limit(scale, 1, MAX_ZOOM);
  if (most === 1) return WHOLE;
  const room = (1 - 1 / most) / 2; // how far the middle can move until the edge of the map is that of the view
  const across = (room * height) / width;
  return { scale: most, x: limit(x, -room, room), y: limit(y, -across, across) };
}

/** Zooms by a factor. What is at `center`, in pixels of the view, stays there; null is the middle of the view. */
export function zoomedBy(zoom, factor, center, size) {
  const { width, height } = size;
  const [dx, dy] = center ? [(center[0] - width / 2) / width, (center[1] - height / 2) / width] : [0, 0];
  const scale = limit(zoom.scale * factor, 1, MAX_ZOOM);
  return bounded({ scale, x: zoom.x + dx / zoom.scale - dx / scale, y: zoom.y + dy / zoom.scale - dy / scale }, size);
}

/** Moves the map by pixels. */
export function movedBy(zoom, dx, dy, size) {
  const unit = size.width * zoom.scale;
  return bounded({ scale: zoom.scale, x: zoom.x - dx / unit, y: zoom.y - dy / unit }, size);
}

/** Returns where a point of the whole map is in the view, both in pixels. */
export function placeOf([x, y], zoom, { width, height }) {
  return [
    width / 2 + zoom.scale * (x - width / 2 - zoom.x * width),
    height / 2 + zoom.scale * (y - height / 2 - zoom.y * width),
  ];
}
