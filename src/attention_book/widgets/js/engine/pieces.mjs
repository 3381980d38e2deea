// Cuts a text into pieces of bytes, as TextPieces in data/subwords.py does.
const WORDS = /'(?:s|t|re|ve|m|ll|d)| ?\p{L}+| ?\p{N}+| ?[^\p{White_Space}\p{L}\p{N}]+|\p{White_Space}+(?!\P{White_Space})|\p{White_Space}+/gu;
const SPECIALS = 3;
// Ids of bytes: first those that are letters to be seen, in Latin-1.
const seen = (byte) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
const IDS = [];
[...Array(256).keys()].sort((a, b) => seen(b) - seen(a)).forEach((byte, i) => (IDS[byte] = SPECIALS + i));

// merges: pairs of ids; each makes the piece with the next id after the bytes. In a word the earliest is made first.
export function encode(text, merges) {
  const ranks = new Map(merges.map((pair, rank) => [String(pair), rank]));
  return (text.match(WORDS) ?? []).flatMap((word) => {
    let ids = Array.from(new TextEncoder().encode(word), (byte) => IDS[byte]);
    for (;;) {
      const rank = Math.min(...ids.slice(1).map((id, i) => ranks.get(`${ids[i]},${id}`) ?? Infinity));
      if (rank === Infinity) return ids;
      const [left, right] = merges[rank], joined = [];
      for (let i = 0; i < ids.length; i++) {
        const met = ids[i] === left && ids[i + 1] === right;
        joined.push(met ? SPECIALS + 256 + rank : ids[i]);
        if (met) i++;
      }
      ids = joined;
    }
  });
}
