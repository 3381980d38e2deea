// The functions a widget may compute at each setting. An array is { shape, data }, rows one after another.
// Each has a NumPy twin in functions.py; tests hold the two within 1e-6.
import { searchNodes, treeNodes, treeVerdict, wordPlaces } from "./treelike.mjs";

export function softmax(scores, temperature) {
  const width = scores.shape[scores.shape.length - 1];
  const t = number(temperature);
  const data = new Float64Array(scores.data.length);
  for (let start = 0; start < data.length; start += width) {
    let top = -Infinity;
    for (let i = start; i < start + width; i++) top = Math.max(top, scores.data[i] / t);
    let sum = 0;
    for (let i = start; i < start + width; i++) sum += data[i] = Math.exp(scores.data[i] / t - top);
    for (let i = start; i < start + width; i++) data[i] /= sum;
  }
  return { shape: scores.shape, data };
}

// Over what a query may look at: hidden inputs weigh exactly 0, and a row that may look nowhere is NaN.
export function maskedSoftmax({ shape, data }, visible) {
  const shown = visible.data;
  return softmax({ shape, data: data.map((score, i) => (shown[i % shown.length] ? score : -Infinity)) }, 1);
}

function multiply(A, B, transposed) {
  const [rows, inner] = A.shape;
  const columns = transposed ? B.shape[0] : B.shape[1];
  const data = new Float64Array(rows * columns);
  for (let r = 0; r < rows; r++)
    for (let c = 0; c < columns; c++)
      for (let i = 0; i < inner; i++)
        data[r * columns + c] += A.data[r * inner + i] * B.data[transposed ? c * inner + i : i * columns + c];
  return { shape: [rows, columns], data };
}

// Weights of scaled dot-product attention: softmax(Q K^T / sqrt(D_Q)) over the inputs.
export function attentionWeights(Q, K) {
  return softmax(multiply(Q, K, true), Math.sqrt(Q.shape[1]));
}

export function attention(Q, K, V) {
  return multiply(attentionWeights(Q, K), V, false);
}

const number = (value) => (typeof value === "number" ? value : value.data[0]);
const upTo = ({ shape }, count) => Math.min(number(count), shape[0]);

// Row `count` of an array, counted from 1, and all rows up to it; what is past the end stays at the last row.
export function lastRow(rows, count) {
  const end = upTo(rows, count), width = rows.shape[1];
  return { shape: [width], data: rows.data.slice((end - 1) * width, end * width) };
}

export function firstRows(rows, count) {
  const end = upTo(rows, count), [N, ...rest] = rows.shape;
  return { shape: [end, ...rest], data: rows.data.slice(0, (end * rows.data.length) / N) };
}

// All rows, and below them their average with these weights: h_1 ... h_N and c_t.
export function withAverage(weights, rows) {
  const [N, width] = rows.shape, data = new Float64Array((N + 1) * width);
  data.set(rows.data);
  data.set(multiply({ shape: [1, N], data: weights.data }, rows, false).data, N * width);
  return { shape: [N + 1, width], data };
}

// A row of sines and cosines for each position 0 ... N - 1, a pair for each of D / 2 frequencies.
export function positionalEncoding(N, D, base) {
  const shape = [number(N), number(D)], data = new Float64Array(shape[0] * shape[1]);
  for (let i = 0; i < data.length; i++) {
    const k = i % shape[1], angle = Math.floor(i / shape[1]) / number(base) ** ((k - (k % 2)) / shape[1]);
    data[i] = k % 2 ? Math.cos(angle) : Math.sin(angle);
  }
  return { shape, data };
}

// The cosine of row `at`, counted from 0, with every row.
export function rowCosines(rows, at) {
  const [N] = rows.shape, products = multiply(rows, rows, true).data, t = number(at);
  const length = (i) => Math.sqrt(products[i * N + i]);
  return { shape: [N], data: Float64Array.from({ length: N }, (_, i) => products[t * N + i] / length(t) / length(i)) };
}

export function transposed({ shape: [N, D], data }) {
  return { shape: [D, N], data: data.map((_, i) => data[(i % N) * D + Math.floor(i / N)]) };
}

export const product = (A, B) => multiply(A, B, false);

export const added = (A, B) => ({ shape: A.shape, data: A.data.map((value, i) => value + B.data[i]) });

