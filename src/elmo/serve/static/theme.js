// Light or dark: as the system has it, until somebody switches.

import { byId } from "./dom.js";

const KEY = "elmo-theme";
const system = matchMedia("(prefers-color-scheme: dark)");

function kept() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // a browser that keeps nothing
  }
}

export function startTheme() {
  let theme = kept();
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
      // then for this page only
    }
    show();
  });
  system.addEventListener("change", show);
  show();
}
