// The view as one object, and the same in the address, so that a link shows what its sender saw.

/** Sentences to begin with, and where in the first of them the word is. */
export const EXAMPLES = {
  play: { word: 5, lines: ["The critics praised her new play.", "Let the children play in the garden."] },
  bank: { word: 4, lines: ["He sat on the bank and watched the boats go by.", "The bank will not lend us any more money."] },
  spring: { word: 1, lines: ["The spring in the lock is rusty.", "They will marry in the spring.", "Cold water flows from a spring in the hill."] },
  light: { word: 1, lines: ["The light in the hall went out.", "Her coat was light and warm.", "Shall I light the stove?"] },
  bat: { word: 1, lines: ["A bat flew over the pond.", "The boy swung his bat at the ball."] },
  right: { word: 3, lines: ["You have no right to be here.", "Take the second street on the right.", "I think you are right."] },
};
export const RAW_RANGE = 5;
export const GAMMA_RANGE = 3;

/** What a page without an address shows; the model has so many layers. */
export function defaults(layers) {
  return {
    text: [...EXAMPLES.play.lines, ...EXAMPLES.bank.lines].join("\n"),
    sentence: 0,
    word: EXAMPLES.play.word,
    raw: Array(layers).fill(0),
    gamma: 1,
    measure: "cosine",
    same: false,
    mapLayer: "mix",
    first: 2,
    second: 3,
    heatLayer: layers - 1,
    gap: "He was born in the ___ of 1902.",
  };
}

const within = (value, low, high, otherwise) => (value >= low && value <= high ? value : otherwise);
const whole = (text, otherwise) => (/^\d{1,4}$/.test(text ?? "") ? Number(text) : otherwise);

/** The view of an address; what is missing or wrong there is as in `defaults`. */
export function fromHash(hash, layers) {
  const start = defaults(layers);
  const parameters = new URLSearchParams(hash.replace(/^#/, ""));
  const layer = (name, otherwise) => {
    const text = parameters.get(name);
    return text === "mix" ? text : within(whole(text, -1), 0, layers - 1, otherwise);
  };
  const place = /^(\d{1,3})\.(\d{1,3})$/.exec(parameters.get("word") ?? "");
  const raw = (parameters.get("s") ?? "").split(",").map(Number);
  const fits = raw.length === layers && raw.every((value) => Math.abs(value) <= RAW_RANGE);
  return {
    text: (parameters.get("text") ?? start.text).slice(0, 20000),
    sentence: place ? Number(place[1]) : start.sentence,
    word: place ? Number(place[2]) : start.word,
    raw: parameters.has("s") && fits ? raw : start.raw,
    gamma: within(parseFloat(parameters.get("gamma")), 0, GAMMA_RANGE, start.gamma),
    measure: parameters.get("by") === "dot" ? "dot" : "cosine",
    same: parameters.get("in") === "same",
    mapLayer: layer("map", start.mapLayer),
    first: whole(parameters.get("down"), start.first),
    second: whole(parameters.get("across"), start.second),
    heatLayer: layer("heat", start.heatLayer),
    gap: (parameters.get("gap") ?? start.gap).slice(0, 1000),
  };
}

/** The address of a view; what is as in `defaults` is left out. */
export function toHash(state) {
  const start = defaults(state.raw.length);
  const pairs = [
    ["text", state.text, start.text],
    ["word", `${state.sentence}.${state.word}`, `${start.sentence}.${start.word}`],
    ["s", state.raw.join(","), start.raw.join(",")],
    ["gamma", state.gamma, start.gamma],
    ["by", state.measure, start.measure],
    ["in", state.same ? "same" : "any", "any"],
    ["map", state.mapLayer, start.mapLayer],
    ["down", state.first, start.first],
    ["across", state.second, start.second],
    ["heat", state.heatLayer, start.heatLayer],
    ["gap", state.gap, start.gap],
  ];
  const said = pairs.filter(([, value, otherwise]) => value !== otherwise).map(([name, value]) => [name, String(value)]);
  return said.length ? `#${new URLSearchParams(said)}` : "";
}
