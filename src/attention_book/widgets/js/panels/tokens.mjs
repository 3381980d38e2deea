// Tokens: words in a line; marks are told by form (wave, strike, dashes) as well as by colour.
import { put } from "../dom.mjs";
import { listbox } from "../listbox.mjs";

export function tokens(host, { options }, tell) {
  const list = put(host, "ul", "aw-tokens");
  const axis = options.axis;
  if (options.used.length) explain(host, options.used);
  let nodes = [], now, at = null, shown = "";
  const linked = axis ? listbox(list, tell.label || "Words", () => nodes, point) : null;

  function point(i) {
    at = i;
    if (i === null || i >= now.words.length) return tell.point(api, null);
    const mark = now.marks?.[i];
    tell.point(api, { [axis]: i }, mark && mark !== "ok" ? "{word} ({mark})" : "{word}", { word: now.words[i], mark });
  }

  const api = {
    draw(values) {
      now = values;
      const signature = JSON.stringify([values.words, values.marks]);
      if (signature === shown) return;
      shown = signature;
      list.replaceChildren();
      nodes = values.words.map((word, i) => {
        const mark = values.marks?.[i] ?? "";
        const node = put(list, "li", `aw-token${mark ? ` aw-is-${mark}` : ""}`, word);
        if (mark && mark !== "ok") put(node, "span", "aw-unseen", ` (${mark})`);
        linked?.option(node, i, values.words.length);
        return node;
      });
    },
    again: () => point(at),
    focus: (focus) => linked?.mark(focus[axis]),
    table: () => ({
      head: ["", ...now.words.map((_, i) => String(i + 1))],
      rows: [["word", ...now.words], ...(now.marks ? [["mark", ...now.marks]] : [])],
    }),
  };
  return api;
}

function explain(host, marks) {
  const key = put(host, "p", "aw-marks");
  for (const mark of marks) {
    put(key, "span", `aw-sample aw-is-${mark}`, "word").setAttribute("aria-hidden", "true");
    put(key, "span", "", mark);
  }
}
