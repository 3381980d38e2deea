// What is said of weights, the same for every panel of them; a mask may hide a cell.
import { largest, row } from "./geometry.mjs";
import { fixed } from "./numbers.mjs";

const HIDDEN = "{column} is hidden from {row}: weight {value}";
export const NOWHERE = "{row} may look nowhere: nothing to average.";

// A row that may look nowhere has no weights: NaN all along it.
export const written = (value, digits) => (Number.isNaN(value) ? "–" : fixed(value, digits));

export const tableOf = ({ rows, columns, values }, digits) => ({
  head: ["", ...columns],
  rows: rows.map((word, r) => [word, ...Array.from(row(values, r), (value) => written(value, digits))]),
});

// cell: { row, column, value, visible }. Returns what `point` takes: a template and what fills it.
export function reading({ row, column, value, visible }, { say, digits }) {
  const template = Number.isNaN(value) ? NOWHERE : visible ? say : HIDDEN;
  return [template, { row, column, value: written(value, digits) }];
}

// The same as a text: what each row has most of, one row after another.
export const strongest = ({ rows, columns, values, visible }, options) =>
  rows.map((word, r) => {
    const weights = row(values, r), c = largest(weights);
    const [say, filled] = reading({ row: word, column: columns[c], value: weights[c], visible: visible?.data[r * columns.length + c] !== 0 }, options);
    return say.replace(/\{(\w+)\}/g, (_, name) => filled[name]);
  }).join("; ");
