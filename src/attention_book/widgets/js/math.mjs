// The functions a widget may compute at each setting. An array is { shape, data }, rows one after another.
// Each has a NumPy twin in functions.py, which says what it is; tests hold the two within 1e-6.
import { sizeOf } from "./bytes.mjs";
import { number, searchNodes, treeNodes, treeVerdict, wordPlaces } from "./treelike.mjs";

// An array of a shape; entry i is at(i).
const made = (shape, at) => ({ shape, data: Float64Array.from({ length: sizeOf(shape) }, (_, i) => at(i)) });
const vector = (...numbers) => ({ shape: [numbers.length], data: Float64Array.from(numbers) });
const sum = (data) => data.reduce((all, value) => all + value, 0);

function softmax({ shape, data }, temperature) {
  const width = shape[shape.length - 1], t = number(temperature), out = new Float64Array(data.length);
  for (let start = 0; start < out.length; start += width) {
    const row = data.slice(start, start + width), top = row.reduce((a, b) => Math.max(a, b / t), -Infinity);
    const powers = Float64Array.from(row, (score) => Math.exp(score / t - top)), total = sum(powers);
    out.set(powers.map((power) => power / total), start);
  }
  return { shape, data: out };
}

// Hidden inputs weigh exactly 0, and a row that may look nowhere is NaN.
export function maskedSoftmax({ shape, data }, visible) {
  const shown = visible.data;
  return softmax({ shape, data: data.map((score, i) => (shown[i % shown.length] ? score : -Infinity)) }, 1);
}

const transposed = ({ shape: [N, D], data }) => made([D, N], (i) => data[(i % N) * D + Math.floor(i / N)]);

function product(A, B) {
  const [rows, inner] = A.shape, columns = B.shape[1], data = new Float64Array(rows * columns);
  for (let r = 0; r < rows; r++)
    for (let c = 0; c < columns; c++)
      for (let i = 0; i < inner; i++) data[r * columns + c] += A.data[r * inner + i] * B.data[i * columns + c];
  return { shape: [rows, columns], data };
}

const attentionWeights = (Q, K) => softmax(product(Q, transposed(K)), Math.sqrt(Q.shape[1]));
const attention = (Q, K, V) => product(attentionWeights(Q, K), V);

function firstRows(rows, count) {
  const [N, ...rest] = rows.shape, end = Math.min(number(count), N);
  return { shape: [end, ...rest], data: rows.data.slice(0, (end * rows.data.length) / N) };
}

function entry({ shape: [N, ...rest], data }, at) {
  const size = data.length / N, start = Math.min(number(at), N - 1) * size;
  return { shape: rest, data: data.slice(start, start + size) };
}

const lastRow = (rows, count) => entry(rows, number(count) - 1);
const stacked = (A, B) => ({ shape: [A.shape[0] + B.shape[0], ...A.shape.slice(1)], data: Float64Array.of(...A.data, ...B.data) });
const withAverage = (weights, rows) => stacked(rows, product({ shape: [1, rows.shape[0]], data: weights.data }, rows));

function positionalEncoding(N, D, base) {
  const width = number(D);
  return made([number(N), width], (i) => {
    const k = i % width, angle = Math.floor(i / width) / number(base) ** ((k - (k % 2)) / width);
    return k % 2 ? Math.cos(angle) : Math.sin(angle);
  });
}

function rowCosines(rows, at) {
  const [N] = rows.shape, products = product(rows, transposed(rows)).data, t = number(at);
  const length = (i) => Math.sqrt(products[i * N + i]);
  return made([N], (i) => products[t * N + i] / length(t) / length(i));
}

const added = ({ shape, data }, B) => ({ shape, data: data.map((value, i) => value + B.data[i]) });
const ordered = ({ shape, data }, order) => made(shape, (i) => data[order.data[Math.floor(i / shape[1])] * shape[1] + (i % shape[1])]);
const either = (second, A, B) => (number(second) ? B : A);

function meanOf({ shape: [N, ...rest], data }) {
  const out = new Float64Array(data.length / N);
  data.forEach((value, i) => (out[i % out.length] += value / N));
  return { shape: rest, data: out };
}

function apart({ shape, data }, B) {
  const differences = data.map((value, i) => value - B.data[i]);
  return vector(Math.hypot(...differences), Math.hypot(...meanOf({ shape, data: differences }).data));
}

function folded({ shape, data }, columns) {
  const width = number(columns), N = shape[shape.length - 1];
  return { shape: [...shape.slice(0, -1), N / width, width], data };
}

function race({ shape: [N] }, layers, step) {
  const at = number(step), done = (n, t) => (n ? Math.min(at / n, 1) : Number(t < at));
  return made([layers.shape[0], N], (i) => done(layers.data[Math.floor(i / N)], i % N));
}

