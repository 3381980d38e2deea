// Tensors { shape, data }, rows one after another, all numbers float32, true 1 and false 0. Nothing changes what it is given.
import { arrayOf, sizeOf } from "../bytes.mjs";

export const at = (dim, shape) => (dim < 0 ? dim + shape.length : dim);
export const made = (shape, value) => ({ shape, data: new Float32Array(sizeOf(shape)).fill(value) });
export const stridesOf = (shape) => shape.map((_, i) => sizeOf(shape.slice(i + 1)));
export const replaced = (list, i, ...by) => [...list.slice(0, i), ...by, ...list.slice(i + 1)];
export const mapped = (all, f) => Object.fromEntries(Object.entries(all).map(([name, value]) => [name, f(value, name)]));

// What stands under a name.
export function chosen(what, name, known) {
  if (!Object.hasOwn(known, name)) throw new Error(`${what} is ${name}, expected one of ${Object.keys(known).join(", ") || "none"}`);
  return known[name];
}

// Nested lists of numbers, or one number.
export const tensor = (given) => (given?.data ? given : arrayOf(given, Float32Array));

// A view is a copy: the numbers of `data` from `start` on, in steps of `strides` along each axis of `shape`.
export function strided(data, shape, strides, start = 0) {
  const out = new Float32Array(sizeOf(shape)), last = shape.length - 1;
  let k = 0;
  const walk = (axis, from) => {
    if (axis > last) out[k++] = data[from];
    else if (axis < last) for (let i = 0; i < shape[axis]; i++) walk(axis + 1, from + i * strides[axis]);
    else for (let i = 0, step = strides[axis]; i < shape[axis]; i++) out[k++] = data[from + i * step];
  };
  if (out.length) walk(0, start);
  return { shape, data: out };
}

// The shape that two broadcast to, if they do: `expand` refuses what does not fit.
export function broadcast(a, b) {
  const shape = a.length < b.length ? [...b] : [...a];
  for (let i = 1; i <= Math.min(a.length, b.length); i++) shape[shape.length - i] = a[a.length - i] === 1 ? b[b.length - i] : a[a.length - i];
  return shape;
}

export function expand(x, sizes) {
  const ahead = sizes.length - x.shape.length, strides = stridesOf(x.shape);
  const shape = sizes.map((n, i) => (n === -1 ? x.shape[i - ahead] : n)), fits = x.shape.every((n, i) => n === 1 || n === shape[i + ahead]);
  if (ahead < 0 || !fits) throw new Error(`an array of ${x.shape.join(" × ")} does not fit ${shape.join(" × ")}`);
  if (sizeOf(shape) === x.data.length) return { shape, data: x.data };
  return strided(x.data, shape, shape.map((n, i) => (i < ahead || (x.shape[i - ahead] === 1 && n !== 1) ? 0 : strides[i - ahead])));
}

// One number from each of up to three tensors, as many as f takes, which are broadcast; plain numbers give a plain number.
export const each = (f) => (...given) => {
  if (given.length !== f.length) throw new Error(`${given.length} arguments, expected ${f.length}`);
  if (given.every((x) => typeof x === "number" || typeof x === "boolean")) return Number(f(...given));
  const all = given.map(tensor), shape = all.map((x) => x.shape).reduce(broadcast);
  const [a, b, c] = all.map((x) => expand(x, shape).data), out = new Float32Array(sizeOf(shape));
  for (let i = 0; i < out.length; i++) out[i] = f(a[i], b?.[i], c?.[i]);
  return { shape, data: out };
};

export function permute(x, axes) {
  if (axes.every((axis, i) => at(axis, axes) === i)) return x;
  const strides = stridesOf(x.shape);
  return strided(x.data, axes.map((axis) => x.shape[at(axis, x.shape)]), axes.map((axis) => strides[at(axis, x.shape)]));
}

// Rows along one or several axes, each to one number.
export const reduced = (f) => (x, dims, keep = false) => {
  const chosen = ([dims ?? []].flat().length ? [dims].flat() : x.shape.map((_, i) => i)).map((dim) => at(dim, x.shape));
  const others = x.shape.map((_, i) => i).filter((i) => !chosen.includes(i)), { data } = permute(x, [...others, ...chosen]);
  const shape = x.shape.flatMap((n, i) => (!chosen.includes(i) ? [n] : keep ? [1] : []));
  const out = new Float32Array(sizeOf(shape)), width = data.length / out.length;
  for (let i = 0; i < out.length; i++) out[i] = f(data.subarray(i * width, (i + 1) * width));
  return { shape, data: out };
};
