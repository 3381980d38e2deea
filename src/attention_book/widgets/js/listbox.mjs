// A list whose entries can be pointed at and walked with the arrow keys, for strips and bars along a shared axis.
import { setAll, unique } from "./dom.mjs";
import { along } from "./geometry.mjs";
import { onGone, onKeys } from "./walking.mjs";

// entries(): the current elements; point(i or null): called when the reader moves; start(): the entry that keys start from.
export function listbox(host, name, entries, point, start = null) {
  let at = null;
  setAll(host, { role: "listbox", tabindex: 0, "aria-label": name, "aria-orientation": "horizontal" });
  onKeys(host, (key) => along(start ? start() : at, key, entries().length), (go) => point((at = go[1])));
  const find = (event) => entries().indexOf(event.target.closest("[role=option]"));
  for (const kind of ["pointerover", "pointerdown"])
    host.addEventListener(kind, (event) => {
      if (find(event) >= 0) point((at = find(event)));
    });
  onGone(host, () => point((at = null)));
  const option = (node) => {
    setAll(node, { role: "option", id: unique("option"), "aria-selected": false });
    return node;
  };
  const mark = (i) => {
    entries().forEach((node, k) => {
      setAll(node, { "aria-selected": k === i });
      node.classList.toggle("aw-on", k === i);
    });
    const active = entries()[i];
    if (active) setAll(host, { "aria-activedescendant": active.id });
    else if (host.hasAttribute("aria-activedescendant")) host.removeAttribute("aria-activedescendant");
  };
  return { option, mark };
}
