// The operations that traced models are made of, by torch's names and with torch's arguments.
import { sizeOf } from "../bytes.mjs";
import { at, broadcast, each, expand, made, permute, reduced, replaced, strided, stridesOf, tensor } from "./tensor.mjs";

// Rows (n, k) times (k, m): the inner loop runs along rows of both, which lie in one piece.
function multiply(A, B, n, k, m, out, a = 0, b = 0, o = 0) {
  for (let i = 0; i < n; i++)
    for (let p = 0; p < k; p++) {
      const x = A[a + i * k + p];
      if (x !== 0) for (let j = 0, from = b + p * m, to = o + i * m; j < m; j++) out[to + j] += x * B[from + j];
    }
}

function matmul(A, B) {
  if (Math.min(A.shape.length, B.shape.length) < 2) throw new Error("matmul: a vector, expected matrices");
  const [n, k] = A.shape.slice(-2), m = B.shape[B.shape.length - 1], axes = broadcast(A.shape.slice(0, -2), B.shape.slice(0, -2));
  const out = made([...axes, n, m], 0);
  const [a, b] = [expand(A, [...axes, n, k]).data, expand(B, [...axes, k, m]).data];
  for (let i = 0; i < sizeOf(axes); i++) multiply(a, b, n, k, m, out.data, i * n * k, i * k * m, i * n * m);
  return out;
}

function linear({ shape, data }, W, b) {
  const [m, k] = W.shape, out = new Float32Array((data.length / k) * m);
  if (shape[shape.length - 1] !== k) throw new Error(`linear: rows of ${shape[shape.length - 1]}, expected ${k}`);
  for (let i = 0; i < out.length; i++) {
    const row = Math.floor(i / m) * k, column = (i % m) * k;
    let sum = b ? b.data[i % m] : 0;
    for (let p = 0; p < k; p++) sum += data[row + p] * W.data[column + p];
    out[i] = sum;
  }
  return { shape: [...shape.slice(0, -1), m], data: out };
}

function transpose(x, one, other) {
  const axes = x.shape.map((_, i) => i), [i, j] = [at(one, axes), at(other, axes)];
  [axes[i], axes[j]] = [j, i];
  return permute(x, axes);
}

function reshape({ data }, sizes) {
  const known = -sizeOf(sizes), shape = sizes.map((n) => (n === -1 ? data.length / known : n));
  if (sizeOf(shape) !== data.length || !shape.every(Number.isInteger)) throw new Error(`${data.length} numbers do not fit ${sizes.join(" × ")}`);
  return { shape, data };
}

const unflatten = (x, dim, sizes) => reshape(x, replaced(x.shape, at(dim, x.shape), ...sizes));

function flatten({ shape, data }, first = 0, last = -1) {
  const [i, j] = [at(first, shape), at(last, shape)];
  return { shape: [...shape.slice(0, i), sizeOf(shape.slice(i, j + 1)), ...shape.slice(j + 1)], data };
}

function unsqueeze({ shape, data }, dim) {
  const i = dim < 0 ? dim + shape.length + 1 : dim;
  return { shape: [...shape.slice(0, i), 1, ...shape.slice(i)], data };
}

// Without axes of size 1: of those named, else of all.
const squeeze = ({ shape, data }, dims = [...shape.keys()]) => {
  const named = [dims].flat().map((dim) => at(dim, shape));
  return { shape: shape.filter((n, i) => n !== 1 || !named.includes(i)), data };
};

function slice(x, dim = 0, start = 0, end = Infinity, step = 1) {
  const i = at(dim, x.shape), n = x.shape[i], bound = (k) => Math.min(Math.max(k < 0 ? k + n : k, 0), n);
  const from = bound(start ?? 0), count = Math.max(Math.ceil((bound(end ?? n) - from) / step), 0), strides = stridesOf(x.shape);
  if (count === n && step === 1) return x;
  return strided(x.data, replaced(x.shape, i, count), replaced(strides, i, strides[i] * step), from * strides[i]);
}

const select = (x, dim, index) => squeeze(slice(x, dim, index, index === -1 ? Infinity : index + 1), dim);

const flip = (x, dims) => dims.reduce((y, dim) => {
  const i = at(dim, y.shape), strides = stridesOf(y.shape);
  return strided(y.data, y.shape, replaced(strides, i, -strides[i]), (y.shape[i] - 1) * strides[i]);
}, x);

function cat(parts, dim = 0) {
  const i = at(dim, parts[0].shape), out = made(replaced(parts[0].shape, i, parts.reduce((all, x) => all + x.shape[i], 0)), 0);
  const rows = sizeOf(out.shape.slice(0, i));
  for (let row = 0, to = 0; row < rows; row++)
    for (const { data } of parts) {
      const width = data.length / rows;
      out.data.set(data.subarray(row * width, (row + 1) * width), to);
      to += width;
    }
  return out;
}

