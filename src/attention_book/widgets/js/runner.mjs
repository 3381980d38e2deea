// Asks networks in a worker, one for the page, so that nothing that is computed holds up what is drawn.
let worker = null, starting = null, count = 0;
const waiting = new Map(), loaded = new Map();

// Where the site keeps what is fetched only when a network is asked.
const base = () => document.querySelector('script[src*="attention-widgets.js"]').src.replace(/[^/]*$/, "");

// A script carries the engine, or the site has it in a file of its own.
async function engine() {
  if ($engine === null && !window.attentionEngine) await script(`${base()}attention-engine.js`);
  return $engine ?? window.attentionEngine;
}

async function start() {
  const url = URL.createObjectURL(new Blob([await engine()], { type: "text/javascript" }));
  worker = new Worker(url);
  worker.onmessage = ({ data }) => {
    const { done, failed } = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.error) failed(new Error(data.error));
    else done(data);
  };
  worker.onerror = (event) => {
    worker.terminate(); // the next question starts another
    starting = null;
    loaded.clear();
    for (const { failed } of waiting.values()) failed(new Error(event.message || "this browser starts no worker"));
    waiting.clear();
  };
}

async function tell(message) {
  starting ??= start();
  await starting.catch((error) => {
    starting = null;
    throw error;
  });
  return new Promise((done, failed) => {
    waiting.set(++count, { done, failed });
    worker.postMessage({ id: count, ...message });
  });
}

// A network by its key: once a page. `find` gives { program, data }, or a promise of it.
function load(key, find) {
  if (!loaded.has(key))
    loaded.set(key, Promise.resolve().then(find).then(({ program, data }) => tell({ ask: "load", key, program, data })).catch((error) => {
      loaded.delete(key);
      throw error;
    }));
  return loaded.get(key);
}

export const ask = ({ key, find }, question) => load(key, find).then(() => tell({ ask: "run", key, ...question }));

// Where a page keeps a network: in a script of its own; a large one in files beside it, fetched now, `progress` from 0 to 1.
export function onPage(key, progress) {
  const node = document.querySelector(`script[data-attention-network="${key}"]`);
  if (!node) throw new Error("the network is not on this page");
  const kept = JSON.parse(node.textContent);
  return kept.parts ? fetched(key, kept, progress) : kept;
}

// The files are scripts that hand over a piece of base64 each: a page opened from a disk may load these, and nothing else.
const pieces = new Map();

async function fetched(key, { program, parts }, progress) {
  window.attentionNetwork = (name, i, text) => pieces.set(`${name} ${i}`, text);
  for (let i = 0; i < parts; i++) {
    progress(i / parts);
    await script(`${base()}networks/${key}-${i}.js`);
  }
  const texts = Array.from({ length: parts }, (_, i) => pieces.get(`${key} ${i}`));
  for (let i = 0; i < parts; i++) pieces.delete(`${key} ${i}`);
  if (texts.some((text) => text === undefined)) throw new Error("a file of it is damaged");
  progress(1);
  return { program, data: texts.join("") };
}

function script(src) {
  return new Promise((done, failed) => {
    const node = document.createElement("script");
    node.src = src;
    node.onload = done;
    node.onerror = () => {
      node.remove();
      failed(new Error("a file of it could not be fetched"));
    };
    document.head.append(node);
  });
}
