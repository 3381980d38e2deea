import assert from "node:assert/strict";
import test from "node:test";
import { masked, pixels } from "../../src/attention_book/widgets/js/colour.mjs";
import { maskedSoftmax } from "../../src/attention_book/widgets/js/math.mjs";
import { written, reading } from "../../src/attention_book/widgets/js/masked.mjs";
import { boxesAt, cellAt, column, labelsOf, pictureLayout } from "../../src/attention_book/widgets/js/geometry.mjs";

const light = ([r, g, b]) => 0.2126 * r + 0.7152 * g + 0.0722 * b;

test("more weight is darker wherever there is not only ink", () => {
  for (const grey of [0, 0.3, 0.7])
    for (let i = 1; i <= 10; i++)
      assert.ok(light(masked(grey, i / 10)) < light(masked(grey, (i - 1) / 10)), `${grey} at ${i}`);
});

test("ink stands out against its ground at every weight", () => {
  for (let i = 0; i <= 10; i++) assert.ok(light(masked(0, i / 10)) - light(masked(1, i / 10)) > 80, String(i));
});

test("a picture fills its room, keeps its proportions and never grows past its limit", () => {
  for (const [H, W] of [[24, 24], [16, 32], [40, 10]])
    for (const width of [120, 300, 900]) {
      const layout = pictureLayout([H, W], [4, 2], width, 288);
      assert.ok(layout.width <= width + 1e-9 && Math.max(layout.width, layout.height) <= 288 + 1e-9);
      assert.ok(Math.abs(layout.height * W - layout.width * H) < 1e-6);
      assert.ok(Math.abs(layout.width - width) < 1e-6 || Math.abs(Math.max(layout.width, layout.height) - 288) < 1e-6);
    }
});

test("every oblong cell is found at its own middle and nothing is found outside", () => {
  const layout = pictureLayout([24, 24], [2, 6], 300, 288);
  for (let r = 0; r < 2; r++)
    for (let c = 0; c < 6; c++) assert.deepEqual(cellAt(layout, (c + 0.5) * layout.cell, (r + 0.5) * layout.tall), [r, c]);
  assert.equal(cellAt(layout, layout.width + 1, 1), null);
  assert.equal(cellAt(layout, 1, layout.height + 1), null);
});

test("a point lies in the boxes that hold it, their first edges included and their last left out", () => {
  const boxes = { shape: [2, 4], data: Float64Array.from([1, 2, 3, 5, 2, 4, 9, 1]) }; // top, left, height, width
  assert.deepEqual(boxesAt(boxes, 1, 2), [0]);
  assert.deepEqual(boxesAt(boxes, 2.5, 4.5), [0, 1]);
  assert.deepEqual(boxesAt(boxes, 4, 3), []);
  assert.deepEqual(boxesAt(boxes, 10.9, 4), [1]);
  assert.deepEqual(boxesAt({ shape: [0, 4], data: new Float64Array(0) }, 0, 0), []);
});

test("a column is read from top to bottom", () => {
  assert.deepEqual([...column({ shape: [2, 3], data: Float64Array.from([1, 2, 3, 4, 5, 6]) }, 1)], [2, 5]);
});

test("a label stands above its box, or below where it would leave the picture or cover a box or another label", () => {
  const room = { width: 288, height: 288 }, box = (left, top) => ({ left, top, width: 72, height: 72 });
  const tops = (boxes) => labelsOf(boxes, boxes.map(() => 63), 17, room).map(({ top }) => top);
  assert.deepEqual(tops([box(20, 100), box(180, 10)]), [83, 82]);
  assert.deepEqual(tops([box(180, 30), box(200, 102)]), [13, 174], "above, the second would cover the first box");
  assert.deepEqual(tops([box(20, 60), box(40, 166)]), [43, 149], "between the two boxes is room for one label");
  assert.deepEqual(tops([box(20, 5), box(40, 104)]), [77, 176], "the first one's label is there");
  assert.deepEqual(tops([box(20, 216), box(40, 140)]), [199, 123], "no room below: a label covers the other box");
  assert.equal(labelsOf([{ left: 0, top: 0, width: 99, height: 288 }], [63], 17, room)[0].top, 0);
});

test("a label ends where its box ends on the right half of the picture", () => {
  const [left, right] = labelsOf([{ left: 20, top: 50, width: 72, height: 72 }, { left: 200, top: 50, width: 72, height: 72 }], [63, 90], 17, { width: 288, height: 288 });
  assert.deepEqual([left.left, right.left], [20, 182]);
});

test("a hidden input weighs exactly 0 in every map, and a row that may look nowhere has no weights", () => {
  const scores = { shape: [2, 2, 3], data: Float64Array.of(0, 900, 0, 5, 6, 7, Math.log(3), 1e9, 0, -5, -6, -7) };
  const { shape, data } = maskedSoftmax(scores, { shape: [2, 3], data: Float64Array.of(1, 0, 1, 0, 0, 0) });
  assert.deepEqual(shape, [2, 2, 3]);
  [0.5, 0, 0.5, NaN, NaN, NaN, 0.75, 0, 0.25, NaN, NaN, NaN].forEach((value, i) =>
    Number.isNaN(value) || !value ? assert.ok(Object.is(data[i], value), String(i)) : assert.ok(Math.abs(data[i] - value) < 1e-12));
});

test("a cell is read as a weight, as hidden, or as of a row that may look nowhere", () => {
  const cell = { row: "a", column: "b", value: 0, visible: false }, options = { say: "{row} takes {value} of {column}", digits: 2 };
  assert.deepEqual(reading({ ...cell, value: 0.5, visible: true }, options), [options.say, { row: "a", column: "b", value: "0.50" }]);
  assert.equal(reading(cell, options)[0], "{column} is hidden from {row}: weight {value}");
  assert.match(reading({ ...cell, value: NaN }, options)[0], /^\{row\} may look nowhere/);
  assert.deepEqual([written(NaN, 2), written(0, 1)], ["–", "0.0"]);
});

test("what is hidden is left clear, and all else has its colour", () => {
  const scale = Array.from({ length: 256 }, (_, i) => [i, i, i]), values = Float64Array.of(1, NaN, 0);
  assert.deepEqual([...pixels(values, [1, 0, 1], scale, [0, 1])], [255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 0, 255]);
  assert.deepEqual([...pixels(values.subarray(0, 1), undefined, scale, [0, 2])], [128, 128, 128, 255]);
});
