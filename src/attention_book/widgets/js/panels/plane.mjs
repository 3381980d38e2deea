// Plane: points around the origin; those of a free array are dragged, or moved with the arrow keys.
import { draw, fit, put, setAll, sized, write } from "../dom.mjs";
import { fixed, numbered, signed } from "../numbers.mjs";
import { hullOf, labelSpots, planeLayout, row, snap, ticks, xy } from "../geometry.mjs";
import { onKeys, onLeave, spotIn } from "../walking.mjs";

const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const DOT = 6, RING = 10, AROUND = 8; // pixels of radii, and from the ends of the axes to the edge

export function plane(host, { label, options }, tell) {
  const { sets, limits } = options;
  const picture = draw(put(host, "div", "aw-frame aw-plane"), "svg", { class: "aw-svg", role: "group", "aria-label": label || "Plane" });
  const grid = draw(picture, "path", { class: "aw-gridline" }), axes = draw(picture, "path", { class: "aw-axes" });
  const groups = sets.map(({ role }) => draw(picture, "g", { class: `aw-as-${role}` }));
  const hulls = sets.map(({ hull }, s) => (hull ? draw(groups[s], "path", { class: "aw-hull" }) : null));
  const nodes = sets.map(() => []), above = draw(picture, "g"), labels = [], labelled = new Map();
  let now, layout, at = null, grip = null; // at: [set, point]; grip: from the pointer to the point it holds

  const place = (s, i) => Array.from(row(now[`p${s}`], i));
  const nameOf = (s, i) => (now[`p${s}`].shape[0] > 1 ? numbered(sets[s].name, i) : sets[s].name);

  function lay(width) {
    layout = planeLayout(limits, Math.min(options.side, width), AROUND);
    const { side, toPage } = layout;
    sized(picture, side, side);
    const lines = ticks(...limits, 8).map((value) => [...toPage([value, value])]);
    setAll(grid, { d: lines.map(([x, y]) => `M${x} 0V${side}M0 ${y}H${side}`).join("") });
    const [x, y] = toPage([0, 0]);
    setAll(axes, { d: `M${x} 0V${side}M0 ${y}H${side}` });
  }

  function make(s, i) {
    const { control, arrows } = sets[s], node = draw(null, "g", { class: "aw-point" });
    if (arrows) draw(node, "path", { class: "aw-arrow" });
    const dot = draw(node, "g");
    draw(dot, "circle", { class: "aw-grip", r: 15 });
    draw(dot, "circle", { class: sets[s].ring ? "aw-dot aw-round" : "aw-dot", r: sets[s].ring ? RING : DOT });
    node.addEventListener("pointerover", () => grip || point([s, i]));
    onLeave(node, () => point(null), () => grip || document.activeElement === node);
    if (control === null) return node; // and none for focus: in Chromium what hears of it is a Tab stop
    node.addEventListener("focus", () => grip || point([s, i]));
    node.addEventListener("blur", () => point(null));
    setAll(node, { class: "aw-point aw-free", tabindex: 0, role: "application", "aria-roledescription": "point" });
    onKeys(node, (key) => KEYS[key], (way) => move(s, i, place(s, i).map((value, d) => value + way[d] * tell.control(control).step)));
    node.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false }); // no scrolling; Chromium heeds no touch-action here
    node.addEventListener("pointerdown", (event) => {
      event.preventDefault(); // no text is marked
      node.focus();
      node.setPointerCapture(event.pointerId);
      const under = locate(event);
      grip = place(s, i).map((value, d) => value - under[d]);
      point([s, i]);
    });
    node.addEventListener("pointermove", (event) => grip && move(s, i, locate(event).map((value, d) => value + grip[d])));
    node.addEventListener("lostpointercapture", () => (grip = null));
    return node;
  }

  const locate = (event) => layout.fromPage(spotIn(picture, event, layout.side));

  function move(s, i, to) {
    const { control } = sets[s], limited = tell.control(control);
    tell.choose(control, nodes[s].map((_, j) => (j === i ? to.map((value) => snap(value, limited)) : place(s, j))));
  }

  function show(s, i, node) {
    const spot = place(s, i), [x, y] = layout.toPage(spot), [x0, y0] = layout.toPage([0, 0]), dot = node.lastChild;
    if (sets[s].arrows) setAll(node.firstChild, { d: `M${x0} ${y0}L${xy(x, y)}` });
    setAll(dot, { transform: `translate(${xy(x, y)})` });
    if (now[`w${s}`]) setAll(dot.lastChild, { "fill-opacity": now[`w${s}`].data[i].toFixed(3) });
    if (sets[s].control !== null) setAll(node, { "aria-label": `${nameOf(s, i)} at ${spot.map(signed).join(", ")}. Arrow keys move it.` });
  }

  // The names, above all points, each beside its own.
  function name() {
    const all = sets.flatMap(({ arrows, ring }, s) => nodes[s].map((_, i) => ({ s, i, arrow: arrows, at: layout.toPage(place(s, i)), radius: ring ? RING : DOT })));
    const spots = labelSpots(all, layout.toPage([0, 0]), layout.side);
    fit(above, labels, all.length, () => draw(null, "text", { class: "aw-label", "text-anchor": "middle" }), (node, n) => {
      const [x, y] = spots[n];
      setAll(node, { x: x.toFixed(1), y: (y + 4).toFixed(1) });
      write(node, nameOf(all[n].s, all[n].i));
      labelled.set(nodes[all[n].s][all[n].i], node);
    });
  }

  function point(target) {
    at = target;
    if (!at) return tell.point(api, null);
    const [s, i] = at, { axis } = sets[s], [x, y] = place(s, i);
    const values = { name: nameOf(s, i), x: fixed(x, 2), y: fixed(y, 2), length: fixed(Math.hypot(x, y), 2) };
    tell.point(api, axis ? { [axis]: i } : {}, options.say, values);
  }

  const api = {
    draw(values, width) {
      now = values;
      if (layout?.side !== Math.min(options.side, width)) lay(width);
      sets.forEach((_, s) => {
        fit(groups[s], nodes[s], now[`p${s}`].shape[0], (i) => make(s, i), (node, i) => show(s, i, node));
        const around = hulls[s] && hullOf(nodes[s].map((_, i) => layout.toPage(place(s, i))));
        if (around) setAll(hulls[s], { d: `M${around.map(([x, y]) => xy(x, y)).join("L")}Z` });
      });
      name();
    },
    again: () => point(at),
    focus: (focus) => sets.forEach(({ axis }, s) => nodes[s].forEach((node, i) => {
      for (const each of [node, labelled.get(node)]) each.classList.toggle("aw-on", axis !== null && focus[axis] === i);
    })),
    idle: () => (sets.some(({ control }) => control !== null) ? ["Drag a point with a rim, or go to it with Tab and move it with the arrow keys.", {}] : null),
    table: () => ({
      head: ["", "first", "second"],
      rows: sets.flatMap((_, s) => nodes[s].map((_, i) => [nameOf(s, i), ...place(s, i).map((value) => fixed(value, 2))])),
    }),
  };
  return api;
}
