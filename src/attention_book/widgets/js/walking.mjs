// Pointing at the cells of a grid and walking them by keyboard, the same for every panel that has cells.
import { cellAt, walk } from "./geometry.mjs";

// picture: the drawing, layout() pixels wide inside; at(): the cell now; point(cell or null): the reader moved. Keys may start
// from another cell, and do something else.
export function walkCells(frame, picture, layout, at, point, keyed = { at, point }) {
  const locate = (event) => {
    const box = picture.getBoundingClientRect(), zoom = layout().width / box.width;
    return cellAt(layout(), (event.clientX - box.left) * zoom, (event.clientY - box.top) * zoom);
  };
  for (const kind of ["pointermove", "pointerdown"])
    picture.addEventListener(kind, (event) => {
      const cell = locate(event);
      if (String(cell) !== String(at())) point(cell);
    });
  frame.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && point(null));
  frame.addEventListener("blur", () => point(null));
  frame.addEventListener("keydown", (event) => {
    const cell = walk(keyed.at(), event.key, layout().rows, layout().columns);
    if (!cell || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    keyed.point(cell);
  });
}
