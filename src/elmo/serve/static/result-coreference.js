// Coreference: the mentions of a cluster have the same color and number, and are highlighted together.

import { colored, hueOf } from "./colors.js";
import { html } from "./dom.js";
import { text } from "./language.js";
import { markedText, markSpans, tag } from "./spans.js";

export function coreferenceResult({ text: source, clusters }) {
  const several = clusters.filter((cluster) => cluster.length > 1);
  if (!several.length) {
    const summary = text("noClusters");
    return { elements: [markedText(source), html("p", { class: "secondary" }, summary)], summary };
  }
  const mentions = several.flatMap((cluster, number) => cluster.map((mention) => ({ ...mention, number })));
  const nodes = markSpans(source, mentions, (index, children) => {
    const { number, text: mention } = mentions[index];
    const attributes = {
      class: "mention hued",
      dir: "auto",
      role: "group",
      "aria-label": text("mention", { mention, cluster: number + 1 }),
      tabindex: -1,
      "data-cluster": number,
    };
    return colored(html("span", attributes, children, tag(String(number + 1))), hueOf(number));
  });
  const legend = several.map((cluster, number) => {
    const names = [...new Set(cluster.map((mention) => mention.text))].flatMap((name) => [", ", html("bdi", {}, name)]);
    const attributes = { type: "button", class: "cluster hued", "aria-pressed": "false", "data-cluster": number };
    const key = html("span", { class: "key-number" }, String(number + 1));
    return html("li", {}, colored(html("button", attributes, key, html("span", {}, names.slice(1))), hueOf(number)));
  });
  const whole = html(
    "div",
    {},
    markedText(nodes, { role: "group", "aria-label": text("mentions") }),
    html("ol", { class: "clusters" }, legend),
    html("p", { class: "secondary" }, text("clustersHint"), " ", html("span", { class: "keyboard" }, text("clustersKeys"))),
  );
  listen(whole);
  return { elements: [whole], summary: text("clustersFound", { n: several.length }) };
}

/**
 * Pointing at a mention or a cluster, or moving the focus to it, highlights all its mentions. Pressing keeps that, until
 * it is pressed again, or Escape.
 */
function listen(whole) {
  const mentions = [...whole.querySelectorAll(".mention")];
  const buttons = [...whole.querySelectorAll(".cluster")];
  let pinned = null;
  const highlight = (cluster) => {
    whole.classList.toggle("highlighting", cluster !== null);
    for (const element of [...mentions, ...buttons]) {
      element.classList.toggle("highlighted", element.dataset.cluster === cluster);
    }
  };
  const clusterOf = (event) => event.target.closest("[data-cluster]")?.dataset.cluster ?? null;
  for (const event of ["pointerover", "focusin"]) {
    whole.addEventListener(event, (happened) => highlight(clusterOf(happened) ?? pinned));
  }
  for (const event of ["pointerleave", "focusout"]) whole.addEventListener(event, () => highlight(pinned));
  const pin = (cluster) => {
    pinned = cluster === pinned ? null : cluster;
    for (const button of buttons) button.setAttribute("aria-pressed", button.dataset.cluster === pinned);
    highlight(pinned);
  };
  whole.addEventListener("click", (event) => pin(clusterOf(event)));
  mentions[0].tabIndex = 0;
  whole.addEventListener("keydown", (event) => {
    if (event.key === "Escape") return pin(pinned);
    const current = event.target.closest(".mention");
    if (current && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault(); // Space scrolls
      return pin(clusterOf(event));
    }
    const next = current && nextMention(mentions, current, event.key);
    if (!next) return;
    event.preventDefault();
    current.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
}

/** Left and right go through all mentions, up and down through those of the same cluster. */
function nextMention(mentions, current, key) {
  const own = mentions.filter((mention) => mention.dataset.cluster === current.dataset.cluster);
  const steps = { ArrowRight: [mentions, 1], ArrowLeft: [mentions, -1], ArrowDown: [own, 1], ArrowUp: [own, -1] };
  const [list, step] = steps[key] ?? [[], 0];
  return list[list.indexOf(current) + step];
}
