// Writing with a network that has the calls "encode" and "step": greedy, with a beam, or by sampling.
import { random } from "./changes.mjs";
import { OPS } from "./ops.mjs";
import { largest } from "./tensor.mjs";

const START = 1, STOP = 2;

// options: most, the longest output; width of the beam (1 is greedy); sample: { seed, temperature, top_k, top_p }; words: ids that it is
// made to write. Returns { outputs, taps } without the batch axis: ids with [STOP], logits and attention a row for each, taps of the steps
// (N_Y, N_heads, N_Z) filled up with 0; unless it is drawn, what the search kept: tree_words, tree_parents (-1: an empty slot), tree_scores (N_steps, width).
export function write(network, inputs, change = {}, { most = 40, width = 1, sample = null, words = null } = {}) {
  const read = network.run("encode", inputs, change), found = width > 1 ? search(network, read.outputs, change, most, width) : {};
  const draw = sample && random(sample.seed), ids = found.ids ?? words, kept = [], written = [];
  let state = read.outputs, token = START;
  for (let t = 0; ids ? t < ids.length : t < most && token !== STOP; t++) {
    const said = network.run("step", { ...state, token: [token] }, change, t), { data } = said.outputs.logits;
    state = { ...state, ...said.outputs };
    token = ids ? ids[t] : sample ? sampled(data, sample, draw) : largest(data);
    written.push(token);
    kept.push(said);
  }
  const gather = (name) => kept.map((each) => each.outputs[name]?.data);
  const outputs = { ids: whole(written), logits: stacked(gather("logits")) };
  if (kept[0].outputs.attention) outputs.attention = stacked(gather("attention"));
  const taps = Object.fromEntries(Object.entries(read.taps).map(([name, A]) => [name, first(A)]));
  for (const name of Object.keys(kept[0].taps)) taps[name] = filled(kept.map((each) => each.taps[name]));
  return { outputs: { ...outputs, ...(found.tree ?? (sample ? {} : path(written, kept))) }, taps };
}

// The tree of a search that keeps one beginning.
function path(written, kept) {
  let score = 0;
  const scores = written.map((token, t) => (score += logSoftmax(kept[t].outputs.logits.data)[token])), column = (list) => ({ shape: [list.length, 1], data: Float32Array.from(list) });
  return { tree_words: column(written), tree_parents: column(written.map(() => 0)), tree_scores: column(scores) };
}

export const first = ({ shape, data }) => ({ shape: shape.slice(1), data });
const whole = (list) => ({ shape: [list.length], data: Float32Array.from(list) });
const stacked = (rows) => ({ shape: [rows.length, rows[0].length], data: Float32Array.from(rows.flatMap((row) => [...row])) });

function filled(steps) {
  const widths = steps.map(({ shape }) => shape[shape.length - 1]), heights = steps.map(({ data }, t) => data.length / widths[t]);
  const N = Math.max(...widths), heads = Math.max(...heights), data = new Float32Array(steps.length * heads * N);
  steps.forEach((A, t) => {
    for (let h = 0; h < heights[t]; h++) data.set(A.data.subarray(h * widths[t], (h + 1) * widths[t]), (t * heads + h) * N);
  });
  return { shape: [steps.length, heads, N], data };
}

// Chances after the temperature; of the top_k likeliest, then of the fewest of the likeliest whose chances reach top_p.
export function chances(logits, { temperature = 1, top_k: topK = Infinity, top_p: topP = 1 }) {
  const p = OPS.softmax({ shape: [logits.length], data: Float32Array.from(logits, (x) => x / temperature) }, -1).data;
  const order = [...p.keys()].sort((a, b) => p[b] - p[a]), kept = new Float32Array(p.length);
  let before = 0;
  const total = order.slice(0, topK ?? Infinity).reduce((sum, i) => sum + p[i], 0);
  for (const i of order.slice(0, topK ?? Infinity)) {
    if (before >= topP * total) break;
    before += kept[i] = p[i];
  }
  return kept.map((x) => x / before);
}

function sampled(logits, settings, draw) {
  const p = chances(logits, settings);
  let left = draw(), last = 0;
  for (let i = 0; i < p.length; i++)
    if (p[i] > 0) {
      last = i;
      if ((left -= p[i]) < 0) return i;
    }
  return last;
}

// Beam search as decoding/beam.py has it: what writes [STOP] leaves the beam and its slot stays empty; the best by log P per word.
function search(network, memory, change, most, width) {
  let live = [{ score: 0, token: START, state: memory, path: [] }], room = width;
  const sentences = [], rows = [];
  for (let t = 0; t < most && live.length; t++) {
    const longer = live.flatMap((each) => {
      const { outputs } = network.run("step", { ...each.state, token: [each.token] }, change, t), log = logSoftmax(outputs.logits.data);
      const state = { ...each.state, ...outputs }, slot = each.slot ?? 0;
      return Array.from(log, (value, token) => ({ score: each.score + value, token, state, parent: slot, path: [...each.path, token] }));
    });
    const best = longer.sort((a, b) => b.score - a.score).slice(0, room).map((each, slot) => ({ ...each, slot }));
    rows.push(best);
    const ended = best.filter(({ token }) => token === STOP);
    sentences.push(...ended);
    room -= ended.length;
    live = best.filter(({ token }) => token !== STOP);
  }
  const candidates = sentences.length ? sentences : live, mean = ({ score, path }) => score / path.length;
  const ids = candidates.reduce((one, other) => (mean(other) > mean(one) ? other : one)).path;
  const grid = (of, empty) => stacked(rows.map((row) => Array.from({ length: width }, (_, slot) => (row[slot] ? of(row[slot]) : empty))));
  return { ids, tree: { tree_words: grid((one) => one.token, 0), tree_parents: grid((one) => one.parent, -1), tree_scores: grid((one) => one.score, 0) } };
}

function logSoftmax(logits) {
  const top = Math.max(...logits), log = Math.log(logits.reduce((sum, x) => sum + Math.exp(x - top), 0));
  return Array.from(logits, (x) => x - top - log);
}
