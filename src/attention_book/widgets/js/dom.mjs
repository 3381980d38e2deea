// Making elements, and changing only what is different: what an input leaves alone costs nothing to draw again.
// Every text of an author or a reader goes in by textContent or data, never as markup.
const SVG = "http://www.w3.org/2000/svg";
// JupyterLab loads this module anew for each widget, and ids must differ between them.
const module = Math.random().toString(36).slice(2, 8);
let ids = 0;

// parent: where it goes at the end; null for an element that is put into its place later.
export function put(parent, tag, className = "", text = null) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== null) node.textContent = text;
  parent?.append(node);
  return node;
}

export function draw(parent, tag, attributes = {}, text = null) {
  const node = document.createElementNS(SVG, tag);
  setAll(node, attributes);
  if (text !== null) node.textContent = text;
  parent?.append(node);
  return node;
}

// A frame that is walked by keyboard.
export function walked(host, kind, more = "") {
  const frame = put(host, "div", `aw-frame aw-walk${more}`);
  setAll(frame, { role: "application", tabindex: 0, "aria-roledescription": kind });
  return frame;
}

// A drawing that is not read out, and how large it is.
export const drawing = (host) => draw(host, "svg", { class: "aw-svg", "aria-hidden": "true" });
export const sized = (picture, width, height) => setAll(picture, { width, height, viewBox: `0 0 ${width} ${height}` });

// Pixels of four numbers each.
export function paint(canvas, data, width, height) {
  setAll(canvas, { width, height });
  canvas.getContext("2d").putImageData(new ImageData(data, width, height), 0, 0);
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
  for (const [name, value] of Object.entries(attributes))
    if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
};

export function write(node, text) {
  const leaf = node.nodeType === Node.TEXT_NODE ? node : node.childNodes.length === 1 ? node.firstChild : null;
  if (leaf?.nodeType !== Node.TEXT_NODE || !text) {
    if (node.textContent !== text) node.textContent = text;
  } else if (leaf.data !== text) leaf.data = text;
}

// As many entries in the host as wanted: those that are there stay, make(i) gives the others, fill(node, i) says what each shows.
export function fit(host, entries, count, make, fill) {
  while (entries.length > count) entries.pop().remove();
  entries.forEach(fill);
  while (entries.length < count) {
    const i = entries.length, node = make(i);
    entries.push(node);
    fill(node, i);
    host.append(node);
  }
}

// A function that says whether what it is given differs from what it was given first.
export function changes() {
  let first = null;
  return (now) => (first ??= JSON.stringify(now)) !== JSON.stringify(now);
}

export const unique = (stem) => `aw-${stem}-${module}-${++ids}`;

// A group that a title inside it names.
export function groupBy(node, title) {
  title.id = unique("title");
  setAll(node, { role: "group", "aria-labelledby": title.id });
}

export const clip = (text, letters) => (text.length > letters ? text.slice(0, letters - 1) + "…" : text);

// "{row} attends {value} to {column}" -> text with the filled-in parts emphasised, but for those named {_like_this}.
export function sentence(node, template, values) {
  const pieces = template.split(/(\{\w+\})/).filter(Boolean).map((part) => {
    const name = /^\{\w+\}$/.test(part) ? part.slice(1, -1) : null;
    if (name === null || !Object.hasOwn(values, name)) return ["#text", part];
    return [name.startsWith("_") ? "#text" : "B", String(values[name])];
  });
  const nodes = node.childNodes;
  const alike = nodes.length === pieces.length && pieces.every(([tag], i) => nodes[i].nodeName === tag);
  if (alike) pieces.forEach(([, text], i) => write(nodes[i], text));
  else node.replaceChildren(...pieces.map(([tag, text]) => (tag === "B" ? put(null, "b", "", text) : text)));
}
