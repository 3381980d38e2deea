// Vectors: columns of bars side by side, over the mean and the standard deviation of each; those of a free array are dragged.
import { changes, fit, put, setAll, write } from "../dom.mjs";
import { share, snap } from "../geometry.mjs";
import { makePresets } from "../presets.mjs";
import { fixed, numbered } from "../numbers.mjs";
import { onKeys, onLeave } from "../walking.mjs";

const ASIDE = { ArrowUp: -1, ArrowDown: 1 }, STEPS = { ArrowLeft: -1, ArrowRight: 1, PageDown: -10, PageUp: 10, Home: -Infinity, End: Infinity };

export function vectors(host, { label, options }, tell) {
  const mark = makePresets(host, "Set the numbers", options.presets, (values) => tell.choose(options.preset, values));
  const stage = put(host, "div", "aw-vectors");
  setAll(stage, { role: "group", "aria-label": label || "Vectors" });
  const names = column("", put(stage, "div", "aw-vector aw-vector-names"));
  write(names.mean, "mean μ");
  write(names.spread, "σ");
  const all = options.vectors.map((each, k) => ({ ...each, k, ...column(each.name, put(stage, "div", `aw-vector ${each.role ? `aw-as-${each.role}` : ""}`)) }));
  for (const each of all) {
    const behind = put(each.entries, "div", "aw-spans");
    [each.band, each.middle] = [put(behind, "span", "aw-within"), put(behind, "span", "aw-mean")];
  }
  const key = put(host, "p", "aw-vectors-key");
  put(key, "span", "aw-key-mean", "dashed: mean μ");
  put(key, "span", "aw-key-spread", "band: one standard deviation σ to either side");
  const moved = changes(), changed = changes();
  let now, at = null, held = false;

  function column(name, node) {
    put(node, "p", "aw-vector-name", name);
    return { entries: put(node, "div", "aw-entries"), lines: [], mean: put(node, "p", "aw-number"), spread: put(node, "p", "aw-number") };
  }

  const valueOf = ({ k }, i) => now[`v${k}`].data[i];
  const percent = ({ limits }, from, to) => `${(100 * (share(to, limits) - share(from, limits))).toFixed(2)}%`;

  function make(each, i) {
    const node = put(null, "div", "aw-entry"), track = put(node, "span", "aw-bar-track");
    put(track, "span", "aw-bar");
    put(node, "span", "aw-number");
    node.addEventListener("pointerover", () => held || point(i));
    if (each.control !== null) drag(each, i, node, track);
    return node;
  }

  function drag(each, i, node, track) {
    const { low, high } = tell.control(each.control);
    node.classList.add("aw-free");
    setAll(track, { role: "slider", tabindex: i ? -1 : 0, "aria-label": numbered(each.name, i), "aria-valuemin": low, "aria-valuemax": high });
    const follow = ({ clientX }) => {
      const box = track.getBoundingClientRect(), [from, to] = each.limits;
      move(each, i, from + ((clientX - box.left) / box.width) * (to - from));
    };
    node.addEventListener("pointerdown", (event) => {
      event.preventDefault(); // no selecting; it would keep the focus away
      held = true;
      node.setPointerCapture(event.pointerId);
      track.focus();
      follow(event);
    });
    node.addEventListener("pointermove", (event) => node.hasPointerCapture(event.pointerId) && follow(event));
    node.addEventListener("lostpointercapture", () => (held = false));
    track.addEventListener("focus", () => {
      each.lines.forEach((other, j) => setAll(other.firstChild, { tabindex: j === i ? 0 : -1 }));
      point(i);
    });
    track.addEventListener("blur", () => point(null));
    onKeys(track, (key) => ASIDE[key], (way) => each.lines[i + way]?.firstChild.focus());
    onKeys(track, (key) => STEPS[key], (way) => move(each, i, valueOf(each, i) + way * tell.control(each.control).step));
  }

  function move(each, i, to) {
    const values = Array.from(now[`v${each.k}`].data);
    values[i] = snap(to, tell.control(each.control));
    tell.choose(each.control, values);
  }

  function point(i) {
    at = i;
    if (i === null) return tell.point(api, null);
    const values = Object.fromEntries(all.flatMap((each) => [[`_n${each.k}`, numbered(each.name, i)], [`v${each.k}`, fixed(valueOf(each, i), each.digits)]]));
    tell.point(api, { [options.axis]: i }, all.map(({ k }) => `{_n${k}} = {v${k}}`).join(", "), values);
  }

  onLeave(stage, () => point(null), () => held || stage.contains(document.activeElement));

  function show(each) {
    const { k, entries, lines, digits, limits } = each, { data } = now[`v${k}`], [mean, spread] = now[`s${k}`].data;
    const [low] = limits, zero = percent(each, low, 0);
    fit(entries, lines, data.length, (i) => make(each, i), ({ children: [track, number] }, i) => {
      const long = share(data[i], limits) - share(0, limits), said = fixed(data[i], digits);
      setAll(track.firstChild, { style: `left: ${zero}; transform: scaleX(${long.toFixed(4)});` });
      if (each.control !== null) setAll(track, { "aria-valuenow": data[i], "aria-valuetext": said });
      write(number, said);
    });
    setAll(each.middle, { style: `left: ${percent(each, low, mean)}` });
    setAll(each.band, { style: `left: ${percent(each, low, mean - spread)}; width: ${percent(each, mean - spread, mean + spread)}` });
    write(each.mean, fixed(mean, 2));
    write(each.spread, fixed(spread, 2));
  }

  const api = {
    draw(values) {
      now = values;
      fit(names.entries, names.lines, now.v0.data.length, () => put(null, "div", "aw-entry"), (node, i) => write(node, String(i + 1)));
      all.forEach(show);
      mark(now[`v${all.findIndex(({ control }) => control === options.preset)}`]?.data);
    },
    again: () => point(at),
    focus: (focus) => [names, ...all].forEach(({ lines }) => lines.forEach((node, i) => node.classList.toggle("aw-on", focus[options.axis] === i))),
    idle: () => (all.some(({ control }) => control !== null) ? ["Drag a bar, or go to it with Tab; up and down choose another, left and right change it.", {}] : null),
    news() {
      const made = all.filter(({ control }) => control === null);
      const values = Object.fromEntries(made.map(({ k, digits }) => [`v${k}`, Array.from(now[`v${k}`].data, (value) => fixed(value, digits)).join(", ")]));
      const first = changed(values) ? "" : "As at the start: ";
      return moved(all.map(({ k }) => Array.from(now[`v${k}`].data))) && [first + made.map(({ k, name }) => `${name} = {v${k}}`).join("; "), values];
    },
  };
  return api;
}