const stack = (parts, dim = 0) => cat(parts.map((x) => unsqueeze(x, dim)), dim);

const split = (x, sizes, dim = 0) => sizes.map((_, i) => slice(x, dim, total(sizes.slice(0, i)), total(sizes.slice(0, i + 1))));
const chunk = (x, count, dim = 0) => split(x, Array(count).fill(Math.ceil(x.shape[at(dim, x.shape)] / count)), dim);
const unbind = (x, dim = 0) => Array.from({ length: x.shape[at(dim, x.shape)] }, (_, i) => select(x, dim, i));

// x[i, j, ...]: numbers along the first axes; the others stay whole.
function index(x, by) {
  if (by.includes(null)) throw new Error("index: an axis that stays whole before one that does not");
  const shape = by.map((i) => i.shape).reduce(broadcast), places = by.map((i) => expand(i, shape).data);
  const rest = x.shape.slice(by.length), width = sizeOf(rest), strides = stridesOf(x.shape), out = made([...shape, ...rest], 0);
  for (let k = 0; k < sizeOf(shape); k++) {
    const from = places.reduce((all, place, axis) => all + (place[k] < 0 ? place[k] + x.shape[axis] : place[k]) * strides[axis], 0);
    out.data.set(x.data.subarray(from, from + width), k * width);
  }
  return out;
}

function gather(x, dim, where) {
  const i = at(dim, x.shape), own = stridesOf(x.shape), theirs = stridesOf(where.shape);
  const data = where.data.map((place, k) => {
    const from = theirs.reduce((all, step, axis) => all + (axis === i ? place : Math.floor(k / step) % where.shape[axis]) * own[axis], 0);
    return x.data[from];
  });
  return { shape: where.shape, data };
}

const total = (row) => row.reduce((all, value) => all + value, 0);

function softmax(x, dim) {
  if (at(dim, x.shape) !== x.shape.length - 1) return transpose(softmax(transpose(x, dim, -1), -1), dim, -1);
  const { shape, data } = x, out = new data.constructor(data.length), width = shape[shape.length - 1];
  for (let start = 0; start < out.length; start += width) {
    const row = data.subarray(start, start + width), top = row.reduce((a, b) => Math.max(a, b), -Infinity);
    let sum = 0;
    for (let i = 0; i < width; i++) sum += out[start + i] = Math.exp(row[i] - top);
    for (let i = 0; i < width; i++) out[start + i] /= sum;
  }
  return { shape, data: out };
}

// 0 around an array: how many before and after, the last axis first.
const pad = (x, widths) => widths.reduce((inside, n, k) => {
  const i = inside.shape.length - 1 - Math.floor(k / 2), zeros = made(replaced(inside.shape, i, n), 0);
  return cat(k % 2 ? [inside, zeros] : [zeros, inside], i);
}, x);

// Windows of an axis, `size` long and `step` apart; they come as one more axis, the last.
function unfold(x, dim, size, step) {
  const i = at(dim, x.shape), strides = stridesOf(x.shape);
  const count = Math.floor((x.shape[i] - size) / step) + 1;
  return strided(x.data, [...replaced(x.shape, i, count), size], [...replaced(strides, i, strides[i] * step), strides[i]]);
}

const band = (inside) => (x, diagonal = 0) => {
  const [n, m] = x.shape.slice(-2);
  return { shape: x.shape, data: x.data.map((value, i) => (inside((i % m) - (Math.floor(i / m) % n), diagonal) ? value : 0)) };
};

// Windows of pictures (B, C, height, width): (B, C, rows, columns, height, width). The steps are as long as a window where none are given.
function windows(x, [height, width], steps) {
  if (x.shape.length !== 4) throw new Error("pictures without a batch");
  const [down, across] = steps.length ? steps : [height, width];
  return unfold(unfold(x, 2, height, down), 3, width, across);
}

// Each filter, a row of W, on each window.
function conv2d(x, W, b, steps = [1, 1], [above, left] = [0, 0], ...more) {
  if (more.length) throw new Error("conv2d: dilation or groups");
  const around = pad(x, [left, left, above, above]), rows = permute(windows(around, W.shape.slice(2), steps), [0, 2, 3, 1, 4, 5]);
  return permute(linear(flatten(rows, 3), flatten(W, 1), b), [0, 3, 1, 2]);
}

function maxPool2d(x, size, steps = [], ...more) {
  if (more.length) throw new Error("max_pool2d: padding, dilation or ceil_mode");
  return reduced((row) => Math.max(...row))(windows(x, size, steps), [4, 5]);
}

function arange(start, end, step = 1) {
  if (end === undefined) return arange(0, start);
  return tensor(Array.from({ length: Math.ceil((end - start) / step) }, (_, i) => start + i * step));
}