// The rows in another order: row i of what comes out is row order[i].
export function ordered({ shape, data }, order) {
  const width = shape[1], moved = data.map((_, i) => data[order.data[Math.floor(i / width)] * width + (i % width)]);
  return { shape, data: moved };
}

export const either = (second, A, B) => (number(second) ? B : A);

// How far apart two sets of N rows are, and how far their means: the norms of A - B and of mean A - mean B.
export function apart({ shape: [N, width], data }, B) {
  const differences = data.map((value, i) => value - B.data[i]), means = new Float64Array(width);
  differences.forEach((value, i) => (means[i % width] += value / N));
  return { shape: [2], data: Float64Array.of(Math.hypot(...differences), Math.hypot(...means)) };
}

// Entry `at` along the first axis, counted from 0; past the end, the last.
export function entry({ shape: [N, ...rest], data }, at) {
  const size = data.length / N, start = Math.min(number(at), N - 1) * size;
  return { shape: rest, data: data.slice(start, start + size) };
}

// The last axis in rows of so many columns.
export function folded({ shape, data }, columns) {
  const width = number(columns), N = shape[shape.length - 1];
  return { shape: [...shape.slice(0, -1), N / width, width], data };
}

// The entries of A, and after them those of B.
export function stacked(A, B) {
  return { shape: [A.shape[0] + B.shape[0], ...A.shape.slice(1)], data: Float64Array.of(...A.data, ...B.data) };
}

// How much is computed at each place after a step, from 0 to 1, of networks that take a layer a step; of 0 layers, a word a step.
export function race({ shape: [N] }, layers, step) {
  const at = number(step), done = (n, t) => (n ? Math.min(at / n, 1) : Number(t < at));
  return { shape: [layers.shape[0], N], data: Float64Array.from({ length: layers.shape[0] * N }, (_, i) => done(layers.data[Math.floor(i / N)], i % N)) };
}

// Rows of values, 0 where the last place is not done.
export function finished({ shape, data }, done) {
  const N = done.shape[1];
  return { shape, data: data.map((value, i) => (done.data[(Math.floor(i / shape[1]) + 1) * N - 1] >= 1 ? value : 0)) };
}

// What one head of the steps of writing attends to, (N_Y, N_heads, N_Z) to (N_Y, N_Z); past the last, the mean of all.
export function ofHead({ shape: [N_Y, N_heads, N_Z], data }, head) {
  const at = number(head), out = new Float64Array(N_Y * N_Z);
  for (let t = 0; t < N_Y; t++)
    for (let z = 0; z < N_Z; z++) {
      const of = (h) => data[(t * N_heads + h) * N_Z + z];
      out[t * N_Z + z] = at < N_heads ? of(at) : Array.from({ length: N_heads }, (_, h) => of(h)).reduce((a, b) => a + b, 0) / N_heads;
    }
  return { shape: [N_Y, N_Z], data: out };
}

// Where each head looks from the last word, (N_heads, N_Q, N_X) to (N_heads, N_X).
export function lastQueries({ shape: [N_heads, N_Q, N_X], data }) {
  return { shape: [N_heads, N_X], data: Float64Array.from({ length: N_heads * N_X }, (_, i) => data[(Math.floor(i / N_X) * N_Q + N_Q - 1) * N_X + (i % N_X)]) };
}

// By layer (a - b) / (a + b), of the distances from a word's vector to the nearest centre of two groups, (N_layers, 2, N_each, D).
export function leaning({ shape: [N_layers, N, D], data }, ids, word, centres) {
  const at = ids.data.indexOf(number(word)), out = new Float64Array(N_layers), N_each = centres.shape[2];
  const away = (l, c) => Math.hypot(...Array.from({ length: D }, (_, d) => data[(l * N + at) * D + d] - centres.data[c * D + d]));
  const nearest = (l, group) => Math.min(...Array.from({ length: N_each }, (_, i) => away(l, (2 * l + group) * N_each + i)));
  if (at >= 0) out.forEach((_, l) => {
    const a = nearest(l, 0), b = nearest(l, 1);
    out[l] = (a - b) / (a + b);
  });
  return { shape: [N_layers], data: out };
}

