// Tree: words in rows, each with a line from the one that it follows; all that ends in one of them has its state.
import { draw, fit, put, setAll, write } from "../dom.mjs";

export function tree(host, { label, options }) {
  const { states, columns, row, rows } = options, height = row * rows, LETTERS = row / 2 + 1; // pixels of a row that its words take
  const picture = draw(put(host, "div", "aw-frame aw-tree"), "svg", { class: "aw-svg", role: "img", "aria-label": label || "Tree" });
  const paths = states.map((name) => draw(picture, "path", { class: `aw-${name}` })), nodes = [];
  const key = put(host, "p", "aw-stream-key");
  for (const name of states.slice(1)) put(key, "span", `aw-${name}`, name);
  let now;

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
      const at = (i) => [((places.data[2 * i + 1] + 0.5) * width) / columns, places.data[2 * i] * row];
      setAll(picture, { width, height, viewBox: `0 0 ${width} ${height}` });
      fit(picture, nodes, words.length, word, (node, i) => {
        const state = values.states.data[i], parent = parents.data[i], [x, y] = at(i).map((value) => value.toFixed(1));
        setAll(node, { class: `aw-${states[state]}`, x, y: Number(y) + row / 2 });
        write(node.firstChild, words[i]);
        write(node.lastChild, values.values[i]);
        if (parent >= 0) d[state] += `M${at(parent)[0].toFixed(1)} ${at(parent)[1] + LETTERS + 4}L${x} ${y}`;
      });
      paths.forEach((path, k) => setAll(path, { d: d[k] }));
    },
    again: () => {},
    focus: () => {},
    table: () => ({
      head: ["words", "value", "state"],
      rows: now.words.map((_, i) => [said(i), now.values[i], states[now.states.data[i]]]).filter((_, i) => now.states.data[i]),
    }),
  };
  return api;
}
