// Bars: label, bar, number; values of both signs grow from a common zero.
import { changes, fit, put, setAll, write } from "../dom.mjs";
import { clamp, largest } from "../geometry.mjs";
import { listbox } from "../listbox.mjs";
import { fixed } from "../numbers.mjs";

const FIELDS = ["values", "low", "high"];

export function bars(host, { options }, tell) {
  const list = put(host, "ul", "aw-bars");
  list.style.setProperty("--aw-letters", options.letters);
  list.classList.toggle("aw-close", options.close);
  const [low, high] = options.limits, zero = (-low / (high - low)) * 100;
  const lines = [];
  const changed = changes();
  let now, at = null;
  const linked = listbox(list, tell.label || "Bars", () => lines, point);

  function point(i) {
    at = i;
    if (i === null || i >= now.labels.length) return tell.point(api, null);
    tell.point(api, { [options.axis]: i }, ...said(i));
  }

  function said(i) {
    const [value, low, high] = numbers(i);
    return [options.say + (ranged(i) ? " ({low} to {high})" : ""), { label: now.labels[i], value, low, high }];
  }

  // A value and the ends of its range, as they are read.
  const numbers = (i) => FIELDS.filter((name) => now[name]).map((name) => fixed(now[name].data[i], options.digits));

  const ranged = (i) => now.low && now.low.data[i] < now.high.data[i];

  function line() {
    const node = put(null, "li", "aw-bar-line");
    put(node, "span", "aw-bar-label");
    const track = put(node, "span", "aw-bar-track");
    put(track, "span", "aw-bar");
    if (now.low) put(track, "span", "aw-range");
    put(node, "span", "aw-number");
    linked.option(node);
    return node;
  }

  const api = {
    draw(values) {
      now = values;
      fit(list, lines, values.labels.length, line, ({ children: [label, track, number] }, i) => {
        const value = values.values.data[i], length = clamp(value, low, high) / (high - low);
        write(label, values.labels[i]);
        setAll(track.firstChild, { style: `left: ${zero}%; transform: scaleX(${length.toFixed(4)});` });
        write(number, fixed(value, options.digits));
        if (!now.low) return;
        const [from, to] = [now.low, now.high].map(({ data }) => (100 * (data[i] - low)) / (high - low));
        setAll(track.lastChild, { style: `left: ${from.toFixed(2)}%; width: ${(to - from).toFixed(2)}%; visibility: ${ranged(i) ? "visible" : "hidden"};` });
      });
    },
    again: () => point(at),
    // the longest bar, once something has changed
    news() {
      if (!changed(now) || !now.labels.length) return null;
      const [say, filled] = said(largest(now.values.data));
      return [now.labels.length > 1 ? `Longest bar: ${say}` : say, filled];
    },
    focus: (focus) => linked.mark(focus[options.axis]),
    table: () => ({
      head: ["", options.measure, ...(now.low ? ["low", "high"] : [])],
      rows: now.labels.map((label, i) => [label, ...numbers(i).map((text, k) => (k && !ranged(i) ? "" : text))]),
    }),
  };
  return api;
}
