// The clusters of a map: their colors, and what is typical of their contexts.

import { colored, hueOf } from "./colors.js";
import { byId, html, marked } from "./dom.js";
import { text } from "./language.js";

/**
 * Lists the clusters of a map. `emphasize(cluster)` is called while the pointer or the focus is on one, or after it was
 * pressed, and with null otherwise.
 */
export function showLegend({ points, clusters }, pressed, press, emphasize) {
  byId("map-key").hidden = clusters.length < 2;
  const rows = clusters.map(({ size, contexts, center }, cluster) => {
    const content = [
      html("span", { class: "key-number" }, String(cluster + 1)),
      html(
        "span",
        {},
        html("strong", {}, contexts.join(" · ")),
        " ",
        html("span", { class: "secondary" }, text(contexts.length ? "clusterSize" : "untypicalCluster", { n: size })),
        html("span", { class: "example", dir: "auto" }, ...marked(points[center], 8)),
      ),
    ];
    const on = {
      click: () => press(cluster),
      pointerenter: () => emphasize(cluster),
      focus: () => emphasize(cluster),
      pointerleave: () => emphasize(null),
      blur: () => emphasize(null),
    };
    const attributes = { type: "button", class: "cluster hued", "aria-pressed": cluster === pressed ? "true" : "false", on };
    return html("li", {}, colored(html("button", attributes, ...content), hueOf(cluster)));
  });
  byId("map-clusters").replaceChildren(...rows);
}
