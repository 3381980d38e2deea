// Bars: label, bar, number; values of both signs grow from a common zero.
import { fit, put, setAll, write } from "../dom.mjs";
import { listbox } from "../listbox.mjs";
import { fixed } from "../numbers.mjs";

export function bars(host, { options }, tell) {
  const list = put(host, "ul", "aw-bars");
  list.style.setProperty("--aw-letters", options.letters);
  const [low, high] = options.limits, zero = (-low / (high - low)) * 100;
  const lines = [];
  let now, at = null;
  const linked = listbox(list, tell.label || "Bars", () => lines, point);

  function point(i) {
    at = i;
    if (i === null || i >= now.labels.length) return tell.point(api, null);
    tell.point(api, { [options.axis]: i }, "{label}: {value}", { label: now.labels[i], value: fixed(now.values.data[i], options.digits) });
  }

  function line() {
    const node = put(null, "li", "aw-bar-line");
    put(node, "span", "aw-bar-label");
    put(put(node, "span", "aw-bar-track"), "span", "aw-bar");
    put(node, "span", "aw-number");
    linked.option(node);
    return node;
  }

  const api = {
    draw(values) {
      now = values;
      fit(list, lines, values.labels.length, line, ({ children: [label, track, number] }, i) => {
        const value = values.values.data[i], length = Math.max(low, Math.min(high, value)) / (high - low);
        write(label, values.labels[i]);
        setAll(track.firstChild, { style: `left: ${zero}%; transform: scaleX(${length.toFixed(4)});` });
        write(number, fixed(value, options.digits));
      });
    },
    again: () => point(at),
    focus: (focus) => linked.mark(focus[options.axis]),
    table: () => ({
      head: ["", options.measure],
      rows: now.labels.map((label, i) => [label, fixed(now.values.data[i], options.digits)]),
    }),
  };
  return api;
}