const finished = ({ shape, data }, done) => made(shape, (i) => (done.data[(Math.floor(i / shape[1]) + 1) * done.shape[1] - 1] >= 1 ? data[i] : 0));

const headsFirst = ({ shape: [N_Y, N_heads, N_Z], data }) =>
  made([N_heads, N_Y, N_Z], (i) => data[((Math.floor(i / N_Z) % N_Y) * N_heads + Math.floor(i / N_Z / N_Y)) * N_Z + (i % N_Z)]);

const ofHead = (A, head) => (number(head) < A.shape[1] ? entry : meanOf)(headsFirst(A), head);

const lastQueries = ({ shape: [N_heads, N_Q, N_X], data }) => made([N_heads, N_X], (i) => data[(Math.floor(i / N_X) * N_Q + N_Q - 1) * N_X + (i % N_X)]);

function leaning({ shape: [N_layers, N, D], data }, ids, word, centres) {
  const at = ids.data.indexOf(number(word)), N_each = centres.shape[2];
  const away = (l, c) => Math.hypot(...Array.from({ length: D }, (_, d) => data[(l * N + at) * D + d] - centres.data[c * D + d]));
  const nearest = (l, group) => Math.min(...Array.from({ length: N_each }, (_, i) => away(l, (2 * l + group) * N_each + i)));
  return made([N_layers], (l) => {
    if (at < 0) return 0;
    const a = nearest(l, 0), b = nearest(l, 1);
    return (a - b) / (a + b);
  });
}

const average = (data) => sum(data) / data.length;
const means = (A, B) => vector(average(A.data), average(B.data));
const preceded = ({ data }, first) => vector(number(first), ...data);
const shifted = ({ data }, first) => vector(number(first), ...data.slice(0, -1));
const top = ({ data }, count) => vector(...Array.from(data.keys()).sort((a, b) => data[b] - data[a]).slice(0, number(count)));
const likeliest = ({ data }, kept, count) => vector(...top({ data }, Math.min(number(kept), number(count))).data, ...(number(kept) > number(count) ? [data.length] : []));
const withRest = ({ data }, places) => atPlaces({ data: [...data, sum(data) - sum(places.data.map((i) => data[i] ?? 0))] }, places);
const atPlaces = ({ data }, places) => vector(...Array.from(places.data, (i) => data[i]));

function lastParts({ data }, end, count) {
  const begins = [0], stop = number(end);
  data.forEach((value, i) => value === stop && begins.push(i + 1));
  return vector(...data.slice(begins.at(-1 - number(count)) ?? 0));
}

function inCommon({ shape, data: said }, { data: other }) {
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

const divided = ({ shape, data }, by) => ({ shape, data: data.map((value) => value / number(by)) });

function meanSpread({ data }) {
  const mean = average(data);
  return vector(mean, Math.sqrt(average(Float64Array.from(data, (value) => (value - mean) ** 2))));
}

function layerNorm({ shape, data }, gamma, beta, eps) {
  const D = shape[shape.length - 1], of = (given, i) => (typeof given === "number" ? given : given.data[i % given.data.length]);
  const rows = Array.from({ length: data.length / D }, (_, r) => meanSpread({ data: data.slice(r * D, (r + 1) * D) }).data);
  return made(shape, (i) => {
    const [mean, spread] = rows[Math.floor(i / D)];
    return (of(gamma, i) * (data[i] - mean)) / Math.sqrt(spread ** 2 + number(eps)) + of(beta, i);
  });
}

// A linear layer and a sigmoid, trained from 0 by steps against the gradient of the mean surprise at the labels.
function trainedHead({ shape: [N, D], data }, labels, asked, steps, rate) {
  const w = new Float64Array(D + 1);
  const said = (X, r) => {
    let sum = w[D];
    for (let i = 0; i < D; i++) sum += w[i] * X[r * D + i];
    return 1 / (1 + Math.exp(-sum));
  };
  for (let step = 0; step < number(steps); step++)
    Array.from(labels.data, (label, r) => ((said(data, r) - label) * number(rate)) / N).forEach((off, r) => {
      for (let i = 0; i < D; i++) w[i] -= off * data[r * D + i];
      w[D] -= off;
    });
  return made([asked.shape[0]], (r) => said(asked.data, r));
}

const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const TWINS = [
  softmax, maskedSoftmax, attentionWeights, attention, lastRow, firstRows, withAverage, positionalEncoding,
  rowCosines, transposed, product, added, ordered, either, apart, entry, folded, stacked, race, finished, ofHead,
  lastQueries, leaning, means, headsFirst, meanOf, preceded, shifted, wordPlaces, treeNodes, treeVerdict, searchNodes,
  top, likeliest, withRest, atPlaces, lastParts, inCommon, divided, meanSpread, layerNorm, trainedHead,
];
export const COMPUTED = Object.fromEntries(TWINS.map((twin) => [snake(twin.name), twin]));
