// An author's text with `code` and *stress*, cut where prose.py cuts it.
import { put } from "./dom.mjs";

const CUT = /(`[^`]+`|\*[^\s*](?:[^*]*[^\s*])?\*)/;

export function parts(text) {
  const cut = text.split(CUT).map((piece, i) => (i % 2 ? [piece[0] === "`" ? "code" : "em", piece.slice(1, -1)] : ["", piece]));
  return cut.filter(([, words]) => words);
}

export function prose(node, text) {
  node.replaceChildren();
  for (const [tag, words] of parts(text)) {
    if (tag) put(node, tag, "", words);
    else node.append(words);
  }
  return node;
}
