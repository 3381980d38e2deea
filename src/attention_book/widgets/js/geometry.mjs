// Where things lie: pure functions of numbers, apart from the document so that they can be tested alone.

export const clamp = (value, low, high) => Math.max(low, Math.min(high, value));

// Where a value lies between two ends, from 0 to 1.
export const share = (value, [low, high]) => clamp((value - low) / (high - low), 0, 1);

export const FAINT = 0.02; // of the scale; weaker lines are not drawn
const LETTER = 7.8; // pixels of a letter of a label
export const BOLD = 8.5; // and of one in bold
export const TALL = 448; // pixels of all rows: cells shrink where there are many
export const LABEL = 14; // letters of a label that are drawn

// letters: longest row and column label; limit: largest cell side.
export function gridLayout(rows, columns, letters, width, limit) {
  const left = Math.ceil(letters[0] * BOLD + 8); // whole pixels, so that gaps and cells lie on one another
  const fit = (right) => clamp(Math.floor((width - left - right) / Math.max(columns, 1)), 4, limit);
  const level = letters[1] <= 3 || letters[1] * LETTER + 4 <= fit(8); // column labels are not tilted
  const lean = level ? 0 : Math.max(0, letters[1] * LETTER * 0.47 - fit(8) / 2); // how far the last one leans out
  const cell = fit(8 + lean);
  const top = level ? 22 : Math.ceil(letters[1] * 6.8 + 18);
  const every = (room) => [1, 2, 5, 10, 20, 50].find((n) => n * cell >= room) ?? 100; // labels thin out
  const thin = [every(14), every(level ? letters[1] * LETTER + 4 : 14)];
  return { rows, columns, left, top, cell, level, thin, width: left + columns * cell + 8 + lean, height: top + rows * cell + 4 };
}

// The path of a square in each of these cells [column, row], so far from the cell's left and top and so much smaller than it.
export function squares({ left, top, cell }, cells, away, less) {
  const side = cell - less, round = cell > 12 ? 2 : 0, edge = side - 2 * round;
  const arc = (x, y) => (round ? `a2 2 0 0 1 ${x} ${y}` : "");
  const square = `h${edge}${arc(2, 2)}v${edge}${arc(-2, 2)}h${-edge}${arc(-2, -2)}v${-edge}${arc(2, -2)}Z`;
  return cells.map(([c, r]) => `M${left + c * cell + away + round} ${top + r * cell + away}${square}`).join("");
}

// A picture of H × W pixels, as large as its room and `limit` allow, under rows × columns cells that may be oblong.
export function pictureLayout([H, W], [rows, columns], width, limit) {
  const zoom = Math.min(limit / Math.max(H, W), width / W);
  return { rows, columns, left: 0, top: 0, zoom, cell: (zoom * W) / columns, tall: (zoom * H) / rows, width: zoom * W, height: zoom * H };
}

// Letters of the longest row and column label: as Python counted them, or more where a network or a reader gave other words.
export const lettersOf = (counted, ...axes) => axes.map((words, i) => Math.max(counted[i], clamp(Math.max(...words.map((word) => word.length)), 0, LABEL)));

export function cellAt({ left, top, cell, tall = cell, rows, columns }, x, y) {
  const r = Math.floor((y - top) / tall), c = Math.floor((x - left) / cell);
  return r >= 0 && r < rows && c >= 0 && c < columns ? [r, c] : null;
}

// A place, in a path.
export const xy = (x, y) => `${x.toFixed(1)} ${y.toFixed(1)}`;

