// Heat map: a colour per cell; SVG while there are few cells, a canvas beyond.
import { clip, draw, put, setAll } from "../dom.mjs";
import { colourScale, css, shade } from "../colour.mjs";
import { gridLayout } from "../geometry.mjs";
import { colourKey } from "../key.mjs";
import { walkCells } from "../walking.mjs";

const FEW = 32 * 32;
const LETTERS = 14;

export function heatMap(host, { label, options }, tell) {
  const [rowAxis, columnAxis] = options.axes;
  const frame = put(host, "div", "aw-frame aw-walk");
  setAll(frame, { role: "application", tabindex: 0, "aria-roledescription": "heat map" });
  const canvas = put(frame, "canvas", "aw-canvas");
  const picture = draw(frame, "svg", { class: "aw-svg", "aria-hidden": "true" });
  const ground = draw(picture, "g"), marks = draw(picture, "g");
  const key = colourKey(host, options.limits, options.digits, options.gold_label);
  let layout, now, cells = [], rings = [], at = null, shown = "", laid = "", scale = [], band, ring, dark;

  function build(values, width) {
    const small = values.rows.length * values.columns.length <= FEW;
    layout = gridLayout(values.rows.length, values.columns.length, options.letters, width, options.cell[tell.narrow() ? 1 : 0]);
    const { left, top, cell } = layout;
    setAll(picture, { width: layout.width, height: layout.height, viewBox: `0 0 ${layout.width} ${layout.height}` });
    layCells(small ? layout.rows * layout.columns : 0);
    marks.replaceChildren();
    canvas.hidden = small;
    labels(values);
    band = draw(marks, "rect", { class: "aw-band", x: left - 1, width: layout.columns * cell + 1, height: cell + 1, rx: 3 });
    rings = (values.gold ?? []).map(([c, r]) => square(left + c * cell + 1.5, top + r * cell + 1.5, "aw-gold", 4));
    ring = square(0, 0, "aw-ring", 0);
  }

  // A map that only grows or loses rows, as along decoding, keeps the cells it has: making them is most of the work.
  function layCells(count) {
    const { left, top, cell, columns } = layout, place = String([left, top, cell, columns]);
    if (place !== laid) {
      ground.replaceChildren();
      cells = [];
    }
    laid = place;
    while (cells.length > count) cells.pop().remove();
    for (let i = cells.length; i < count; i++)
      cells.push(square(left + (i % columns) * cell, top + Math.floor(i / columns) * cell, "aw-cell", 1, ground));
  }

  function square(x, y, className, inset = 1, parent = marks) {
    const side = Math.max(1, layout.cell - inset - (inset === 1 && layout.cell < 8 ? -1 : 0));
    return draw(parent, "rect", { class: className, x, y, width: side, height: side, rx: layout.cell > 12 ? 2 : 0 });
  }

  function labels({ rows, columns }) {
    const { left, top, cell, level, thin } = layout;
    rows.forEach((word, r) => {
      if (r % thin[0]) return;
      draw(marks, "text", { class: "aw-label", "data-row": r, x: left - 7, y: top + (r + 0.5) * cell + 4, "text-anchor": "end" }, clip(word, LETTERS));
    });
    columns.forEach((word, c) => {
      if (c % thin[1]) return;
      const x = left + (c + 0.5) * cell, y = top - 7;
      const place = level ? { x, y, "text-anchor": "middle" } : { transform: `translate(${x + 4},${y}) rotate(-62)` };
      draw(marks, "text", { class: "aw-label", "data-column": c, ...place }, clip(word, LETTERS));
    });
  }

  function paint() {
    const data = now.values.data;
    if (!canvas.hidden) return paintCanvas(data);
    for (let i = 0; i < cells.length; i++) {
      const fill = css(scale[shade(data[i], options.limits)]);
      if (cells[i].dataset.fill !== fill) cells[i].setAttribute("fill", (cells[i].dataset.fill = fill));
    }
  }

  function paintCanvas(data) {
    const { rows, columns, left, top, cell } = layout;
    setAll(canvas, { width: columns, height: rows });
    canvas.style.cssText = `left:${left}px;top:${top}px;width:${columns * cell}px;height:${rows * cell}px`;
    const image = new ImageData(columns, rows);
    data.forEach((value, i) => image.data.set([...scale[shade(value, options.limits)], 255], 4 * i));
    canvas.getContext("2d").putImageData(image, 0, 0);
  }

  function point(cell) {
    at = cell;
    if (!cell || !now) return tell.point(api, null);
    const [r, c] = cell, gold = (now.gold ?? []).some(([i, j]) => i === c && j === r);
    const value = now.values.data[r * layout.columns + c].toFixed(options.digits);
    const say = gold ? `${options.say} ({_gold})` : options.say;
    tell.point(api, { [rowAxis]: r, [columnAxis]: c }, say, { row: now.rows[r], column: now.columns[c], value, _gold: options.gold_label });
  }

  walkCells(frame, picture, () => layout, () => at, point);

  const api = {
    draw(values, width) {
      now = values;
      const signature = JSON.stringify([values.rows, values.columns, values.gold, width]);
      if (dark !== tell.dark()) scale = colourScale((dark = tell.dark()), options.diverging);
      if (signature !== shown) build(values, width);
      shown = signature;
      key(scale, rings.length > 0);
      paint();
      frame.setAttribute("aria-label", `${label || "Heat map"}: ${layout.rows} rows by ${layout.columns} columns. Arrow keys walk the cells.`);
      if (at && (at[0] >= layout.rows || at[1] >= layout.columns)) at = null;
    },
    again: () => point(at),
    focus(focus) {
      const r = focus[rowAxis], c = focus[columnAxis], { left, top, cell, rows, columns } = layout;
      const inRow = r < rows, inColumn = c < columns;
      band.classList.toggle("aw-shown", inRow);
      if (inRow) band.setAttribute("y", top + r * cell - 1);
      ring.classList.toggle("aw-shown", inRow && inColumn);
      if (inRow && inColumn) setAll(ring, { x: left + c * cell - 0.5, y: top + r * cell - 0.5 });
      for (const node of picture.querySelectorAll(".aw-label"))
        node.classList.toggle("aw-on", Number(node.dataset.row ?? -1) === r || Number(node.dataset.column ?? -1) === c);
    },
    table: () => ({
      head: ["", ...now.columns],
      rows: now.rows.map((word, r) => [word, ...now.columns.map((_, c) => now.values.data[r * layout.columns + c].toFixed(options.digits))]),
    }),
  };
  return api;
}
