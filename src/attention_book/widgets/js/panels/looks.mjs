// Looks: a sentence in which the word pointed at has a line to each word it looks at; under words stands what is said there.
import { draw, fit, put, setAll, write } from "../dom.mjs";
import { FAINT, largest, row } from "../geometry.mjs";
import { listbox } from "../listbox.mjs";
import { tableOf } from "../masked.mjs";
import { fixed } from "../numbers.mjs";


export function looks(host, { label, options }, tell) {
  const { axis, asks, presses, digits, say } = options;
  const around = put(host, "div", "aw-looking"), picture = draw(around, "svg", { "aria-hidden": "true" });
  const list = put(around, "ul", "aw-tokens aw-looks"), nodes = [], curves = [];
  const linked = listbox(list, label || "Words", () => nodes, visit, () => lit);
  let now, at = null, lit = 0;
  let pressed = null, sentence = null, asking = null, before = null; // the pressed word, and the text then; the word that asks, and the one it took over from
  let others = []; // words of which the last change has changed what is said

  // The word whose lines are drawn while none is named.
  const first = () => Math.max(0, now.words.findIndex((word) => asks.includes(word)));

  function told(i) {
    const weights = row(now.values, i), best = largest(weights), named = (k) => (nodes[k].dataset.said ? `${now.words[k]} (${nodes[k].dataset.said})` : now.words[k]);
    const news = others.filter((k) => k !== i).map((k, n) => `${n ? "," : "; changed:"} ${named(k)}`).join("");
    return [`${say}${news}`, { row: named(i), column: now.words[best], value: fixed(weights[best], digits) }];
  }

  function point(i) {
    at = i;
    if (i === null || i >= now.words.length) return tell.point(api, null);
    tell.point(api, { [axis]: i }, ...told(i));
  }

  function visit(i) {
    others = []; // old news
    point(i);
  }

  // A word that is pressed asks until it is exchanged, hidden or shown; then the one that asked before asks again.
  function settle() {
    if (presses === null) return;
    const i = tell.pressed(presses), text = tell.stateOf(presses);
    if (i !== pressed) [before, asking] = i === null ? [null, null] : [asking, i];
    else if (text !== sentence && asking === i) {
      asking = before;
      at = null; // a finger may have left it pointed at
    }
    [pressed, sentence] = [i, text];
  }

  if (presses !== null) {
    const press = (i) => i !== null && tell.press(presses, i);
    list.classList.add("aw-choosing");
    list.addEventListener("click", () => press(at));
    list.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      press(lit);
    });
  }

  function token() {
    const node = linked.option(put(null, "li", "aw-token"));
    node.append("");
    put(node, "span", "aw-said");
    return node;
  }

  // From the top of one word to the top of another, or up to the foot of one in a line above.
  function path([x, y], [u, v]) {
    if (x === u && y === v) return `M${x - 6} ${y}C${x - 16} ${y - 20} ${x + 16} ${y - 20} ${x + 6} ${y}`;
    const rise = y === v ? Math.min(34, 12 + Math.abs(x - u) / 9) : 26, start = y < v ? y + 26 : y, end = v < y ? v + 26 : v;
    return `M${x} ${start}C${x} ${start + (y < v ? rise : -rise)} ${u} ${end + (v < y ? rise : -rise)} ${u} ${end}`;
  }

  const api = {
    draw(values) {
      now = values;
      settle();
      if (at >= now.words.length) at = null;
      const old = nodes.map(({ dataset }) => dataset.said);
      fit(list, nodes, now.words.length, token, (node, i) => {
        const word = now.words[i], said = now.said && asks.includes(word) ? now.said[i] : "", hidden = now.shown?.data[i] === 0;
        if (node.firstChild.data !== word) node.firstChild.data = word;
        setAll(node, { "data-said": said, "aria-label": [word, hidden ? "(hidden)" : "", said && `: ${said}`].filter(Boolean).join(" ") });
        node.classList.toggle("aw-hidden-word", hidden);
      });
      others = nodes.map((_, k) => k).filter((k) => old[k] && nodes[k].dataset.said && old[k] !== nodes[k].dataset.said);
    },
    again: () => point(at),
    held() {
      settle();
      return asking === null || asking >= now.words.length ? {} : { [axis]: asking };
    },
    focus(focus) {
      lit = focus[axis] < now.words.length ? focus[axis] : first();
      const weights = row(now.values, lit), best = largest(weights);
      linked.mark(lit);
      const tops = nodes.map((node) => [Math.round(node.offsetLeft + node.offsetWidth / 2), node.offsetTop]);
      nodes.forEach((node, k) => {
        const { said } = node.dataset, share = !said && k === best ? fixed(weights[k], digits) : "";
        setAll(node, { style: `--aw-weight: ${weights[k].toFixed(3)};` });
        write(node.lastChild, said || share);
        node.classList.toggle("aw-best", Boolean(share));
        const beneath = tops[k][1] < tops[lit][1]; // a line comes up through the label's place
        node.classList.toggle("aw-left", beneath && tops[k][0] < tops[lit][0]);
        node.classList.toggle("aw-right", beneath && tops[k][0] >= tops[lit][0]);
      });
      fit(picture, curves, nodes.length, () => draw(null, "path", { class: "aw-arc" }), (curve, k) => {
        const strong = weights[k] >= FAINT;
        setAll(curve, { d: strong ? path(tops[lit], tops[k]) : "", style: strong ? `stroke-opacity: ${(0.15 + 0.85 * weights[k]).toFixed(3)}; stroke-width: ${(0.7 + 3.3 * weights[k]).toFixed(2)};` : "" });
      });
    },
    idle: () => told(lit),
    table() {
      const { head, rows } = tableOf({ rows: now.words, columns: now.words, values: now.values }, digits);
      if (!now.said) return { head, rows };
      return { head: [...head, "says"], rows: rows.map((line, r) => [...line, asks.includes(line[0]) ? now.said[r] : ""]) };
    },
  };
  return api;
}
