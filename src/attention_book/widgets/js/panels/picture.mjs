// Picture: a grey image under a mask of weights, with boxes outlined on it. One of its cells may ask, and be chosen by the reader.
import { clip, draw, drawing, paint, put, setAll, sized, walked } from "../dom.mjs";
import { masked, shade } from "../colour.mjs";
import { boxesAt, labelsOf, pictureLayout } from "../geometry.mjs";
import { colourKey } from "../key.mjs";
import { tableOf } from "../masked.mjs";
import { fixed } from "../numbers.mjs";
import { walkCells } from "../walking.mjs";
import { sheet } from "./sheet.mjs";

const KEY = Array.from({ length: 256 }, (_, i) => masked(0, i / 255));
const LONG = 14, BROAD = 7, LINE = 17; // of a label: at most so many letters; pixels of one, and of the line

export function picture(host, { label, options }, tell) {
  const frame = walked(host, "picture", " aw-picture"), canvas = put(frame, "canvas", "aw-canvas"), over = drawing(frame);
  const pieces = options.paper === null ? null : sheet(host, frame, over, options, tell, (y, x) => options.asks !== null && ask([y, x].map((value, d) => Math.floor((value * [layout.rows, layout.columns][d]) / now.image.shape[d]))));
  const key = options.bare ? null : colourKey(host, options.limits, options.digits, options.box_label);
  let layout, now, boxes = [], ring, asker, at = null, shown = "";

  function build({ image, values, boxes: given, names }, width) {
    layout = pictureLayout(image.shape, values.shape, width - options.tools, options.side);
    const { zoom, width: w, height: h } = layout;
    for (const node of [canvas, frame]) Object.assign(node.style, { width: `${w}px`, height: `${h}px` });
    sized(over, w, h);
    over.replaceChildren();
    if (options.asks !== null) {
      const { rows, columns, cell, tall } = layout, inner = (count, line) => Array.from({ length: count - 1 }, (_, i) => line(i + 1)).join("");
      draw(over, "path", { class: "aw-cells", d: inner(columns, (i) => `M${i * cell} 0v${h}`) + inner(rows, (i) => `M0 ${i * tall}h${w}`) });
      asker = draw(over, "rect", { class: "aw-asker", width: cell - 3, height: tall - 3 });
    }
    const texts = (names ?? []).map((name) => clip(name, LONG));
    const places = texts.map((_, i) => {
      const [top, left, height, side] = given.data.subarray(4 * i, 4 * i + 4).map((each) => each * zoom);
      return { left, top, width: side, height };
    });
    const labels = labelsOf(places, texts.map((text) => BROAD * text.length), LINE, layout);
    boxes = places.map((box, i) => {
      const group = draw(over, "g", { class: "aw-box" }), label = labels[i];
      draw(group, "rect", { x: box.left + 1, y: box.top + 1, width: box.width - 2, height: box.height - 2, rx: 2 });
      draw(group, "text", { x: label.left + label.width / 2, y: label.top + LINE - 4, "text-anchor": "middle" }, texts[i]);
      return group;
    });
    ring = draw(over, "rect", { class: "aw-ring", width: layout.cell - 2, height: layout.tall - 2 });
  }

  function colour({ image, values }) {
    const [H, W] = image.shape, [rows, columns] = values.shape, data = new Uint8ClampedArray(4 * H * W);
    const strength = values.data.map((value) => shade(value, options.limits) / 255);
    for (let y = 0, i = 0; y < H; y++)
      for (let x = 0; x < W; x++, i++) {
        const cell = Math.floor((y * rows) / H) * columns + Math.floor((x * columns) / W);
        data.set(masked(image.data[i], strength[cell]), 4 * i);
        data[4 * i + 3] = 255;
      }
    paint(canvas, data, W, H);
  }

  function point(cell) {
    at = cell;
    mark();
    if (!cell || !now) return tell.point(api, null);
    const [r, c] = cell, { zoom, cell: wide, tall } = layout;
    const inside = boxes.length ? boxesAt(now.boxes, ((r + 0.5) * tall) / zoom, ((c + 0.5) * wide) / zoom).map((i) => now.names[i]) : [];
    const value = fixed(now.values.data[r * layout.columns + c], options.digits);
    const say = inside.length ? `${options.say} ({_inside})` : options.say;
    tell.point(api, {}, say, { query: now.query, value, row: r + 1, column: c + 1, _inside: inside.join(", ") });
  }

  function mark() {
    ring?.classList.toggle("aw-shown", at !== null);
    if (at) setAll(ring, { x: at[1] * layout.cell + 1, y: at[0] * layout.tall + 1 });
  }

  const asks = () => tell.labelOf(options.asks).split(", ").map((each) => each - 1);

  function ask([r, c]) {
    point(null); // its own look is read out
    tell.choose(options.asks, r * layout.columns + c);
  }

  if (options.bare) {
    setAll(frame, { role: "group" });
    frame.removeAttribute("tabindex");
  } else if (options.asks === null) walkCells(frame, over, () => layout, () => at, point);
  else {
    walkCells(frame, over, () => layout, () => at, point, { at: asks, point: ask });
    over.addEventListener("click", () => at && ask(at));
  }

  const api = {
    draw(values, width) {
      now = values;
      const signature = JSON.stringify([values.image.shape, values.values.shape, values.names, [...(values.boxes?.data ?? [])], width]);
      if (signature !== shown) build(values, width);
      shown = signature;
      colour(values);
      pieces?.(values);
      boxes.forEach((group, i) => group.classList.toggle("aw-on", i === values.lit?.data[0]));
      key?.(KEY, boxes.length > 0);
      const { rows, columns, cell, tall } = layout;
      asker?.classList.toggle("aw-none", values.asking?.data[0] === 0);
      if (asker) setAll(asker, { x: asks()[1] * cell + 1.5, y: asks()[0] * tall + 1.5 });
      setAll(frame, { "aria-label": `${label || "Picture"}: ${values.alt}${options.bare ? "" : ` Under ${rows} rows by ${columns} columns of weights. Arrow keys ${options.asks === null ? "walk the cells" : "choose the cell that asks"}.`}` });
      if (at && (at[0] >= rows || at[1] >= columns)) at = null;
      mark();
    },
    again: () => point(at),
    table: options.bare ? null : () => {
      const [rows, columns] = now.values.shape.map((N) => Array.from({ length: N }, (_, i) => String(i + 1)));
      return tableOf({ rows, columns, values: now.values }, options.digits);
    },
  };
  return api;
}
