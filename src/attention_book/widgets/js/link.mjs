// The setting in the address: "#w=collapse&length=12&state-size=128", one such group per widget that left its default.

import { isArray } from "./decode.mjs";
import { marksOf } from "./paper.mjs";
import { faultOf, wordsOf } from "./words.mjs";

// Fragment -> [{ name, pairs }], or null when the fragment is not ours (an ordinary anchor, say).
export function parse(fragment) {
  const text = fragment.replace(/^#/, "");
  if (!text.startsWith("w=")) return null;
  const groups = [];
  for (const [key, value] of new URLSearchParams(text)) {
    if (key === "w") groups.push({ name: value, pairs: [] });
    else groups[groups.length - 1].pairs.push([key, value]);
  }
  return groups;
}

// What the address says of a control's position: a short form of its value; of a free array all its numbers, of a mask its bits.
const DIGITS = 6;
const glue = ({ low, high, step }) => (low === 0 && high === 1 && step === 1 ? "" : "_");

function say(control, position) {
  if (typeof position === "string") return position;
  if (!isArray(control)) return control.slugs[position];
  return [position].flat(Infinity).map((x) => Number(x.toPrecision(DIGITS))).join(glue(control));
}

function hear(control, text, start) {
  const { kind, slugs, low, high } = control;
  if (kind === "sentence") return faultOf(control, wordsOf(text)) ? start : text;
  if (kind === "paper") return marksOf(control, text) ? text : start;
  if (kind === "text") return text;
  if (!isArray(control)) return slugs.indexOf(text) < 0 ? start : slugs.indexOf(text);
  const said = text.split(glue(control)), numbers = said.map(Number);
  const good = numbers.every((x, i) => said[i].trim() && x >= low && x <= high);
  if (!good || numbers.length !== [start].flat(Infinity).length) return start;
  const nest = (like) => (Array.isArray(like) ? like.map(nest) : numbers.shift());
  return nest(start);
}

// The index a group asks for; what is unknown or out of range stays at its default.
export function indexOf(group, { controls, default: start }) {
  const index = [...start];
  for (const [key, value] of group.pairs) {
    const k = controls.findIndex((control) => control.slug === key);
    if (k >= 0) index[k] = hear(controls[k], value, start[k]);
  }
  return index;
}

// What a widget writes, or null in its default setting.
export function groupOf({ link, controls, default: start }, index) {
  const said = controls.map((control, k) => [control.slug, say(control, index[k]), say(control, start[k])]);
  const pairs = said.flatMap(([slug, now, first]) => (now === first ? [] : [[slug, now]]));
  return pairs.length ? { name: link, pairs } : null;
}

// The fragment after a widget moved; the other widgets' groups stay. "" when nothing is left to say.
export function replace(fragment, name, group) {
  const groups = (parse(fragment) ?? []).filter((each) => each.name !== name);
  if (group) groups.push(group);
  const write = ({ name: widget, pairs }) => new URLSearchParams([["w", widget], ...pairs]).toString();
  return groups.length ? `#${groups.map(write).join("&")}` : "";
}
