// Keeps what networks give in step with a widget's controls: asks the page's worker whenever an input or a change of a run is another.
import { resolve } from "./decode.mjs";
import { put, setAll, write } from "./dom.mjs";
import { ask, onPage } from "./runner.mjs";

const nested = ({ shape, data }) => (!shape.length ? data[0] : shape.length < 2 ? [...data] : Array.from({ length: shape[0] }, (_, i) => nested({ shape: shape.slice(1), data: data.subarray((i * data.length) / shape[0], ((i + 1) * data.length) / shape[0]) })));
const plain = (value) => (value?.data ? nested(value) : value);

export class Following {
  // host: where it says that a network is fetched, or why it cannot run; redraw: called when an answer is there.
  constructor(model, bytes, host, redraw) {
    this.model = model;
    this.bytes = bytes;
    this.redraw = redraw;
    this.host = host;
    this.spec = model.get("spec");
    for (const kept of ["results", "answers", "asked", "failed", "busy"]) this[kept] = this.spec.runs.map(() => null);
    this.answered = this.spec.default;
    this.sentences = this.spec.controls.flatMap(({ kind }, k) => (kind === "sentence" || kind === "text" ? [k] : []));
    setAll((this.note = put(host, "p", "aw-running")), { role: "status" });
    setAll((this.bar = put(host, "progress", "aw-fetching")), { "aria-label": "Fetching the network" });
    this.bar.hidden = true;
    // the first state was computed in Python, by the first weights
    const fresh = Object.values(this.sent()).some((each) => each.fresh);
    if (!fresh) this.asked = this.questions(this.spec.default).map((each) => JSON.stringify(each));
    this.again = () => {
      this.asked = this.asked.map(() => null);
      this.follow();
    };
    model.on("change:networks", this.again);
  }

  sent() {
    return this.model.get("networks") ?? {};
  }

  close() {
    this.closed = true;
    this.model.off("change:networks", this.again);
  }

  questions(index) {
    const { controls, runs } = this.spec;
    const now = (field) => plain(resolve(field, index, controls, this.bytes));
    const changes = (told) => told.flatMap((each) => (Array.isArray(each) ? [[each[0], ...each.slice(1).map(now)]] : changes(each.of[index[each.by]])));
    const map = (all, f) => Object.fromEntries(Object.entries(all).map(([name, value]) => [name, f(value)]));
    const option = (told) => ("all" in told ? map(told.all, option) : "is" in told ? told.is : controls[told.control].values[index[told.control]]);
    return runs.map(({ call, inputs, change, options }) => ({
      call, inputs: map(inputs, (field) => [now(field)]), change: map(change, changes), options: map(options, option),
    }));
  }

  // The setting to draw: while another sentence is being read, the one that the results belong to.
  get index() {
    const now = this.model.get("index");
    return this.sentences.every((k) => now[k] === this.answered[k]) ? now : this.answered;
  }

  // Asks what is not asked yet; an answer that a newer question has overtaken is asked for again, and what failed once more if `anew`.
  follow(anew = true) {
    const index = this.model.get("index");
    this.questions(index).forEach((question, i) => {
      const text = JSON.stringify(question);
      if (this.busy[i] || (this.asked[i] === text && !(anew && this.failed[i]))) return;
      this.asked[i] = text;
      this.busy[i] = true;
      ask(this.place(this.spec.runs[i].network), question).then(
        ({ outputs, taps }) => {
          this.answers[i] = { ...outputs, ...Object.fromEntries(Object.entries(taps).map(([path, A]) => [`tap:${path}`, A])) };
          this.failed[i] = null;
        },
        (error) => {
          console.warn("attention widget:", error.message);
          this.failed[i] = error.message;
        },
      ).finally(() => {
        this.busy[i] = false;
        this.bar.hidden = true;
        if (this.closed) return;
        this.follow(false);
        this.redraw();
      });
    });
    const busy = this.busy.includes(true);
    setAll(this.host, { "aria-busy": busy });
    if (busy) return;
    const why = this.failed.find(Boolean), since = this.results.some(Boolean) ? "before" : "at first";
    write(this.note, why ? `The network gives no answer (${why}). The figure shows what it gave ${since}.` : "");
    if (why) return; // words never stand beside another sentence's numbers
    this.results = [...this.answers]; // all of one setting
    if (this.results.some(Boolean)) this.answered = index;
  }

  place(name) {
    const sent = this.sent()[name];
    if (sent) return { key: sent.key, find: () => ({ program: sent.program, data: bytesOf(sent.data) }) };
    const key = this.spec.networks[name];
    return { key, find: () => onPage(key, (share) => this.progress(share)) };
  }

  progress(share) {
    this.bar.hidden = false;
    this.bar.value = share;
  }
}

const bytesOf = (data) => new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice();
