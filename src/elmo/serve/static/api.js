// Requests to the server, with the token that the address of the page contains at first.

import { text } from "./language.js";
import { storedToken } from "./token.js";

/** Returns the JSON response, or throws an Error with the server's message. `signal` can cancel the request. */
export async function request(path, body, signal) {
  const token = storedToken();
  const options = {
    method: body ? "POST" : "GET",
    headers: { ...(body && { "Content-Type": "application/json" }), ...(token && { Authorization: `Bearer ${token}` }) },
    body: body && JSON.stringify(body),
    signal,
  };
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Error(text("noResponse"));
  }
  if (response.status === 401) throw new Error(text("noAccess"));
  if (response.status === 413) throw new Error(text("tooManyWords"));
  if (response.status === 429) throw new Error(text("busy"));
  const content = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(content.error?.message ?? text("badStatus", { status: response.status }));
  return content;
}

/**
 * Loads and shows one thing that changes often. A slider asks faster than the server responds, so only one request is
 * in flight, and the newest of those that came in the meantime follows it. A repeated request is not sent again.
 */
export class Loader {
  constructor(show, showError) {
    this.show = show;
    this.showError = showError;
    this.wanted = null;
    this.sent = null;
    this.busy = false;
    this.shown = null; // the last response, and the body of its request
  }

  /** `query` is {path, body}, or null to show nothing. `force` sends the request even if it was sent before. */
  async load(query, force = false) {
    this.wanted = query ? JSON.stringify(query) : null;
    if (force || !query) this.sent = null;
    if (this.busy) return;
    this.busy = true;
    while (this.wanted !== null && this.wanted !== this.sent) {
      this.sent = this.wanted;
      const { path, body } = JSON.parse(this.sent);
      let response = null;
      try {
        response = await request(path, body);
      } catch (error) {
        this.showError(error.message);
        continue;
      }
      if (this.wanted === null) break;
      this.showError("");
      this.shown = [response, body];
      this.show(response, body);
    }
    this.busy = false;
  }

  /** Shows the last response again, for example in another language. */
  showAgain() {
    if (this.shown) this.show(...this.shown);
  }
}
