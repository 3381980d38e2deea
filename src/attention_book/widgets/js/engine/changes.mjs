// What may be done to the attention weights A of a tap, (B, N_heads, N_Q, N_X) or (B, N_Q, N_X), at a step of writing (0 where
// nothing is written): the twins of networks/changes.py. A weight of exactly 0 is taken for hidden. Where rows are given from outside, a
// query has the row of its place: in a step of writing, a single query is that of the word to be written; several are those of all so far.
import { sizeOf } from "../bytes.mjs";
import { chosen, mapped } from "./tensor.mjs";

const rows = (f) => ({ shape, data }, step) => {
  const [N_Q, N_X] = shape.slice(-2), N_heads = sizeOf(shape.slice(1, -2)), out = data.slice();
  for (let r = 0; r < data.length / N_X; r++) {
    const query = r % N_Q, place = query + Math.max(step - N_Q + 1, 0);
    f(out.subarray(r * N_X, (r + 1) * N_X), { head: Math.floor(r / N_Q) % N_heads, query, place, step, N_heads, N_Q, data, r });
  }
  return { shape, data: out };
};

// As many numbers as there are inputs, queries or heads.
function sized(kind, given, count) {
  if (given.length !== count) throw new Error(`${kind} has ${given.length} numbers, expected ${count}`);
  return given;
}

function share(row) {
  const left = row.reduce((all, a) => all + a, 0);
  if (left > 0) row.forEach((a, i) => (row[i] = a / left));
}

// A generator of numbers in [0, 1): mulberry32.
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const CHANGES = {
  // Look alike at all that is not hidden.
  uniform: () => rows((row) => {
    const seen = row.reduce((count, a) => count + (a > 0), 0);
    row.forEach((a, i) => (row[i] = a > 0 ? 1 / seen : 0));
  }),
  // The weights that are not 0, in an order drawn anew for each step, head and query.
  shuffled: (seed) => rows((row, { head, query, step }) => {
    const places = [...row.keys()].filter((i) => row[i] > 0), weights = places.map((i) => row[i]);
    const draw = random(Math.trunc(seed) + 1009 * step + 9176 * head + 131 * query);
    for (let i = weights.length - 1; i > 0; i--) {
      const j = Math.floor(draw() * (i + 1));
      [weights[i], weights[j]] = [weights[j], weights[i]];
    }
    places.forEach((place, i) => (row[place] = weights[i]));
  }),
  // Look at the input with the largest weight only.
  strongest: () => rows((row) => {
    const top = row.indexOf(Math.max(...row));
    row.forEach((a, i) => (row[i] = Number(i === top && a > 0)));
  }),
  // Rows from outside, one for each query's place; after the last, the last. Rows without an entry leave the weights as they are.
  forced: (given) => rows((row, { place }) => {
    const told = given[Math.min(place, given.length - 1)];
    if (told?.length) row.set(sized("forced", told, row.length));
  }),
  // Query i looks where query order[i] does.
  reordered: (order) => {
    if (order.some((_, i) => !order.includes(i))) throw new Error(`reordered takes ${order}: expected an order of 0 to ${order.length - 1}`);
    return rows((row, { query, N_Q, data, r }) => {
      const from = (r - query + sized("reordered", order, N_Q)[query]) * row.length;
      row.set(data.subarray(from, from + row.length));
    });
  },
  // A head that is off finds nothing: silent[head] is 1 (of one head, the first).
  off: (silent) => rows((row, { head, N_heads }) => (N_heads > 1 ? sized("off", silent, N_heads) : silent)[head] && row.fill(0)),
  // Take the weight off inputs, those where hidden is 1; what is left grows to sum to 1.
  hiding: (hidden) => rows((row) => {
    sized("hiding", hidden, row.length).forEach((off, i) => off && (row[i] = 0));
    share(row);
  }),
  // Look only where allowed[place][input] is 1, it may be larger; a query that may look nowhere finds nothing.
  masked: (allowed) => rows((row, { place }) => {
    sized("masked", (allowed[place] ?? []).slice(0, row.length), row.length).forEach((on, i) => on || (row[i] = 0));
    share(row);
  }),
};

// [[kind, ...arguments], ...] by tap -> a function by tap, which makes these changes in turn.
export const changesOf = (told) => mapped(told, (list) => {
  const all = list.map(([kind, ...given]) => chosen("kind", kind, CHANGES)(...given));
  return (A, step) => all.reduce((changed, change) => change(changed, step), A);
});
