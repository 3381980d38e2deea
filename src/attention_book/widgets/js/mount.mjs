// Brings the widgets of a page to life without a kernel: a small stand-in for anywidget's model, and the address bar.
import { fromBase64 } from "./bytes.mjs";
import { groupOf, indexOf, parse, replace } from "./link.mjs";
import { fail, render } from "./widget.mjs";

const PAUSE = 150; // ms before the address follows; browsers limit how often it may change

export class PageModel {
  constructor(state) {
    this.state = state;
    this.listeners = new Map();
  }
  get(name) {
    return this.state[name];
  }
  set(name, value) {
    if (Object.is(this.state[name], value)) return;
    this.state[name] = value;
    for (const listener of this.listeners.get(`change:${name}`) ?? []) listener();
  }
  on(event, listener) {
    if (!this.listeners.has(event)) this.listeners.set(event, new Set());
    this.listeners.get(event).add(listener);
  }
  off(event, listener) {
    this.listeners.get(event)?.delete(listener);
  }
  save_changes() {}
}

export function whenParsed(start) {
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
}

// A page calls this behind each widget, so that one is alive as soon as it is parsed, and once more at its end.
export function mountAll(page) {
  const parsed = (host) => document.readyState !== "loading" || host.nextSibling;
  const waiting = page.querySelectorAll("[data-attention-widget]:not([data-attention-mounted])");
  for (const host of [...waiting].filter(parsed)) {
    host.dataset.attentionMounted = "";
    try {
      mount(host);
    } catch (error) {
      console.error("attention widget:", error);
      fail(host, error);
    }
    performance.mark("attention-widgets");
  }
}

function mount(host) {
  const state = JSON.parse(host.querySelector('script[type="application/json"]').textContent);
  const model = new PageModel({ ...state, data: fromBase64(state.data ?? "") });
  const named = state.spec.link && followAddress(model, state.spec, host);
  render({ model, el: host });
  if (named) whenParsed(() => reveal(host)); // what is above it has its height
}

// Opens every fold around a widget, and brings it to the middle of the screen.
function reveal(host) {
  for (let fold = host.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  host.scrollIntoView({ block: "center" });
}

// Both ways: the address sets the widget at load and when it changes; the widget's moves are written to the address.
function followAddress(model, spec, host) {
  const read = () => {
    const groups = parse(location.hash);
    const group = groups?.find((each) => each.name === spec.link);
    if (group) model.set("revealed", true); // a state that was linked is there to be seen
    if (groups) model.set("index", group ? indexOf(group, spec) : [...spec.default]);
    return Boolean(group);
  };
  let timer = null;
  const write = () => {
    const fragment = replace(location.hash, spec.link, groupOf(spec, model.get("index")));
    if (/^about:/.test(location) || fragment === location.hash || (!fragment && !parse(location.hash))) return;
    history.replaceState(history.state, "", fragment || location.pathname + location.search);
  };
  const named = read();
  window.addEventListener("hashchange", () => read() && reveal(host));
  model.on("change:index", () => {
    clearTimeout(timer);
    timer = setTimeout(write, PAUSE);
  });
  return named;
}
