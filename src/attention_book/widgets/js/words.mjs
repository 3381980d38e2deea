export const START = 1;
export const STOP = 2;
// The words of a vocabulary that a reader may type: all but the first three, where these are in brackets, such as [PAD]; [FR] is a word.
export const learnedOf = (vocabulary) => vocabulary.filter((word, i) => i > 2 || word[0] !== "[");
// A typed sentence as words; one in brackets is hidden.
export const wordsOf = (text) => text.trim().split(/\s+/).filter(Boolean).map((word) => ({ word: word.replace(/^\(|\)$/g, ""), hidden: word.startsWith("(") }));
export const textOf = (words) => words.map(({ word, hidden }) => (hidden ? `(${word})` : word)).join(" ");

// What is wrong with a sentence of these words; "" for nothing.
export function faultOf({ vocabulary, longest, hides }, words) {
  const learned = learnedOf(vocabulary), unknown = words.find(({ word }) => !learned.includes(word)), gaps = words.filter(({ hidden }) => hidden).length;
  if (!words.length) return "Type a word.";
  if (unknown) return `The network has never met “${unknown.word}”.`;
  if (words.length > longest) return `It reads ${longest} words at most.`;
  if (gaps === words.length || (gaps && !hides)) return "Show a word.";
  if (hides !== "one" || gaps === 1) return "";
  return gaps ? "Hide one word only." : "Hide a word to see the guesses.";
}
