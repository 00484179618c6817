// Bars whose lengths are fractions.

import { colored } from "./colors.js";
import { html, probabilityText } from "./dom.js";

/** Returns a bar whose length is a fraction of 1. A hue of null is gray; without one, it has the color of the page. */
export function bar(fraction, hue) {
  const kind = { undefined: "", null: "gray" }[hue] ?? "hued";
  const element = html("span", { class: `bar ${kind}`, "aria-hidden": "true" });
  element.style.setProperty("--fraction", fraction);
  return kind === "hued" ? colored(element, hue) : element;
}

/** Returns rows of a name, a bar and a percentage. */
export function barList(rows) {
  const items = rows.map(({ name, probability, hue, best = false }) =>
    html(
      "li",
      { class: best && "best" },
      html("span", {}, name),
      bar(probability, hue),
      html("span", { class: "score" }, probabilityText(probability)),
    ),
  );
  return html("ol", { class: "bars" }, items);
}
