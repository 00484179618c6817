// Named entities: colored in place, with a legend, and each with its probability.

import { barList } from "./bars.js";
import { colored, hueOf } from "./colors.js";
import { html, probabilityText } from "./dom.js";
import { text, translated } from "./language.js";
import { markedText, markSpans, tag } from "./spans.js";

const nameOf = (label) => translated("entity", label);

export function entityResult({ text: source, entities }, { labels }) {
  const summary = entities.length ? text("entitiesFound", { n: entities.length }) : text("noEntities");
  const hue = (label) => hueOf(labels.indexOf(label));
  const nodes = markSpans(source, entities, (index, children) => {
    const { label, probability } = entities[index];
    const attributes = { class: "hued", dir: "auto", title: `${nameOf(label)}, ${probabilityText(probability)}` };
    return colored(html("mark", attributes, children, tag(nameOf(label))), hue(label));
  });
  const rows = entities.map(({ text: name, label, probability }) => ({
    name: [html("bdi", {}, name), " ", html("span", { class: "secondary" }, nameOf(label))],
    probability,
    hue: hue(label),
  }));
  const legend = labels.map((label) => {
    const count = entities.filter((entity) => entity.label === label).length;
    return html("li", {}, colored(html("span", { class: "swatch hued" }), hue(label)), ` ${nameOf(label)}: ${count}`);
  });
  const elements = [
    markedText(nodes),
    html("ul", { class: "legend", "aria-label": text("legend") }, legend),
    entities.length ? barList(rows) : html("p", { class: "secondary" }, summary),
  ];
  return { elements, summary };
}
