// Runs a traced model: what networks/program.py writes, and its weights. It knows no model and no figure.
import { halves, sizeOf } from "../bytes.mjs";
import { encode } from "./pieces.mjs";
import { OPS } from "./ops.mjs";
import { START } from "../words.mjs";
import { chosen, mapped, tensor } from "./tensor.mjs";

const INFINITE = { inf: Infinity, "-inf": -Infinity };

export class Network {
  // program: { functions, weights: { name: [kind, where, shape] }, crc32, pieces: { merges, longest }, if it reads any text }; bytes: a Uint8Array.
  constructor(program, bytes) {
    if (crc32(bytes) !== program.crc32) throw new Error("its weights are damaged");
    this.pieces = program.pieces;
    const weights = { ...unpack(program.weights, bytes), ...INFINITE };
    this.functions = mapped(program.functions, (code) => prepared(code, { ...weights }));
  }

  // The ids of a text that begins, and leaves room for `most` pieces more; the last one written is not read.
  cut(text, most = 1) {
    const ids = encode(text, this.pieces.merges), room = this.pieces.longest - most;
    if (ids.length > room) throw new Error(`the text has ${ids.length} pieces, expected ${room} at most`);
    return [START, ...ids];
  }

  // inputs: by name, tensors or nested lists; more may be given than it takes. change: by tap, a function (A, step) of the weights
  // that gives those to use; a tap of another call may be changed. Returns { outputs, taps }, by name, with the batch axis.
  run(call, inputs, change = {}, step = 0) {
    const { known, nodes, outputs, tapped, inputs: names } = this.functions[call], values = Object.create(known), taps = {};
    for (const name of names) {
      if (inputs[name] === undefined) throw new Error(`input ${name} is missing`);
      values[name] = tensor(inputs[name]);
    }
    evaluate(nodes, values, (node, value) => {
      const path = tapped[node];
      return path === undefined ? value : (taps[path] = change[path]?.(value, step) ?? value);
    });
    return { outputs: mapped(outputs, (node) => read(node, values)), taps };
  }

  // Refuses a call that is not there, and a change of a tap that these calls have not.
  check(calls, change) {
    const taps = Object.assign({}, ...calls.map((call) => chosen("call", call, this.functions).taps));
    for (const tap of Object.keys(change)) chosen("tap", tap, taps);
  }
}

// What depends on weights alone is computed once, here, but for taps; an unknown operation is an error before anything runs.
function prepared(code, known) {
  const tapped = Object.fromEntries(Object.entries(code.taps).map(([path, node]) => [node, path]));
  const nodes = code.nodes.filter(([name, op, args]) => {
    if (!Object.hasOwn(OPS, op)) throw new Error(`unknown operation ${op}`);
    const fixed = !(name in tapped) && ready(args, known);
    if (fixed) evaluate([[name, op, args]], known);
    return !fixed;
  });
  return { ...code, nodes, known, tapped };
}

function evaluate(nodes, values, tap = (name, value) => value) {
  for (const [name, op, args] of nodes) values[name] = tap(name, OPS[op](...args.map((arg) => read(arg, values))));
}

// An argument: a number, a name, a list of these, or the body of a loop.
function read(arg, values) {
  if (typeof arg === "string") {
    if (!(arg in values)) throw new Error(`${arg} is not computed`);
    return values[arg];
  }
  if (Array.isArray(arg)) return arg.map((one) => read(one, values));
  return arg?.nodes ? (...given) => body(arg, given) : arg;
}

function body({ inputs, nodes, outputs }, given) {
  const values = { ...INFINITE, ...Object.fromEntries(inputs.map((name, i) => [name, given[i]])) };
  evaluate(nodes, values);
  return read(outputs, values);
}

const ready = (arg, known) => (typeof arg === "string" ? arg in known : Array.isArray(arg) ? arg.every((one) => ready(one, known)) : !arg?.nodes);

// Weights are float32, float16, or int8 with a scale for each row before its numbers.
function unpack(places, bytes) {
  const from = (start, Kind, n) => new Kind(bytes.slice(start, start + n * Kind.BYTES_PER_ELEMENT).buffer), found = {};
  for (const [name, [kind, start, shape]] of Object.entries(places)) {
    const count = sizeOf(shape), rows = shape[0];
    if (kind === "float32") found[name] = { shape, data: from(start, Float32Array, count) };
    else if (kind === "float16") found[name] = { shape, data: halves(from(start, Uint16Array, count)) };
    else {
      const scales = from(start, Float32Array, rows), numbers = from(start + 4 * rows, Int8Array, count), width = count / rows;
      found[name] = { shape, data: Float32Array.from(numbers, (value, i) => value * scales[Math.floor(i / width)]) };
    }
  }
  return found;
}

function crc32(bytes) {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
