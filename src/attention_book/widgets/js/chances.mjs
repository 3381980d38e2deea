// Probabilities when a word is drawn among the k likeliest, then among the fewest of these whose probabilities reach a share.
export function drawnAmong(p, topK = Infinity, topP = 1) {
  const order = [...p.keys()].sort((a, b) => p[b] - p[a]).slice(0, topK);
  const total = order.reduce((sum, i) => sum + p[i], 0), kept = new Float64Array(p.length);
  let before = 0;
  for (const i of order) {
    if (before >= topP * total) break;
    before += kept[i] = p[i];
  }
  return kept.map((x) => x / before);
}
