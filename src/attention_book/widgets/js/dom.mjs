// Making elements. Every text of an author or a reader goes in by textContent, never as markup.
const SVG = "http://www.w3.org/2000/svg";
let count = 0;

export function put(parent, tag, className = "", text = null) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== null) node.textContent = text;
  parent.append(node);
  return node;
}

export function draw(parent, tag, attributes = {}, text = null) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (text !== null) node.textContent = text;
  parent.append(node);
  return node;
}

export function button(parent, text, act, className = "aw-button") {
  const node = put(parent, "button", className, text);
  node.type = "button";
  node.addEventListener("click", act);
  return node;
}

// Heights in the wide and in the narrow layout, for the stylesheet to choose from.
export function reserve(node, [wide, narrow], name = "--aw") {
  node.style.setProperty(`${name}-wide`, `${wide}px`);
  node.style.setProperty(`${name}-narrow`, `${narrow}px`);
}

export const setAll = (node, attributes) => {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
};

export const unique = (stem) => `aw-${stem}-${++count}`;

export const clip = (text, letters) => (text.length > letters ? text.slice(0, letters - 1) + "…" : text);

// "{row} attends {value} to {column}" -> text with the filled-in parts emphasised, but for those named {_like_this}.
export function sentence(node, template, values) {
  node.replaceChildren();
  template.split(/(\{\w+\})/).forEach((part) => {
    const name = /^\{\w+\}$/.test(part) ? part.slice(1, -1) : null;
    if (name === null || !Object.hasOwn(values, name)) node.append(part);
    else if (name.startsWith("_")) node.append(String(values[name]));
    else put(node, "b", "", String(values[name]));
  });
}
