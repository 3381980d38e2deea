// The setting in the address: "#w=collapse&length=12&state-size=128", one such group per widget that left its default.

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

// The index a group asks for; what is unknown or out of range stays at its default.
export function indexOf(group, { controls, default: start }) {
  const index = [...start];
  for (const [key, value] of group.pairs) {
    const k = controls.findIndex((control) => control.slug === key);
    const i = k < 0 ? -1 : controls[k].slugs.indexOf(value);
    if (i >= 0) index[k] = i;
  }
  return index;
}

// What a widget writes, or null in its default setting.
export function groupOf({ link, controls, default: start }, index) {
  const pairs = controls.flatMap((control, k) => (index[k] === start[k] ? [] : [[control.slug, control.slugs[index[k]]]]));
  return pairs.length ? { name: link, pairs } : null;
}

// The fragment after a widget moved; the other widgets' groups stay. "" when nothing is left to say.
export function replace(fragment, name, group) {
  const groups = (parse(fragment) ?? []).filter((each) => each.name !== name);
  if (group) groups.push(group);
  const write = ({ name: widget, pairs }) => new URLSearchParams([["w", widget], ...pairs]).toString();
  return groups.length ? `#${groups.map(write).join("&")}` : "";
}
