// The numbers of every panel as real tables, built when asked for.
import { put, setAll } from "./dom.mjs";

export function fillTables(host, title, panels) {
  host.replaceChildren();
  for (const { panel, spec } of panels) {
    if (!panel.table) continue; // it shows its numbers, or has none
    const content = panel.table();
    const name = spec.label || title;
    const region = put(host, "div", "aw-scroll");
    setAll(region, { role: "group", tabindex: 0, "aria-label": `Table: ${name}` });
    const table = put(region, "table", "aw-table");
    put(table, "caption", "", name);
    const head = put(put(table, "thead"), "tr");
    content.head.forEach((text, i) => {
      const cell = put(head, i || text ? "th" : "td", "", text);
      if (i || text) cell.scope = "col";
    });
    const body = put(table, "tbody");
    for (const line of content.rows) {
      const row = put(body, "tr");
      line.forEach((text, i) => {
        const cell = put(row, i ? "td" : "th", "", text);
        if (!i) cell.scope = "row";
      });
    }
  }
}