// The path of a disc, and of three lines across it: what is hidden.
export const disc = (x, y, r) => `M${xy(x - r, y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;

export const hatch = (x, y, r) =>
  [-0.5, 0, 0.5].map((part) => {
    const half = r * Math.sqrt((1 - part ** 2) / 2), aside = (part * r) / Math.SQRT2;
    return `M${xy(x + aside - half, y + aside + half)}L${xy(x + aside + half, y + aside - half)}`;
  }).join("");

export const STEP = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const JUMP = { Home: [0, -Infinity], End: [0, Infinity], PageUp: [-Infinity, 0], PageDown: [Infinity, 0] };

// The cell that a key leads to, or null when the key is not for walking. The first key enters at the first cell.
export function walk(at, key, rows, columns) {
  const move = STEP[key] ?? JUMP[key];
  if (!move || !rows || !columns) return null;
  if (!at) return [0, 0];
  return [rows, columns].map((n, i) => clamp(at[i] + move[i], 0, n - 1));
}

// The entry of a list that a key leads to, as [0, entry]; up is left there.
export const along = (at, key, count) => walk(at === null ? null : [0, at], key.replace("Up", "Left").replace("Down", "Right"), 1, count);

// Round numbers between low and high, at most about n.
export function ticks(low, high, n) {
  const raw = (high - low) / Math.max(1, n), power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= raw - 1e-12);
  const marks = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++) marks.push(Number((i * step).toPrecision(12)));
  return marks;
}

// How far a point is from a line between two others.
function fromLine([x, y], [a, b], [c, d]) {
  const dx = c - a, dy = d - b, t = clamp(((x - a) * dx + (y - b) * dy) / (dx * dx + dy * dy || 1), 0, 1);
  return Math.hypot(x - a - t * dx, y - b - t * dy);
}

const TURNS = [0, 45, -45, 90, -90, 135, -135, 180].map((turn) => (turn * Math.PI) / 180);

const LETTERS = 11; // pixels from the middle of a label of two letters, in which it stands alone

// Where the labels of points { at, radius, arrow } go, one after the other: outwards from the origin, or turned from there as little as is
// needed to lie within the square, clear of the points, of the arrows to them and of the labels before.
export function labelSpots(points, origin, side) {
  const spots = [];
  for (const { at: [x, y] } of points) {
    const here = points.filter(({ at }) => Math.hypot(at[0] - x, at[1] - y) < LETTERS); // itself, and a ring around it
    const apart = LETTERS + Math.max(...here.map(({ radius }) => radius)), out = Math.atan2(y - origin[1], x - origin[0]);
    const all = TURNS.map((turn) => [x + apart * Math.cos(out + turn), y + apart * Math.sin(out + turn)]);
    const room = (spot) => Math.min(
      ...spot.flatMap((at) => [at, side - at]).map((edge) => (edge >= 4 ? Infinity : 0)),
      ...points.map(({ at, radius }) => Math.hypot(at[0] - spot[0], at[1] - spot[1]) / (radius + LETTERS)),
      ...points.map(({ at, arrow }) => (arrow ? fromLine(spot, origin, at) / (LETTERS - 2) : Infinity)),
      ...spots.map((other) => Math.hypot(other[0] - spot[0], other[1] - spot[1]) / (2 * LETTERS - 5)),
    );
    spots.push(all.find((spot) => room(spot) >= 0.99) ?? all.reduce((best, spot) => (room(spot) > room(best) ? spot : best)));
  }
  return spots;
}

// The place in a row of boxes, their middles given, where box number `held` belongs once it has been dragged to x.
export const placeAt = (middles, held, x) => middles.filter((middle, i) => i !== held && middle < x).length;

// A square plane from low to high both ways, y upwards, so many pixels wide, `edge` of them beyond each end.
export function planeLayout([low, high], side, edge) {
  const unit = (side - 2 * edge) / (high - low);
  const toPage = ([x, y]) => [edge + (x - low) * unit, edge + (high - y) * unit];
  return { side, toPage, fromPage: ([x, y]) => [low + (x - edge) / unit, high - (y - edge) / unit] };
}

// The nearest number of whole steps, between low and high.
export const snap = (value, { low, high, step }) => Number(clamp(Math.round(value / step) * step, low, high).toPrecision(12));

// The corners of the smallest convex polygon around points [x, y], one way round (Andrew's chain).
export function hullOf(points) {
  const sorted = [...points].sort(([a, b], [c, d]) => a - c || b - d);
  const turn = ([a, b], [c, d], [e, f]) => (c - a) * (f - b) - (d - b) * (e - a);
  const chain = (all) => {
    const made = [];
    for (const point of all) {
      while (made.length > 1 && turn(made[made.length - 2], made[made.length - 1], point) <= 0) made.pop();
      made.push(point);
    }
    return made.slice(0, -1); // its end begins the other chain
  };
  return sorted.length < 3 ? sorted : [...chain(sorted), ...chain(sorted.reverse())];
}

export const nearest = (values, x) =>
  values.reduce((best, value, i) => (Math.abs(value - x) < Math.abs(values[best] - x) ? i : best), 0);

// Which boxes (top, left, height, width) hold the point; an array { shape, data } of one box a row.
export const boxesAt = ({ data }, y, x) =>
  Array.from({ length: data.length / 4 }, (_, i) => data.subarray(4 * i, 4 * i + 4)).flatMap(([top, left, height, width], i) =>
    y >= top && y < top + height && x >= left && x < left + width ? [i] : []);

// Where labels of these widths stand beside their boxes, all as { left, top, width, height } in pixels: above, or below where
// there is no room above or fewer of the other boxes and labels are covered; inside a box that leaves no room.
export function labelsOf(boxes, widths, high, room) {
  const placed = [];
  boxes.forEach((box, i) => {
    const width = widths[i], left = box.left > room.width / 2 ? box.left + box.width - width : box.left;
    const others = [...boxes.filter((each) => each !== box), ...placed];
    const covered = (top) => others.filter((each) =>
      left < each.left + each.width && each.left < left + width && top < each.top + each.height && each.top < top + high).length;
    const tops = [box.top - high, box.top + box.height].filter((each) => each >= 0 && each + high <= room.height);
    placed.push({ left, top: tops.sort((a, b) => covered(a) - covered(b))[0] ?? box.top, width, height: high });
  });
  return placed;
}

// The path from below a word to above one that hangs from it: to the next row, and past others straight down.
export const branch = ([x, y], [toX, toY], row, below) => `M${x} ${y + below}L${toX} ${y + row}${toY > y + row ? `V${toY}` : ""}`;

export const row = ({ shape, data }, r) => data.subarray(r * shape[1], (r + 1) * shape[1]);

export const column = ({ shape, data }, c) => Float64Array.from({ length: shape[0] }, (_, r) => data[r * shape[1] + c]);

export const largest = (values) => values.reduce((best, value, i) => (value > values[best] ? i : best), 0);
