// Reading a field of the widget's state at a setting. An array comes out as { shape, data }.
import { arrayOf, half, sizeOf } from "./bytes.mjs";
import { largest, row } from "./geometry.mjs";
import { COMPUTED } from "./math.mjs";
import { fixed } from "./numbers.mjs";
import { inked, marksOf } from "./paper.mjs";
import { START, STOP, wordsOf } from "./words.mjs";

// A kernel's front end hands over a DataView, a page a Uint8Array.
export function viewOf(data) {
  return ArrayBuffer.isView(data) ? new DataView(data.buffer, data.byteOffset, data.byteLength) : new DataView(data);
}

const READ = {
  float32: { size: 4, at: (view, i) => view.getFloat32(i, true) },
  float16: { size: 2, at: (view, i) => half(view.getUint16(i, true)) },
  uint8: { size: 1, at: (view, i) => view.getUint8(i) / 255 },
};

// Where a setting's leaf lies among all leaves of a field that depends on the controls `by`.
export function position(by, index, controls) {
  return by.reduce((all, k) => all * controls[k].labels.length + index[k], 0);
}

function numbers(field, k, view) {
  const { size, at } = READ[field.type];
  const same = field.shapes.length === 1;
  const shape = field.shapes[same ? 0 : k];
  let before = 0;
  if (same) before = k * sizeOf(shape);
  else for (let i = 0; i < k; i++) before += sizeOf(field.shapes[i]);
  const data = new Float64Array(sizeOf(shape));
  for (let i = 0; i < data.length; i++) data[i] = at(view, field.at + (before + i) * size);
  return { shape, data };
}

export const isArray = ({ kind }) => kind === "free" || kind === "switches";

// What a network is given of a typed sentence, or its words.
function ofSentence({ sentence, as, start, stop }, index, controls) {
  const { vocabulary } = controls[sentence], words = wordsOf(index[sentence]);
  const framed = (first, inside, last) => [...(start ? [first] : []), ...inside, ...(stop ? [last] : [])];
  if (as === "words") return framed("[START]", words.map(({ word }) => word), "[STOP]");
  const ids = () => framed(START, words.map(({ word }) => vocabulary.indexOf(word)), STOP);
  return arrayOf(as === "ids" ? ids() : framed(1, words.map(({ hidden }) => Number(!hidden)), 1), Float64Array);
}

// The label of each id, or of each row's largest score, with what stands before it. Or numbers with so many digits; or words in a text.
function namesOf(values, { labels, digits, joined, between, before = [] }) {
  if (joined !== undefined) return joined.replace("{}", () => values.join(between));
  if (digits !== undefined) return Array.from(values.data, (value) => fixed(value, digits));
  const { shape, data } = values, ids = shape.length < 2 ? Array.from(data) : Array.from({ length: shape[0] }, (_, r) => largest(row(values, r)));
  return ids.map((id, i) => (before[i] ?? "") + labels[id]);
}

// results: what the runs of networks have given; null, or left out, where none has been asked yet.
export function resolve(field, index, controls, view, results = null) {
  const now = (each) => resolve(each, index, controls, view, results);
  if ("is" in field) return field.is;
  if ("sentence" in field) return ofSentence(field, index, controls);
  if ("paper" in field) {
    const sheet = controls[field.paper], { side } = sheet, text = index[field.paper];
    if (field.laid) return arrayOf(marksOf(sheet, text), Float64Array);
    return { shape: field.channel ? [1, side, side] : [side, side], data: inked(sheet, text) };
  }
  if ("ran" in field) {
    const given = results?.[field.ran];
    if (!given) return now(field.start);
    if (!(field.output in given)) throw new Error(`the network gives no ${field.output}, expected one of ${Object.keys(given).join(", ")}`);
    return given[field.output];
  }
  if ("named" in field) return namesOf(now(field.named), field);
  if ("pick" in field) return now(field.of[index[field.pick]]);
  if ("text" in field) return now(field.of[index[field.text]] ?? field.else);
  if ("control" in field) {
    const { kind, values } = controls[field.control], at = index[field.control];
    return isArray({ kind }) ? arrayOf(at, Float64Array) : values ? values[at] : at; // a text is its own value
  }
  if ("run" in field) return COMPUTED[field.run](...field.with.map(now));
  const k = position(field.by, index, controls);
  return "of" in field ? field.of[k] : numbers(field, k, view);
}
