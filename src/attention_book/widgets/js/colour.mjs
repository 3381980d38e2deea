// Colour scales with even steps of lightness in OKLab, so that equal steps of a value look equal to every eye.
// "More" is always further from the page: darker on a light page, lighter on a dark one.
import { clamp, share } from "./geometry.mjs";

const SCALES = {
  light: { sequential: [[0.975, 0.012, 220], [0.66, 0.115, 215], [0.33, 0.11, 275]], low: [0.45, 0.15, 40], high: [0.42, 0.13, 255] },
  dark: { sequential: [[0.255, 0.018, 270], [0.58, 0.115, 235], [0.93, 0.1, 185]], low: [0.8, 0.13, 55], high: [0.8, 0.11, 230] },
};

// Lightness, chroma and hue (degrees) to "rgb(r, g, b)"; Ottosson's matrices.
export function oklch([L, C, hue]) {
  const a = C * Math.cos((hue * Math.PI) / 180), b = C * Math.sin((hue * Math.PI) / 180);
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  return linear.map((x) => {
    const v = x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055;
    return Math.round(255 * clamp(v, 0, 1));
  });
}

function between(stops, x) {
  const at = x * (stops.length - 1), i = Math.min(stops.length - 2, Math.floor(at)), f = at - i;
  return stops[i].map((start, k) => start * (1 - f) + stops[i + 1][k] * f);
}

// 256 colours as [r, g, b].
export function colourScale(dark, diverging) {
  const scale = SCALES[dark ? "dark" : "light"];
  const [L, C] = scale.sequential[0];
  const stops = diverging ? null : scale.sequential;
  return Array.from({ length: 256 }, (_, i) => {
    const x = i / 255;
    if (!diverging) return oklch(between(stops, x));
    const end = x < 0.5 ? scale.low : scale.high;
    return oklch(between([[L, C * 0.3, end[2]], end], Math.abs(2 * x - 1)));
  });
}

// A pixel of a picture on white paper, whatever the page: the more it is looked at, the denser the blue under the ink.
// grey (1 is ink) and strength lie in [0, 1].
const ASKED = [47, 128, 200]; // the colour of what is asked, as in the drawings (plots/style.py)

export const masked = (grey, strength) =>
  ASKED.map((channel) => Math.round((255 - strength * (255 - channel)) * (1 - grey)));

export const css = ([r, g, b]) => `rgb(${r},${g},${b})`;

export const shade = (value, limits) => Math.round(share(value, limits) * 255);

// The pixels of a map, a colour for each value; what is hidden stays clear.
export function pixels(values, visible, scale, limits) {
  const data = new Uint8ClampedArray(4 * values.length);
  values.forEach((value, i) => {
    if (!visible || visible[i]) data.set([...scale[shade(value, limits)], 255], 4 * i);
  });
  return data;
}

// Is the text light? Then the page is dark, whoever made its theme.
export function isDark(node) {
  const { color } = getComputedStyle(node); // "" while the node is not in the page yet
  const [r, g, b] = (color.match(/[\d.]+/g) ?? [0, 0, 0]).map((x) => x * (color.startsWith("color(") ? 255 : 1));
  return 0.3 * r + 0.6 * g + 0.1 * b > 128;
}
