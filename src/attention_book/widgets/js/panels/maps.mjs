// Maps: small heat maps side by side; a word that is pointed at in one of them is marked in all. Where there are so many `across`, words stand
// beside the first of a line and above the first line, and keys walk all maps as one grid.
import { axesOf } from "../axes.mjs";
import { draw, drawing, fit, paint, put, setAll, sized, walked, write } from "../dom.mjs";
import { colourScale, pixels } from "../colour.mjs";
import { lettersOf, walk } from "../geometry.mjs";
import { reading, strongest } from "../masked.mjs";
import { onGone, onKeys, walkCells } from "../walking.mjs";

const BREADTH = 6.6, BESIDE = 32; // pixels of a letter of a word beside, and beside a map for its name

export function maps(host, { label, options }, tell) {
  const [nameAxis, rowAxis, columnAxis] = options.axes;
  const all = walked(host, "maps"), line = put(all, "ul", "aw-maps"), made = [];
  line.classList.toggle("aw-choosing", options.chooses !== null);
  let now, layout, across, at = null, scale, dark; // at: [map, row, column]

  const part = ({ data }, k) => data.subarray(k * layout.rows * layout.columns, (k + 1) * layout.rows * layout.columns);
  const values = (k) => ({ shape: [layout.rows, layout.columns], data: part(now.values, k) });

  // A map's own layout: words are beside the first of a line, and above those of the first line.
  const layoutOf = (k) => ({ ...layout, left: k % across ? 0 : layout.left, top: k < across ? layout.top : 0 });

  function make(k) {
    const node = put(null, "li", "aw-map"), frame = put(node, "div", "aw-frame");
    setAll(put(frame, "canvas", "aw-canvas aw-hatched"), { role: "img" });
    const picture = drawing(frame);
    draw(picture, "rect", { class: "aw-band", rx: 2 });
    draw(picture, "rect", { class: "aw-ring" });
    node.axes = axesOf(picture);
    put(node, "span", "aw-map-name", "");
    if (options.chooses !== null) node.addEventListener("click", () => tell.choose(options.chooses, k));
    walkCells(frame, picture, () => node.layout, () => at?.slice(1), (cell) => point(cell && [k, ...cell]));
    return node;
  }

  function show(node, k) {
    const [frame, name] = node.children, [canvas, picture] = frame.children, { rows, columns, cell, left, top } = (node.layout = layoutOf(k));
    const width = columns * cell, height = rows * cell;
    sized(picture, (node.layout.width = left + width + (across ? 8 : 0)), top + height);
    setAll(canvas, {
      style: `left: ${left}px; top: ${top}px; width: ${width}px; height: ${height}px;`,
      "aria-label": `${now.names[k]}: ${strongest({ ...now, values: values(k) }, options)}`,
    });
    setAll(picture.children[0], { x: left + 0.5, width: width - 1, height: cell });
    setAll(picture.children[1], { width: cell, height: cell });
    node.axes.name(node.layout, left ? now.rows : [], top ? now.columns : []);
    write(name, now.names[k]);
    paint(canvas, pixels(part(now.values, k), now.visible?.data, scale, options.limits), columns, rows);
  }

  function point(target) {
    at = target;
    if (!at) return tell.point(api, null);
    const [k, r, c] = at, i = r * layout.columns + c;
    const cell = { row: now.rows[r], column: now.columns[c], value: part(now.values, k)[i], visible: now.visible?.data[i] !== 0 };
    const [say, filled] = reading(cell, options);
    tell.point(api, { [nameAxis]: k, [rowAxis]: r, [columnAxis]: c }, `{_name}: ${say}`, { ...filled, _name: now.names[k] });
  }

  onGone(all, () => point(null));
  const wide = (go) => walk(at && [at[1], at[0] * layout.columns + at[2]], go, layout.rows, layout.columns * made.length);
  onKeys(all, wide, ([r, c]) => point([Math.floor(c / layout.columns), r, c % layout.columns]));

  const api = {
    draw(values, width) {
      now = values;
      if (dark !== tell.dark()) scale = colourScale((dark = tell.dark()), false);
      const rows = values.rows.length, columns = values.columns.length, letters = lettersOf([0, 0], values.rows, values.columns);
      across = tell.narrow() ? 0 : options.across;
      const left = across && Math.ceil(letters[0] * BREADTH + 6), top = across && Math.ceil(letters[1] * BREADTH * 0.88 + 8);
      const room = across ? (width - left) / across - BESIDE : width, cell = Math.min(options.cell[tell.narrow() ? 1 : 0], Math.floor(room / columns));
      const thin = Math.ceil(11 / cell);
      layout = { rows, columns, left, top, cell, thin: [thin, thin] };
      line.classList.toggle("aw-named", across > 0);
      line.style.setProperty("--aw-across", across);
      fit(line, made, values.names.length, make, show);
      setAll(all, { "aria-label": `${label || "Maps"}: ${made.length} of ${rows} rows by ${columns} columns, side by side. Arrow keys walk the cells.` });
      if (at && at[0] >= values.names.length) at = null;
    },
    again: () => point(at),
    focus: (focus) => made.forEach((node, k) => {
      const [band, ring] = node.querySelectorAll("rect"), r = focus[rowAxis], c = focus[columnAxis], here = focus[nameAxis] === k;
      const { rows, columns, cell, left, top } = node.layout;
      node.classList.toggle("aw-on", here);
      band.classList.toggle("aw-shown", r < rows);
      ring.classList.toggle("aw-shown", here && r < rows && c < columns);
      if (r < rows) setAll(band, { y: top + r * cell });
      if (r < rows && c < columns) setAll(ring, { x: left + c * cell, y: top + r * cell });
      node.axes.light(r, c);
    }),
  };
  return api;
}
