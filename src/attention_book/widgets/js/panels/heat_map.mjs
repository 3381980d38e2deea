// Heat map: a pixel for each cell, drawn large; gaps between cells, outlines and labels lie over it, hatching under it.
import { axesOf } from "../axes.mjs";
import { draw, drawing, paint, put, setAll, sized, walked } from "../dom.mjs";
import { colourScale, pixels } from "../colour.mjs";
import { TALL, gridLayout, lettersOf, squares } from "../geometry.mjs";
import { colourKey } from "../key.mjs";
import { makePresets } from "../presets.mjs";
import { NOWHERE, reading, tableOf } from "../masked.mjs";
import { walkCells } from "../walking.mjs";

const FEW = 32 * 32; // cells; more stand without gaps

export function heatMap(host, { label, options, fields }, tell) {
  const [rowAxis, columnAxis] = options.axes, { control, presets } = options;
  const mark = makePresets(host, "Masks", presets, (mask) => tell.choose(control, mask));
  const frame = walked(host, "heat map"), canvas = put(frame, "canvas", "aw-canvas aw-hatched"), picture = drawing(frame);
  const gaps = draw(picture, "path", { class: "aw-gaps" });
  const axes = axesOf(picture);
  const band = draw(picture, "rect", { class: "aw-band", rx: 3 });
  const outlines = draw(picture, "path", { class: "aw-gold" }), ring = draw(picture, "rect", { class: "aw-ring" });
  const key = colourKey(host, options.limits, options.digits, options.gold_label, "visible" in fields);
  let layout, now, at = null, laid = "", scale = [], dark;

  function lay(values, width) {
    const letters = lettersOf(options.letters, values.rows, values.columns), high = Math.floor(TALL / values.rows.length);
    layout = gridLayout(values.rows.length, values.columns.length, letters, width, Math.min(Math.max(4, high), options.cell[tell.narrow() ? 1 : 0]));
    const { rows, columns, left, top, cell } = layout;
    sized(picture, layout.width, layout.height);
    setAll(canvas, { style: `left: ${left}px; top: ${top}px; width: ${columns * cell}px; height: ${rows * cell}px;` });
    const apart = rows * columns <= FEW && cell >= 8;
    const all = Array.from({ length: rows * columns }, (_, i) => [i % columns, Math.floor(i / columns)]);
    setAll(gaps, { d: apart ? `M${left} ${top}h${columns * cell}v${rows * cell}h${-columns * cell}Z${squares(layout, all, 0, 1)}` : "" });
    setAll(outlines, { d: squares(layout, values.gold ?? [], 1.5, 4) });
    setAll(ring, { width: cell, height: cell });
    axes.name(layout, values.rows, values.columns);
  }

  function point(cell) {
    at = cell;
    if (!cell || !now) return tell.point(api, null);
    const [r, c] = cell, gold = (now.gold ?? []).some(([i, j]) => i === c && j === r);
    const [say, filled] = reading({ row: now.rows[r], column: now.columns[c], value: valueAt(r, c), visible: visible(cell) }, options);
    tell.point(api, { [rowAxis]: r, [columnAxis]: c }, gold ? `${say} ({_gold})` : say, { ...filled, _gold: options.gold_label });
  }

  const valueAt = (r, c) => now.values.data[r * layout.columns + c];
  const visible = ([r, c]) => !now.visible || now.visible.data[r * layout.columns + c] !== 0;

  walkCells(frame, picture, () => layout, () => at, point);
  if (control !== null) paintable();

  // A pressed pointer makes of every cell that it comes over what it made of the first.
  function paintable() {
    let brush = null;
    const change = (to) => tell.choose(control, now.rows.map((_, r) => now.columns.map((_, c) => Number(String([r, c]) === String(at) ? to : visible([r, c])))));
    frame.classList.add("aw-paint");
    picture.addEventListener("pointerdown", (event) => {
      if (!at || event.button) return;
      picture.setPointerCapture(event.pointerId);
      change((brush = !visible(at)));
    });
    picture.addEventListener("pointermove", () => brush !== null && at && change(brush));
    picture.addEventListener("lostpointercapture", () => (brush = null));
    frame.addEventListener("keydown", (event) => {
      if (event.key !== " " || !at) return;
      event.preventDefault();
      change(!visible(at));
    });
  }

  const api = {
    draw(values, width) {
      now = values;
      if (dark !== tell.dark()) scale = colourScale((dark = tell.dark()), options.diverging);
      const signature = JSON.stringify([values.rows, values.columns, values.gold, width]);
      if (signature !== laid) lay(values, width);
      laid = signature;
      key(scale, Boolean(values.gold?.length));
      if (layout.rows && layout.columns) paint(canvas, pixels(values.values.data, values.visible?.data, scale, options.limits), layout.columns, layout.rows);
      const keys = `Arrow keys walk the cells${control === null ? "" : ", Space hides or shows one"}.`;
      setAll(frame, { "aria-label": `${label || "Heat map"}: ${layout.rows} rows by ${layout.columns} columns. ${keys}` });
      mark(values.visible?.data);
      if (at && (at[0] >= layout.rows || at[1] >= layout.columns)) at = null;
    },
    again: () => point(at),
    idle() {
      const nowhere = now.rows.filter((_, r) => Number.isNaN(valueAt(r, 0)));
      if (nowhere.length) return [NOWHERE, { row: nowhere.join(", ") }];
      return control === null ? null : ["Click a square to hide or show it, or drag. By keyboard: arrow keys, then Space.", {}];
    },
    focus(focus) {
      const r = focus[rowAxis], c = focus[columnAxis], { left, top, cell, rows, columns } = layout;
      const inRow = r < rows, inColumn = c < columns;
      band.classList.toggle("aw-shown", inRow || inColumn);
      if (inRow) setAll(band, { x: left - 1, y: top + r * cell - 1, width: columns * cell + 1, height: cell + 1 });
      else if (inColumn) setAll(band, { x: left + c * cell - 1, y: top - 1, width: cell + 1, height: rows * cell + 1 });
      ring.classList.toggle("aw-shown", inRow && inColumn);
      if (inRow && inColumn) setAll(ring, { x: left + c * cell - 0.5, y: top + r * cell - 0.5 });
      axes.light(r, c);
    },
    table: () => tableOf(now, options.digits),
  };
  return api;
}
