// Maps: small heat maps without labels, side by side; a word that is pointed at in one of them is marked in all.
import { draw, drawing, fit, paint, put, setAll, sized, write } from "../dom.mjs";
import { colourScale, pixels } from "../colour.mjs";
import { reading } from "../masked.mjs";
import { walkCells } from "../walking.mjs";

export function maps(host, { options }, tell) {
  const [nameAxis, rowAxis, columnAxis] = options.axes;
  const line = put(host, "ul", "aw-maps"), made = [];
  line.classList.toggle("aw-choosing", options.chooses !== null);
  let now, layout, at = null, scale, dark; // at: [map, row, column]

  const part = ({ data }, k) => data.subarray(k * layout.rows * layout.columns, (k + 1) * layout.rows * layout.columns);

  function make(k) {
    const node = put(null, "li", "aw-map"), frame = put(node, "div", "aw-frame");
    setAll(put(frame, "canvas", "aw-canvas aw-hatched"), { role: "img" });
    const picture = drawing(frame);
    draw(picture, "rect", { class: "aw-band", x: 0.5, rx: 2 });
    put(node, "span", "aw-map-name", "");
    if (options.chooses !== null) node.addEventListener("click", () => tell.choose(options.chooses, k));
    walkCells(frame, picture, () => layout, () => at?.slice(1), (cell) => point(cell && [k, ...cell]));
    return node;
  }

  function show(node, k) {
    const [frame, name] = node.children, [canvas, picture] = frame.children, { rows, columns, cell, width } = layout;
    sized(picture, width, rows * cell);
    setAll(canvas, { style: `width: ${width}px; height: ${rows * cell}px;`, "aria-label": `Weights of ${now.names[k]}` });
    setAll(picture.firstChild, { width: width - 1, height: cell });
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

  const api = {
    draw(values, width) {
      now = values;
      if (dark !== tell.dark()) scale = colourScale((dark = tell.dark()), false);
      const rows = values.rows.length, columns = values.columns.length;
      const cell = Math.min(options.cell[tell.narrow() ? 1 : 0], Math.floor(width / columns));
      layout = { rows, columns, left: 0, top: 0, cell, width: columns * cell };
      fit(line, made, values.names.length, make, show);
      if (at && at[0] >= values.names.length) at = null;
    },
    again: () => point(at),
    focus: (focus) => made.forEach((node, k) => {
      const band = node.querySelector(".aw-band"), r = focus[rowAxis];
      node.classList.toggle("aw-on", focus[nameAxis] === k);
      band.classList.toggle("aw-shown", r < layout.rows);
      if (r < layout.rows) setAll(band, { y: r * layout.cell });
    }),
  };
  return api;
}
