import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { parts } from "../../src/attention_book/widgets/js/prose.mjs";
import { score } from "../../src/attention_book/widgets/js/questions.mjs";

const { prose } = JSON.parse(readFileSync(process.env.ATTENTION_FIXTURES, "utf8"));
const asked = (...rights) => rights.map((right) => ({ options: [0, 1, 2].map((i) => ({ right: i === right })) }));

test("a text is cut where Python cuts it", () => {
  assert.ok(prose.length > 10);
  for (const { text, parts: expected } of prose) assert.deepEqual(parts(text), expected, text);
});

test("nothing is lost of a text but the marks", () => {
  for (const { text } of prose) {
    const words = parts(text).map(([tag, each]) => (tag === "code" ? `\`${each}\`` : tag ? `*${each}*` : each));
    assert.equal(words.join(""), text);
  }
});

test("there is no score while a question is open", () => {
  assert.equal(score(asked(0, 1), [[], []]), null);
  assert.equal(score(asked(0, 1), [[0], []]), null);
});

test("the first choice of each question counts, whatever was tried later", () => {
  assert.equal(score(asked(0, 1), [[0], [1]]), 2);
  assert.equal(score(asked(0, 1), [[0, 2], [2, 1]]), 1);
  assert.equal(score(asked(2), [[0, 1, 2]]), 0);
});
