import assert from "node:assert/strict";
import test from "node:test";

// A page with no more in it than what `Following` and the worker's other end touch.
const node = () => ({ attributes: {}, textContent: "", childNodes: [], append() {}, setAttribute(name, value) { this.attributes[name] = String(value); }, getAttribute(name) { return this.attributes[name] ?? null; } });
let worker = null;
Object.assign(globalThis, {
  $engine: "", Node: { TEXT_NODE: 3 }, document: { createElement: node },
  Worker: class {
    told = [];
    constructor() { worker = this; }
    postMessage(message) { this.told.push(message); }
  },
});
const { Following } = await import("../../src/attention_book/widgets/js/following.mjs");
const settled = () => new Promise((done) => setTimeout(done));
console.warn = () => {};

const controls = [
  { kind: "sentence", values: [], vocabulary: ["", "", "", "we", "eat"] },
  { kind: "select", values: ["none", "half"] },
  { kind: "slider", values: [1, 4] },
];
const row = { is: { shape: [2], data: Float64Array.of(0.5, 0.5) } };
const run = {
  network: "net", call: "write", inputs: { source: { sentence: 0, as: "ids", stop: true } },
  change: { attend: [{ by: 1, of: [[], [["forced", row]]] }, ["shuffled", { control: 2 }]] },
  options: { most: { is: 9 }, width: { control: 2 }, sample: { all: { seed: { control: 2 } } } },
};
const first = ["we", 0, 0], asked = { call: "write", inputs: { source: [[3, 2]] }, change: { attend: [["shuffled", 1]] }, options: { most: 9, width: 1, sample: { seed: 1 } } };
let keys = 0;

// A figure with its state; `moved` is what a reader does, `answered` what the worker does with the question it was asked last.
async function figure(runs = [run], fresh = true) {
  const state = { index: first, spec: { runs, controls, default: first, networks: {} } }, heard = {}, host = node();
  state.networks = { net: { key: `net-${++keys}`, program: {}, data: new Uint8Array(4), fresh } };
  const model = { get: (name) => state[name], on: (name, f) => (heard[name] = f), off: (name) => delete heard[name] }, drawn = [];
  const following = new Following(model, null, host, () => drawn.push(following.index));
  const questions = () => worker?.told.filter(({ ask, key }) => ask === "run" && key === state.networks.net.key).map(({ id, ask, key, ...question }) => question) ?? [];
  const moved = async (...index) => {
    state.index = index;
    following.follow();
    await loaded();
  };
  const answered = async (message) => {
    worker.onmessage({ data: { id: worker.told.at(-1).id, ...message } });
    await settled();
  };
  async function loaded() {
    await settled();
    if (worker?.told.at(-1)?.ask === "load" && worker.told.at(-1).key === state.networks.net.key) await answered({});
  }
  return { state, following, host, heard, drawn, questions, moved, answered, loaded };
}

const TABLE = [
  ["what is there at first, where its weights are others than Python's", first, {}],
  ["another sentence", ["(we) eat", 0, 0], { inputs: { source: [[3, 4, 2]] } }],
  ["a menu of changes, arrays as lists", ["we", 1, 0], { change: { attend: [["forced", [0.5, 0.5]], ["shuffled", 1]] } }],
  ["a control's number, in a change and in options", ["we", 0, 1], { change: { attend: [["shuffled", 4]] }, options: { most: 9, width: 4, sample: { seed: 4 } } }],
];
for (const [name, index, parts] of TABLE)
  test(`asks: ${name}`, async () => {
    const { moved, questions } = await figure();
    await moved(...index);
    assert.deepEqual(questions(), [{ ...asked, ...parts }]);
  });

test("what Python computed, and what was asked already, is not asked", async () => {
  const { moved, questions, answered } = await figure([run], false);
  await moved(...first);
  assert.deepEqual(questions(), []);
  await moved("eat", 0, 0);
  await answered({ outputs: {}, taps: {} });
  await moved("eat", 0, 0);
  assert.equal(questions().length, 1);
});

test("outputs and taps of an answer are the results, by name, and are drawn", async () => {
  const { moved, answered, following, drawn, host } = await figure();
  await moved("eat", 0, 0);
  assert.deepEqual([following.results, following.index, host.attributes["aria-busy"]], [[null], first, "true"]);
  await answered({ outputs: { ids: 1 }, taps: { attend: 2 } });
  assert.deepEqual([following.results, following.index, host.attributes["aria-busy"]], [[{ ids: 1, "tap:attend": 2 }], ["eat", 0, 0], "false"]);
  assert.deepEqual(drawn, [["eat", 0, 0]]);
});

test("an answer that was overtaken is not shown: the newest question is asked once the last is answered", async () => {
  const { moved, answered, following, questions } = await figure();
  await moved("eat", 0, 0);
  await moved("eat eat", 0, 0);
  await moved("we we", 0, 0);
  assert.equal(questions().length, 1);
  await answered({ outputs: { ids: 1 }, taps: {} });
  assert.deepEqual([following.results, following.index, questions().at(-1).inputs.source], [[null], first, [[3, 3, 2]]]);
  await answered({ outputs: { ids: 2 }, taps: {} });
  assert.deepEqual([following.results, following.index, questions().length], [[{ ids: 2 }], ["we we", 0, 0], 2]);
});

test("while a sentence is read, the one that was answered is drawn; another control is drawn at once", async () => {
  const { moved, following } = await figure();
  await moved("we", 0, 1);
  assert.deepEqual(following.index, ["we", 0, 1]);
  await moved("eat", 0, 1);
  assert.deepEqual(following.index, first);
});

for (const [since, before] of [["at first", []], ["before", [{ outputs: { ids: 0 }, taps: {} }]]])
  test(`a network that fails says why, shows what it gave ${since}, and is asked once more at the next move`, async () => {
    const { moved, answered, following, questions } = await figure();
    for (const message of before) {
      await moved("we we", 0, 0);
      await answered(message);
    }
    const { results, index } = following, count = before.length + 1;
    await moved("eat", 0, 0);
    await answered({ error: "no memory" });
    assert.equal(following.note.textContent, `The network gives no answer (no memory). The figure shows what it gave ${since}.`);
    assert.deepEqual([following.results, following.index, questions().length], [results, index, count]);
    await moved("eat", 0, 0);
    await answered({ outputs: { ids: 1 }, taps: {} });
    assert.deepEqual([following.note.textContent, following.results, questions().length], ["", [{ ids: 1 }], count + 1]);
  });

test("new weights are asked the same, and a figure that is closed draws nothing", async () => {
  const { state, heard, loaded, answered, following, questions, drawn } = await figure([run], false);
  state.networks = { net: { ...state.networks.net, key: `net-${++keys}`, fresh: true } };
  heard["change:networks"]();
  await loaded();
  assert.deepEqual(questions(), [asked]);
  following.close();
  await answered({ outputs: {}, taps: {} });
  assert.deepEqual([drawn, heard], [[], {}]);
});
