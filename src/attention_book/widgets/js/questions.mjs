// Quick questions: every choice is answered at once, below itself; the first choice of each question counts.
import { button, groupBy, put, write } from "./dom.mjs";
import { prose } from "./prose.mjs";

// How many questions were right at the first choice; null while one is open.
export function score(questions, answers) {
  if (answers.some((chosen) => !chosen.length)) return null;
  return questions.filter(({ options }, q) => options[answers[q][0]].right).length;
}

export class Questions {
  constructor(model, el) {
    this.model = model;
    this.questions = model.get("spec").questions;
    this.make(el);
    this.update = () => this.draw();
    model.on("change:answers", this.update);
    this.draw();
  }

  make(el) {
    el.classList.add("aw-host");
    el.replaceChildren();
    const root = put(el, "div", "aw");
    groupBy(root, prose(put(root, "p", "aw-title"), this.model.get("spec").title));
    this.asked = this.questions.map((question, q) => this.ask(root, question, q));
    this.foot = put(root, "div", "aw-foot");
    this.again = button(this.foot, "Start again", () => {
      this.set(this.questions.map(() => []));
      this.asked[0][0].button.focus(); // the button that had the focus is gone
    });
    this.out = put(this.foot, "output");
  }

  ask(root, { asks, options }, q) {
    const group = put(root, "div", "aw-ask"), line = put(group, "p", "aw-asks");
    if (this.questions.length > 1) put(line, "span", "aw-place", `${q + 1}.`).setAttribute("aria-hidden", "true");
    groupBy(group, prose(put(line, "span"), asks));
    const list = put(group, "ul", "aw-options");
    return options.map((option, i) => this.offer(put(list, "li"), option, () => this.choose(q, i)));
  }

  offer(line, option, choose) {
    const chooser = button(line, "", choose, "aw-option");
    const mark = put(chooser, "span", "aw-mark");
    mark.setAttribute("aria-hidden", "true");
    prose(put(chooser, "span"), option.says);
    const told = put(line, "p", "aw-because");
    told.setAttribute("aria-live", "polite"); // there before its words, else they are not announced
    return { button: chooser, mark, told, option };
  }

  choose(q, i) {
    const answers = this.model.get("answers");
    if (!answers[q].includes(i)) this.set(answers.map((chosen, k) => (k === q ? [...chosen, i] : chosen)));
  }

  set(answers) {
    this.model.set("answers", answers);
    this.model.save_changes();
  }

  draw() {
    const answers = this.model.get("answers");
    this.asked.forEach((offers, q) => offers.forEach((offer, i) => show(offer, answers[q].includes(i))));
    const right = score(this.questions, answers);
    const said = right === null ? "" : `${right} of ${this.questions.length} right at the first try`;
    write(this.out, said);
    this.again.hidden = answers.every((chosen) => !chosen.length);
    this.foot.classList.toggle("aw-score", !this.again.hidden); // without it no room is taken
  }

  close() {
    this.model.off("change:answers", this.update);
  }
}

// What has not changed is left alone: a live region that is written again is read out again.
function show({ button: chooser, mark, told, option }, chosen) {
  if (chooser.getAttribute("aria-pressed") === String(chosen)) return;
  chooser.setAttribute("aria-pressed", chosen);
  const side = chosen ? (option.right ? "aw-good" : "aw-poor") : "";
  chooser.className = `aw-option ${side}`;
  mark.textContent = chosen ? (option.right ? "✓" : "✗") : "";
  told.replaceChildren();
  if (!chosen) return;
  put(told, "b", "", option.verdict);
  told.append(" ");
  prose(put(told, "span"), option.because);
}
