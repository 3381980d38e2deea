// Sliders, menus and play buttons: native elements, so the keyboard and screen readers know them.
import { button, groupBy, put, setAll, unique, write } from "./dom.mjs";
import { typed } from "./typed.mjs";

const BEAT = 700; // ms between two steps of "play"
const OWN = { sentence: typed, switches, text: anyText };

// Any text, or one of a menu beside it, which shows its name and not its choice: that stands in the text.
function anyText(host, { name, offers }, choose) {
  const line = put(host, "div", "aw-control aw-text"), label = put(line, "label", "aw-name", name), input = put(line, "input", "aw-input"), menu = put(put(line, "label", "aw-menu", "Offered"), "select", "aw-input");
  label.htmlFor = input.id = unique("text");
  setAll(input, { type: "text", autocomplete: "off", spellcheck: "false" });
  input.dataset.control = name;
  for (const each of offers) put(menu, "option", "", each);
  for (const node of [input, menu]) node.addEventListener("input", () => choose(node.value));
  return {
    update(now) {
      if (input.value !== now) input.value = now;
      menu.selectedIndex = offers.indexOf(now);
    },
  };
}

// A button for each switch, pressed where it is on; those that are there go by a menu.
function switches(host, { name, labels, there }, choose) {
  const line = put(host, "div", "aw-control"), title = put(line, "span", "aw-name", name), row = put(line, "div", "aw-switches");
  groupBy(row, title);
  let now = [];
  const nodes = labels.map((label, i) => button(row, label, () => choose(now.map((on, k) => (k === i ? 1 - on : on))), "aw-switch"));
  return {
    update(position, at) {
      now = position;
      nodes.forEach((node, i) => {
        setAll(node, { "aria-pressed": now[i] === 1 });
        if (there) node.disabled = !there[1][at(there[0])].includes(labels[i]);
      });
    },
  };
}

// choose(k, i): the reader picked value i of control k. Returns { update(index), stop() }.
export function makeControls(host, controls, choose, onPlay) {
  const made = controls.flatMap((control, k) => {
    if (!control.seen) return []; // panels change it
    if (OWN[control.kind]) return [{ k, own: OWN[control.kind](host, control, (position) => choose(k, position)) }];
    const line = put(host, "div", "aw-control");
    const name = put(line, "label", "aw-name", control.name);
    const input = put(line, control.kind === "slider" ? "input" : "select", "aw-input");
    name.htmlFor = input.id = unique("control");
    input.dataset.control = control.name;
    const value = control.kind === "slider" ? slider(line, input, control) : menu(input, control);
    input.addEventListener("input", () => {
      halt();
      choose(k, Number(input.value));
    });
    const play = control.play ? player(line, control, input, (i) => choose(k, i)) : null;
    return [{ k, input, value, play, control }];
  });

  function halt() {
    for (const { play } of made) play?.stop();
    onPlay(false);
  }

  function player(line, control, input, go) {
    let timer = null, asking = typeof control.play === "string";
    const show = () => {
      node.classList.toggle("aw-asking", asking);
      write(node, timer ? "❚❚" : asking ? `▶ ${control.play}` : "▶");
      setAll(node, { "aria-label": `${timer ? "Pause" : "Play"} ${control.name}` });
    };
    const stop = () => {
      clearInterval(timer);
      timer = null;
      show();
    };
    const last = control.labels.length - 1;
    const beat = () => {
      if (!node.isConnected || Number(input.value) >= last) return halt();
      go(Number(input.value) + 1);
    };
    const node = button(line, "", () => {
      asking = false;
      if (timer) return halt();
      halt();
      if (Number(input.value) >= last) go(0);
      timer = setInterval(beat, BEAT);
      onPlay(true);
      show();
    }, "aw-button aw-play");
    show();
    return { stop };
  }

  return {
    halt,
    press: (k, i) => made.find((each) => each.k === k).own.press(i),
    pressed: (k) => made.find((each) => each.k === k).own.pressed(),
    reset: (index) => made.forEach(({ k, own }) => own?.reset?.(index[k])),
    update(index) {
      const at = (name) => index.map((i, k) => controls[k].labels[i])[controls.findIndex((control) => control.name === name)];
      made.forEach(({ k, input, value, control, own }) => {
        if (own) return own.update(index[k], at);
        const label = control.labels[index[k]];
        input.value = index[k];
        if (!value) return;
        write(value, label);
        setAll(input, { "aria-valuetext": label });
        input.style.setProperty("--aw-at", `${(100 * index[k]) / Math.max(1, control.labels.length - 1)}%`);
      });
    },
  };
}

function slider(line, input, control) {
  setAll(input, { type: "range", min: 0, max: control.labels.length - 1, step: 1 });
  const value = put(line, "span", "aw-value");
  value.setAttribute("aria-hidden", "true");
  value.style.minWidth = `${Math.min(14, Math.max(...control.labels.map((label) => label.length)))}ch`;
  return value;
}

function menu(input, control) {
  control.labels.forEach((label, i) => (put(input, "option", "", label).value = i));
  return null;
}
