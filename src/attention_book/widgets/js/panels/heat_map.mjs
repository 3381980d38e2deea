// Heat map: a colour per cell; SVG while there are few cells, a canvas beyond.
import { clip, draw, put, setAll } from "../dom.mjs";
import { colourScale, css, isDark, shade } from "../colour.mjs";
import { cellAt, gridLayout, walk } from "../geometry.mjs";

const FEW = 32 * 32;
const LETTERS = 14;

export function heatMap(host, { label, options }, tell) {
  const [rowAxis, columnAxis] = options.axes;
  const frame = put(host, "div", "aw-frame aw-walk");
  setAll(frame, { role: "application", tabindex: 0, "aria-roledescription": "heat map" });
  const canvas = put(frame, "canvas", "aw-canvas");
  const picture = draw(frame, "svg", { class: "aw-svg", "aria-hidden": "true" });
  const key = legend(host, options);
  let layout, now, cells = [], rings = [], at = null, shown = "", scale = [], band, ring, dark;

  function build(values, width) {
    const small = values.rows.length * values.columns.length <= FEW;
    layout = gridLayout(values.rows.length, values.columns.length, options.letters, width, options.cell[tell.narrow() ? 1 : 0]);
    const { left, top, cell } = layout;
    setAll(picture, { width: layout.width, height: layout.height, viewBox: `0 0 ${layout.width} ${layout.height}` });
    picture.replaceChildren();
    cells = [];
    if (small)
      for (let i = 0; i < values.rows.length * values.columns.length; i++)
        cells.push(square(left + (i % layout.columns) * cell, top + Math.floor(i / layout.columns) * cell, "aw-cell"));
    canvas.hidden = small;
    labels(values);
    band = draw(picture, "rect", { class: "aw-band", x: left - 1, width: layout.columns * cell + 1, height: cell + 1, rx: 3 });
    rings = (values.gold ?? []).map(([r, c]) => square(left + c * cell + 1.5, top + r * cell + 1.5, "aw-gold", 4));
    ring = square(0, 0, "aw-ring", 0);
  }

  function square(x, y, className, inset = 1) {
    const side = Math.max(1, layout.cell - inset - (inset === 1 && layout.cell < 8 ? -1 : 0));
    return draw(picture, "rect", { class: className, x, y, width: side, height: side, rx: layout.cell > 12 ? 2 : 0 });
  }

  function labels({ rows, columns }) {
    const { left, top, cell, level, thin } = layout;
    rows.forEach((word, r) => {
      if (r % thin[0]) return;
      draw(picture, "text", { class: "aw-label", "data-row": r, x: left - 7, y: top + (r + 0.5) * cell + 4, "text-anchor": "end" }, clip(word, LETTERS));
    });
    columns.forEach((word, c) => {
      if (c % thin[1]) return;
      const x = left + (c + 0.5) * cell, y = top - 7;
      const place = level ? { x, y, "text-anchor": "middle" } : { transform: `translate(${x + 4},${y}) rotate(-62)` };
      draw(picture, "text", { class: "aw-label", "data-column": c, ...place }, clip(word, LETTERS));
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
    const [r, c] = cell, gold = (now.gold ?? []).some(([y, x]) => y === r && x === c);
    const value = now.values.data[r * layout.columns + c].toFixed(options.digits);
    const say = gold ? `${options.say} ({_gold})` : options.say;
    tell.point(api, { [rowAxis]: r, [columnAxis]: c }, say, { row: now.rows[r], column: now.columns[c], value, _gold: options.gold_label });
  }

  const locate = (event) => {
    const box = picture.getBoundingClientRect(), zoom = layout.width / box.width;
    return cellAt(layout, (event.clientX - box.left) * zoom, (event.clientY - box.top) * zoom);
  };
  for (const kind of ["pointermove", "pointerdown"])
    picture.addEventListener(kind, (event) => {
      const cell = locate(event);
      if (String(cell) !== String(at)) point(cell);
    });
  frame.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && point(null));
  frame.addEventListener("blur", () => point(null));
  frame.addEventListener("keydown", (event) => {
    const cell = walk(at, event.key, layout.rows, layout.columns);
    if (!cell || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    point(cell);
  });

  const api = {
    draw(values, width) {
      now = values;
      const signature = JSON.stringify([values.rows, values.columns, values.gold, width]);
      if (dark !== isDark(host)) scale = colourScale((dark = isDark(host)), options.diverging);
      if (signature !== shown) build(values, width);
      shown = signature;
      key(scale);
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

// The colours from low to high with their values, and what an outline means.
function legend(host, { limits, gold_label, digits }) {
  const node = put(host, "div", "aw-key");
  const tidy = (value) => String(Number(value.toFixed(digits)));
  put(node, "span", "", tidy(limits[0]));
  const ramp = put(node, "span", "aw-ramp");
  put(node, "span", "", tidy(limits[1]));
  const gold = put(node, "span", "aw-gold-key", gold_label);
  let drawn;
  return (scale) => {
    gold.hidden = !host.querySelector(".aw-gold");
    if (scale === drawn) return;
    drawn = scale;
    ramp.style.backgroundImage = `linear-gradient(to right, ${[0, 51, 102, 153, 204, 255].map((i) => css(scale[i])).join(",")})`;
  };
}
