// Text: a sentence that may depend on the setting.
import { put } from "../dom.mjs";

export function text(host) {
  const node = put(host, "p", "aw-text");
  let now = "";
  return {
    draw: ({ text: sentence }) => {
      now = sentence;
      if (node.textContent !== now) node.textContent = now;
    },
    again: () => {},
    focus: () => {},
    table: () => null,
  };
}
