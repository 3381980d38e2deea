// The browser's functions against the fixtures that tests/unit/widgets/test_js.py writes from NumPy.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { resolve, viewOf } from "../../src/attention_book/widgets/js/decode.mjs";
import { masked } from "../../src/attention_book/widgets/js/colour.mjs";
import { COMPUTED } from "../../src/attention_book/widgets/js/math.mjs";
import { inked, marksOf, markedText } from "../../src/attention_book/widgets/js/paper.mjs";
import { fitted, fixed, significant } from "../../src/attention_book/widgets/js/numbers.mjs";

const path = process.env.ATTENTION_FIXTURES;
if (!path) throw new Error("ATTENTION_FIXTURES is not set: run these by pytest tests/unit/widgets/test_js.py");
const fixtures = JSON.parse(readFileSync(path, "utf8"));

function close(got, expected, tolerance) {
  assert.deepEqual([...got.shape], expected.shape);
  assert.equal(got.data.length, expected.data.length);
  got.data.forEach((value, i) => {
    const bound = tolerance * Math.max(1, Math.abs(expected.data[i]));
    assert.ok(Math.abs(value - expected.data[i]) <= bound, `entry ${i}: ${value}, expected ${expected.data[i]}`);
  });
}

test("both languages know the same functions", () => assert.deepEqual(Object.keys(COMPUTED), fixtures.functions));

test("what is asked has the colour that it has in the drawings", () => assert.deepEqual(masked(0, 1), fixtures.asked));

test("a sheet has Python's pixels, is written as it was read, and refuses what Python refuses", () => {
  for (const { control, read, unread } of fixtures.sheets) {
    for (const { text, pixels } of read) {
      close({ shape: pixels.shape, data: inked(control, text) }, pixels, 1e-6);
      assert.equal(markedText(marksOf(control, text)), text);
    }
    for (const text of unread) assert.equal(marksOf(control, text), null, text);
  }
});

fixtures.math.forEach(({ run, with: given, expected }, i) =>
  test(`${run} equals NumPy's, case ${i}`, () => close(COMPUTED[run](...given), expected, 1e-6)));

test("numbers of a table are written as Python writes them", () => {
  for (const { values, digits, room, expected } of fixtures.written) assert.deepEqual(fitted(values, digits, room), expected);
});

test("numbers of any size are written as Python writes them", () => {
  for (const { value, expected } of fixtures.fixed) assert.equal(fixed(value, 2), expected);
  for (const { value, expected } of fixtures.significant) assert.equal(significant(value), expected);
});

test("every setting of a widget resolves to the numbers its author gave", () => {
  const { spec, data, settings, expected } = fixtures.widget;
  const view = viewOf(Uint8Array.from(data));
  const within = [1e-6, 2 ** -11, 0.5 / 255 + 1e-9, 1e-6, 1e-6, 1e-6]; // one per panel: float32, float16, uint8, ragged, computed, picked
  settings.forEach((index, s) =>
    spec.panels.forEach((panel, p) => close(resolve(panel.fields.values, index, spec.controls, view), expected[s][p], within[p])));
});
