import assert from "node:assert/strict";
import test from "node:test";
import { groupOf, indexOf, parse, replace } from "../../src/attention_book/widgets/js/link.mjs";

const control = (name, slugs) => ({ slug: name, slugs });
const spec = { link: "collapse", default: [1, 0], controls: [control("length", ["3", "4", "5"]), control("state-size", ["64", "128"])] };

test("a setting written to the address is read back", () => {
  for (const index of [[0, 0], [2, 1], [0, 1]]) {
    const fragment = replace("", "collapse", groupOf(spec, index));
    assert.deepEqual(indexOf(parse(fragment)[0], spec), index);
  }
});

test("the address names only what left its default", () =>
  assert.equal(replace("", "collapse", groupOf(spec, [2, 0])), "#w=collapse&length=5"));

test("the default setting leaves no trace", () => {
  assert.equal(groupOf(spec, [1, 0]), null);
  assert.equal(replace("#w=collapse&length=5", "collapse", null), "");
});

test("several widgets share the address", () => {
  const both = replace("#w=align&step=3", "collapse", groupOf(spec, [2, 0]));
  assert.equal(both, "#w=align&step=3&w=collapse&length=5");
  assert.equal(replace(both, "collapse", null), "#w=align&step=3");
});

test("unknown controls and values out of range are left at their defaults", () => {
  const [group] = parse("#w=collapse&length=999&state-size=128&nonsense=1&__proto__=2");
  assert.deepEqual(indexOf(group, spec), [1, 1]);
});

test("ordinary anchors are not ours", () => {
  for (const fragment of ["", "#", "#a-section", "#length=3", "#w"]) assert.equal(parse(fragment), null, fragment);
});

test("broken escapes do not throw", () => assert.ok(Array.isArray(parse("#w=%E0%A4%A&length=%"))));

const K = { kind: "free", slug: "k", slugs: [], low: -3, high: 3 };
const freely = { link: "plane", default: [[[1, 2], [0, 1]], 1], controls: [K, control("scaled", ["yes", "no"])] };

test("a free array is written shortly and read back as it is nested", () => {
  const index = [[[0.1 + 0.2, -2], [3, 1]], 1];
  const fragment = replace("", "plane", groupOf(freely, index));
  assert.equal(fragment, "#w=plane&k=0.3_-2_3_1");
  assert.deepEqual(indexOf(parse(fragment)[0], freely), [[[0.3, -2], [3, 1]], 1]);
  assert.equal(groupOf(freely, [[[1, 2], [0, 1]], 1]), null);
});

const mask = { link: "mask", default: [[[1, 0], [1, 1]]], controls: [{ kind: "free", slug: "visible", slugs: [], low: 0, high: 1, step: 1 }] };

test("a mask is written in bits, and one that is none stays at its default", () => {
  const fragment = replace("", "mask", groupOf(mask, [[[0, 0], [1, 1]]]));
  assert.equal(fragment, "#w=mask&visible=0011");
  assert.deepEqual(indexOf(parse(fragment)[0], mask), [[[0, 0], [1, 1]]]);
  for (const said of ["", "001", "00111", "0021", "00 1", "0_0_1_1"])
    assert.deepEqual(indexOf(parse(`#w=mask&visible=${said}`)[0], mask), mask.default, said);
});

test("a free array that is too short, too long, beyond its limits or no numbers stays at its default", () => {
  for (const said of ["", "1_2_0", "1_2_0_1_0", "1_2_0_4", "1_2_0_NaN", "1_2_0_", "1_2_0_x", "1_2_0_Infinity"]) {
    const [group] = parse(`#w=plane&k=${said}&scaled=yes`);
    assert.deepEqual(indexOf(group, freely), [freely.default[0], 0], said);
  }
});

test("any text is written as it is and read back, blanks and marks included", () => {
  const told = { link: "next", default: ["Return the"], controls: [{ kind: "text", slug: "beginning", slugs: ["return-the"] }] };
  for (const text of ["  If a&b=#é ", "", "(x)"]) {
    const group = groupOf(told, [text]);
    assert.deepEqual(indexOf(parse(replace("", "next", group))[0], told), [text]);
  }
  assert.equal(groupOf(told, ["Return the"]), null);
});
