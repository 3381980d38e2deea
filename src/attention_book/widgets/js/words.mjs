export const START = 1;
export const STOP = 2;
// The words of a vocabulary that a reader may type: all but the first three, where these are in brackets, such as [PAD]; [FR] is a word.
export const learnedOf = (vocabulary) => vocabulary.filter((word, i) => i > 2 || word[0] !== "[");
// A typed sentence as words; one in brackets is hidden.
export const wordsOf = (text) => text.trim().split(/\s+/).filter(Boolean).map((word) => ({ word: word.replace(/^\(|\)$/g, ""), hidden: word.startsWith("(") }));
export const textOf = (words) => words.map(({ word, hidden }) => (hidden ? `(${word})` : word)).join(" ");
