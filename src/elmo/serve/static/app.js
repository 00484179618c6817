// What all views share: what the server said about itself, the state, which the URL stores, and messages to the user.

import { byId } from "./dom.js";
import { toHash } from "./state.js";

export const app = {
  /** The last response of `explore/status`. */
  status: null,
  /** What the page shows; see state.js. Only `change` and the address replace it. */
  state: null,
};

/** Called after every change of the state. */
let show = () => {};

export function onChange(listener) {
  show = listener;
}

/** Updates the state, the URL and the page. With `undoable`, the back button returns to the previous state. */
export function change(changes, undoable = false) {
  app.state = { ...app.state, ...(typeof changes === "function" ? changes(app.state) : changes) };
  const url = toHash(app.state, app.status) || location.pathname;
  history[undoable ? "pushState" : "replaceState"](null, "", url);
  show();
}

/** Announces a text to screen readers, unless it was the last one announced. */
export function announce(text) {
  if (byId("announcement").textContent !== text) byId("announcement").textContent = text;
}

const errors = {};

/** Shows the error of a part of the page; an empty text clears it. */
export function showError(part, text) {
  errors[part] = text;
  const shown = [...new Set(Object.values(errors).filter(Boolean))].join(" ");
  byId("error").textContent = shown;
  byId("error").hidden = !shown;
}
