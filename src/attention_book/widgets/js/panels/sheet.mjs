// What a picture of a sheet has besides: pictures to lay on it and to drag, or to move with the arrow keys, and a brush.
import { button, fit, paint, put, setAll, write } from "../dom.mjs";
import { STEP, clamp } from "../geometry.mjs";
import { fixed } from "../numbers.mjs";
import { drawnTo, freePlace, marksOf, markedText } from "../paper.mjs";

// frame: of the picture, with its drawing `over`; options: the picture's; ask(row, column): these pixels were pressed, not dragged.
export function sheet(host, frame, over, options, tell, ask) {
  const k = options.paper, control = tell.control(k), { side, tile, names, inks, count } = control;
  const guide = put(frame, "div", "aw-guide"), laid = put(frame, "div", "aw-laid"), nodes = [];
  const tools = put(host, "div", "aw-tools"), stock = put(tools, "div", "aw-stock");
  host.classList.add("aw-sheet");
  host.classList.toggle("aw-full", count > 0);
  setAll(stock, { role: "group", "aria-label": "Lay on the sheet" });
  names.forEach((name, i) => stamp(button(stock, "", () => lay(i), "aw-stamp"), name, inks[i]));
  const brush = button(tools, "Draw", () => drawing(!isDrawing()));
  button(tools, "Remove", () => change(marks().filter((_, i) => i !== (chosen < marks().length ? chosen : marks().length - 1))));
  button(tools, "Clear", () => change([]));
  let chosen = Infinity, grip = null, moved = false; // grip: from the pixel under the pointer to the picture it holds, or "brush"

  const marks = () => marksOf(control, tell.stateOf(k)) ?? [];
  const change = (news) => tell.choose(k, markedText(news));
  const exchanged = (i, mark) => marks().map((each, j) => (j === i ? mark : each));
  const isDrawing = () => brush.getAttribute("aria-pressed") === "true";
  const percent = (value) => `${(100 * value) / side}%`;
  const at = (node, [y, x]) => setAll(node, { style: `top: ${percent(y)}; left: ${percent(x)}; width: ${percent(tile)}; height: ${percent(tile)};` });

  function stamp(node, name, ink) {
    const data = new Uint8ClampedArray(4 * tile * tile);
    ink.forEach((level, i) => data.set([0, 0, 0, (255 * level) / 16], 4 * i));
    paint(put(node, "canvas"), data, tile, tile);
    setAll(node, { "aria-label": `Lay: ${name}`, title: name });
  }

  function drawing(on) {
    setAll(brush, { "aria-pressed": on });
    frame.classList.toggle("aw-drawing", on);
    at(guide, freePlace(marks(), control));
  }

  function lay(i) {
    const now = marks();
    drawing(false);
    const at = count ? Math.min(chosen, count - 1) : now.length;
    change(count ? exchanged(at, [i, ...now[at].slice(1)]) : [...now, [i, ...freePlace(now, control)]]);
    nodes.find((node) => node.mark === (count ? at : marks().length - 1))?.focus();
  }

  function move(i, to) {
    const [which, ...from] = marks()[i], next = to.map((value) => clamp(Math.round(value), 0, side - tile));
    if (String(next) !== String(from)) change(exchanged(i, [which, ...next]));
  }

  const locate = ({ clientX, clientY }) => {
    const box = over.getBoundingClientRect();
    return [((clientY - box.top) * side) / box.height, ((clientX - box.left) * side) / box.width];
  };
  const under = ([y, x]) => marks().findLastIndex(([which, top, left]) => which >= 0 && y >= top && y < top + tile && x >= left && x < left + tile);

  over.addEventListener("touchstart", (event) => (isDrawing() || under(locate(event.touches[0])) >= 0) && event.preventDefault(), { passive: false });
  over.addEventListener("pointerdown", (event) => {
    const [y, x] = locate(event), i = under([y, x]);
    moved = false;
    if (!isDrawing() && i < 0) return;
    event.preventDefault(); // no text is marked
    over.setPointerCapture(event.pointerId);
    chosen = isDrawing() ? marks().length : i;
    if (isDrawing()) return (grip = "brush"), change([...marks(), drawnTo([-1], [y, x], side)]);
    grip = [marks()[i][1] - y, marks()[i][2] - x];
    nodes.find((node) => node.mark === i).focus();
  });
  over.addEventListener("pointermove", (event) => {
    if (!grip || !marks()[chosen]) return;
    const [y, x] = locate(event);
    if (grip === "brush") return change(exchanged(chosen, drawnTo(marks()[chosen], [y, x], side)));
    const before = String(marks()[chosen]);
    move(chosen, [y + grip[0], x + grip[1]]);
    moved ||= before !== String(marks()[chosen]);
  });
  over.addEventListener("pointerup", (event) => grip && grip !== "brush" && !moved && ask(...locate(event)));
  over.addEventListener("lostpointercapture", () => setTimeout(() => (grip = null))); // after the click
  frame.addEventListener("click", (event) => grip && event.stopPropagation(), true);

  function make() {
    const node = button(null, "", () => ask(...marks()[node.mark].slice(1).map((value) => value + tile / 2)), "aw-piece");
    put(node, "span");
    node.addEventListener("focus", () => (chosen = node.mark));
    node.addEventListener("keydown", (event) => {
      const way = STEP[event.key], from = marks()[node.mark].slice(1);
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (way) move(node.mark, from.map((value, d) => value + way[d]));
      else if (!count && ["Delete", "Backspace"].includes(event.key)) change(marks().filter((_, i) => i !== node.mark));
      else if (count && names[event.key]) lay(+event.key);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    return node;
  }

  // The share of the weights that lies on a picture.
  function share({ shape: [rows, columns], data }, [y, x]) {
    const cover = (start, count, i) => Math.max(0, Math.min(start + tile, ((i + 1) * side) / count) - Math.max(start, (i * side) / count)) / (side / count);
    return data.reduce((sum, weight, i) => sum + weight * cover(y, rows, Math.floor(i / columns)) * cover(x, columns, i % columns), 0);
  }

  return ({ values }) => {
    const pieces = marks().flatMap(([which, ...spot], mark) => (which < 0 ? [] : [{ name: names[which], spot, mark }]));
    fit(laid, nodes, pieces.length, make, (node, i) => {
      const { name, spot, mark } = pieces[i], weight = options.bare ? "" : fixed(share(values, spot), options.digits);
      node.mark = mark;
      at(node, spot);
      write(node.firstChild, weight);
      node.classList.toggle("aw-low", spot[0] > side - tile - 3);
      setAll(node, { "aria-label": `${name}, row ${spot[0]}, column ${spot[1]}${weight && `: weight ${weight}`}. Arrow keys move it, ${count ? "a number replaces it" : "Delete takes it away"}.` });
    });
  };
}
