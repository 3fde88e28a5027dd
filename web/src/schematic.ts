// A circuit as a schematic: nets on a circle, elements on the ways between them, coloured by the voltages of a time.
import { css, short } from "./dom";
import type { Head, Recording } from "./recording";

export interface Circuit { nets: { n: string; ground: boolean }[]; parts: { i: number; ways: [string, number, number][]; leads: number[] }[] }
export interface Drawing { node: HTMLElement; at(time: number): void; mark(item: number): void }

type Point = [number, number];
const SIZE = 420, R = 150, MIDDLE = SIZE / 2, MARGIN = 60, MOST = 60; // elements drawn at most
/** Drawn along x from -18 to 18, the first pin on the left. */
const SYMBOLS: Record<string, string> = {
  resistor: "M-18 0h3l3-6 5 12 5-12 5 12 5-12 4 6h6", capacitor: "M-18 0h15M-3-9v18M3-9v18M3 0h15", inductor: "M-18 0h4a3.5 3.5 0 017 0 3.5 3.5 0 017 0 3.5 3.5 0 017 0 3.5 3.5 0 017 0h4",
  diode: "M-18 0h10M-8-8v16l15-8zM7-8v16M7 0h11", voltage_source: "M-18 0h6M12 0h6M-12 0a12 12 0 1024 0 12 12 0 10-24 0M-8 0h5M-5.5-2.5v5M4 0h4", current_source: "M-18 0h6M12 0h6M-12 0a12 12 0 1024 0 12 12 0 10-24 0M-7 0h13M2-4l4 4-4 4",
  zener: "M-18 0h10M-8-8v16l15-8zM3-10l4 2v16l4 2M7 0h11", thyristor: "M-18 0h10M-8-8v16l15-8zM7-8v16M7 0h11M5 3l7 7", transistor: "M-18 0h8l4-7M18 0h-8l-4-7M-9-7h18M-9-11h18M0-11v-6",
  amplifier: "M-18 0h6M-12-12v24l24-12zM12 0h6M-9-5h4M-9 5h4M-7 3v4", transformer: "M-18 0h4a3.5 3.5 0 017 0 3.5 3.5 0 017 0 3.5 3.5 0 017 0 3.5 3.5 0 017 0h4M-14 6h28M-14 9h28", gyrator: "M-18 0h6M12 0h6M-12-8q12 8 0 16M12-8q-12 8 0 16", measures: "M-6 0a6 6 0 1012 0 6 6 0 10-12 0M-3-2l3 5 3-5",
  motor: "M-18 0h6M12 0h6M-12 0a12 12 0 1024 0 12 12 0 10-24 0M-5 5v-10l5 7 5-7v10", switch: "M-18 0h9M-9 0l17-8M9 0h9", box: "M-18 0h4M14 0h4M-14-8h28v16h-28z",
};
const NS = "http://www.w3.org/2000/svg";

function svg<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Record<string, unknown>, ...children: (Node | string)[]): SVGElementTagNameMap[K] {
  const node = document.createElementNS(NS, tag);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
  node.append(...children);
  return node;
}

