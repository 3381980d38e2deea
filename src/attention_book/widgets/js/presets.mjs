// Buttons that each set a free array; the one that it equals is pressed.
import { button, put, setAll } from "./dom.mjs";

// all: [name, values] of each, or null for none. Returns update(values), to be told what the array holds.
export function makePresets(host, label, all, choose) {
  if (!all) return () => {};
  const line = put(host, "div", "aw-presets");
  setAll(line, { role: "group", "aria-label": label });
  const buttons = all.map(([name, values]) => [String(values), button(line, name, () => choose(values))]);
  return (now) => buttons.forEach(([values, node]) => setAll(node, { "aria-pressed": values === String(now) }));
}
