// Spotlight: two strips of words; pointing at a word of one lights what it looks at (or what looks at it) in the other.
import { fit, put, setAll, write } from "../dom.mjs";
import { column, largest, row } from "../geometry.mjs";
import { listbox } from "../listbox.mjs";
import { fixed } from "../numbers.mjs";

export function spotlight(host, { options }, tell) {
  const axes = options.axes;
  const strips = [1, 0].map((side) => strip(side)); // columns, the inputs, stand above
  const legend = options.gold_label ? explain(host, options.gold_label) : null;
  let now, at = null;

  function strip(side) {
    const line = put(host, "div", "aw-spot");
    put(line, "p", "aw-panel-label", options.names[side]);
    const list = put(line, "ul", "aw-tokens"), made = { side, list, nodes: [] };
    made.linked = listbox(list, options.names[side], () => made.nodes, (i) => point(side, i));
    return made;
  }

  function point(side, i) {
    at = i === null ? null : [side, i];
    if (!at) return tell.point(api, null);
    const across = side ? column(now.values, i) : row(now.values, i);
    if (!across.length) return tell.point(api, null);
    const best = largest(across), [r, c] = side ? [best, i] : [i, best];
    const value = fixed(across[best], options.digits);
    tell.point(api, { [axes[side]]: i }, `${options.say}, the most of all`, { row: now.rows[r], column: now.columns[c], value });
  }

  const api = {
    draw(values) {
      now = values;
      if (legend) legend.hidden = !values.gold?.length;
      if (at && at[1] >= [values.rows, values.columns][at[0]].length) at = null;
      for (const { side, list, nodes, linked } of strips) {
        const words = [values.rows, values.columns][side];
        fit(list, nodes, words.length, () => linked.option(put(null, "li", "aw-token")), (node, i) => write(node, words[i]));
      }
    },
    again: () => (at ? point(...at) : point(0, null)),
    // The word that lights the others: the one pointed at here, else one named by the row's axis, else by the column's.
    focus(focus) {
      const counts = [now.rows.length, now.columns.length];
      const side = at ? at[0] : focus[axes[0]] < counts[0] ? 0 : 1, i = focus[axes[side]];
      const lit = i < counts[side], across = lit ? (side ? column(now.values, i) : row(now.values, i)) : [];
      const [low, high] = options.limits, gold = now.gold ?? [];
      for (const made of strips) {
        const own = made.side === side;
        made.linked.mark(own ? i : undefined);
        made.nodes.forEach((node, k) => {
          const strength = own || !lit ? 0 : Math.max(0, Math.min(1, (across[k] - low) / (high - low)));
          setAll(node, { style: `--aw-weight: ${strength.toFixed(3)};` });
          node.classList.toggle("aw-is-right", !own && lit && gold.some((link) => link[1 - side] === i && link[side] === k));
        });
      }
    },
    table: () => ({
      head: ["", ...now.columns],
      rows: now.rows.map((word, r) => [word, ...Array.from(row(now.values, r), (value) => fixed(value, options.digits))]),
    }),
  };
  return api;
}

function explain(host, text) {
  const key = put(host, "p", "aw-marks");
  put(key, "span", "aw-sample aw-is-right", "word").setAttribute("aria-hidden", "true");
  put(key, "span", "", text);
  return key;
}
