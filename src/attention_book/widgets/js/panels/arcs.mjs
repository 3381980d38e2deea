// Arcs: rows on the left, columns on the right, a curve between each pair, as strong as its value.
import { clip, draw, drawing, fit, setAll, sized, walked, write } from "../dom.mjs";
import { BOLD, FAINT, largest, lettersOf, row, share, walk } from "../geometry.mjs";
import { tableOf } from "../masked.mjs";
import { fixed } from "../numbers.mjs";
import { onGone, onKeys } from "../walking.mjs";

const HIGH = 24, CLOSE = 16, MANY = 12; // pixels of a row, and of more rows than so many

export function arcs(host, { label, options }, tell) {
  const [rowAxis, columnAxis] = options.axes;
  const frame = walked(host, "arc diagram"), picture = drawing(frame);
  const curves = [], words = { row: [], column: [] };
  const paths = draw(picture, "g"), labels = { row: draw(picture, "g", { "text-anchor": "end" }), column: draw(picture, "g") };
  let now, at = null, ends;

  function place({ rows, columns, values, marks }, width) {
    const most = Math.max(rows.length, columns.length), step = most > MANY ? CLOSE : HIGH;
    const letters = lettersOf(options.letters, rows, columns), left = letters[0] * BOLD + 8, right = Math.min(width, 460) - letters[1] * BOLD - 8;
    const middle = (left + right) / 2;
    sized(picture, Math.min(width, 460), most * step + 6);
    const y = (i) => i * step + 16;
    ends = { left, middle, right, y };
    for (const [side, texts, x] of [["row", rows, left - 7], ["column", columns, right + 7]]) {
      setAll(labels[side], { transform: `translate(${x},0)` });
      const make = (i) => draw(null, "text", { class: "aw-label aw-touch", [`data-${side}`]: i });
      fit(labels[side], words[side], texts.length, make, (node, i) => {
        setAll(node, { y: y(i) + 4 });
        write(node, clip(texts[i], 14));
        node.classList.toggle("aw-otherwise", side === "row" && marks?.[i] === "wrong");
      });
    }
  }

  // A row's curves that look the same are one path: there may be many of them.
  function curvesOf(isDim) {
    const { rows, columns, values } = now, { left, middle, right, y } = ends, found = new Map();
    for (let i = 0; i < rows.length * columns.length; i++) {
      const strength = share(values.data[i], options.limits);
      if (strength < FAINT) continue;
      const r = Math.floor(i / columns.length), c = i % columns.length, dim = isDim(r, c), from = y(r), to = y(c);
      const style = `stroke-opacity: ${(0.12 + 0.88 * strength).toFixed(3)}; stroke-width: ${(0.5 + 3 * strength).toFixed(2)};`, key = `${r} ${dim} ${style}`;
      if (!found.has(key)) found.set(key, { d: "", style, dim });
      found.get(key).d += `M${left} ${from}C${middle} ${from} ${middle} ${to} ${right} ${to}`;
    }
    return [...found.values()];
  }

  function point(target) {
    at = target;
    if (!target || !now.columns.length) return tell.point(api, null);
    if (target.column !== undefined) return tell.point(api, { [columnAxis]: target.column }, "{column}", { column: now.columns[target.column] });
    const r = target.row, weights = row(now.values, r), c = largest(weights);
    const value = fixed(weights[c], options.digits);
    tell.point(api, { [rowAxis]: r }, options.say, { row: now.rows[r], column: now.columns[c], value });
  }

  for (const kind of ["pointerover", "pointerdown"])
    picture.addEventListener(kind, ({ target }) => {
      for (const [side, i] of Object.entries(target.dataset)) point({ [side]: Number(i) });
    });
  onGone(frame, () => point(null));
  onKeys(frame, (key) => walk(at?.row === undefined ? null : [at.row, 0], key, now.rows.length, now.columns.length && 1), ([r]) => point({ row: r }));

  const api = {
    draw(values, width) {
      now = values;
      place(values, width);
      setAll(frame, { "aria-label": `${label || "Arcs"}: from ${values.rows.length} rows to ${values.columns.length} columns. Arrow keys walk the rows.` });
      if (at && (at.row >= values.rows.length || at.column >= values.columns.length)) at = null;
    },
    again: () => point(at),
    focus(focus) {
      const r = focus[rowAxis], c = focus[columnAxis], { rows, columns } = now;
      const chosen = r < rows.length || c < columns.length;
      const drawn = curvesOf((row, column) => chosen && (r < rows.length ? row !== r : column !== c));
      fit(paths, curves, drawn.length, () => draw(null, "path", { class: "aw-arc" }), (curve, i) => {
        const { d, style, dim } = drawn[i];
        setAll(curve, { d, style });
        curve.classList.toggle("aw-dim", dim);
      });
      words.row.forEach((word, i) => word.classList.toggle("aw-on", i === r));
      words.column.forEach((word, i) => word.classList.toggle("aw-on", i === c));
    },
    table: () => tableOf(now, options.digits),
  };
  return api;
}
