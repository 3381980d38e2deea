// The line under a coloured figure: the colours from low to high with their values, and what an outline and hatching mean; that under
// words, with what their marks mean.
import { css } from "./colour.mjs";
import { put } from "./dom.mjs";
import { signed } from "./numbers.mjs";

// Returns show(scale, outlined).
export function colourKey(host, [low, high], digits, outline, masked) {
  const node = put(host, "div", "aw-key");
  const tidy = (value) => signed(Number(value.toFixed(digits)));
  put(node, "span", "", tidy(low));
  const ramp = put(node, "span", "aw-ramp");
  put(node, "span", "", tidy(high));
  const gold = put(node, "span", "aw-gold-key", outline);
  if (masked) put(node, "span", "aw-hidden-key", "hidden").prepend(put(null, "span", "aw-hatched"));
  let drawn;
  return (scale, outlined) => {
    if (gold.hidden === outlined) gold.hidden = !outlined;
    if (scale === drawn) return;
    drawn = scale;
    ramp.style.backgroundImage = `linear-gradient(to right, ${[0, 51, 102, 153, 204, 255].map((i) => css(scale[i])).join(",")})`;
  };
}

// marks: [name, what it means] of each.
export function marksKey(host, marks) {
  const key = put(host, "p", "aw-marks");
  for (const [mark, meaning] of marks) {
    put(key, "span", `aw-sample aw-is-${mark}`, "word").setAttribute("aria-hidden", "true");
    put(key, "span", "", meaning);
  }
  return key;
}
