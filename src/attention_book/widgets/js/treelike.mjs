// Trees of words, as a parser spells them and as a search keeps them: twins of word_places, tree_nodes, tree_verdict and search_nodes in
// functions.py.
import { START, STOP } from "./words.mjs";

const LEAST = 2, GAP = 1.5; // letters that a word takes, and between two words
const WORD = 0, OPENS = 1, CLOSES = 2, ENDS = 3; // kinds of tokens
export const number = (value) => (typeof value === "number" ? value : value.data[0]);

// Row and column of each of the words of a line of so many letters: in one row, or in two by turns.
export function wordPlaces(read, written, line) {
  const letters = written.data.filter((count) => count > 0), N = Math.max(read.data.length, letters.length), most = number(line);
  const widths = Array.from({ length: N }, (_, i) => Math.max(read.data[i] ?? 0, letters[i] ?? 0, LEAST) + GAP);
  let x, end;
  for (const R of [1, 2]) {
    x = [];
    widths.forEach((width, i) => {
      x.push((i < R ? 0 : x[i - R] + widths[i - R] / 2) + width / 2);
      if (i) x[i] = Math.max(x[i], x[i - 1] + Math.max(widths[i - (i % 2)] / 2, LEAST + GAP));
    });
    end = Math.max(...x.map((at, i) => at + widths[i] / 2));
    if (end > most && R < 2) continue;
    return { shape: [N, 2], data: Float64Array.from(x.flatMap((at, i) => [i % R, (at * most) / end - 0.5])) };
  }
}

// The nodes of the tree that the first tokens spell: row, column, parent, name and state of each.
export function treeNodes({ data: tokens }, { data: kinds }, { shape, data: places }, count) {
  const made = [], stack = [], some = number(count);
  let words = 0, deepest = 0;
  for (const [t, token] of tokens.entries()) {
    const kind = kinds[token], there = t < some, fresh = t + 1 === some;
    if (kind === ENDS || (made.length ? !stack.length : kind !== OPENS)) break;
    if (kind === CLOSES) {
      const node = stack.pop();
      if (there) Object.assign(node, { closed: true, state: fresh ? 3 : 1 });
      continue;
    }
    deepest = Math.max(deepest, stack.length);
    const node = { row: stack.length, first: words, last: words, parent: stack[stack.length - 1], token, kind, state: fresh ? 3 : 1 + Number(kind === OPENS), i: made.length };
    if (there) made.push(node);
    if (kind === OPENS) stack.push(node);
    else {
      if (there) for (const each of stack) each.last = words;
      words++;
    }
  }
  const place = (word, k) => places[2 * Math.min(word, shape[0] - 1) + k];
  const rows = [
    ({ row, first, kind }) => (kind === WORD ? deepest + place(first, 0) : row),
    ({ first, last, closed }) => (place(first, 1) + place(closed ? last : first, 1)) / 2,
    ({ parent }) => parent?.i ?? -1,
    ({ token, closed }) => token + (closed ? kinds.length : 0),
    ({ state }) => state,
  ];
  return { shape: [5, made.length], data: Float64Array.from(rows.flatMap((row) => made.map(row))) };
}

// 0 for a tree over these words, 1 for one over others, 2 for no tree.
export function treeVerdict({ data: tokens }, { data: kinds }, { data: words }) {
  const kind = Array.from(tokens, (token) => kinds[token]), last = kind.length - 1;
  let depth = 0;
  const depths = kind.map((each) => (depth += Number(each === OPENS) - Number(each === CLOSES)));
  const empty = kind.some((each, t) => each === OPENS && kind[t + 1] === CLOSES);
  const whole = kind[last] === ENDS && depth === 0 && !empty && last > 1 && depths.slice(0, -2).every((each) => each > 0);
  const said = tokens.filter((_, t) => kind[t] === WORD);
  const verdict = !whole ? 2 : Number(said.length !== words.length || said.some((word, i) => word !== words[i]));
  return { shape: [], data: Float64Array.of(verdict) };
}

// The beginnings that a beam search keeps: row, column, the one before, last word, log P per word, and state after `count` steps of each.
export function searchNodes({ shape: [N_steps, width], data: words }, { data: parents }, { data: scores }, count) {
  const made = [{ row: 0, column: (width - 1) / 2, up: -1, word: START, score: 0, state: 2 }], last = Math.min(number(count), N_steps);
  let above = Array(width).fill(0);
  for (let t = 0; t < N_steps; t++) {
    const here = [...above];
    for (let slot = 0; slot < width; slot++) {
      const k = t * width + slot;
      if (parents[k] < 0) continue;
      here[slot] = made.length;
      made.push({ row: t + 1, column: slot, up: above[parents[k]], word: words[k], score: scores[k] / (t + 1), state: 2 * Number(t < last) });
    }
    above = here;
  }
  const mark = (node, state) => {
    for (; node; node = made[node.up]) node.state = state;
  };
  const race = made.filter(({ row, word }) => row === last || (word === STOP && row < last));
  race.forEach((end) => mark(end, 1));
  mark(race.reduce((best, end) => (end.score > best.score ? end : best)), 3);
  const names = ["row", "column", "up", "word", "score", "state"];
  return { shape: [6, made.length], data: Float64Array.from(names.flatMap((name) => made.map((node) => node[name]))) };
}