/** Null where there is no circuit, or one too large to be read. */
export function schematic(recording: Recording, choose: (item: number) => void): Drawing | null {
  const { head } = recording, circuit = head.circuit;
  if (!circuit || circuit.nets.length < 2 || circuit.parts.length > MOST) return null;
  const places = placesOf(circuit);
  const picture = svg("svg", { viewBox: `${-MARGIN} 0 ${SIZE + 2 * MARGIN} ${SIZE}`, role: "img", "aria-label": `Schematic of ${circuit.parts.length} elements between ${circuit.nets.length} nets` });
  const taken: Point[] = [], symbols: Point[] = [], wires: { path: SVGPathElement; net: number }[] = [], groups = new Map<number, SVGGElement>(), diodes: { body: SVGPathElement; pins: number[] }[] = [];
  const ways = circuit.parts.flatMap((part) => part.ways.map(([kind, a, b], k) => ({ part, kind, a, b, first: !k })));
  ways.sort((u, v) => apart(places[u.a], places[u.b]) - apart(places[v.a], places[v.b]));
  for (const { part, kind, a, b, first } of ways) {
    const { way, symbol } = freeWay(places[a], places[b], taken, symbols);
    symbols.push(symbol);
    taken.push(...way);
    const m = way.findIndex((p) => p === symbol), [x, y] = way[m], [u, v] = [way[m + 1][0] - way[m - 1][0], way[m + 1][1] - way[m - 1][1]], angle = (Math.atan2(v, u) * 180) / Math.PI;
    const cut = (points: Point[], towards: Point) => points.filter((p) => Math.hypot(p[0] - x, p[1] - y) > 20).concat([towards]);
    const unit = Math.hypot(u, v) || 1, left: Point = [x - (18 * u) / unit, y - (18 * v) / unit], right: Point = [x + (18 * u) / unit, y + (18 * v) / unit];
    const halves = [{ points: cut(way.slice(0, m), left), net: a }, { points: [right, ...way.slice(m + 1).filter((p) => Math.hypot(p[0] - x, p[1] - y) > 20)], net: b }];
    const group = groups.get(part.i) ?? svg("g", { class: "element" });
    groups.set(part.i, group);
    group.addEventListener("click", () => choose(part.i));
    for (const half of halves) {
      const path = svg("path", { class: kind === "measures" ? "wire lead" : "wire", d: `M${half.points.map((p) => p.map((c) => c.toFixed(1)).join(" ")).join("L")}` });
      wires.push({ path, net: half.net });
      group.append(path);
    }
    const body = svg("path", { d: SYMBOLS[kind] ?? SYMBOLS.box, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${angle.toFixed(1)})`, class: "symbol" });
    if (kind === "diode") diodes.push({ body, pins: [a, b] });
    group.append(body, svg("circle", { cx: x.toFixed(1), cy: y.toFixed(1), r: 18, class: "hit" }));
    if (first) {
      const side = ((x - MIDDLE) * -v + (y - MIDDLE) * u < 0 ? -1 : 1) / unit, [nx, ny] = [side * -v, side * u]; // outwards, where the name stands
      for (const net of part.leads) {
        const path = svg("path", { class: "wire lead", d: `M${x.toFixed(1)} ${y.toFixed(1)}L${places[net].map((c) => c.toFixed(1)).join(" ")}` });
        wires.push({ path, net });
        group.prepend(path);
      }
      const at = x + 17 * nx, wide = 9.5 * head.items[part.i].n.length, from = { start: at, middle: at - wide / 2, end: at - wide }[anchor(nx)];
      const ty = y + 19 * ny + (places.some((net) => Math.abs(net[1] - y - 19 * ny) < 12 && net[0] > from - 8 && net[0] < from + wide + 8) ? 24 : 5); // not over a net
      group.append(svg("text", { x: at.toFixed(1), y: ty.toFixed(1), "text-anchor": anchor(nx) }, head.items[part.i].n), svg("title", {}, titleOf(head, part.i)));
    }
    picture.append(group);
  }
  const labels = circuit.nets.map((net, k) => {
    const [x, y] = places[k], out = Math.hypot(x - MIDDLE, y - MIDDLE) || 1, ux = (x - MIDDLE) / out, uy = (y - MIDDLE) / out;
    picture.append(svg("circle", { cx: x.toFixed(1), cy: y.toFixed(1), r: 3.5, class: "net" }));
    if (net.ground) picture.append(svg("path", { d: `M${x.toFixed(1)} ${y.toFixed(1)}v12m-11 0h22m-18 4h14m-10 4h6`, class: "symbol" }));
    const label = svg("text", { x: (x + ux * 14).toFixed(1), y: (y + uy * 14 + 4).toFixed(1), "text-anchor": anchor(ux), class: "netname" });
    if (!net.ground) picture.append(label);
    return label;
  });
  const node = document.createElement("figure");
  node.className = "schematic";
  node.append(picture);
  const series = circuit.nets.map((net) => recording.series.get(`${net.n}.value`));
  let high = 0;
  for (const s of series) if (s) for (const v of s.values) high = Math.max(high, Math.abs(v));
  return {
    node,
    at(time) {
      const volts = series.map((s, k) => (circuit.nets[k].ground ? 0 : s ? recording.value(s, time, 0) : NaN));
      const ink = (v: number) => (Number.isNaN(v) || !high ? css("--soft") : `color-mix(in srgb, ${css(v > 0 ? "--bad" : "--accent")} ${Math.round(100 * Math.sqrt(Math.abs(v) / high))}%, ${css("--soft")})`);
      for (const { path, net } of wires) path.style.stroke = ink(volts[net]);
      circuit.nets.forEach((net, k) => (labels[k].textContent = Number.isNaN(volts[k]) ? net.n : `${net.n}  ${short(Math.abs(volts[k]) < 1e-9 * high ? 0 : volts[k], 3)} V`));
      for (const { body, pins: [a, b] } of diodes) body.classList.toggle("conducts", volts[a] - volts[b] > -1e-4 * high && high > 0);
    },
    mark(item) { for (const [i, group] of groups) group.classList.toggle("chosen", i === item); },
  };
}

function titleOf(head: Head, item: number) {
  const { n, t, f } = head.items[item];
  return [`${n}: ${t.replaceAll("_", " ")}`, ...Object.entries(f).filter(([, v]) => typeof v === "number").map(([k, v]) => `${k} ${short(v as number)} ${head.types[`${head.items[item].s}/${t}`]?.fields[k]?.[0] ?? ""}`)].join("\n");
}

/** Nets round a circle, in the order in which the ways between them cross least; the ground at the foot. */
function placesOf(circuit: Circuit): Point[] {
  const n = circuit.nets.length, edges = circuit.parts.flatMap((p) => [...p.ways.map(([, a, b]) => [a, b]), ...p.leads.map((net) => [p.ways[0][1], net])]).filter(([a, b]) => a !== b);
  const rim = circuit.parts.flatMap((p) => p.ways.filter(([kind]) => kind === "diode").map(([, a, b]) => [a, b])); // as bridges are drawn
  const cost = (order: number[]) => {
    const at: number[] = [];
    order.forEach((net, k) => (at[net] = k));
    let sum = 0;
    edges.forEach(([a, b], i) => {
      const [p, q] = [Math.min(at[a], at[b]), Math.max(at[a], at[b])], d = q - p;
      sum += 0.01 * Math.min(d, n - d);
      for (const [c, e] of edges.slice(0, i)) {
        const inside = (k: number) => at[k] > p && at[k] < q, on = (k: number) => at[k] === p || at[k] === q;
        if (!on(c) && !on(e) && inside(c) !== inside(e)) sum++;
      }
    });
    for (const [a, b] of rim) if (![1, n - 1].includes(Math.abs(at[a] - at[b]))) sum += 3;
    return sum;
  };
  let order = Array.from({ length: n }, (_, k) => k), best = cost(order);
  for (let changed = true; changed; ) {
    changed = false;
    for (let i = 1; i < n; i++)
      for (let j = i + 1; j < n; j++) {
        const next = order.slice();
        [next[i], next[j]] = [next[j], next[i]];
        const c = cost(next);
        if (c < best - 1e-9) (order = next), (best = c), (changed = true);
      }
  }
  const foot = Math.max(0, order.findIndex((net) => circuit.nets[net].ground)), places: Point[] = [];
  order.forEach((net, k) => {
    const angle = Math.PI / 2 + (2 * Math.PI * (k - foot)) / n;
    places[net] = [MIDDLE + R * Math.cos(angle), MIDDLE + R * Math.sin(angle) - 6];
  });
  return places;
}

/** Side of a text that keeps it off a point, in a direction of which this is the part to the right. */
const anchor = (right: number) => (Math.abs(right) < 0.3 ? "middle" : right > 0 ? "start" : "end");

const apart = (a: Point, b: Point) => Math.hypot(a[0] - b[0], a[1] - b[1]);

/** Points along the way from a to b, and the one with the symbol, which come least near to what is drawn already: straight, or an arc to one side. */
function freeWay(a: Point, b: Point, taken: Point[], symbols: Point[]): { way: Point[]; symbol: Point } {
  const d = apart(a, b) || 60, [nx, ny] = a === b ? [0, -1] : [-(b[1] - a[1]) / d, (b[0] - a[0]) / d], count = 40;
  let best: { way: Point[]; symbol: Point } | null = null, least = Infinity;
  const far = (p: Point) => apart(p, a) > 24 && apart(p, b) > 24, others = taken.filter(far);
  for (const bow of [0, 0.25, -0.25, 0.5, -0.5, 0.8, -0.8, 1.1, -1.1]) {
    const way: Point[] = Array.from({ length: count + 1 }, (_, k) => {
      const s = k / count, h = 4 * s * (1 - s) * bow * Math.min(d, 220) * 0.5;
      return [a[0] + s * (b[0] - a[0]) + nx * h, a[1] + s * (b[1] - a[1]) + ny * h];
    });
    let price = 6 * Math.abs(bow);
    for (const p of others) for (let k = 4; k <= count - 4; k += 4) price += 0.5 * Math.max(0, 9 - apart(p, way[k]));
    for (const p of symbols) for (let k = 2; k <= count - 2; k += 2) price += 4 * Math.max(0, 24 - apart(p, way[k]));
    for (const k of [20, 14, 26]) {
      const symbol = way[k], edge = Math.min(symbol[0], symbol[1], SIZE - symbol[0], SIZE - symbol[1]);
      let cost = price + (k === 20 ? 0 : 8) + (edge < 24 ? 60 : 0);
      for (const p of others) cost += Math.max(0, 30 - apart(p, symbol));
      if (cost < least) (least = cost), (best = { way, symbol });
    }
  }
  return best!;
}
