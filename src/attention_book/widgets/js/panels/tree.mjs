// Tree: words in rows, each with a line from the one that it follows; all that ends in one of them has its state. Below it
// may stand what is read, each word with its weight.
import { draw, fit, put, setAll, sized, write } from "../dom.mjs";
import { branch } from "../geometry.mjs";
import { listbox } from "../listbox.mjs";
import { fixed } from "../numbers.mjs";

export function tree(host, { label, options }, tell) {
  const { axis, beneath, line, states, columns, row, rows } = options, LETTERS = row / 2 + 1; // pixels of a row that its words take
  const picture = draw(put(host, "div", "aw-frame aw-tree"), "svg", { class: "aw-svg", role: "img", "aria-label": label || "Tree" });
  const paths = states.map((name) => draw(picture, "path", { class: `aw-${name}` })), nodes = [], read = [];
  const list = axis && put(host, "ul", "aw-tokens aw-read"), linked = list && listbox(list, "Looked at", () => read, point);
  const key = put(host, "p", "aw-stream-key");
  for (const name of states.slice(1)) put(key, "span", `aw-${name}`, name);
  if (list) put(key, "span", "aw-looked", "attention");
  let now, at = null;

  function point(i) {
    at = i;
    const word = now.read[i];
    tell.point(api, word && { [axis]: i }, "{word} gets {value} of the attention", word && { word, value: fixed(now.weights.data[i], 2) });
  }

  function word() {
    const node = draw(null, "text", { "text-anchor": "middle" });
    draw(node, "tspan");
    draw(node, "tspan", { dx: 4, class: "aw-tick" });
    return node;
  }

  const said = (i) => (now.parents.data[i] < 0 ? "" : `${said(now.parents.data[i])} `) + now.words[i];

  const api = {
    draw(values, width) {
      now = values;
      const { words, places, parents } = values, d = states.map(() => "");
      const across = ({ data }, i) => (((data[2 * i + 1] + 0.5) * width) / columns).toFixed(1);
      const down = (i) => places.data[2 * i] * row, deep = ({ shape, data }) => Array.from({ length: shape[0] }, (_, i) => data[2 * i] + 1);
      const height = row * Math.max(rows, ...deep(places)); // a network may give more than it gave at first
      if (list) setAll(list, { style: `height: ${Math.max(beneath, line * Math.max(...deep(values.spots)))}px` });
      sized(picture, width, height);
      fit(picture, nodes, words.length, word, (node, i) => {
        const state = values.states.data[i], parent = parents.data[i], x = across(places, i), y = down(i);
        setAll(node, { class: `aw-${states[state]}`, x, y: y + row / 2 });
        write(node.firstChild, words[i]);
        write(node.lastChild, values.values?.[i] ?? "");
        if (parent >= 0) d[state] += branch([across(places, parent), down(parent)], [x, y], row, LETTERS + 4);
      });
      paths.forEach((path, k) => setAll(path, { d: d[k] }));
      if (list) fit(list, read, values.read.length, () => linked.option(put(null, "li", "aw-token")), (node, i) => {
        write(node, values.read[i]);
        setAll(node, { style: `left: ${across(values.spots, i)}px; top: ${values.spots.data[2 * i] * line}px; --aw-weight: ${values.weights.data[i].toFixed(3)};` });
      });
    },
    again: () => point(at),
    focus: (focus) => linked?.mark(focus[axis]),
    table: () => ({
      head: ["words", "value", "state"],
      rows: now.words.map((_, i) => [said(i), now.values?.[i] ?? "", states[now.states.data[i]]]).filter((_, i) => now.states.data[i])
        .concat(read.map((_, i) => [now.read[i], fixed(now.weights.data[i], 2), "looked at"])),
    }),
  };
  return api;
}
