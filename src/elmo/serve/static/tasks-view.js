// The view of tasks: a tab for each, with examples, a box for one's own text, the result, and what the model is.

import { announce, app, change } from "./app.js";
import { request } from "./api.js";
import { byId, html } from "./dom.js";
import { pieces, text } from "./language.js";
import { showCard } from "./task-card.js";
import { EXAMPLES, PARTS, TASKS } from "./task-examples.js";
import { resultOf } from "./task-results.js";

const MAX_LENGTH = 50_000; // characters of a text
const cards = {}; // what the server says about each model that has been loaded
const results = {}; // the last result of each task, and the input that it is for
const drafts = {}; // what is in the form of each task, and the input that it was before it was changed
let turn = 0; // of the last request; earlier ones are not shown any more
let sent = null; // cancels the last request for a result
let formTask = null; // the task that the form is for
let shownTask = null; // the task whose result is shown
let asked = false; // whether somebody has just asked for a result, and wants to see it

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** Prepares the view; `translateTasks` and `showTasks` then show it. */
export function startTasks() {
  byId("task-form").addEventListener("submit", (event) => {
    event.preventDefault();
    run();
  });
  byId("task-fields").addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault(); // in a box of one line, Enter runs it in any case
    run();
  });
  byId("task-form").addEventListener("input", () => (drafts[formTask].typed = typedInput(formTask)));
  byId("task-tabs").addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const current = TASKS.indexOf(app.state.view);
    const next = { Home: 0, End: TASKS.length - 1 }[event.key] ?? (step && (current + step + TASKS.length) % TASKS.length);
    if (next === undefined) return;
    event.preventDefault();
    change({ view: TASKS[next] }, true);
    byId(`tab-${TASKS[next]}`).focus();
  });
}

/** Shows everything again, in the present language. */
export function translateTasks() {
  const tabs = TASKS.map((task) =>
    html(
      "button",
      {
        type: "button",
        role: "tab",
        id: `tab-${task}`,
        "aria-controls": "task-panel",
        on: { click: () => change({ view: task }, true) },
      },
      text(`task ${task}`),
    ),
  );
  byId("task-tabs").replaceChildren(...tabs);
  formTask = null;
}

/** Shows the tab that the state names, and requests its result. */
export function showTasks() {
  const { view: task, inputs } = app.state;
  for (const tab of byId("task-tabs").children) {
    const selected = tab.id === `tab-${task}`;
    tab.setAttribute("aria-selected", selected);
    tab.tabIndex = selected ? 0 : -1;
  }
  byId("task-panel").setAttribute("aria-labelledby", `tab-${task}`);
  byId("task-about").textContent = text(`about ${task}`);
  const available = app.status.tasks.includes(task);
  byId("task-intro").hidden = !app.status.tasks.length;
  byId("task-intro").classList.toggle("blank", !available); // its room stays, so that the tabs do not move
  byId("task-missing").hidden = available;
  byId("task-form").hidden = !available;
  byId("task-output").hidden = !available;
  byId("task-error").hidden = byId("task-warning").hidden = true;
  turn += 1; // a result that is on its way belongs to another tab or input
  sent?.abort();
  if (!available) {
    byId("task-missing").replaceChildren(...howToGetModel(task));
    return;
  }
  fillForm(task, inputs[task]);
  if (results[task] && same(results[task].input, inputs[task])) showResult(task);
  else compute(task, inputs[task]);
}

const code = (command) => html("code", {}, command);

function howToGetModel(task) {
  const train = code(`elmo task train ${task} --train TRAIN --dev DEV --elmo small -o run`);
  return [
    html("p", {}, text("notInstalled")),
    html("p", {}, ...pieces("installThem", { install: code("pip install elmo-model-tasks"), clone: code("make models") })),
    html("p", {}, ...pieces("trainOne", { train, explore: code("elmo explore --task run") })),
  ];
}

/** Shows an input in the form, and the examples. What has been typed for the same task since then stays. */
function fillForm(task, input) {
  if (formTask !== task) {
    formTask = task;
    byId("task-fields").replaceChildren(...PARTS[task].map(field));
    byId("task-examples").replaceChildren(...EXAMPLES[task].map((example) => html("li", {}, exampleButton(task, example))));
  }
  if (!same(drafts[task]?.input, input)) drafts[task] = { input, typed: input };
  for (const part of PARTS[task]) {
    const box = byId(`task-${part}`);
    if (box.value !== drafts[task].typed[part]) box.value = drafts[task].typed[part];
  }
  [...byId("task-examples").querySelectorAll("button")].forEach((button, number) => {
    button.setAttribute("aria-current", same(EXAMPLES[task][number], input));
  });
}

