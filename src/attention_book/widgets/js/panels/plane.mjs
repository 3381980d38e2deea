// Plane: points around the origin; those of a free array are dragged, or moved with the arrow keys.
import { draw, fit, put, setAll, write } from "../dom.mjs";
import { hullOf, labelSpot, planeLayout, row, snap, ticks } from "../geometry.mjs";

const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const HOW = "Drag a point with a rim, or go to it with Tab and move it with the arrow keys.";
const LABEL = 15, EDGE = 8; // pixels from a point to its label, outwards; and to the edge, or the label stands inwards

export function plane(host, { label, options }, tell) {
  const { sets, limits } = options;
  const picture = draw(put(host, "div", "aw-frame aw-plane"), "svg", { class: "aw-svg", role: "group", "aria-label": label || "Plane" });
  const grid = draw(picture, "path", { class: "aw-gridline" }), axes = draw(picture, "path", { class: "aw-axes" });
  const groups = sets.map(({ role }) => draw(picture, "g", { class: `aw-as-${role}` }));
  const hulls = sets.map(({ hull }, s) => (hull ? draw(groups[s], "path", { class: "aw-hull" }) : null));
  const nodes = sets.map(() => []);
  let now, layout, at = null, grip = null; // at: [set, point]; grip: from the pointer to the point it holds

  const place = (s, i) => Array.from(row(now[`p${s}`], i));
  const nameOf = (s, i) => sets[s].name + (now[`p${s}`].shape[0] > 1 ? String(i + 1).replace(/\d/g, (digit) => "₀₁₂₃₄₅₆₇₈₉"[digit]) : "");

  function lay(width) {
    layout = planeLayout(limits, Math.min(options.side, width), EDGE);
    const { side, toPage } = layout;
    setAll(picture, { width: side, height: side, viewBox: `0 0 ${side} ${side}` });
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
    draw(dot, "circle", { class: "aw-dot", r: 6 });
    draw(node, "text", { class: "aw-label", "text-anchor": "middle" }, "");
    for (const kind of ["pointerover", "focus"]) node.addEventListener(kind, () => grip || point([s, i]));
    node.addEventListener("blur", () => point(null));
    node.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && !grip && document.activeElement !== node && point(null));
    if (control === null) return node;
    setAll(node, { class: "aw-point aw-free", tabindex: 0, role: "application", "aria-roledescription": "point" });
    node.addEventListener("keydown", (event) => {
      const way = KEYS[event.key], { step } = tell.control(control);
      if (!way || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      move(s, i, place(s, i).map((value, d) => value + way[d] * step));
    });
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

  const locate = (event) => {
    const box = picture.getBoundingClientRect(), zoom = layout.side / box.width;
    return layout.fromPage([(event.clientX - box.left) * zoom, (event.clientY - box.top) * zoom]);
  };

  function move(s, i, to) {
    const { control } = sets[s], limited = tell.control(control);
    tell.choose(control, nodes[s].map((_, j) => (j === i ? to.map((value) => snap(value, limited)) : place(s, j))));
  }

  function show(s, i, node) {
    const spot = place(s, i), [x, y] = layout.toPage(spot), [x0, y0] = layout.toPage([0, 0]);
    const others = sets.flatMap((_, t) => Array.from({ length: now[`p${t}`].shape[0] }, (_, j) => (t === s && j === i ? [] : [layout.toPage(place(t, j))])).flat());
    const [left, top] = labelSpot([x, y], [x0, y0], others, { side: layout.side, edge: EDGE, apart: LABEL });
    const text = node.lastChild, dot = text.previousSibling;
    if (sets[s].arrows) setAll(node.firstChild, { d: `M${x0} ${y0}L${x.toFixed(1)} ${y.toFixed(1)}` });
    setAll(dot, { transform: `translate(${x.toFixed(1)},${y.toFixed(1)})` });
    if (now[`w${s}`]) setAll(dot.lastChild, { "fill-opacity": now[`w${s}`].data[i].toFixed(3) });
    setAll(text, { x: left.toFixed(1), y: (top + 4).toFixed(1) });
    write(text, nameOf(s, i));
    if (sets[s].control !== null) setAll(node, { "aria-label": `${nameOf(s, i)} at ${spot.join(", ")}. Arrow keys move it.` });
  }

  function point(target) {
    at = target;
    if (!at) return tell.point(api, null);
    const [s, i] = at, { axis } = sets[s], [x, y] = place(s, i);
    const values = { name: nameOf(s, i), x: x.toFixed(2), y: y.toFixed(2), length: Math.hypot(x, y).toFixed(2) };
    tell.point(api, axis ? { [axis]: i } : {}, options.say, values);
  }

  const api = {
    draw(values, width) {
      now = values;
      if (layout?.side !== Math.min(options.side, width)) lay(width);
      sets.forEach((_, s) => {
        fit(groups[s], nodes[s], now[`p${s}`].shape[0], (i) => make(s, i), (node, i) => show(s, i, node));
        const around = hulls[s] && hullOf(nodes[s].map((_, i) => layout.toPage(place(s, i))));
        if (around) setAll(hulls[s], { d: `M${around.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}Z` });
      });
    },
    again: () => point(at),
    focus: (focus) => sets.forEach(({ axis }, s) => nodes[s].forEach((node, i) => node.classList.toggle("aw-on", axis !== null && focus[axis] === i))),
    idle: () => (sets.some(({ control }) => control !== null) ? [HOW, {}] : null),
    table: () => ({
      head: ["", "x", "y"],
      rows: sets.flatMap((_, s) => nodes[s].map((_, i) => [nameOf(s, i), ...place(s, i).map((value) => value.toFixed(2))])),
    }),
  };
  return api;
}
