// A sentence that the reader types: words that a network has learned are offered, an unknown one is marked and its nearest are offered;
// a word that is pressed can be changed for one of its kind, or hidden, where words can be (it stands in brackets then), instead of another
// where one may be. Words are pressed here, or in a panel (`looks`) where `tiles` is false.
import { button, fit, put, setAll, unique, write } from "./dom.mjs";
import { faultOf, learnedOf, textOf, wordsOf } from "./words.mjs";

const MOST = 8; // words offered

// How many letters to put in, take out or exchange.
function distance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const before = row;
    row = [i];
    for (let j = 1; j <= b.length; j++) row.push(Math.min(row[j - 1] + 1, before[j] + 1, before[j - 1] + (a[i - 1] !== b[j - 1])));
  }
  return row[b.length];
}

export function typed(host, control, choose) {
  const { name, vocabulary, groups, longest, hides, examples, tiles: own, pieces } = control;
  const grown = pieces.map((_, i) => pieces.slice(0, i + 1).join(" "));
  const line = put(host, "div", `aw-control aw-typed${own ? "" : " aw-bare"}`);
  const label = put(line, "label", "aw-name", name), input = put(line, "input", "aw-input");
  label.htmlFor = input.id = unique("typed");
  setAll(input, { type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false" });
  input.dataset.control = name;
  const tiles = put(line, "div", "aw-tiles"), below = put(line, "div", "aw-below"), nodes = [];
  const note = put(below, "p", "aw-note"), offers = put(below, "div", "aw-offers");
  setAll(tiles, { role: "group", "aria-label": `Words of the ${name}` });
  setAll(offers, { role: "group", "aria-label": "Offered" });
  setAll(note, { role: "status" });
  let words = [], at = null, held = false, last = null; // the word at work, whether it was pressed; the text given or handed on

  const learned = learnedOf(vocabulary), isKnown = (word) => learned.includes(word);
  const nearest = (word) => learned.map((each) => [distance(word, each), each]).sort(([a], [b]) => a - b).map(([, each]) => each);

  // A word as the network knows it: as typed, else in small letters, else without the stops behind it.
  function known(word) {
    const bare = word.replace(/[.,!?;:]+$/, "");
    return [word, word.toLowerCase(), bare, bare.toLowerCase()].find(isKnown) ?? word;
  }

  input.addEventListener("input", () => {
    words = wordsOf(input.value).map(({ word, hidden }) => ({ word: known(word), hidden: hides && hidden }));
    const wrong = words.findIndex(({ word }) => !isKnown(word)), typing = words.length && !/\s$/.test(input.value);
    at = wrong >= 0 ? wrong : typing ? words.length - 1 : null;
    held = false;
    say();
  });

  // Shows the words, and hands on a sentence that is right.
  function say() {
    draw();
    if (!faultOf(control, words)) choose((last = textOf(words)));
  }

  function exchange(i, change) {
    const one = hides === "one" && change.hidden;
    set(textOf(words.map((each, k) => (k === i ? { ...each, ...change } : one ? { ...each, hidden: false } : each))));
  }

  function set(text) {
    words = wordsOf(text);
    if (at >= words.length) at = null;
    input.value = text;
    say();
  }

  function draw() {
    if (own) fit(tiles, nodes, words.length, (i) => button(null, "", () => press(i), "aw-tile"), (node, i) => {
      write(node, words[i].word);
      setAll(node, { "aria-pressed": i === at, "aria-label": words[i].hidden ? `${words[i].word} (hidden)` : words[i].word });
      node.classList.toggle("aw-hidden-word", words[i].hidden);
      node.classList.toggle("aw-unknown", !isKnown(words[i].word));
    });
    offer();
    hint();
  }

  function press(i) {
    at = held && at === i ? null : i;
    held = at !== null;
    draw();
  }

  // Says what is wrong with the words, or what can be done.
  function hint() {
    const here = own ? "" : "below ", hide = hides ? "or hide " : "", more = examples.length ? ", or try:" : ".", fault = faultOf(control, words);
    const idle = pieces.length ? "Press a word, or:" : `Press a word ${here}to exchange ${hide}it${more}`;
    write(note, fault || (at === null ? idle : offers.children.length ? `Instead of “${words[at].word}”:` : "Type another."));
    note.classList.toggle("aw-wrong", fault);
    setAll(input, { "aria-invalid": !!fault });
  }

  function offer() {
    const inside = [...offers.children].indexOf(document.activeElement);
    offers.replaceChildren();
    if (at === null) {
      for (const [label, text] of others()) button(offers, label, () => set(text), "aw-offer");
      if (inside >= 0) (offers.children[pieces.length ? 1 : inside] ?? offers.lastChild ?? input).focus();
      return;
    }
    const { word, hidden } = words[at], i = at;
    if (hides) button(offers, `${hidden ? "show" : "hide"} ${word}`, () => exchange(i, { hidden: !hidden }), "aw-button aw-hide");
    const longer = learned.filter((each) => each.startsWith(word)), akin = () => [...groups.filter((group) => group.includes(word)).flat(), ...longer.slice(0, MOST + 1)];
    const list = new Set(isKnown(word) ? akin() : [...new Set([...longer, ...nearest(word)])].slice(0, MOST));
    list.delete(word);
    for (const each of list) button(offers, each, () => exchange(i, { word: each }), "aw-offer");
    if (inside >= 0) (own ? tiles.children[i] : offers.children[inside] ?? offers.lastChild ?? input).focus();
  }

  // Sentences to take instead, each with what its button says.
  function others() {
    const now = textOf(words), k = grown.indexOf(now);
    if (!pieces.length) return examples.filter(([, text]) => text !== now);
    if (k < 0) return [[grown[0], grown[0]]];
    return [[`− ${pieces[k]}`, grown[k - 1]], [`+ ${pieces[k + 1]}`, grown[k + 1]]].filter(([, text]) => text);
  }

  // Where Python, a link or Reset has set another sentence.
  function update(text) {
    if (text === last) return;
    words = wordsOf((last = text));
    at = null;
    held = false;
    input.value = text;
    draw();
  }

  return {
    press,
    pressed: () => (held ? at : null),
    update,
    // Takes back what was typed or pressed without another sentence being handed on.
    reset(text) {
      last = null;
      update(text);
    },
  };
}
