// Writing with a network that has the calls "encode" and "step": greedy, with a beam, or by sampling.
import { START, STOP } from "../words.mjs";
import { random } from "./changes.mjs";
import { OPS } from "./ops.mjs";
import { mapped, tensor } from "./tensor.mjs";

const LEAST = { most: 1, width: 1, top_k: 1, temperature: Number.MIN_VALUE, top_p: Number.MIN_VALUE };

// options: most, the longest output; width of the beam (1 is greedy); sample: { seed, temperature, top_k, top_p }. Returns
// { outputs, taps } without the batch axis: ids with [STOP], logits, attention, what was drawn from (chances) and of how many words (kept) a row for each, taps of the steps (N_Y, N_heads, N_Z)
// filled up with 0; unless it is drawn, what the search kept: tree_words, tree_parents (-1: an empty slot), tree_scores (N_steps, width).
export function write(network, inputs, change = {}, { most = 40, width = 1, sample = null } = {}) {
  const given = { most, width, ...sample };
  for (const [name, least] of Object.entries(LEAST))
    if (!((given[name] ?? 1) >= least)) throw new Error(`${name} is ${given[name]}, expected ${least < 1 ? "a number above 0" : "at least 1"}`);
  const { outputs: memory, taps: read } = network.run("encode", inputs, change), states = Object.keys(memory).filter((name) => /^state\b/.test(name));
  const step = ({ kept, token }, t) => {
    const said = network.run("step", { ...kept, token: [token] }, change, t);
    for (const name of states) if (!(name in said.outputs)) throw new Error(`step gives no ${name}, as encode does`);
    return { said, kept: { ...kept, ...said.outputs } };
  };
  const begun = { kept: memory, token: START, score: 0, path: [], slot: 0 };
  const { path, tree } = sample ? { path: drawn(step, begun, most, sample) } : search(step, begun, most, width);
  const said = path.map((each) => each.said), row = (name) => OPS.cat(said.map(({ outputs }) => outputs[name]));
  const outputs = { ids: tensor(path.map(({ token }) => token)), logits: row("logits"), ...tree };
  if (sample) {
    outputs.chances = tensor(path.map(({ p }) => [...p]));
    outputs.kept = tensor(path.map(({ p }) => [p.filter(Boolean).length]));
  }
  if (said[0].outputs.attention) outputs.attention = row("attention");
  return { outputs, taps: { ...mapped(read, first), ...mapped(said[0].taps, (_, name) => filled(said.map(({ taps }) => taps[name]))) } };
}

export const first = ({ shape: [N, ...rest], data }) => ({ shape: rest, data: N === 1 ? data : data.slice(0, data.length / N) });

// All rows of each step, filled up with 0 to the size of the largest.
function filled(steps) {
  const all = steps.map((A) => OPS.reshape(A, [-1, A.shape[A.shape.length - 1]]));
  const [height, width] = [0, 1].map((i) => Math.max(...all.map(({ shape }) => shape[i])));
  return OPS.stack(all.map((A) => OPS.pad(A, [0, width - A.shape[1], 0, height - A.shape[0]])));
}

function chances(logits, { temperature = 1, top_k: topK, top_p: topP = 1 }) {
  const p = OPS.softmax({ shape: [logits.length], data: Float64Array.from(logits, (x) => x / temperature) }, -1).data;
  const order = [...p.keys()].sort((a, b) => p[b] - p[a]).slice(0, topK ?? Infinity);
  const total = order.reduce((sum, i) => sum + p[i], 0), kept = new Float64Array(p.length); // in which nothing small becomes 0
  let before = 0;
  for (const i of order) {
    if (topP < 1 && before >= topP * total) break; // by rounding, all is there before the last
    before += kept[i] = p[i];
  }
  return kept.map((x) => x / before);
}

function drawn(step, begun, most, sample) {
  const draw = random(sample.seed), path = [];
  for (let at = begun; path.length < most && at.token !== STOP; ) {
    const { said, kept } = step(at, path.length), p = chances(said.outputs.logits.data, sample);
    let left = draw();
    const token = p.findIndex((x) => (left -= x) < 0);
    path.push((at = { said, kept, p, token: token < 0 ? p.findLastIndex(Boolean) : token }));
  }
  return path;
}

// Beam search as decoding/beam.py has it: what writes [STOP] leaves the beam and its slot stays empty; the best by log P per word.
function search(step, begun, most, width) {
  const sentences = [], rows = [];
  let live = [begun];
  for (let t = 0; t < most && live.length; t++) {
    const longer = live.flatMap((one) => {
      const { said, kept } = step(one, t), log = logSoftmax(said.outputs.logits.data);
      const likeliest = [...log.keys()].sort((a, b) => log[b] - log[a]).slice(0, width);
      return likeliest.map((token) => ({ kept, token, score: one.score + log[token], parent: one.slot, path: [...one.path, { said, token }] }));
    });
    const best = longer.sort((a, b) => b.score - a.score).slice(0, width - sentences.length);
    rows.push(best.map((each, slot) => ({ ...each, slot })));
    sentences.push(...rows[t].filter(({ token }) => token === STOP));
    live = rows[t].filter(({ token }) => token !== STOP);
  }
  const mean = ({ score, path }) => score / path.length;
  const best = (sentences.length ? sentences : live).reduce((one, other) => (mean(other) > mean(one) ? other : one));
  const grid = (name, empty) => tensor(rows.map((row) => Array.from({ length: width }, (_, slot) => row[slot]?.[name] ?? empty)));
  return { path: best.path, tree: { tree_words: grid("token", 0), tree_parents: grid("parent", -1), tree_scores: grid("score", 0) } };
}

function logSoftmax(logits) {
  const top = Math.max(...logits), log = Math.log(logits.reduce((sum, x) => sum + Math.exp(x - top), 0));
  return Array.from(logits, (x) => x - top - log);
}
