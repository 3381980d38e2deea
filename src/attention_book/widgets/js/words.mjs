export const START = 1;
export const STOP = 2;
export const SPECIAL = 3; // ids that are no words
// A typed sentence as words; one in brackets is hidden.
export const wordsOf = (text) => text.trim().split(/\s+/).filter(Boolean).map((word) => ({ word: word.replace(/^\(|\)$/g, ""), hidden: word.startsWith("(") }));
export const textOf = (words) => words.map(({ word, hidden }) => (hidden ? `(${word})` : word)).join(" ");
