// Draws a widget and keeps it in step with its model: anywidget's in a kernel, mount.mjs's on a page.
import { isDark } from "./colour.mjs";
import { makeControls } from "./controls.mjs";
import { resolve, viewOf } from "./decode.mjs";
import { button, groupBy, put, reserve, sentence, setAll, write } from "./dom.mjs";
import { PANELS } from "./panels.mjs";
import { askFirst } from "./predict.mjs";
import { Questions } from "./questions.mjs";
import { fillTables } from "./table.mjs";
import { Following } from "./following.mjs";
import { onTheme } from "./theme.mjs";

const NARROW = 560; // pixels of the whole widget; the stylesheet has the same
const HINT = "Point at the figure, or walk it with Tab and the arrow keys, to read its values.";

export function render({ model, el }) {
  let close = open(model, el);
  const again = () => {
    close();
    close = open(model, el);
  };
  model.on("change:spec", again);
  model.on("change:data", again);
  return () => {
    model.off("change:spec", again);
    model.off("change:data", again);
    close();
  };
}

// A failure must be seen, by the reader and in the console.
function open(model, el) {
  try {
    const view = new (model.get("spec").questions ? Questions : View)(model, el), release = keepKeys(el);
    return () => {
      release();
      view.close();
    };
  } catch (error) {
    console.error("attention widget:", error);
    fail(el, error);
    return () => {};
  }
}

// JupyterLab takes the keys of what is focused: arrows leave a figure, x cuts its cell. Here it gets those with Ctrl or Cmd only, as to save.
function keepKeys(el) {
  const keep = ({ target, ctrlKey, metaKey }) =>
    el.contains(target) && target.toggleAttribute("data-lm-suppress-shortcuts", !(ctrlKey || metaKey));
  window.addEventListener("keydown", keep, true); // before JupyterLab, which looks at the document
  return () => window.removeEventListener("keydown", keep, true);
}

export function fail(el, error) {
  el.replaceChildren();
  put(el, "p", "aw-error", `This figure could not be drawn (${error.message}).`).setAttribute("role", "alert");
}

// What panels one below the other say, as one sentence.
const together = (said, between) => [
  said.map(([template], i) => (i ? template[0].toLowerCase() + template.slice(1) : template).replace(/\{(\w+)\}/g, `{$1${i}}`)).join(between),
  Object.fromEntries(said.flatMap(([, values], i) => Object.entries(values).map(([name, value]) => [name + i, value]))),
];

class View {
  constructor(model, el) {
    this.model = model;
    this.el = el;
    this.spec = model.get("spec");
    this.bytes = viewOf(model.get("data"));
    this.source = null; // the panel pointed at
    this.make();
    this.watch();
    this.draw();
    this.running?.follow();
  }

  resolve(field) {
    return resolve(field, this.running?.index ?? this.model.get("index"), this.spec.controls, this.bytes, this.running?.results);
  }

  make() {
    const { el, spec } = this;
    el.classList.add("aw-host");
    el.replaceChildren();
    const root = (this.root = put(el, "div", "aw"));
    const title = put(root, "p", "aw-title", spec.title);
    groupBy(root, title);
    this.gate = spec.predict && askFirst(root, this.model, spec.predict, (changes) => {
      this.controls.halt(); // a play button that nobody can see
      this.set(changes);
    }, (open) => reserve(el, open ? spec.height : spec.waiting));
    if (!this.gate) reserve(el, spec.height);
    const figure = this.gate ? this.gate.behind : root;
    if (spec.question) put(figure, "p", "aw-question", spec.question);
    const quiet = (playing) => setAll(this.out, { "aria-live": playing ? "off" : "polite" });
    this.controls = makeControls(put(figure, "div", `aw-controls ${spec.menus}`), spec.controls, (k, i) => this.choose(k, i), quiet);
    const stage = put(figure, "div", "aw-stage");
    this.parts = spec.panels.map((panel) => this.makePanel(stage, panel));
    this.running = spec.runs?.length ? new Following(this.model, this.bytes, figure, () => this.draw()) : null;
    this.out = put(figure, "output", "aw-out");
    reserve(this.out, spec.out, "--aw-out");
    if (spec.aloud) setAll((this.aloud = put(figure, "p", "aw-unseen")), { role: "status" });
    this.makeFoot(put(figure, "div", "aw-foot"), figure);
  }

  makePanel(stage, spec) {
    if (!Object.hasOwn(PANELS, spec.kind)) throw new Error(`unknown panel ${spec.kind}`);
    const frame = put(stage, "div", `aw-panel aw-panel-${spec.kind}${spec.half ? " aw-half" : ""}${spec.pair ? " aw-pair" : ""}`);
    reserve(frame, spec.height);
    if (spec.label) put(frame, "p", "aw-panel-label", spec.label);
    const body = put(frame, "div", "aw-body");
    return { spec, body, panel: PANELS[spec.kind](body, spec, this.tell(spec)) };
  }

  // What a panel may ask of the widget.
  tell({ label }) {
    const at = (k) => this.model.get("index")[k];
    return {
      label,
      narrow: () => this.narrow,
      dark: () => this.dark,
      point: (panel, focus, template, values) => this.point(panel, focus, template, values),
      choose: (k, i) => this.choose(k, i),
      press: (k, i) => {
        this.controls.press(k, i);
        this.light();
      },
      pressed: (k) => this.controls.pressed(k),
      control: (k) => this.spec.controls[k],
      stateOf: at,
      valueOf: (k) => (k === null ? null : this.spec.controls[k].values[at(k)]),
      labelOf: (k) => this.spec.controls[k].labels[at(k)],
    };
  }

