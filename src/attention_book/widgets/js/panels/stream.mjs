// Stream: a vector that goes up, and for each part the arrow that it adds; lengths and angles are true, the scale is common.
import { draw, drawing, fit, put, setAll, sized, write } from "../dom.mjs";
import { xy } from "../geometry.mjs";
import { fixed } from "../numbers.mjs";

const RIM = 7, HEAD = 6; // pixels around a drawing, and of an arrow's head
const DRAWN = { before: "the stream before", after: "after", added: "what the part adds" }; // as drawn, the last on top
const REPLACED = "what the part puts in its place";

export function stream(host, { label, options }, tell) {
  const list = put(host, "ul", "aw-stream");
  setAll(list, { "aria-label": label || "Stream" });
  list.style.setProperty("--aw-columns", options.columns);
  const key = put(host, "p", "aw-stream-key");
  const [, after, adds] = Object.entries(DRAWN).map(([name, text]) => put(key, "span", `aw-${name}`, text));
  const cells = [];
  let now;

  function cell() {
    const node = put(null, "li");
    put(node, "b");
    const picture = drawing(node);
    for (const name of Object.keys(DRAWN)) draw(picture, "path", { class: `aw-${name}` });
    put(node, "span");
    put(node, "span");
    return node;
  }

  const arrow = (x, y, to, up) => {
    const far = Math.hypot(to - x, up - y), [dx, dy] = far ? [(to - x) / far, (up - y) / far] : [0, 0], size = Math.min(HEAD, far / 2);
    const wing = (side) => `L${xy(to - size * (dx + side * 0.5 * dy), up - size * (dy - side * 0.5 * dx))}`;
    const tip = xy(to, up);
    return `M${xy(x, y)}L${tip}M${tip}${wing(1)}M${tip}${wing(-1)}`;
  };

  return {
    draw(values, width) {
      now = values;
      const { before, added, cosines } = values, carried = values.carried.data[0], wide = width / options.columns, tall = options.drawn;
      const ends = Array.from(before.data, (length, i) => {
        const cosine = cosines.data[i], long = added.data[i], from = carried * length;
        return { length, from, right: long * Math.sqrt(Math.max(0, 1 - cosine * cosine)), up: from + long * cosine };
      });
      const right = Math.max(...ends.map((end) => end.right)), top = Math.max(...ends.flatMap(({ length, up }) => [length, up]));
      const low = Math.min(0, ...ends.map(({ up }) => up));
      const scale = Math.min((tall - 2 * RIM) / (top - low), (wide - 2 * RIM) / (right || 1));
      const x = (value) => (wide - scale * right) / 2 + scale * value, y = (value) => tall - RIM - scale * (value - low);
      after.hidden = !carried;
      write(adds, carried ? DRAWN.added : REPLACED);
      fit(list, cells, ends.length, cell, ({ children: [name, picture, long, cosine] }, i) => {
        const { length, from, right: across, up } = ends[i], [stem, whole, arrowed] = picture.children;
        write(name, values.parts[i]);
        sized(picture, wide, tall);
        setAll(stem, { d: arrow(x(0), y(0), x(0), y(length)) });
        setAll(whole, { d: arrow(x(0), y(0), x(across), y(up)) });
        setAll(arrowed, { d: arrow(x(0), y(from), x(across), y(up)) });
        write(long, added.data[i] ? `${fixed(added.data[i] / length, 2)} as long` : "nothing");
        write(cosine, added.data[i] ? `cos ${fixed(cosines.data[i], 2)}` : "");
      });
    },
    table: () => ({
      head: ["", "length of the stream", "length of what is added", "as long", "cosine"],
      rows: now.parts.map((part, i) => [part, ...[now.before.data[i], now.added.data[i], now.added.data[i] / now.before.data[i], now.cosines.data[i]].map((value) => fixed(value, 2))]),
    }),
  };
}
