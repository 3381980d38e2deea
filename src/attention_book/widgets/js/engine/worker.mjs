// What runs in a worker, off the page's own thread: networks by their key, and what is asked of them.
import { changesOf } from "./changes.mjs";
import { first, write } from "./decoding.mjs";
import { Network } from "./network.mjs";

const networks = new Map();

function decode(text) {
  const letters = atob(text), bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
  return bytes;
}

const ASKED = {
  // data: base64, or a Uint8Array.
  load({ key, program, data }) {
    networks.set(key, new Network(program, typeof data === "string" ? decode(data) : data));
    return {};
  },
  // call: one of the program's, or "write"; change: [[kind, ...arguments]] by tap.
  run({ key, call, inputs, change, options }) {
    const network = networks.get(key), changes = changesOf(change);
    if (call === "write") return write(network, inputs, changes, options);
    const { outputs, taps } = network.run(call, inputs, changes);
    const bare = (all) => Object.fromEntries(Object.entries(all).map(([name, x]) => [name, first(x)]));
    return { outputs: bare(outputs), taps: bare(taps) };
  },
};

export function answer({ id, ask, ...told }) {
  const begun = performance.now();
  try {
    return { id, ...ASKED[ask](told), ms: performance.now() - begun };
  } catch (error) {
    return { id, error: error.message };
  }
}

if (typeof window === "undefined" && typeof postMessage === "function") onmessage = ({ data }) => postMessage(answer(data));
