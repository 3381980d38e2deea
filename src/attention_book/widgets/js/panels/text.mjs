// Text: a sentence that may depend on the setting.
import { put, write } from "../dom.mjs";

export function text(host) {
  const node = put(host, "p", "aw-text");
  return { draw: ({ text: sentence }) => write(node, sentence) };
}
