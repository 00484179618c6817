// Light or dark: the system setting, until the user switches.

import { byId } from "./dom.js";

const KEY = "elmo-theme";
const system = matchMedia("(prefers-color-scheme: dark)");

function storedTheme() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // storage is blocked
  }
}

export function startTheme() {
  let theme = storedTheme();
  const show = () => {
    const dark = (theme ?? (system.matches ? "dark" : "light")) === "dark";
    if (theme) document.documentElement.dataset.theme = theme;
    byId("theme").setAttribute("aria-pressed", dark);
  };
  byId("theme").addEventListener("click", () => {
    theme = byId("theme").getAttribute("aria-pressed") === "true" ? "light" : "dark";
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // The theme then lasts until the page is reloaded.
    }
    show();
  });
  system.addEventListener("change", show);
  show();
}
