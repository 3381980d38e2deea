// Answers, as the worker of a page would, what a test asks of networks: the file's path is given, answers are printed.
import { readFileSync } from "node:fs";
import { answer } from "../../src/attention_book/widgets/js/engine/worker.mjs";

const plain = (all) => all && Object.fromEntries(Object.entries(all).map(([name, { shape, data }]) => [name, { shape, data: [...data] }]));
const infinite = (key, value) => (typeof value === "number" && !Number.isFinite(value) ? String(value) : value);

const asked = JSON.parse(readFileSync(process.argv[2], "utf-8"));
const said = asked.map((each, id) => {
  const { outputs, taps, ...rest } = answer({ id, ...each });
  return { ...rest, outputs: plain(outputs), taps: plain(taps) };
});
process.stdout.write(JSON.stringify(said, infinite));