// torch's loop: step(...carried, ...one row of each of xs, ...others) gives what is carried on, then a row of each output.
function scan(step, first, xs, others) {
  let carried = first;
  const rows = unbind(xs[0]).map((_, t) => {
    const out = step(...carried, ...xs.map((x) => select(x, 0, t)), ...others);
    carried = out.slice(0, first.length);
    return out.slice(first.length);
  });
  return [...carried, ...rows[0].map((_, i) => stack(rows.map((row) => row[i])))];
}

// A row for each id, with 1 at its place.
const oneHot = (ids, kinds) => each((id, kind) => id === kind)(unsqueeze(ids, -1), arange(kinds));

const add = each((a, b) => a + b), sub = each((a, b) => a - b), mul = each((a, b) => a * b), div = each((a, b) => a / b), not = each((a) => !a);
const and = each((a, b) => a && b), or = each((a, b) => a || b), max = each((a, b) => Math.max(a, b)), min = each((a, b) => Math.min(a, b));
function normed(x, center, variance, eps, gamma, beta) {
  const y = div(sub(x, center), each((v) => Math.sqrt(v + eps))(variance)), scaled = gamma ? mul(y, gamma) : y;
  return beta ? add(scaled, beta) : scaled;
}

function layerNorm(x, shape, gamma, beta, eps = 1e-5) {
  const axes = shape.map((_, i) => i - shape.length), center = mean(x, axes, true), away = sub(x, center);
  return normed(x, center, mean(mul(away, away), axes, true), eps, gamma, beta);
}

function batchNorm(x, gamma, beta, center, variance, training, momentum, eps) {
  if (training) throw new Error("batch_norm: means of the batch");
  const channel = (v) => v && reshape(v, [-1, ...x.shape.slice(2).fill(1)]);
  return normed(x, channel(center), channel(variance), eps, channel(gamma), channel(beta));
}

// The error function, to 1.2e-7 (Press et al., Numerical Recipes, erfcc), and x times the share of a normal distribution below x.
const ERFC = [.17087277, -.82215223, 1.48851587, -1.13520398, .27886807, -.18628806, .09678418, .37409196, 1.00002368, -1.26551223];
function erf(x) {
  const t = 1 / (1 + Math.abs(x) / 2), tail = t * Math.exp(ERFC.reduce((sum, c) => sum * t + c, 0) - x * x);
  return x < 0 ? tail - 1 : 1 - tail;
}
const quotient = each((a, b) => Math.floor(a / b)), gelu = each((x) => x * (1 + erf(x / Math.SQRT2)) / 2);
const geluTanh = each((x) => x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + .044715 * x ** 3))) / 2);

const mean = reduced((row) => total(row) / row.length), turned = (x) => transpose(x, -2, -1), fresh = (value) => (_, shape) => made(shape, value);

export const OPS = {
  add, sub, mul, div, mean, matmul, linear, softmax, permute, transpose, reshape, flatten, unflatten, unsqueeze, squeeze, slice, select, flip, expand,
  cat, stack, chunk, unbind, index, gather, pad, conv2d, arange, scan, and, or, bitwise_not: not,
  view: reshape, mT: turned, numpy_T: turned, bmm: matmul, split_with_sizes: split, max_pool2d: maxPool2d,
  layer_norm: layerNorm, batch_norm: batchNorm, one_hot: oneHot,
  narrow: (x, dim, start, length) => slice(x, dim, start, start + length), masked_fill: each((a, test, value) => (test ? value : a)),
  pow: each((a, b) => a ** b), floor_divide: quotient, floordiv: quotient, remainder: each((a, b) => a - b * Math.floor(a / b)),
  gelu, gelu_tanh: geluTanh, zeros_like: (x) => made(x.shape, 0), neg: each((a) => -a), relu: each((a) => Math.max(a, 0)), sigmoid: each((a) => 1 / (1 + Math.exp(-a))),
  ...Object.fromEntries(["tanh", "sin", "cos", "sqrt", "exp", "abs", "log2"].map((name) => [name, each((a) => Math[name](a))])),
  ne: each((a, b) => a !== b), eq: each((a, b) => a === b), lt: each((a, b) => a < b), le: each((a, b) => a <= b),
  gt: each((a, b) => a > b), ge: each((a, b) => a >= b),
  where: each((test, a, b) => (test ? a : b)), lerp: each((a, b, weight) => a + weight * (b - a)),
  clamp: (x, low, high) => min(max(x, low ?? -Infinity), high ?? Infinity),
  sum: reduced(total), amax: reduced((row) => row.reduce((a, b) => Math.max(a, b))),
  embedding: (W, ids) => index(W, [ids]), sym_size: (x, dim) => x.shape[dim], getitem: (list, i) => list[i],
  ones: (shape) => made(shape, 1), new_ones: fresh(1), new_zeros: fresh(0),
  tril: band((distance, diagonal) => distance <= diagonal), triu: band((distance, diagonal) => distance >= diagonal),
};