function field(part) {
  const attributes = { id: `task-${part}`, name: part, dir: "auto", spellcheck: "false", autocomplete: "off" };
  const rows = { text: 4, passage: 5, premise: 2, hypothesis: 2 }[part];
  const box = rows ? html("textarea", { ...attributes, rows }) : html("input", { ...attributes, type: "text" });
  return html("div", {}, html("label", { for: `task-${part}`, class: "secondary" }, text(`part ${part}`)), box);
}

function exampleButton(task, example) {
  const lines = {
    squad: [example.question],
    snli: [html("span", { class: "secondary" }, example.premise), example.hypothesis],
  }[task] ?? [example.text];
  const attributes = { type: "button", lang: "en", on: { click: () => runInput(example) } };
  return html("button", attributes, ...lines.map((line) => html("span", {}, line)));
}

const typedInput = (task) => Object.fromEntries(PARTS[task].map((part) => [part, byId(`task-${part}`).value]));

/** Runs the model on what was typed. */
function run() {
  const task = app.state.view;
  const input = typedInput(task);
  const empty = PARTS[task].find((part) => !input[part].trim());
  const long = PARTS[task].find((part) => input[part].length > MAX_LENGTH);
  if (empty || long) {
    showTaskError(empty ? text(`empty ${empty}`) : text("tooLong", { length: input[long].length, most: MAX_LENGTH }));
    byId(`task-${empty ?? long}`).focus();
    return;
  }
  runInput(input);
}

function runInput(input) {
  const task = app.state.view;
  delete results[task]; // asks again, even for the same text
  delete drafts[task];
  asked = true;
  change((state) => ({ inputs: { ...state.inputs, [task]: input } }), true);
}

async function compute(task, input) {
  const own = turn;
  const isCurrent = () => own === turn && app.state.view === task;
  if (shownTask !== task) clearResult(); // that of the same task stays, dimmed, so that the page does not jump
  showCard(cards[task]);
  showBusy(text(cards[task] ? "computing" : "loadingModel"));
  if (asked) scrollToResult();
  asked = false;
  try {
    cards[task] ??= await request(`explore/tasks/${task}`, {});
    if (isCurrent()) {
      showCard(cards[task]);
      showBusy(text("computing"));
    }
    if (own !== turn) return; // nobody waits for it any more
    sent = new AbortController();
    const response = await request(`v1/tasks/${task}`, { inputs: [input] }, sent.signal);
    results[task] = { input, result: response.results[0] };
  } catch (error) {
    if (!isCurrent()) return;
    clearResult();
    byId("task-output").hidden = true;
    showTaskError(error.message);
    return;
  }
  if (isCurrent()) announce(showResult(task));
}

function clearResult() {
  shownTask = null;
  byId("task-result").replaceChildren();
}

/** On a phone, the result is below the form and the examples. */
function scrollToResult() {
  const heading = byId("result-heading");
  if (heading.getBoundingClientRect().top > 0.75 * innerHeight) heading.scrollIntoView({ block: "start" });
}

/** Shows what the page waits for; an empty text if it does not wait. */
function showBusy(message) {
  byId("task-output").setAttribute("aria-busy", message !== "");
  byId("task-busy").textContent = message;
  byId("task-busy").hidden = !message;
  announce(message);
}

function showTaskError(message) {
  showBusy("");
  byId("task-error").textContent = message;
  byId("task-error").hidden = false;
  byId("task-error").scrollIntoView({ block: "nearest" });
}

/** Whether most letters of an input are those of English. */
function looksEnglish(input) {
  const letters = Object.values(input).join("").match(/\p{L}/gu) ?? [];
  return 2 * letters.filter((letter) => /\p{Script=Latin}/u.test(letter)).length > letters.length;
}

/** Shows the last result of a task, and returns a summary of it. */
function showResult(task) {
  showBusy("");
  byId("task-warning").hidden = looksEnglish(results[task].input);
  showCard(cards[task]);
  const { elements, summary } = resultOf(task, results[task].result, cards[task]);
  byId("task-result").replaceChildren(...elements);
  shownTask = task;
  return summary;
}
