// The access token. It comes with the address of the page, after #, and moves to the storage of the browser at once, so
// that it is not left in the address bar or in the history. Other pages, and other ports, cannot read that storage.

const KEY = "elmo-token";
const PARAMETER = "token";
let token = null; // for browsers that block storage

/** Moves the token from the address to the storage. */
export function takeToken() {
  const parameters = new URLSearchParams(location.hash.slice(1));
  if (!parameters.has(PARAMETER)) return;
  token = parameters.get(PARAMETER);
  try {
    localStorage.setItem(KEY, token);
  } catch {
    // The token then lasts until the page is reloaded.
  }
  parameters.delete(PARAMETER);
  history.replaceState(null, "", parameters.size ? `#${parameters}` : location.pathname);
}

export function storedToken() {
  try {
    return localStorage.getItem(KEY) ?? token;
  } catch {
    return token;
  }
}

/** Returns the address of the current view with the token, for another browser on this machine. */
export function linkWithToken() {
  const parameters = new URLSearchParams(location.hash.slice(1));
  if (storedToken()) parameters.set(PARAMETER, storedToken());
  return `${location.origin}${location.pathname}#${parameters}`;
}
