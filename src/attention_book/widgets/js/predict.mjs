// A question that stands before a figure. The figure is drawn, but takes no room and cannot be seen, reached or read.
import { button, groupBy, put, reserve } from "./dom.mjs";
import { prose } from "./prose.mjs";

// tell(changes): new values of the model's traits. fit(open): how much room is needed now.
// Returns { behind, update }: where the figure goes, and when to look.
export function askFirst(root, model, predict, tell, fit) {
  const stack = put(root, "div", "aw-stack"), gate = put(stack, "div", "aw-gate");
  const behind = put(stack, "div", "aw-behind"), line = put(behind, "div", "aw-verdict");
  reserve(line, predict.line);
  const said = put(line, "p");
  said.tabIndex = -1;

  // The button that was pressed is gone, so the focus goes to the sentence that took its place: it is read out, and
  // Tab goes on from there into the figure.
  const choose = (changes) => {
    tell(changes);
    said.focus();
  };
  groupBy(gate, prose(put(gate, "p", "aw-asks"), predict.question));
  const list = put(gate, "ul", "aw-choices");
  const first = predict.options.map((option) =>
    prose(button(put(list, "li"), "", () => choose({ prediction: option }), "aw-option"), option))[0];
  button(gate, "Show it without predicting", () => choose({ revealed: true }));
  const again = button(line, "", () => {
    tell({ prediction: "", revealed: false });
    first.focus();
  });

  const update = () => {
    const prediction = model.get("prediction"), open = Boolean(prediction || model.get("revealed"));
    gate.hidden = open;
    behind.inert = !open;
    fit(open);
    prose(said, open ? (predict.said[predict.options.indexOf(prediction)] ?? predict.unsaid) : "");
    again.textContent = prediction ? "Predict again" : "Predict first";
  };
  update();
  return { behind, update };
}
