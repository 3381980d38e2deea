// Lines: curves told apart by dash and marker as well as colour, with a marker line where the reader stands.
import { changes, draw, drawing, put, setAll, sized, walked, write } from "../dom.mjs";
import { clamp, nearest, ticks, walk, xy } from "../geometry.mjs";
import { fixed, powerOfTen, signed, significant } from "../numbers.mjs";
import { onGone, onKeys, spotIn } from "../walking.mjs";

const DASHES = ["", "7 4", "2 4", "10 4 2 4", "12 3", "1 3"];
const SHAPES = ["M0-4A4 4 0 1 1 0 4 4 4 0 1 1 0-4", "M-4-4H4V4H-4Z", "M0-5L5 4H-5Z", "M0-5L5 0 0 5-5 0Z", "M-5-3H5L0 5Z", "M-4 0H4M0-4V4"];
const EDGE = { left: 52, right: 14, top: 22, bottom: 44 };

export function lines(host, { label, options }, tell) {
  const { names, digits } = options;
  const [scaled, unscaled] = options.log_x ? [Math.log, Math.exp] : [Number, Number];
  const [x0, x1] = options.x_limits.map(scaled);
  const high = options.log_y ? Math.log10 : Number;
  const said = options.log_y ? significant : (value) => fixed(value, digits);
  const keys = legend(host, options, options.highlight === null ? null : tell.control(options.highlight).name);
  const frame = walked(host, "plot", " aw-plot"), picture = drawing(frame);
  const changed = changes();
  let now, x, y, shown = "", curves = [], marks = [], marker, at = null, wide, floor;

  const called = (k) => now[`n${k}`] ?? names[k];
  const named = (i) => signed(Number(now.x.data[i].toPrecision(6))) + (now.t ? `, ${now.t[i]}` : "");
  const present = () => [...names.keys()].filter((k) => now[`y${k}`].data.length);

  function build(width) {
    const height = options.height - 4;
    wide = width - EDGE.right;
    floor = height - EDGE.bottom;
    const [y0, y1] = options.y_limits;
    x = (value) => EDGE.left + ((scaled(value) - x0) / (x1 - x0 || 1)) * (wide - EDGE.left);
    const share = (value) => (high(clamp(value, y0, y1)) - high(y0)) / (high(y1) - high(y0));
    y = (value) => floor - share(value) * (floor - EDGE.top);
    sized(picture, width, height);
    picture.replaceChildren();
    axes(y0, y1);
    curves = names.map((_, k) => {
      const group = draw(picture, "g", look(k, options.behind));
      return {
        group,
        band: draw(group, "path", { class: "aw-spread" }),
        path: draw(group, "path", { class: `aw-${options.drawn}`, "stroke-dasharray": k === options.behind ? "" : DASHES[k] }),
        dots: draw(group, "path", { class: "aw-dot" }),
      };
    });
    if (options.behind !== null) curves[0].group.before(curves[options.behind].group);
    marks = options.marks.map((name) => {
      const group = draw(picture, "g", { class: "aw-mark" });
      draw(group, "line", { y1: EDGE.top - 4, y2: floor });
      draw(group, "text", { class: "aw-tick", y: EDGE.top + 8 }, name);
      return group;
    });
    marker = draw(picture, "g", { class: "aw-marker" });
    draw(marker, "line", { y1: EDGE.top - 4, y2: floor });
  }

  function axes(y0, y1) {
    const past = (value) => (value === y0 && options.beyond[0] ? "≤ " : value === y1 && options.beyond[1] ? "≥ " : "");
    const tick = (value, name) => {
      draw(picture, "line", { class: "aw-gridline", x1: EDGE.left, x2: wide, y1: y(value), y2: y(value) });
      draw(picture, "text", { class: "aw-tick", x: EDGE.left - 8, y: y(value) + 4, "text-anchor": "end" }, past(value) + name);
    };
    if (options.log_y) for (const n of ticks(high(y0), high(y1), 5).filter(Number.isInteger)) tick(Number(`1e${n}`), powerOfTen(n));
    else for (const value of ticks(y0, y1, 5)) tick(value, signed(value));
    const few = ticks(x0, x1, wide / 64);
    for (const value of options.x_ticks ?? (few.length > 1 ? few : ticks(x0, x1, 4)))
      draw(picture, "text", { class: "aw-tick", x: x(value), y: floor + 18, "text-anchor": "middle" }, signed(value));
    draw(picture, "text", { class: "aw-axis", x: (EDGE.left + wide) / 2, y: floor + EDGE.bottom - 6, "text-anchor": "middle" }, options.x_label);
    draw(picture, "text", { class: "aw-axis", x: 4, y: 12 }, options.y_label);
  }

  function trace() {
    const xs = now.x.data;
    curves.forEach(({ path, band }, k) => {
      const spots = (name) => Array.from(now[name + k].data, (value, i) => xy(x(xs[i]), y(value))), some = now[`y${k}`].data.length;
      setAll(path, { d: some ? `M${spots("y").join(options.join)}${options.join.slice(0, -1)}` : "" });
      if (now[`low${k}`]) setAll(band, { d: some ? `M${spots("high").join("L")}L${spots("low").reverse().join("L")}Z` : "" });
    });
  }

  function mark() {
    marks.forEach((group, k) => {
      const [at] = now[`m${k}`].data, right = x(at) > wide / 2;
      setAll(group, { visibility: at === undefined ? "hidden" : "visible", transform: `translate(${at === undefined ? 0 : x(at).toFixed(1)},0)` });
      setAll(group.lastChild, { x: right ? -5 : 5, "text-anchor": right ? "end" : "start" });
    });
  }

  // The marker stands at the entry pointed at, else at its control's value.
  function place() {
    const xs = Array.from(now.x.data), value = tell.valueOf(options.marker);
    const i = at ?? (value === null || value < options.x_limits[0] || value > options.x_limits[1] ? null : nearest(xs, value));
    marker.classList.toggle("aw-shown", i !== null);
    curves.forEach(({ dots }, k) => {
      const here = i === null || k === options.behind ? undefined : now[`y${k}`].data[i];
      setAll(dots, here === undefined ? { d: "" } : { d: SHAPES[k], transform: `translate(${xy(x(xs[i]), y(here))})` });
    });
    if (i !== null) setAll(marker, { transform: `translate(${x(at === null ? value : xs[i]).toFixed(1)},0)` });
    return i;
  }

  function emphasise() {
    const wanted = options.highlight === null ? null : tell.labelOf(options.highlight);
    const some = names.includes(wanted);
    curves.forEach(({ group }, k) => {
      for (const node of [group, keys[k]]) {
        node?.classList.toggle("aw-strong", some && names[k] === wanted);
        node?.classList.toggle("aw-weak", some && names[k] !== wanted);
      }
    });
  }

  function say(i) {
    const values = { _label: options.x_label, x: named(i) };
    const parts = present().map((k) => {
      Object.assign(values, { [`_name${k}`]: called(k), [`value${k}`]: said(now[`y${k}`].data[i]) });
      return `{_name${k}}: {value${k}}`;
    });
    return [`At {_label} {x}: ${parts.join(", ")}.`, values];
  }

  function point(i) {
    at = i;
    if (i === null) return tell.point(api, null);
    place();
    tell.point(api, {}, ...say(i));
  }

  const locate = (event) => {
    const share = (spotIn(picture, event, wide + EDGE.right)[0] - EDGE.left) / (wide - EDGE.left);
    return unscaled(x0 + share * (x1 - x0));
  };
  const here = (event) => nearest(Array.from(now.x.data), locate(event));
  const choose = (event) => tell.choose(options.marker, nearest(tell.control(options.marker).values, locate(event)));
  picture.addEventListener("pointerdown", (event) => {
    if (!now.x.data.length) return;
    if (options.marker === null) point(here(event));
    else choose(event);
  });
  picture.addEventListener("pointermove", (event) => {
    if (!now.x.data.length || (event.pointerType !== "mouse" && !event.buttons)) return;
    if (event.buttons && options.marker !== null) return choose(event);
    const i = here(event);
    if (i !== at && !event.buttons) point(i);
  });
  onGone(frame, () => point(null));
  onKeys(frame, (key) => !/^Arrow(Up|Down)$/.test(key) && walk([0, at ?? place() ?? -1], key, 1, now.x.data.length), ([, i]) => point(i));

  const api = {
    draw(values, width) {
      now = values;
      if (shown !== String(width)) build(width);
      shown = String(width);
      keys.forEach((entry, k) => {
        entry.hidden = !now[`y${k}`].data.length;
        write(entry.lastChild, called(k));
      });
      trace();
      mark();
      if (at !== null && at >= values.x.data.length) at = null;
      place();
      emphasise();
      setAll(frame, { "aria-label": `${label || "Plot"}: ${options.y_label} by ${options.x_label}, ${present().map(called).join(", ")}. Left and right arrow keys walk along it.` });
    },
    again: () => point(at),
    focus: (focus) => focus && at === null && place(),
    idle() {
      const i = at ?? place();
      return i === null ? null : say(i);
    },
    news: () => changed(present().map((k) => Array.from(now[`y${k}`].data, said))) && options.marker === null && say(now.x.data.length - 1),
    table() {
      const ends = (k) => (now[`low${k}`] ? ["low", "high"].map((end, e) => [names.length > 1 ? `${called(k)}, ${options.ends[e]}` : options.ends[e], end + k]) : []);
      const columns = present().flatMap((k) => [[called(k), `y${k}`], ...ends(k)]);
      return {
        head: [options.x_label, ...columns.map(([name]) => name)],
        rows: Array.from(now.x.data, (_, i) => [named(i), ...columns.map(([, field]) => said(now[field].data[i]))]),
      };
    },
  };
  return api;
}

const look = (k, behind) => ({ class: `aw-series ${k === behind ? "aw-base" : ""}`, style: `--aw-series: var(${k === behind ? "--aw-quiet" : `--aw-series-${k}`})` });

function legend(host, { names, legend, marker, behind }, title) {
  if (!legend || names.length < 2) return [];
  const line = put(host, "div", "aw-legend");
  if (title) put(line, "span", "aw-legend-title", title);
  const list = put(line, "ul");
  return names.map((name, k) => {
    const entry = put(list, "li");
    setAll(entry, look(k, behind));
    const sample = draw(entry, "svg", { width: 34, height: 12, viewBox: "0 0 34 12", "aria-hidden": "true" });
    draw(sample, "path", { class: "aw-line", d: "M1 6H33", "stroke-dasharray": k === behind ? "" : DASHES[k] });
    if (marker !== null && k !== behind) draw(sample, "path", { class: "aw-dot", d: SHAPES[k], transform: "translate(17,6)" });
    put(entry, "span", "", name);
    return entry;
  });
}
