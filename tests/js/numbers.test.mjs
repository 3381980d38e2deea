import assert from "node:assert/strict";
import test from "node:test";
import { fitted, fixed, signed } from "../../src/attention_book/widgets/js/numbers.mjs";

test("a number below zero has a minus sign, and zero has none", () => {
  assert.equal(fixed(-1.318, 2), "−1.32");
  assert.equal(fixed(-0.001, 2), "0.00");
  assert.equal(signed(-9), "−9");
});

test("whole numbers of a table stay whole, others have as many decimals as there is room for", () => {
  assert.deepEqual(fitted([112, -8], 2, 4.5), ["112", "−8"]);
  assert.deepEqual(fitted([1.6, -0.3], 2, 4.5), ["1.60", "−0.30"]);
  assert.deepEqual(fitted([10.5, -10.24, -12388.35], 2, 4.5), ["10.50", "−10.2", "−12388"]);
});