  makeFoot(foot, figure) {
    if (this.spec.controls.length)
      button(foot, "Reset", () => {
        this.controls.halt();
        this.controls.reset(this.spec.default);
        this.set({ index: [...this.spec.default] });
        this.light();
      });
    const tables = (this.tables = put(figure, "div", "aw-tables"));
    tables.hidden = true;
    if (!this.parts.some(({ panel }) => panel.table)) return;
    const toggle = button(foot, "Show numbers", () => {
      tables.hidden = !tables.hidden;
      toggle.textContent = tables.hidden ? "Show numbers" : "Hide numbers";
      toggle.setAttribute("aria-expanded", !tables.hidden);
      if (!tables.hidden) fillTables(tables, this.spec.title, this.parts);
    });
    toggle.setAttribute("aria-expanded", false);
  }

  set(changes) {
    const differs = ([name, value]) => JSON.stringify(this.model.get(name)) !== JSON.stringify(value);
    const news = Object.entries(changes).filter(differs);
    for (const [name, value] of news) this.model.set(name, value);
    if (news.length) this.model.save_changes();
  }

  choose(k, i) {
    this.set({ index: this.model.get("index").map((old, j) => (j === k ? i : old)) });
  }

  // A panel says that its reader points at something (focus: axis -> entry), or at nothing (null).
  point(panel, focus, template, values) {
    if (!focus && this.source !== panel) return;
    this.source = focus ? panel : null;
    this.set({ focus: focus ?? {} });
    if (!focus) return this.idle(); // of what is lit now
    const news = panel.edits?.() && this.ask("news");
    const said = news ? [`${template}; ${news[0]}`, { ...values, ...news[1] }] : [template, values];
    sentence(this.out, ...(this.several() ?? said));
  }

  draw() {
    const index = this.model.get("index");
    // Read the page before anything on it changes: a reading in between makes the browser lay everything out again.
    const widths = this.parts.map(({ body }) => body.clientWidth || 600);
    this.narrow = this.el.clientWidth < NARROW;
    this.dark = isDark(this.root);
    this.controls.update(index);
    this.parts.forEach(({ panel, spec }, i) => {
      const values = {};
      for (const [name, field] of Object.entries(spec.fields)) values[name] = this.resolve(field);
      panel.draw(values, widths[i]);
    });
    this.source?.again();
    if (this.aloud) write(this.aloud, this.resolve(this.spec.aloud));
    this.light();
    if (!this.tables.hidden) fillTables(this.tables, this.spec.title, this.parts);
  }

  light() {
    this.highlight();
    if (!this.source) this.idle();
  }

  // What is pointed at, on top of what is pressed, on top of what `follow` names: where a control stands, or an entry that Python chose.
  highlight() {
    const index = this.model.get("index"), focus = {};
    for (const [axis, chosen] of Object.entries(this.spec.follow))
      focus[axis] = typeof chosen === "number" ? index[chosen] : this.resolve(chosen).data[0];
    Object.assign(focus, ...this.parts.map(({ panel }) => panel.held?.()), this.model.get("focus"));
    for (const { panel } of this.parts) panel.focus?.(focus);
  }

  // What is read out while nothing is pointed at.
  idle() {
    const summary = this.spec.summary && this.resolve(this.spec.summary);
    if (summary) return sentence(this.out, "{_s}", { _s: summary });
    sentence(this.out, ...(this.several() ?? this.news() ?? this.ask("idle") ?? [this.parts.some(({ panel }) => panel.again) ? HINT : "", {}]));
  }

  // What the first panel that has it says.
  ask(what) {
    return this.parts.map(({ panel }) => panel[what]?.()).find(Boolean);
  }

  // What sentences one below the other say: always all of them.
  several() {
    const all = this.parts.length > 1 && this.parts.every(({ spec }) => spec.kind === "looks");
    return all ? together(this.parts.map(({ panel }) => panel.idle()), "; below, ") : null;
  }

  // What all panels say that have changed.
  news() {
    const all = this.parts.map(({ panel }) => panel.news?.()).filter(Boolean);
    return all.length > 1 ? together(all, "; ") : all[0];
  }

  watch() {
    const redraw = () => {
      this.draw();
      this.running?.follow();
    };
    const reveal = () => this.gate?.update();
    this.heard = Object.entries({ index: redraw, focus: () => this.highlight(), prediction: reveal, revealed: reveal });
    for (const [name, listener] of this.heard) this.model.on(`change:${name}`, listener);
    let width = this.el.clientWidth;
    this.sizes = new ResizeObserver(() => {
      if (this.el.clientWidth === width || !this.el.clientWidth) return;
      width = this.el.clientWidth;
      this.draw();
    });
    this.sizes.observe(this.el);
    this.untheme = onTheme(redraw);
  }

  close() {
    this.controls.halt();
    this.running?.close();
    this.sizes.disconnect();
    this.untheme();
    for (const [name, listener] of this.heard) this.model.off(`change:${name}`, listener);
  }
}
