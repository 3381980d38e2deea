// Tokens: words in a line; marks are told by form (wave, strike, dashes) as well as by colour.
import { fit, put, write } from "../dom.mjs";
import { marksKey } from "../key.mjs";
import { listbox } from "../listbox.mjs";

const KINDS = ["ok", "wrong", "missing", "extra", "special"];

export function tokens(host, { options }, tell) {
  const list = put(host, "ul", "aw-tokens");
  const axis = options.axis;
  if (options.used.length) marksKey(host, options.used.map((mark) => [mark, mark]));
  const nodes = [];
  let now, at = null;
  const linked = axis ? listbox(list, tell.label || "Words", () => nodes, point, options.chooses === null ? null : chosen) : null;

  function chosen() {
    return now.words.indexOf(tell.labelOf(options.chooses));
  }

  function point(i) {
    at = i;
    if (i === null || i >= now.words.length) return tell.point(api, null);
    const mark = now.marks?.[i];
    tell.point(api, { [axis]: i }, mark && mark !== "ok" ? "{word} ({mark})" : "{word}", { word: now.words[i], mark });
  }

  if (options.chooses !== null) {
    const choose = () => at !== null && tell.choose(options.chooses, at);
    list.classList.add("aw-choosing");
    list.addEventListener("click", choose);
    list.addEventListener("keydown", (event) => event.defaultPrevented && choose()); // the list has walked
  }

  function token() {
    const node = put(null, "li", "aw-token");
    node.append(""); // a text of its own, beside the mark that only a screen reader hears
    linked?.option(node);
    return node;
  }

  function markAs(node, mark) {
    for (const each of KINDS) node.classList.toggle(`aw-is-${each}`, each === mark);
    const heard = mark && mark !== "ok" ? ` (${mark})` : "";
    if (!heard) node.children[0]?.remove();
    else if (node.children.length) write(node.children[0], heard);
    else put(node, "span", "aw-unseen", heard);
  }

  const api = {
    draw(values) {
      now = values;
      fit(list, nodes, values.words.length, token, (node, i) => {
        if (node.firstChild.data !== values.words[i]) node.firstChild.data = values.words[i];
        markAs(node, values.marks?.[i] ?? "");
      });
    },
    again: axis && (() => point(at)),
    focus: (focus) => linked?.mark(focus[axis]),
    table: () => ({
      head: ["", ...now.words.map((_, i) => String(i + 1))],
      rows: [["word", ...now.words], ...(now.marks ? [["mark", ...now.marks]] : [])],
    }),
  };
  return api;
}
