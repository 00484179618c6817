// The colors of labels and clusters, as angles on the color circle. Notebooks use the same ones.

const HUES = [210, 130, 280, 30, 340, 170, 60, 0];

export const hueOf = (number) => HUES[number % HUES.length];

/** Gives an element a color; the style sheet mixes it with the colors of the theme. */
export function colored(element, hue) {
  element.style.setProperty("--hue", hue);
  return element;
}
