// Network: vectors in layers, who is made from whom, and what one output sees of them. Drawn with few paths, not a node each.
import { draw, fit, put, setAll, sized, write } from "../dom.mjs";
import { cellAt, disc, hatch, xy } from "../geometry.mjs";
import { spotIn } from "../walking.mjs";

const LEFT = 54, RADIUS = 11; // pixels for the layers' names; the largest radius of a vector

export function network(host, { label, options }, tell) {
  const picture = draw(put(host, "div", "aw-frame aw-network"), "svg", { class: "aw-svg", role: "img", "aria-label": label || "Network" });
  const kinds = ["weak", "strong", "rest", "hidden", "seen", "output"];
  const paths = Object.fromEntries(kinds.map((name) => [name, draw(picture, "path", { class: `aw-${name}` })]));
  const names = [], places = [], numbers = [];
  let now, layout;

  const at = ({ data, shape }, l, i) => data[l * shape[1] + i];
  const spot = (l, i) => [layout.left + (i + 0.5) * layout.cell, layout.top + (layout.rows - l - 0.5) * layout.tall];

  // A line from rim to rim; along a layer with a head, as there it runs in time.
  function edge([l, i, m, j], r) {
    const [x, y] = spot(l, i), [to, up] = spot(m, j), far = Math.hypot(to - x, up - y), [dx, dy] = [((to - x) * r) / far, ((up - y) * r) / far];
    const head = l === m ? "m-4 -3l4 3l-4 3" : "";
    return `M${xy(x + dx, y + dy)}L${xy(to - dx, up - dy)}${head}`;
  }

  picture.addEventListener("pointerdown", (event) => {
    const cell = cellAt(layout, ...spotIn(picture, event, layout.width));
    if (cell) tell.choose(options.output, cell[1]);
  });

  return {
    draw(values, width) {
      now = values;
      const { edges, steps, seen, depth, output } = values, N = steps.shape[1], rows = depth + 1;
      layout = { left: LEFT, top: 0, cell: (width - LEFT) / N, tall: (options.row * options.rows) / rows, rows, columns: N, width };
      const r = Math.min(RADIUS, 0.36 * layout.cell), height = options.row * options.rows + options.foot;
      sized(picture, width, height);
      const d = { weak: [], strong: [], rest: [], hidden: [], seen: [], output: [] };
      for (let e = 0; e < edges.shape[0]; e++) {
        const [l, i, m, j] = edges.data.subarray(4 * e, 4 * e + 4);
        if (m <= depth) d[at(seen, m, j) ? "strong" : "weak"].push(edge([l, i, m, j], r));
      }
      for (let l = 0; l < rows; l++)
        for (let i = 0; i < N; i++) {
          const isOutput = l === depth && i === output - 1;
          d[isOutput ? "output" : at(seen, l, i) ? "seen" : "rest"].push(disc(...spot(l, i), r));
          if (!l && !at(seen, l, i)) d.hidden.push(hatch(...spot(l, i), r));
        }
      for (const [name, path] of Object.entries(paths)) setAll(path, { d: d[name].join("") });
      const text = (more) => () => draw(null, "text", more);
      fit(picture, names, rows, text({ class: "aw-label", x: 0 }), (node, l) => {
        setAll(node, { y: (spot(l, 0)[1] + 4).toFixed(1) });
        write(node, l ? `layer ${l}` : "inputs");
      });
      fit(picture, places, N, text({ class: "aw-tick", "text-anchor": "middle", y: height - 5 }), (node, i) => {
        setAll(node, { x: spot(0, i)[0].toFixed(1) });
        write(node, String(i + 1));
      });
      fit(picture, numbers, depth * N, text({ class: "aw-step", "text-anchor": "middle", "font-size": Math.min(11.5, 1.25 * r).toFixed(1) }), (node, k) => {
        const l = 1 + Math.floor(k / N), i = k % N, [x, y] = spot(l, i);
        setAll(node, { x: x.toFixed(1), y: (y + 0.45 * r).toFixed(1) });
        write(node, at(seen, l, i) ? String(at(steps, l, i)) : "");
      });
    },
    table: () => ({
      head: ["step in which it is computed", ...Array.from({ length: layout.columns }, (_, i) => String(i + 1))],
      rows: Array.from({ length: now.depth }, (_, k) => now.depth - k).map((l) => [
        `layer ${l}`,
        ...Array.from({ length: layout.columns }, (_, i) => `${at(now.steps, l, i)}${at(now.seen, l, i) ? "" : " (not seen)"}`),
      ]),
    }),
  };
}
