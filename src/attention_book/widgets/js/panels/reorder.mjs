// Reorder: words that the reader drags, or moves with the arrow keys, into another order.
import { button, fit, put, setAll, write } from "../dom.mjs";
import { clamp, placeAt } from "../geometry.mjs";
import { onKeys } from "../walking.mjs";

const MOVES = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1, Home: -Infinity, End: Infinity };

export function reorder(host, { label, options }, tell) {
  const line = put(host, "div", "aw-reorder"), list = put(line, "ul", "aw-tokens");
  setAll(list, { "aria-label": label || "Words" });
  button(line, "Reverse", () => choose([...now.words].reverse()));
  const nodes = [];
  let now, at = null, held = false;

  const choose = (words) => tell.choose(options.order, options.orders.indexOf(words.join(" ")));
  const keyed = (i) => nodes[i].firstChild;

  function move(to) {
    if (to === at) return;
    const words = [...now.words];
    words.splice(to, 0, ...words.splice(at, 1));
    at = to;
    choose(words);
    keyed(to).focus();
  }

  function point(i) {
    at = i;
    if (i === null) return tell.point(api, null);
    tell.point(api, { [options.axis]: i }, `{word} stands at place {place} of {_count}. Drag it, or move it with the arrow keys.`, { word: now.words[i], place: i + 1, _count: now.words.length });
  }

  const find = ({ target }) => nodes.findIndex((node) => node.contains(target));
  list.addEventListener("focusin", (event) => point(find(event)));
  list.addEventListener("focusout", ({ relatedTarget }) => !list.contains(relatedTarget) && point(null));
  onKeys(list, (key) => MOVES[key], (way) => move(clamp(at + way, 0, nodes.length - 1)));
  list.addEventListener("pointerdown", (event) => {
    const i = find(event);
    if (i < 0) return;
    event.preventDefault(); // no text is marked
    keyed(i).focus();
    held = true;
    list.setPointerCapture(event.pointerId);
  });
  list.addEventListener("pointermove", ({ clientX }) => {
    if (!held) return;
    const middles = nodes.map((node) => node.getBoundingClientRect()).map(({ left, right }) => (left + right) / 2);
    move(placeAt(middles, at, clientX));
  });
  list.addEventListener("lostpointercapture", () => (held = false));

  const api = {
    draw(values) {
      now = values;
      const make = () => {
        const node = put(null, "li");
        put(node, "button", "aw-token").type = "button";
        return node;
      };
      fit(list, nodes, now.words.length, make, (node, i) => {
        write(node.firstChild, now.words[i]);
        setAll(node.firstChild, { "aria-label": `${now.words[i]}, place ${i + 1} of ${now.words.length}` });
      });
    },
    again: () => point(at),
    focus: (focus) => nodes.forEach((node, i) => node.firstChild.classList.toggle("aw-on", focus[options.axis] === i)),
    table: () => ({ head: ["", ...now.words.map((_, i) => String(i + 1))], rows: [["word", ...now.words]] }),
  };
  return api;
}
