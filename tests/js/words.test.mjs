import assert from "node:assert/strict";
import test from "node:test";
import { faultOf, learnedOf, wordsOf } from "../../src/attention_book/widgets/js/words.mjs";

test("a tag is typed, and so is a full stop that takes the place of [STOP]", () => {
  assert.deepEqual(learnedOf(["[PAD]", "[START]", "[STOP]", "[FR]", "we"]), ["[FR]", "we"]);
  assert.deepEqual(learnedOf(["[PAD]", "[START]", ".", "we"]), [".", "we"]);
});

const control = { vocabulary: ["[PAD]", "[START]", "[STOP]", "dogs", "sleep", "here"], longest: 4 };
const FAULTS = [
  [false, "dogs sleep", ""],
  [false, "dogs (sleep)", "Show a word."],
  [false, "", "Type a word."],
  [false, "dogs fly", "The network has never met “fly”."],
  [false, "dogs sleep dogs sleep here", "It reads 4 words at most."],
  [true, "(dogs) (sleep) here", ""],
  [true, "(dogs) (sleep)", "Show a word."],
  ["one", "dogs (sleep) here", ""],
  ["one", "(dogs) (sleep) here", "Hide one word only."],
  ["one", "dogs sleep here", "Hide a word to see the guesses."],
];

for (const [hides, text, fault] of FAULTS)
  test(`of “${text}”, where ${hides} is hidden, it says “${fault}”`, () => assert.equal(faultOf({ ...control, hides }, wordsOf(text)), fault));
