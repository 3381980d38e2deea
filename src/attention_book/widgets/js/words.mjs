export const START = 1;
export const STOP = 2;
// The words of a vocabulary that a reader may type: all but the special ones, such as [PAD].
export const learnedOf = (vocabulary) => vocabulary.filter((word) => word[0] !== "[");
// A typed sentence as words; one in brackets is hidden.
export const wordsOf = (text) => text.trim().split(/\s+/).filter(Boolean).map((word) => ({ word: word.replace(/^\(|\)$/g, ""), hidden: word.startsWith("(") }));
export const textOf = (words) => words.map(({ word, hidden }) => (hidden ? `(${word})` : word)).join(" ");
