// Bars: label, bar, number; values of both signs grow from a common zero.
import { put } from "../dom.mjs";
import { listbox } from "../listbox.mjs";

export function bars(host, { options }, tell) {
  const list = put(host, "ul", "aw-bars");
  list.style.setProperty("--aw-letters", options.letters);
  const [low, high] = options.limits, zero = (-low / (high - low)) * 100;
  let nodes = [], now, at = null, shown = "";
  const linked = listbox(list, tell.label || "Bars", () => nodes.map((each) => each.line), point);

  function point(i) {
    at = i;
    if (i === null || i >= now.labels.length) return tell.point(api, null);
    tell.point(api, { [options.axis]: i }, "{label}: {value}", { label: now.labels[i], value: now.values.data[i].toFixed(options.digits) });
  }

  function build(labels) {
    list.replaceChildren();
    nodes = labels.map((label, i) => {
      const line = put(list, "li", "aw-bar-line");
      put(line, "span", "aw-bar-label", label);
      const bar = put(put(line, "span", "aw-bar-track"), "span", "aw-bar");
      linked.option(line, i, labels.length);
      return { line, bar, number: put(line, "span", "aw-number") };
    });
  }

  const api = {
    draw(values) {
      now = values;
      const signature = JSON.stringify(values.labels);
      if (signature !== shown) build(values.labels);
      shown = signature;
      nodes.forEach(({ bar, number }, i) => {
        const value = Math.max(low, Math.min(high, values.values.data[i]));
        bar.style.left = `${zero}%`;
        bar.style.transform = `scaleX(${value / (high - low)})`;
        number.textContent = values.values.data[i].toFixed(options.digits);
      });
    },
    again: () => point(at),
    focus: (focus) => linked.mark(focus[options.axis]),
    table: () => ({
      head: ["", "value"],
      rows: now.labels.map((label, i) => [label, now.values.data[i].toFixed(options.digits)]),
    }),
  };
  return api;
}