const average = ({ data }) => data.reduce((sum, value) => sum + value, 0) / data.length;
export const means = (A, B) => ({ shape: [2], data: Float64Array.of(average(A), average(B)) });

// What the steps of writing attend to, a map for each head: (N_Y, N_heads, N_Z) to (N_heads, N_Y, N_Z).
export function headsFirst({ shape: [N_Y, N_heads, N_Z], data }) {
  const out = new Float64Array(data.length);
  for (let t = 0; t < N_Y; t++)
    for (let h = 0; h < N_heads; h++) out.set(data.slice((t * N_heads + h) * N_Z, (t * N_heads + h + 1) * N_Z), (h * N_Y + t) * N_Z);
  return { shape: [N_heads, N_Y, N_Z], data: out };
}

// The mean over the first axis.
export function meanOf({ shape: [N, ...rest], data }) {
  const out = new Float64Array(data.length / N);
  data.forEach((value, i) => (out[i % out.length] += value / N));
  return { shape: rest, data: out };
}

export const preceded = ({ shape: [N], data }, first) => ({ shape: [N + 1], data: Float64Array.of(number(first), ...data) });
export const shifted = ({ shape, data }, first) => ({ shape, data: Float64Array.of(number(first), ...data.slice(0, -1)) });

// Places of the largest values, counted from 0, the largest first.
export function top({ data }, count) {
  const places = Array.from(data.keys()).sort((a, b) => data[b] - data[a]).slice(0, number(count));
  return { shape: [places.length], data: Float64Array.from(places) };
}

export const atPlaces = ({ data }, places) => ({ shape: places.shape, data: Float64Array.from(places.data, (i) => data[i]) });

// 1 where an id belongs to the longest sequence that both have in common, else 0; 2 all along if the other has none.
export function inCommon({ shape, data: said }, { data: other }) {
  const N = said.length, M = other.length, out = new Float64Array(N).fill(M ? 0 : 2);
  const shared = Array.from({ length: N + 1 }, () => new Float64Array(M + 1)); // how long it is from i and j on
  for (let i = N - 1; i >= 0; i--)
    for (let j = M - 1; j >= 0; j--) shared[i][j] = said[i] === other[j] ? shared[i + 1][j + 1] + 1 : Math.max(shared[i + 1][j], shared[i][j + 1]);
  for (let i = 0, j = 0; i < N && j < M; ) {
    if (said[i] === other[j]) {
      out[i++] = 1;
      j++;
    } else if (shared[i + 1][j] >= shared[i][j + 1]) i++;
    else j++;
  }
  return { shape, data: out };
}

export const divided = ({ shape, data }, by) => ({ shape, data: data.map((value) => value / number(by)) });

// Mean and spread, the root of the mean squared distance from it.
export function meanSpread({ data }) {
  const mean = data.reduce((sum, value) => sum + value, 0) / data.length;
  const variance = data.reduce((sum, value) => sum + (value - mean) ** 2, 0) / data.length;
  return { shape: [2], data: Float64Array.of(mean, Math.sqrt(variance)) };
}

// Layer norm over the last axis; gamma and beta hold a number for each feature, or one for all.
export function layerNorm({ shape, data }, gamma, beta, eps) {
  const D = shape[shape.length - 1], out = new Float64Array(data.length);
  const of = (given, i) => (typeof given === "number" ? given : given.data[i % given.data.length]);
  for (let start = 0; start < out.length; start += D) {
    const [mean, spread] = meanSpread({ data: data.slice(start, start + D) }).data, root = Math.sqrt(spread ** 2 + number(eps));
    for (let i = start; i < start + D; i++) out[i] = (of(gamma, i) * (data[i] - mean)) / root + of(beta, i);
  }
  return { shape, data: out };
}

const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const TWINS = [
  softmax, maskedSoftmax, attentionWeights, attention, lastRow, firstRows, withAverage, positionalEncoding,
  rowCosines, transposed, product, added, ordered, either, apart, entry, folded, stacked, race, finished, ofHead,
  lastQueries, leaning, means, headsFirst, meanOf, preceded, shifted, wordPlaces, treeNodes, treeVerdict, searchNodes,
  top, atPlaces, inCommon, divided, meanSpread, layerNorm,
];
export const COMPUTED = Object.fromEntries(TWINS.map((twin) => [snake(twin.name), twin]));
