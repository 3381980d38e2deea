// Pointing and keys, the same for every panel: leaving it, its keys, where in a drawing something happens, walking the cells of a grid.
import { cellAt, walk } from "./geometry.mjs";

// A mouse that goes away points at nothing, unless something else holds the figure; a finger leaves it pointed at.
export const onLeave = (node, leave, isHeld = () => false) => node.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && !isHeld() && leave());

export function onGone(node, leave) {
  onLeave(node, leave);
  node.addEventListener("blur", leave);
}

// find(key): what a key means, or nothing; those pressed with Ctrl, Cmd or Alt are not the figure's.
export function onKeys(node, find, act) {
  node.addEventListener("keydown", (event) => {
    const found = find(event.key);
    if (!found || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act(found);
  });
}

// Where an event happened in a drawing that is so many pixels wide inside.
export function spotIn(picture, { clientX, clientY }, width) {
  const box = picture.getBoundingClientRect(), zoom = width / box.width;
  return [(clientX - box.left) * zoom, (clientY - box.top) * zoom];
}

// picture: the drawing, layout() pixels wide inside; at(): the cell now; point(cell or null): the reader moved. Keys may start
// from another cell, and do something else.
export function walkCells(frame, picture, layout, at, point, keyed = { at, point }) {
  for (const kind of ["pointermove", "pointerdown"])
    picture.addEventListener(kind, (event) => {
      const cell = cellAt(layout(), ...spotIn(picture, event, layout().width));
      if (String(cell) !== String(at())) point(cell);
    });
  onGone(frame, () => point(null));
  onKeys(frame, (key) => walk(keyed.at(), key, layout().rows, layout().columns), keyed.point);
}
