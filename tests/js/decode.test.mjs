import assert from "node:assert/strict";
import test from "node:test";
import { arrayOf, fromBase64, half } from "../../src/attention_book/widgets/js/bytes.mjs";
import { position, resolve, viewOf } from "../../src/attention_book/widgets/js/decode.mjs";
import { colourScale, shade } from "../../src/attention_book/widgets/js/colour.mjs";

test("half precision: one, the smallest, the largest, a negative", () => {
  assert.equal(half(0x3c00), 1);
  assert.equal(half(0x0001), 2 ** -24);
  assert.equal(half(0x7bff), 65504);
  assert.equal(half(0xc000), -2);
});

test("half precision: infinity, and what is no number", () => {
  assert.deepEqual([0x7c00, 0xfc00, 0x7c01, 0x7e00].map(half), [Infinity, -Infinity, NaN, NaN]);
  assert.deepEqual([0x8001, 0x03ff, 0x0400].map(half), [-(2 ** -24), 1023 * 2 ** -24, 2 ** -14]);
  assert.ok(Object.is(half(0x8000), -0));
});

test("base64 keeps every byte", () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
  assert.deepEqual(fromBase64(Buffer.from(bytes).toString("base64")), bytes);
});

test("a view of part of a buffer starts at that part", () => {
  const whole = Uint8Array.from([9, 9, 7, 8]);
  assert.equal(viewOf(whole.subarray(2)).getUint8(0), 7);
  assert.equal(viewOf(new DataView(whole.buffer, 3)).getUint8(0), 8);
  assert.equal(viewOf(whole.buffer).getUint8(2), 7);
});

test("the last named control turns fastest", () => {
  const controls = [{ labels: Array(2) }, { labels: Array(3) }, { labels: Array(5) }];
  assert.equal(position([2, 0], [1, 2, 4], controls), 4 * 2 + 1);
  assert.equal(position([], [1, 2, 4], controls), 0);
});

// Relative luminance of WCAG.
const luminance = (rgb) => {
  const [r, g, b] = rgb.map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};

test("more is always further from the page, at every one of 256 steps", () => {
  for (const [dark, sign] of [[false, -1], [true, 1]]) {
    const scale = colourScale(dark, false).map(luminance);
    for (let i = 8; i < 256; i += 8) assert.ok(sign * (scale[i] - scale[i - 8]) > 0, `step ${i}, dark ${dark}`);
    assert.ok(Math.abs(scale[255] - scale[0]) > 0.6);
  }
});

test("a diverging scale is plainest in the middle and as strong at both ends", () => {
  for (const dark of [false, true]) {
    const scale = colourScale(dark, true).map(luminance), page = dark ? 0 : 1;
    const away = (i) => Math.abs(scale[i] - page);
    assert.ok(away(127) < away(0) && away(127) < away(255));
    assert.ok(Math.abs(scale[0] - scale[255]) < 0.15);
  }
});

test("values beyond the limits take the colour of the end", () => {
  assert.equal(shade(2, [0, 1]), 255);
  assert.equal(shade(-1, [0, 1]), 0);
  assert.equal(shade(0, [-1, 1]), 128);
});

test("a free array is what the state holds, with its shape", () => {
  assert.deepEqual(arrayOf([[1, 2, 3], [4, 5, 6]], Float64Array), { shape: [2, 3], data: Float64Array.of(1, 2, 3, 4, 5, 6) });
  const controls = [{ kind: "slider", values: [7, 9] }, { kind: "free", values: [] }];
  const index = [1, [[3, 4]]];
  assert.equal(resolve({ control: 0 }, index, controls), 9);
  assert.deepEqual(resolve({ control: 1 }, index, controls).shape, [1, 2]);
});

test("numbers are words with so many digits, and words stand in a text", () => {
  const values = { is: { shape: [2], data: Float64Array.of(-1.25, 0) } }, words = { named: values, digits: 1 };
  assert.deepEqual(resolve(words, [], []), ["−1.3", "0.0"]);
  assert.equal(resolve({ named: { is: ["$&", "b"] }, joined: "It writes: {}", between: "" }, [], []), "It writes: $&b");
});

test("ids and the largest of scores are told by their labels, with what stands before each", () => {
  const controls = [{ kind: "free", values: [] }], named = { control: 0 }, labels = ["a", "b", "c"];
  assert.deepEqual(resolve({ named, labels }, [[2, 0]], controls), ["c", "a"]);
  assert.deepEqual(resolve({ named, labels, before: ["x: ", "y: "] }, [[[0, 3, 1], [5, 1, 0]]], controls), ["x: b", "y: a"]);
});

test("what a network gives is shown once it has answered, and what it does not give is an error", () => {
  const field = { ran: 0, output: "logits", start: { is: "first" } };
  for (const results of [null, [null]]) assert.equal(resolve(field, [], [], null, results), "first");
  assert.equal(resolve(field, [], [], null, [{ logits: "new" }]), "new");
  assert.throws(() => resolve(field, [], [], null, [{ ids: "new", "tap:attend": 0 }]), /the network gives no logits, expected one of ids, tap:attend/);
});
