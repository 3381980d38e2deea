import assert from "node:assert/strict";
import test from "node:test";
import { learnedOf } from "../../src/attention_book/widgets/js/words.mjs";

test("a tag is typed, and so is a full stop that takes the place of [STOP]", () => {
  assert.deepEqual(learnedOf(["[PAD]", "[START]", "[STOP]", "[FR]", "we"]), ["[FR]", "we"]);
  assert.deepEqual(learnedOf(["[PAD]", "[START]", ".", "we"]), [".", "we"]);
});
