// What is coloured where an item is chosen.
import type { Head } from "./recording";

const FAR = 3; // items from one that has no picture to one that has

/** Every text in the fields of an item: some are names of items. */
function texts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return value && typeof value === "object" ? Object.values(value).flatMap(texts) : [];
}

/** Items whose parts are coloured: the item, with a body or node all that is drawn on its frame; of one without a picture, such as a contact or a drive, what it acts on. */
export function lit(head: Head, item: number): Set<number> {
  const out = new Set<number>();
  if (item < 0) return out;
  const names = new Map(head.items.map(({ n }, i) => [n, i])), drawn = new Set([...head.bodies, ...head.joints, ...head.springs].map(({ i }) => i));
  const visit = (i: number, far: number) => {
    out.add(i);
    const { n, s, f } = head.items[i], frame = s === "bodies" || s === "nodes" ? (head.bodies.find((b) => b.i === i)?.f ?? head.frames.indexOf(n)) : -1;
    if (frame >= 0) for (const body of head.bodies) if (body.f === frame) out.add(body.i);
    if (frame >= 0 || drawn.has(i) || !far) return;
    for (const name of texts(f)) {
      const other = names.get(name);
      if (other !== undefined && !out.has(other)) visit(other, far - 1);
    }
  };
  visit(item, head.markers.some((m) => m.i === item) ? 0 : FAR); // a frame shows its own path
  return out;
}
