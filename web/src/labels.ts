// Names, and numbers beside them, over the picture: of the chosen item always, of all on demand.
import { el, short } from "./dom";
import { world } from "./parts";
import type { Place, Recording } from "./recording";

export type Labelled = "off" | "names" | "numbers";
const MOST = 80;

export class Labels {
  readonly node = el("div", { class: "labels", "aria-hidden": "true" });
  mode: Labelled = "off";
  chosen = -1;
  private places: { item: number; at: number[]; frame: number; of: "speed" | "force" }[] = [];
  private tags = new Map<number, HTMLElement>();

  constructor(private recording: Recording) {
    const { head } = recording, add = (item: number, place: Place, of: "speed" | "force") => this.places.push({ item, frame: place[0], at: place.slice(1, 4), of });
    for (const b of head.bodies) add(b.i, [b.f, ...(b.p ?? [0, 0, 0])], "speed");
    for (const j of head.joints) add(j.i, j.b, "force");
    for (const s of head.springs) add(s.i, s.b, "force");
    for (const l of head.loads) add(l.i, l.on, "force");
    for (const m of head.markers) add(m.i, m.on, "force");
  }

  /** Puts the labels where the items are; `screen` takes a point of the world to pixels of the picture, null behind the camera. */
  move(time: number, p: Float32Array, q: Float32Array, screen: (point: number[]) => { x: number; y: number } | null) {
    const shown = new Set<number>(), { head } = this.recording, markers = new Set(head.markers.map((m) => m.i));
    for (const { item, frame, at, of } of this.places) {
      if (item !== this.chosen && (this.mode === "off" || shown.size >= MOST || markers.has(item))) continue;
      const point = screen(world(frame, at, p, q));
      if (!point || shown.has(item)) continue;
      shown.add(item);
      let tag = this.tags.get(item);
      if (!tag) this.tags.set(item, (tag = el("span")));
      if (!tag.isConnected) this.node.append(tag);
      const text = head.items[item].n + (this.mode === "numbers" ? this.number(item, of, time) : "");
      if (tag.textContent !== text) tag.textContent = text;
      tag.classList.toggle("chosen", item === this.chosen);
      tag.style.transform = `translate(${Math.round(point.x)}px, ${Math.round(point.y)}px)`;
    }
    for (const [item, tag] of this.tags) if (!shown.has(item)) tag.remove();
  }

  private number(item: number, of: "speed" | "force", time: number) {
    const series = this.recording.series.get(`${this.recording.head.items[item].n}.${of === "speed" ? "velocity" : "force"}`);
    if (!series?.t.length) return "";
    let square = 0;
    for (let c = 0; c < series.width; c++) square += this.recording.value(series, time, c) ** 2;
    return `  ${short(Math.sqrt(square), 3)} ${series.unit}`;
  }
}
