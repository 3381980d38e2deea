// What runs in a worker, off the page's own thread: networks by their key, and what is asked of them.
import { fromBase64 } from "../bytes.mjs";
import { changesOf } from "./changes.mjs";
import { first, write } from "./decoding.mjs";
import { Network } from "./network.mjs";
import { mapped } from "./tensor.mjs";

const networks = new Map();

const ASKED = {
  // data: base64, or a Uint8Array.
  load({ key, program, data }) {
    networks.set(key, new Network(program, typeof data === "string" ? fromBase64(data) : data));
    return {};
  },
  // call: one of the program's, or "write"; change: [[kind, ...arguments]] by tap.
  run({ key, call, inputs, change, options }) {
    const network = networks.get(key), changes = changesOf(change), writes = call === "write";
    const given = mapped(inputs, (one) => (typeof one[0] === "string" ? [network.cut(one[0], options.most)] : one));
    network.check(writes ? ["encode", "step"] : [call], changes);
    return writes ? write(network, given, changes, options) : mapped(network.run(call, given, changes), (all) => mapped(all, first));
  },
};

export function answer({ id, ask, ...told }) {
  try {
    return { id, ...ASKED[ask](told) };
  } catch (error) {
    return { id, error: error.message };
  }
}

if (typeof window === "undefined" && typeof postMessage === "function") onmessage = ({ data }) => postMessage(answer(data));
