// A sentence that the reader types: words that a network has learned are offered, an unknown one is marked and its nearest are offered;
// a word that is pressed can be changed for one of its kind, or hidden, where words can be (it stands in brackets then), instead of another
// where one may be. Words are pressed here, or in a panel (`looks`) where `tiles` is false, or nowhere in a `brief` line. Of a prompt, a slider (`reads`) says how many lines
// before the last are read.
import { button, fit, put, setAll, unique, write } from "./dom.mjs";
import { along } from "./geometry.mjs";
import { onKeys } from "./walking.mjs";
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
  const { name, vocabulary, groups, longest, hides, examples, tiles: own, pieces, reads, brief } = control;
  const grown = pieces.map((_, i) => pieces.slice(0, i + 1).join(" "));
  const line = put(host, "div", `aw-control aw-${brief ? "text aw-brief" : own ? "typed" : "typed aw-bare"}`);
  const label = put(line, "label", "aw-name", name), input = put(line, "input", "aw-input");
  label.htmlFor = input.id = unique("typed");
  setAll(input, { type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false" });
  input.dataset.control = name;
  const tiles = put(line, "div", "aw-tiles"), below = put(line, "div", "aw-below"), nodes = [], buttons = [];
  const note = put(below, "p", "aw-note"), offers = put(below, "div", "aw-offers");
  setAll(tiles, { role: "group", "aria-label": `Words of the ${name}` });
  setAll(offers, { role: "group", "aria-label": "Offered" });
  setAll(note, { role: "status" });
  let words = [], at = null, held = false, last = null; // the word at work, whether it was pressed; the text given or handed on
  let spot = 0, read = 0; // the tile that Tab leads to; how many examples are read

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

  // Hands on a sentence that is right, and shows the words: after the figure, which reads its width before it changes anything.
  function say() {
    if (!faultOf(control, words)) choose((last = textOf(words)));
    draw();
  }

  function exchange(i, change) {
    const one = hides === "one" && change.hidden;
    set(textOf(words.map((each, k) => (k === i ? { ...each, ...change } : one ? { ...each, hidden: false } : each))));
    if (brief) leave();
  }

  function set(text) {
    words = wordsOf(text);
    if (at >= words.length) at = null;
    input.value = text;
    say();
  }

  const ends = (i) => words[i].word === "." && i < words.length - 1; // a line
  const shown = () => words.filter((_, i) => ends(i)).length;

  // What each tile is called, and whether its word is read.
  function called() {
    let line = 0, side = "";
    const lines = reads ? shown() : 0;
    return words.map(({ word, hidden }, i) => {
      if (word.endsWith(":")) side = word;
      const left = line < lines - read, where = reads ? [line < lines ? `example ${line + 1},` : "asked,", ...(side === word ? [] : [side])] : [];
      if (ends(i)) [line, side] = [line + 1, ""];
      return [[...where, word, ...(hidden ? ["(hidden)"] : left ? ["(not read)"] : [])].join(" "), hidden || left];
    });
  }

  function draw() {
    if (!words[spot] || ends(spot)) spot = 0;
    const names = called();
    if (own) fit(tiles, nodes, words.length, (i) => button(null, "", () => press(i), "aw-tile"), (node, i) => {
      write(node, words[i].word);
      setAll(node, { "aria-pressed": i === at, "aria-label": names[i][0], tabindex: i === spot ? 0 : -1 });
      node.classList.toggle("aw-hidden-word", names[i][1]);
      node.classList.toggle("aw-unknown", !isKnown(words[i].word));
      node.classList.toggle("aw-stop", ends(i));
    });
    offer();
    hint();
  }

  line.addEventListener("keydown", ({ key }) => key === "Escape" && leave());

  // One stop for Tab; arrow keys go on from there.
  onKeys(tiles, (key) => {
    const all = nodes.filter((_, i) => !ends(i)), go = along(all.indexOf(document.activeElement), key, all.length);
    return go && all[go[1]];
  }, (node) => node.focus());
  tiles.addEventListener("focusin", ({ target }) => {
    spot = nodes.indexOf(target);
    draw();
  });

  function press(i) {
    at = held && at === i ? null : i;
    held = at !== null;
    draw();
  }

  // Says what is wrong with the words, or what can be done.
  function hint() {
    const lines = shown(), fault = faultOf(control, words), known = reads ? `Reads ${Math.min(read, lines)} of ${lines} examples. ` : "";
    const idle = reads || pieces.length ? `${known}Press a word, or:` : `Press a word ${own ? "" : "below "}to exchange ${hides ? "or hide " : ""}it${examples.length ? ", or try:" : "."}`;
    write(note, fault || (at === null ? idle : buttons.length > (examples.length && 1) ? `Instead of “${words[at].word}”:` : "Type another."));
    note.classList.toggle("aw-wrong", fault);
    setAll(input, { "aria-invalid": !!fault });
  }

  // Buttons stay where they are, and so does the focus, unless what it was on is gone.
  function offer() {
    const inside = buttons.indexOf(document.activeElement), all = at === null ? others() : instead();
    const make = () => {
      const node = button(null, "", () => node.act());
      return node;
    };
    fit(offers, buttons, all.length, make, (node, i) => {
      const [text, act, pressed = null, kind = "aw-offer"] = all[i];
      write(node, text);
      node.act = act;
      if (node.className !== kind) node.className = kind;
      if (pressed === null) node.removeAttribute("aria-pressed");
      else setAll(node, { "aria-pressed": pressed });
    });
    if (inside < 0) return;
    const next = at === null ? buttons[pieces.length ? 1 : inside] : own ? nodes[at] : buttons[inside];
    (next ?? buttons.at(-1) ?? input).focus();
  }

  // What a word can be exchanged for.
  function instead() {
    const { word, hidden } = words[at], i = at;
    const longer = learned.filter((each) => each.startsWith(word)), akin = () => [...groups.filter((group) => group.includes(word)).flat(), ...longer.slice(0, MOST + 1)];
    const list = new Set(isKnown(word) ? akin() : [...new Set([...longer, ...nearest(word)])].slice(0, MOST));
    list.delete(word);
    return [
      ...(hides ? [[`${hidden ? "show" : "hide"} ${word}`, () => exchange(i, { hidden: !hidden }), null, "aw-button aw-hide"]] : []),
      ...[...list].map((each) => [each, () => exchange(i, { word: each })]),
      ...(examples.length ? [["back", leave]] : []),
    ];
  }

  function leave() {
    at = null;
    held = false;
    draw();
  }

  // Sentences to take instead, each with what its button says.
  function others() {
    const now = textOf(words), k = grown.indexOf(now), take = ([label, text]) => [label, () => set(text)];
    if (!pieces.length) return examples.map((each) => [...take(each), each[1] === now]);
    if (k < 0) return [take([grown[0], grown[0]])];
    return [[`− ${pieces[k]}`, grown[k - 1]], [`+ ${pieces[k + 1]}`, grown[k + 1]]].filter(([, text]) => text).map(take);
  }

  // Where Python, a link or Reset has set another sentence, or the reader another number of examples.
  function update(text, position = null) {
    if (reads && position) read = +position(reads);
    if (text !== last) {
      words = wordsOf((last = text));
      input.value = text;
      leave();
    } else if (reads) draw();
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
