// The page: starts the views and shows the one that the address asks for, in the language that it asks for.

import { announce, app, change, onChange, showError } from "./app.js";
import { request } from "./api.js";
import { byId } from "./dom.js";
import { language, setLanguage, storeLanguage, storedLanguage, text } from "./language.js";
import { fromHash, languageOf } from "./state.js";
import { startTheme } from "./theme.js";
import { linkWithToken, takeToken } from "./token.js";
import { TASKS } from "./task-examples.js";
import { showTasks, startTasks, translateTasks } from "./tasks-view.js";
import { followProgress, showWords, startWords, translateWords } from "./words-view.js";

/** Shows the state, in its language. */
function show() {
  if (app.state.language && app.state.language !== language()) translate();
  const words = app.state.view === "words";
  byId("words-view").hidden = !words;
  byId("tasks-view").hidden = words;
  for (const button of document.querySelectorAll(".view")) {
    button.setAttribute("aria-current", (button.value === "words") === words ? "page" : "false");
  }
  document.title = words ? text("title") : `${text(`task ${app.state.view}`)} – ${text("title")}`;
  if (words) showWords();
  else showTasks();
}

function translate() {
  setLanguage(app.state.language);
  for (const button of document.querySelectorAll(".language")) {
    button.setAttribute("aria-pressed", button.value === language());
  }
  translateWords();
  translateTasks();
}

/** Reads the state from the address. A part that the address does not mention stays as it is. */
function readAddress() {
  takeToken();
  app.state = fromHash(location.hash, app.status, app.state);
}

function addListeners() {
  for (const button of document.querySelectorAll(".language")) {
    button.addEventListener("click", () => {
      storeLanguage(button.value);
      change({ language: button.value });
    });
  }
  let lastTask = TASKS.includes(app.state.view) ? app.state.view : TASKS[0];
  for (const button of document.querySelectorAll(".view")) {
    button.addEventListener("click", () => {
      if (app.state.view !== "words") lastTask = app.state.view;
      change({ view: button.value === "words" ? "words" : lastTask }, true);
    });
  }
  byId("skip").addEventListener("click", (event) => {
    event.preventDefault(); // the address stores the view
    byId(app.state.view === "words" ? "sentences-heading" : "task-panel").focus();
  });
  byId("copy-link").addEventListener("click", async () => {
    let message = "linkNotCopied";
    try {
      await navigator.clipboard.writeText(linkWithToken());
      message = "linkCopied";
      announce(text("linkCopiedLong"));
    } catch {
      // Browsers may forbid it.
    }
    byId("copy-link").textContent = text(message);
    setTimeout(() => (byId("copy-link").textContent = text("copyLink")), 3000);
  });
  addEventListener("popstate", () => {
    readAddress();
    show();
  });
}

async function start() {
  setLanguage(languageOf(location.hash) ?? storedLanguage());
  takeToken();
  startTheme();
  try {
    app.status = await request("explore/status");
  } catch (error) {
    showError("status", error.message);
    return;
  }
  readAddress();
  app.state.language ??= storedLanguage();
  onChange(show);
  startWords();
  startTasks();
  addListeners();
  translate();
  show();
  await followProgress();
}

start();
