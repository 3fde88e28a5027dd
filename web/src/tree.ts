// The model as a tree: sections, items, found by name or type. Long sections show as many rows as are asked for.
import { breaking, el } from "./dom";
import { PALETTE } from "./parts";
import type { Head } from "./recording";

const ROWS = 200, GROUPED = 9; // a longer section of several types is grouped by these

export class Tree {
  readonly node: HTMLElement;
  private rows = el("div", { class: "rows" });
  private find = el("input", { type: "search", placeholder: "Find an item", "aria-label": "Find an item", "aria-keyshortcuts": "/" });
  private shown = new Map<string, number>();
  private opened = new Map<string, boolean>();
  private chosen = -1;
  private head: Head | null = null;
  private colors = new Map<number, number>();

  constructor(private choose: (item: number) => void) {
    this.find.addEventListener("input", () => this.fill());
    this.node = el("nav", { class: "tree", "aria-label": "Model" }, el("div", { class: "find" }, this.find), this.rows);
  }

  show(head: Head) {
    this.head = head;
    head.bodies.forEach((body, k) => this.colors.set(body.i, PALETTE[k % PALETTE.length]));
    this.fill();
  }
  focus() { this.find.focus(); }

  mark(item: number) {
    this.chosen = item;
    for (const row of this.rows.querySelectorAll<HTMLElement>(".row")) row.setAttribute("aria-current", String(row.dataset.item === String(item)));
    this.rows.querySelector<HTMLElement>(`.row[data-item="${item}"]`)?.scrollIntoView({ block: "nearest" });
  }

  private fill() {
    const head = this.head;
    if (!head) return;
    const word = this.find.value.trim().toLowerCase();
    const sections = new Map<string, number[]>();
    head.items.forEach((item, i) => {
      if (word && !item.n.toLowerCase().includes(word) && !item.t.includes(word)) return;
      sections.has(item.s) ? sections.get(item.s)!.push(i) : sections.set(item.s, [i]);
    });
    const order = ["bodies", "joints", "connectors", "relations", "loads", "markers", "nodes", "laws"];
    const names = [...sections.keys()].sort((a, b) => order.indexOf(a) - order.indexOf(b));
    this.rows.replaceChildren(...names.map((name) => this.section(name, sections.get(name)!, head, !!word)));
    if (!names.length) this.rows.append(el("p", { class: "more" }, "Nothing is called like that."));
    this.mark(this.chosen);
  }

  private section(name: string, items: number[], head: Head, all: boolean) {
    const open = all || (this.opened.get(name) ?? (name !== "nodes" || !head.bodies.length));
    const details = el("details", { open }, el("summary", {}, name, el("span", { class: "n" }, String(items.length))));
    details.addEventListener("toggle", () => this.opened.set(name, details.open));
    const most = this.shown.get(name) ?? ROWS;
    let of = "";
    const kinds = new Set(items.map((i) => head.items[i].t)), grouped = items.length > GROUPED && kinds.size > 1;
    for (const i of (grouped ? [...items].sort((a, b) => head.items[a].t.localeCompare(head.items[b].t) || a - b) : items).slice(0, most)) {
      const item = head.items[i], dot = el("span", { class: "dot" });
      if (grouped && item.t !== of) details.append(el("div", { class: "kind" }, (of = item.t).replaceAll("_", " "), el("span", { class: "n" }, String(items.filter((k) => head.items[k].t === of).length))));
      if (this.colors.has(i)) dot.style.background = `#${this.colors.get(i)!.toString(16).padStart(6, "0")}`;
      details.append(el("button", { type: "button", class: "row", "data-item": i, title: `${item.n}: ${item.t}`, onclick: () => this.choose(i) }, dot, el("span", { class: "called" }, ...breaking(item.n)), el("span", { class: "type" }, item.t.replaceAll("_", " "))));
    }
    if (items.length > most)
      details.append(el("button", { type: "button", class: "more", onclick: () => (this.shown.set(name, most + 5 * ROWS), this.fill()) }, `${items.length - most} more`));
    return details;
  }
}
