// Entailment and sentiment: the most probable class, and a bar for each.

import { barList } from "./bars.js";
import { colored } from "./colors.js";
import { html, probabilityText } from "./dom.js";
import { text, translated } from "./language.js";

const [RED, GREEN, BLUE, GRAY] = [10, 130, 210, null];
const RELATION_HUES = { entailment: GREEN, neutral: GRAY, contradiction: RED };
/** From very negative to very positive. */
const SENTIMENT_HUES = [RED, RED, GRAY, BLUE, BLUE];

export function entailmentResult({ label, probabilities }) {
  const rows = Object.entries(probabilities).map(([name, probability]) => ({
    name: translated("relation", name),
    probability,
    hue: RELATION_HUES[name],
    best: name === label,
  }));
  return classResult(text(`verdict ${label}`), probabilities[label], rows);
}

export function sentimentResult({ label, probabilities, sentences }) {
  const names = Object.keys(probabilities);
  const rows = names.map((name, place) => ({
    name: translated("sentiment", name),
    probability: probabilities[name],
    hue: SENTIMENT_HUES[place],
    best: name === label,
  }));
  const { elements, summary } = classResult(translated("sentiment", label), probabilities[label], rows);
  if (sentences.length > 1) elements.push(html("h3", {}, text("bySentence")), bySentence(sentences, names));
  return { elements, summary };
}

function classResult(verdict, probability, rows) {
  const summary = text("verdictFound", { verdict, percent: probabilityText(probability) });
  return { elements: [html("p", { class: "verdict" }, verdict), barList(rows)], summary };
}

/** Returns a list of sentences, each with a bar that has a part for each class. */
function bySentence(sentences, names) {
  const items = sentences.map(({ text: sentence, label, probabilities }) => {
    const parts = names.map((name, place) => {
      const part = html("span", { class: `part class-${place}` });
      part.style.setProperty("--fraction", probabilities[name]);
      return SENTIMENT_HUES[place] === GRAY ? part : colored(part, SENTIMENT_HUES[place]);
    });
    const verdict = `${translated("sentiment", label)} ${probabilityText(probabilities[label])}`;
    return html(
      "li",
      {},
      html("div", { dir: "auto" }, sentence),
      html("span", { class: "stack", "aria-hidden": "true" }, parts),
      html("span", { class: "secondary" }, verdict),
    );
  });
  return html("ol", { class: "by-sentence" }, items);
}
