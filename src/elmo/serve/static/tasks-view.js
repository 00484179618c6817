// The view of tasks: a tab for each, with examples, a box for one's own text, the result, and what the model is.

import { announce, app, change } from "./app.js";
import { request } from "./api.js";
import { byId, html, number, percent } from "./dom.js";
import { pieces, text, translated } from "./language.js";
import { EXAMPLES, PARTS, TASKS } from "./task-examples.js";
import { bar, resultOf } from "./task-results.js";

const cards = {}; // what the server says about each model that has been loaded
const results = {}; // the last result of each task, and the input that it is for
let turn = 0; // of the last request; earlier ones are not shown any more
let formTask = null; // the task that the form is for

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** Prepares the view; `translateTasks` and `showTasks` then show it. */
export function startTasks() {
  byId("task-form").addEventListener("submit", (event) => {
    event.preventDefault();
    run();
  });
  byId("task-form").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) run();
  });
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
  byId("task-missing").hidden = available;
  byId("task-form").hidden = !available;
  byId("task-output").hidden = !available;
  if (!available) {
    turn += 1; // a result of another task that is on its way belongs to another tab
    byId("task-missing").replaceChildren(...howToInstall(task));
    return;
  }
  fillForm(task, inputs[task]);
  if (results[task] && same(results[task].input, inputs[task])) showResult(task);
  else compute(task, inputs[task]);
}

const code = (command) => html("code", {}, command);

function howToInstall(task) {
  return [
    html("p", {}, text("notInstalled")),
    html("p", {}, ...pieces("install", { command: code("pip install ./models/tasks") })),
    html(
      "p",
      {},
      ...pieces("trainOwn", {
        train: code(`elmo task train ${task} --train TRAIN --dev DEV --elmo small -o run`),
        explore: code("elmo explore --task run"),
      }),
    ),
  ];
}

/** Shows the input of the task in its form, and the examples. What is being typed for the same task stays. */
function fillForm(task, input) {
  if (formTask !== task) {
    formTask = task;
    const fields = PARTS[task].map((part) => {
      const long = part === "text" || part === "passage";
      const box = html("textarea", { id: `task-${part}`, name: part, rows: long ? 4 : 2, maxlength: 50000, spellcheck: "false" });
      return html("div", {}, html("label", { for: `task-${part}`, class: "secondary" }, text(`part ${part}`)), box);
    });
    byId("task-fields").replaceChildren(...fields);
    const examples = EXAMPLES[task].map((example) => {
      const label = PARTS[task].length > 1 ? example[PARTS[task][1]] : example.text;
      return html("li", {}, html("button", { type: "button", on: { click: () => runInput(example) } }, label));
    });
    byId("task-examples").replaceChildren(...examples);
  }
  if (!byId("task-form").contains(document.activeElement) || !same(typedInput(task), input)) {
    for (const part of PARTS[task]) byId(`task-${part}`).value = input[part];
  }
  byId("task-error").hidden = true;
}

const typedInput = (task) => Object.fromEntries(PARTS[task].map((part) => [part, byId(`task-${part}`).value]));

/** Runs the model on what was typed. */
function run() {
  const task = app.state.view;
  const input = typedInput(task);
  const empty = PARTS[task].find((part) => !input[part].trim());
  if (empty) {
    showTaskError(text(`empty ${empty}`));
    byId(`task-${empty}`).focus();
    return;
  }
  runInput(input);
}

function runInput(input) {
  const task = app.state.view;
  delete results[task]; // asks again, even for the same text
  change((state) => ({ inputs: { ...state.inputs, [task]: input } }), true);
}

async function compute(task, input) {
  turn += 1;
  const own = turn;
  const isCurrent = () => own === turn;
  byId("task-output").setAttribute("aria-busy", "true");
  byId("task-busy").textContent = text(cards[task] ? "computing" : "loadingModel");
  byId("task-busy").hidden = false;
  byId("task-result").replaceChildren();
  showCard(task);
  try {
    cards[task] ??= await request(`explore/tasks/${task}`, {});
    if (isCurrent()) {
      showCard(task);
      byId("task-busy").textContent = text("computing");
    }
    const response = await request(`v1/tasks/${task}`, { inputs: [input] });
    results[task] = { input, result: response.results[0] };
  } catch (error) {
    if (isCurrent()) showTaskError(error.message);
    return;
  }
  if (isCurrent()) announce(showResult(task));
}

function notBusy() {
  byId("task-output").setAttribute("aria-busy", "false");
  byId("task-busy").hidden = true;
}

function showTaskError(message) {
  notBusy();
  byId("task-error").textContent = message;
  byId("task-error").hidden = false;
}

/** Shows the last result of a task, and returns a sentence about it. */
function showResult(task) {
  notBusy();
  const { elements, summary } = resultOf(task, results[task].result);
  byId("task-result").replaceChildren(...elements);
  showCard(task);
  return summary;
}

/** Shows what the model was trained on, how good it is, and which layers of ELMo it uses. */
function showCard(task) {
  const card = cards[task];
  byId("task-card").hidden = !card;
  if (!card) return;
  const places = card.layers.map(({ place, weights, gamma }) => {
    const rows = weights.map((weight, layer) =>
      html("li", {}, html("span", {}, text("layer", { layer })), bar(weight), html("span", { class: "score" }, percent(weight))),
    );
    const title = card.layers.length > 1 ? html("h4", {}, text(`place ${place}`)) : "";
    return [title, html("ol", { class: "bars" }, rows), html("p", { class: "secondary" }, text("scaledBy", { gamma: number(gamma) }))];
  });
  const learned = card.layers.length
    ? [html("p", { class: "secondary" }, text("layersLearned")), ...places.flat()]
    : [html("p", { class: "secondary" }, text("withoutElmo"))];
  byId("task-card").replaceChildren(
    html("h3", {}, text("theModel")),
    html("p", {}, scoreText(card)),
    html("h3", {}, text("layersTitle")),
    ...learned,
  );
}

function scoreText({ trained_on: data, scores, objective }) {
  const split = scores.test ? "test" : "dev";
  const value = scores[split]?.[objective];
  if (value === undefined) return text("trainedOn", { data });
  const values = { data, score: translated("score", objective), value: number(value, 1) };
  return text(split === "test" ? "trainedTest" : "trainedDev", values);
}
