// Bytes as they travel, in the page and in its worker.
export const sizeOf = (shape) => shape.reduce((all, n) => all * n, 1);
export const fromBase64 = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

// Nested lists of numbers, or one number, as an array of that kind.
export function arrayOf(nested, Numbers) {
  const shape = [];
  for (let inside = nested; Array.isArray(inside); inside = inside[0]) shape.push(inside.length);
  return { shape, data: Numbers.from([nested].flat(Infinity)) };
}

// The bits of a float16 in their places in a float32 make a number 2 ** 112 too small; but infinity and NaN have an exponent of their own.
const bits32 = new Float32Array(1), places = new Uint32Array(bits32.buffer);

export function half(bits) {
  places[0] = ((bits & 0x8000) << 16) | ((bits & 0x7fff) << 13) | ((bits & 0x7c00) === 0x7c00 ? 0x7f800000 : 0);
  return bits32[0] * 2 ** 112;
}

export function halves(numbers) {
  const data = new Float32Array(numbers.length);
  for (let i = 0; i < numbers.length; i++) data[i] = half(numbers[i]);
  return data;
}
