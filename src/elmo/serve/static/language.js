// The language of the page: that of the link, else the one chosen before, else that of the browser.

import english from "./english.js";
import korean from "./korean.js";

const TABLES = { en: english, ko: korean };
const KEY = "elmo-language";
const PLACEHOLDER = /\{(\w+)\}/;
let current = "en";

export const LANGUAGES = Object.keys(TABLES);

export const language = () => current;

/** Returns the language that was chosen in this browser, or null. */
export function storedLanguage() {
  try {
    const stored = localStorage.getItem(KEY);
    return LANGUAGES.includes(stored) ? stored : null;
  } catch {
    return null; // storage is blocked
  }
}

/** Keeps a choice for the next visit. */
export function storeLanguage(chosen) {
  try {
    localStorage.setItem(KEY, chosen);
  } catch {
    // The choice is still part of the address.
  }
}

/** Shows all fixed texts of the page in a language; null is that of the browser, as far as there is a table for it. */
export function setLanguage(chosen) {
  const wanted = navigator.languages.map((tag) => tag.split("-")[0]);
  current = chosen ?? wanted.find((tag) => LANGUAGES.includes(tag)) ?? "en";
  document.documentElement.lang = current;
  document.title = text("title");
  for (const node of document.querySelectorAll("[data-text]")) node.textContent = text(node.dataset.text);
  for (const node of document.querySelectorAll("[data-label]")) node.setAttribute("aria-label", text(node.dataset.label));
}

/** Returns a text with its placeholders filled in. A text with a plural has the number `n`. */
export const text = (key, values = {}) => pieces(key, values).join("");

/** Returns a text as a list of strings and values, which may be elements. */
export function pieces(key, values = {}) {
  let found = TABLES[current][key];
  if (found === undefined) throw new Error(`There is no text ${key}.`);
  if (typeof found === "object") found = found[new Intl.PluralRules(current).select(values.n)] ?? found.other;
  const parts = found.split(PLACEHOLDER).map((part, index) => (index % 2 ? shown(values[part]) : part));
  return parts.filter((part) => part !== "");
}

const shown = (value) => (typeof value === "number" ? value.toLocaleString(current) : value);

/** Returns the text for a word of the server's, such as a label, or the word itself if it has none. */
export const translated = (prefix, word) => TABLES[current][`${prefix} ${word}`] ?? word;
