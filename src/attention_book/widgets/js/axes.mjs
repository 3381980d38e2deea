// The words beside and above a grid of cells.
import { clip, draw, fit, setAll, write } from "./dom.mjs";
import { LABEL } from "./geometry.mjs";

export function axesOf(picture) {
  const beside = draw(picture, "g", { "text-anchor": "end" }), above = draw(picture, "g"), names = { row: [], column: [] };

  // One word of an axis in so many, where it belongs.
  function each(side, group, words, every, place) {
    const make = () => draw(null, "text", { class: "aw-label" });
    fit(group, names[side], Math.ceil(words.length / every), make, (node, k) => {
      setAll(node, { [`data-${side}`]: k * every, ...place((k * every + 0.5) * axes.cell) });
      write(node, clip(words[k * every], LABEL));
    });
  }

  const axes = {
    name({ left, top, cell, level, thin }, rows, columns) {
      axes.cell = cell;
      setAll(beside, { transform: `translate(${left - 7},${top + 4})` });
      each("row", beside, rows, thin[0], (y) => ({ y }));
      setAll(above, { transform: `translate(${left},${top - 7})`, "text-anchor": level ? "middle" : "start" });
      each("column", above, columns, thin[1], (x) => ({ transform: level ? `translate(${x},0)` : `translate(${x + 4},0) rotate(-62)` }));
    },
    light(...cell) {
      Object.entries(names).forEach(([side, nodes], i) => nodes.forEach((node) => node.classList.toggle("aw-on", Number(node.dataset[side]) === cell[i])));
    },
  };
  return axes;
}
