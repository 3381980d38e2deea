// A sheet on which small pictures are laid and strokes drawn: the twin of paper.py, which says how a text holds it.
import { clamp } from "./geometry.mjs";

const LEVELS = 16, QUARTERS = 4, MOST_MARKS = 12, MOST_POINTS = 64;

// The numbers of each mark: of a picture three, before a stroke's points a -1; null where the text cannot be read.
export function marksOf({ names, side, tile, count }, text) {
  const pieces = text ? text.split("_") : [];
  const made = pieces.map((piece) => {
    if (!/^-?\d+(\.\d+)+$/.test(piece)) return null;
    const numbers = piece.replace("-", "").split(".").map(Number);
    if (piece[0] === "-") return numbers.length % 2 || numbers.length > 2 * MOST_POINTS || Math.max(...numbers) > QUARTERS * side ? null : [-1, ...numbers];
    return numbers.length === 3 && numbers[0] < names.length && Math.max(numbers[1], numbers[2]) <= side - tile ? numbers : null;
  });
  return made.includes(null) || made.length > MOST_MARKS || (count && (made.length !== count || made.some(([k]) => k < 0))) ? null : made;
}

export const markedText = (marks) => marks.slice(-MOST_MARKS).map(([k, ...rest]) => (k < 0 ? `-${rest.join(".")}` : [k, ...rest].join("."))).join("_");

// A stroke with one point more (row and column in pixels), or as it is where that one is as near as makes no difference.
export function drawnTo(stroke, at, side) {
  const [y, x] = at.map((value) => clamp(Math.round(QUARTERS * value), 0, QUARTERS * side)), N = stroke.length;
  const near = N > 1 && Math.hypot(stroke[N - 2] - y, stroke[N - 1] - x) < QUARTERS;
  return near || N > 2 * MOST_POINTS - 1 ? stroke : [...stroke, y, x];
}

// How much ink is on each pixel, from 0 to 1.
export function inked(control, text) {
  const { side, tile, inks, brush } = control, data = new Float64Array(side * side);
  const ink = (y, x, value) => (data[y * side + x] = Math.max(data[y * side + x], value));
  for (const [k, ...at] of marksOf(control, text) ?? []) {
    if (k >= 0) inks[k].forEach((level, i) => ink(at[0] + Math.floor(i / tile), at[1] + (i % tile), level / LEVELS));
    else
      for (let i = 0; i < Math.max(2, at.length - 2); i += 2) {
        const [y, x, toY, toX] = [0, 1, 2, 3].map((j) => (at[i + j] ?? at[i + j - 2]) / QUARTERS); // a dot ends where it starts
        segment([y, x], [toY - y, toX - x], brush, side, ink);
      }
  }
  return data;
}

function segment([y, x], [dy, dx], brush, side, ink) {
  const length = dy ** 2 + dx ** 2 || 1, reach = brush + 1;
  const span = (from, by) => [Math.max(0, Math.floor(Math.min(from, from + by) - reach)), Math.min(side, Math.ceil(Math.max(from, from + by) + reach))];
  const [top, bottom] = span(y, dy), [left, right] = span(x, dx);
  for (let r = top; r < bottom; r++)
    for (let c = left; c < right; c++) {
      const down = r + 0.5 - y, aside = c + 0.5 - x, along = clamp((down * dy + aside * dx) / length, 0, 1);
      ink(r, c, clamp(brush + 0.5 - Math.hypot(down - along * dy, aside - along * dx), 0, 1));
    }
}

// Where a picture may be laid: as far from the others as can be.
export function freePlace(marks, { side, tile }) {
  const last = side - tile, laid = marks.filter(([k]) => k >= 0);
  const room = ([y, x]) => Math.min(side, ...laid.map(([, top, left]) => Math.max(Math.abs(top - y), Math.abs(left - x))));
  const spots = [0.5, 0.15, 0.85].flatMap((down) => [0.5, 0.15, 0.85].map((along) => [down, along].map((part) => Math.round(part * last))));
  return spots.reduce((best, each) => (room(each) > room(best) ? each : best));
}
