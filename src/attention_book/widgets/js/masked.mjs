// What is said of a cell that a mask may hide, the same for every panel of weights.
import { fixed } from "./numbers.mjs";

const HIDDEN = "{column} is hidden from {row}: weight {value}";
export const NOWHERE = "{row} may look nowhere: nothing to average.";

// A row that may look nowhere has no weights: NaN all along it.
export const written = (value, digits) => (Number.isNaN(value) ? "–" : fixed(value, digits));

// cell: { row, column, value, visible }. Returns what `point` takes: a template and what fills it.
export function reading({ row, column, value, visible }, { say, digits }) {
  const template = Number.isNaN(value) ? NOWHERE : visible ? say : HIDDEN;
  return [template, { row, column, value: written(value, digits) }];
}
