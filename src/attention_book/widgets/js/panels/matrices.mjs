// Matrices: small tables of numbers; those of a free array are edited.
import { changes, put, setAll, write } from "../dom.mjs";
import { fitted, fixed, signed } from "../numbers.mjs";
import { onLeave } from "../walking.mjs";


export function matrices(host, { options }, tell) {
  const line = put(host, "div", "aw-matrices");
  const tables = options.tables.map((each, t) => ({ ...each, t, node: put(line, "table", `aw-matrix ${each.role ? `aw-as-${each.role}` : ""}`), cells: [], above: [], beside: [] }));
  for (const { node, name, room } of tables) {
    symbol(put(node, "caption"), name);
    node.style.setProperty("--aw-room", room);
  }
  const changed = changes(), results = tables.filter(({ role }) => role === "out");
  let now, at = null, arranged = null; // [table, row, column]; the width for which names of rows are shown

  const shapeOf = (t) => [...now[`m${t}`].shape, 1];
  const valueOf = (t, r, c) => now[`m${t}`].data[r * shapeOf(t)[1] + c];
  const said = ({ t, weights, digits, room }) => {
    const { data } = now[`m${t}`];
    return weights ? Array.from(data, (value) => fixed(value, digits)) : fitted(data, digits, room);
  };
  const named = ({ t, name }, r, c) => {
    const [rows, columns] = shapeOf(t);
    const place = [now[`r${t}`]?.[r] ?? (rows > 1 ? `row ${r + 1}` : ""), now[`c${t}`]?.[c] ?? (columns > 1 ? `column ${c + 1}` : "")];
    return [name.replace("_", " "), ...place.filter(Boolean)].join(", ");
  };

  function build(table) {
    const { t, node, control } = table, [rows, columns] = shapeOf(t);
    const body = put(node, "tbody"), names = now[`r${t}`], above = now[`c${t}`];
    const headed = (line, scope) => {
      const made = put(line, "th");
      made.scope = scope;
      return made;
    };
    if (above) {
      const head = put(body, "tr");
      if (names) put(head, "td");
      table.above = above.map(() => headed(head, "col"));
    }
    for (let r = 0; r < rows; r++) {
      const made = put(body, "tr");
      if (names) table.beside.push(headed(made, "row"));
      table.cells.push(Array.from({ length: columns }, (_, c) => {
        const cell = put(made, "td"), target = [table, r, c];
        cell.addEventListener("pointerover", () => point(target));
        return control === null ? cell : field(cell, target);
      }));
    }
    onLeave(node, () => point(null), () => node.contains(document.activeElement));
  }

  // Rows are named where a table is the first of its line, or always: as `Matrices.height` foresees it.
  function arrange(width) {
    const free = tables.filter(({ beside, named }) => beside.length && (named === "first" || (named === "wide" && tell.narrow())));
    for (const { node } of tables) node.classList.toggle("aw-unnamed", free.some((each) => each.node === node));
    if (!line.clientWidth) return;
    for (const { node } of free) node.classList.toggle("aw-unnamed", node.offsetLeft > line.firstElementChild.offsetLeft); // what follows is moved by it
    arranged = width;
  }

  function field(cell, [table, r, c]) {
    const { low, high, step } = tell.control(table.control), input = put(cell, "input", "aw-cell");
    setAll(input, { type: "number", min: low, max: high, step, "aria-label": named(table, r, c), title: `${signed(low)} to ${signed(high)}` });
    input.addEventListener("input", () => {
      const wrong = refused(input);
      setAll(input, { "aria-invalid": Boolean(wrong) });
      if (wrong) point([table, r, c]);
      else tell.choose(table.control, table.cells.map((line, i) => line.map((_, j) => (i === r && j === c ? Number(input.value) : valueOf(table.t, i, j)))));
    });
    input.addEventListener("focus", () => point([table, r, c]));
    input.addEventListener("blur", () => {
      setAll(input, { "aria-invalid": false });
      input.value = valueOf(table.t, r, c);
      point(null);
    });
    return input;
  }

  // Why what stands in a field is not computed with, or "".
  function refused({ value, min, max, validity, title }) {
    if (validity.badInput) return "No number";
    if (value === "") return "Empty";
    return Number(value) < Number(min) || Number(value) > Number(max) ? `${signed(value)} is outside ${title}` : "";
  }

  function point(target) {
    at = target;
    if (!at) return tell.point(api, null);
    const [table, r, c] = at, wrong = table.control === null ? "" : refused(table.cells[r][c]);
    const focus = Object.fromEntries([[table.axes[0], r], [table.axes[1], c]].filter(([axis]) => axis));
    const value = table.control === null ? said(table)[r * shapeOf(table.t)[1] + c] : signed(valueOf(table.t, r, c));
    tell.point(api, focus, wrong ? "{_wrong}: computed with {value}." : "{_place}: {value}", { _place: named(table, r, c), _wrong: wrong, value });
  }

  const api = {
    draw(values, width) {
      now = values;
      for (const table of tables) {
        const { t, node, cells, weights, control } = table;
        if (!cells.length) build(table);
        table.above.forEach((cell, c) => write(cell, now[`c${t}`][c]));
        table.beside.forEach((cell, r) => write(cell, now[`r${t}`][r]));
        node.classList.toggle("aw-later", now.shown?.data[t] === 0);
        const texts = control === null ? said(table) : null;
        cells.forEach((line, r) => line.forEach((cell, c) => {
          const value = valueOf(t, r, c);
          if (weights) setAll(cell, { style: `--aw-weight: ${value.toFixed(3)}` });
          if (texts) write(cell, texts[r * line.length + c]);
          else if (cell.value === "" || Number(cell.value) !== value) cell.value = value;
        }));
      }
      if (arranged !== width) arrange(width);
    },
    again: () => point(at),
    edits: () => at[0].control !== null && !refused(at[0].cells[at[1]][at[2]]),
    idle: () => (tables.some(({ control }) => control !== null) ? ["Change a number, and what follows from it changes.", {}] : null),
    news() {
      const values = Object.fromEntries(results.map((table) => [`m${table.t}`, said(table).join(", ")]));
      return changed(values) && [results.map(({ t, name }) => `${name} = {m${t}}`).join("; "), values];
    },
    focus: (focus) => {
      for (const { axes: [down, across], cells } of tables)
        cells.forEach((line, r) => line.forEach((cell, c) => {
          const on = (down !== null && focus[down] === r) || (across !== null && focus[across] === c);
          cell.closest("td").classList.toggle("aw-on", on);
        }));
    },
  };
  return api;
}

// W_Q with its Q set low.
function symbol(node, name) {
  const [letter, ...low] = name.split("_");
  node.textContent = letter;
  if (low.length) put(node, "sub", "", low.join("_"));
}
