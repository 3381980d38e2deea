// Spotlight: two strips of words; pointing at a word of one lights what it looks at (or what looks at it) in the other.
import { fit, put, setAll, write } from "../dom.mjs";
import { column, largest, row, share } from "../geometry.mjs";
import { marksKey } from "../key.mjs";
import { listbox } from "../listbox.mjs";
import { tableOf } from "../masked.mjs";
import { fixed } from "../numbers.mjs";

export function spotlight(host, { options }, tell) {
  const axes = options.axes;
  const strips = [1, 0].map((side) => strip(side)); // columns, the inputs, stand above
  const legend = options.gold_label ? marksKey(host, [["right", options.gold_label]]) : null;
  let now, at = null;

  function strip(side) {
    const line = put(host, "div", "aw-spot");
    put(line, "p", "aw-panel-label", options.names[side]);
    const list = put(line, "ul", "aw-tokens"), made = { side, list, nodes: [] };
    made.linked = listbox(list, options.names[side], () => made.nodes, (i) => point(side, i));
    return made;
  }

  const acrossFrom = (side, i) => (side ? column : row)(now.values, i);

  function point(side, i) {
    at = i === null ? null : [side, i];
    if (!at) return tell.point(api, null);
    const across = acrossFrom(side, i);
    if (!across.length) return tell.point(api, null);
    const best = largest(across), [r, c] = side ? [best, i] : [i, best];
    const value = fixed(across[best], options.digits);
    tell.point(api, { [axes[side]]: i }, options.say, { row: now.rows[r], column: now.columns[c], value });
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
      const lit = i < counts[side], across = lit ? acrossFrom(side, i) : [];
      const gold = now.gold ?? [];
      for (const made of strips) {
        const own = made.side === side;
        made.linked.mark(own ? i : undefined);
        made.nodes.forEach((node, k) => {
          const strength = own || !lit ? 0 : share(across[k], options.limits);
          setAll(node, { style: `--aw-weight: ${strength.toFixed(3)};` });
          node.classList.toggle("aw-is-right", !own && lit && gold.some((link) => link[1 - side] === i && link[side] === k));
        });
      }
    },
    table: () => tableOf(now, options.digits),
  };
  return api;
}
