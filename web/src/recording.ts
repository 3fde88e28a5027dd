// A run as the page holds it: the container that python/saltus/view/container.py describes, decoded.

import type { Circuit } from "./schematic";
import type { Sketch } from "./sketch";

export interface Item { n: string; s: string; t: string; f: Record<string, unknown> }
export interface TypeInfo { doc: string; fields: Record<string, [string, string]> }
/** frame (-1: world), p x y z, quaternion w x y z */
export type Place = number[];
/** kind, radius, place */
export type Collider = ["plane" | "sphere", number, Place];
export interface Shape {
  kind: string; radius?: number; length?: number; size?: number[]; axis?: string; points?: number[][]; faces?: number[][];
  p?: number[]; q?: number[]; arms?: number[][]; arm?: number; point?: boolean;
}
export interface Body extends Shape { i: number; f: number }
export interface Series { path: string; unit: string; components: string[]; values: Float32Array; width: number; t: Float64Array }
export interface Head {
  title: string; size: number; gravity: number[]; up: "x" | "y" | "z"; version: string;
  types: Record<string, TypeInfo>; items: Item[]; frames: string[]; quantities: Record<string, string[]>;
  bodies: Body[]; joints: { i: number; t: string; a: Place; b: Place; s?: [number, number] }[]; // s: from where to where a prismatic joint moves [m]
  springs: { i: number; t: string; a: Place; b: Place; coil: boolean; r?: number }[];
  loads: { i: number; t: string; on: Place; v?: number[]; world?: boolean }[];
  planes: { i: number; on: Place }[]; contacts: { i: number; kind: string; a: Place; b: Place; r: number[] }[];
  groups: { i: number; a: Collider[]; b?: Collider[] }[];
  markers: { i: number; on: Place }[]; line?: { i: number; path: string; r: number; y: number }[];
  circuit?: Circuit; sketch?: Sketch;
  outputs: Record<string, string>; parameters: Record<string, number>; contact_force?: number;
  contact_points?: { most: number; force: number };
  away?: { f: number; t: [number, number][] }[]; // frames of bodies that come and go, and from when to when they are not there
  series: { path: string; unit: string; components: string[]; array: string }[]; events: string[];
  report: Record<string, any>; run: { scheme: string; static: boolean; states: number; drawn: number; wall: number };
  reference?: number[][]; // of a live run: where its frames are before the first state
  live?: { until: number; forces: number[]; away: number[]; parameters: { name: string; value: number; low: number; high: number }[] };
}

type Numbers = Float64Array | Float32Array | Int32Array | Uint16Array | Int16Array | Uint8Array;
const TYPES = { f8: Float64Array, f4: Float32Array, i4: Int32Array, u2: Uint16Array, i2: Int16Array, u1: Uint8Array };

/** Head and arrays of a container; throws where it is none. */
export function unpack(buffer: ArrayBuffer): { head: Head; arrays: Map<string, { values: Numbers; shape: number[] }> } {
  const view = new DataView(buffer);
  if (buffer.byteLength < 12 || view.getUint32(0, false) !== 0x534c5456) throw new Error("this is no scene of Saltus");
  if (view.getUint32(4, true) !== 1) throw new Error("this scene was written by another version of Saltus");
  const length = view.getUint32(8, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 12, length)));
  const start = Math.ceil((12 + length) / 8) * 8;
  const arrays = new Map();
  for (const [name, entry] of Object.entries<any>(head.arrays)) {
    const Type = TYPES[entry.type as keyof typeof TYPES];
    const count = entry.shape.reduce((a: number, b: number) => a * b, 1);
    const values = new Type(buffer.slice(start + entry.at, start + entry.at + count * Type.BYTES_PER_ELEMENT));
    if (entry.coding === "delta") {
      const n = entry.shape[entry.shape.length - 1];
      for (let i = 0; i < count; i++) if (i % n) values[i] += values[i - 1];
    }
    arrays.set(name, { values, shape: entry.shape });
  }
  return { head, arrays };
}

export class Recording {
  readonly head: Head;
  readonly count: number; // moving frames
  t: Float64Array;
  p: Float32Array; // (n, frames, 3)
  q: Float32Array; // (n, frames, 4), w first
  n: number;
  residual: Float32Array;
  states: number[] | null = null; // indices of the recorded states among those that are drawn; null: all
  contact: Uint8Array | null = null; // (contacts, n): root of the normal force, 255 the largest
  /** Contacts between groups: at time k from begin[at[k]] on; state: 0 open, 1 sticks, 2 slides. */
  contactPoints: { at: Int32Array; begin: Int32Array; item: Int32Array; point: Float32Array; force: Float32Array; state: Uint8Array } | null = null;
  readonly series = new Map<string, Series>();
  events: { t: Float64Array; kind: Uint8Array; item: Int32Array; value: Float32Array };

  constructor(buffer: ArrayBuffer) {
    const { head, arrays } = unpack(buffer);
    this.head = head;
    this.count = head.frames.length;
    const get = <T extends Numbers>(name: string) => arrays.get(name)?.values as T | undefined;
    this.t = get<Float64Array>("t") ?? new Float64Array();
    this.n = this.t.length;
    this.p = new Float32Array(this.n * this.count * 3);
    this.q = new Float32Array(this.n * this.count * 4);
    this.decode(get<Uint16Array>("p"), get<Float64Array>("p.low"), get<Float64Array>("p.step"), get<Int16Array>("q"), get<Int32Array>("turning"));
    this.residual = get<Float32Array>("residual") ?? new Float32Array();
    this.contact = get<Uint8Array>("contact") ?? null;
    const begin = get<Int32Array>("contact_points.begin");
    if (begin) this.contactPoints = { at: get<Int32Array>("contact_points.at")!, begin, item: get<Int32Array>("contact_points.item")!, point: get<Float32Array>("contact_points.point")!, force: get<Float32Array>("contact_points.force")!, state: get<Uint8Array>("contact_points.state")! };
    const own = get<Uint8Array>("state");
    if (own) this.states = [...own.keys()].filter((k) => own[k]);
    for (const s of head.series ?? []) {
      const array = arrays.get(s.array)!;
      this.series.set(s.path, { ...s, values: array.values as Float32Array, width: array.shape[1] ?? 1, t: this.t });
    }
    this.events = {
      t: get<Float64Array>("event.t") ?? new Float64Array(), kind: get<Uint8Array>("event.kind") ?? new Uint8Array(),
      item: get<Int32Array>("event.item") ?? new Int32Array(), value: get<Float32Array>("event.value") ?? new Float32Array(),
    };
  }

  private decode(p?: Uint16Array, low?: Float64Array, step?: Float64Array, q?: Int16Array, turning?: Int32Array) {
    const { n, count } = this;
    if (p && low && step)
      for (let c = 0; c < count * 3; c++) for (let k = 0; k < n; k++) this.p[k * count * 3 + c] = low[c] + step[c] * p[c * n + k];
    for (let i = 0; i < n * count; i++) this.q[4 * i] = 1;
    if (q && turning)
      turning.forEach((frame, j) => {
        for (let c = 0; c < 4; c++) for (let k = 0; k < n; k++) this.q[(k * count + frame) * 4 + c] = q[(j * 4 + c) * n + k] / 32767;
      });
  }

  get begin() { return this.n ? this.t[0] : 0; }
  get end() { return this.n ? this.t[this.n - 1] : 0; }

  /** Whether it is an equilibrium, one state without a motion. */
  get still() { return this.head.run.static && !this.head.live && this.n < 2; }

  /** Last index whose time is not after `time`. */
  index(time: number, t: Float64Array = this.t, n = this.n): number {
    let a = 0, b = n - 1;
    while (a < b) {
      const m = (a + b + 1) >> 1;
      if (t[m] <= time) a = m;
      else b = m - 1;
    }
    return a;
  }

  /** Time of the recorded state that is `count` states on from a time; between two states the one before is the first one back. */
  stateFrom(time: number, count: number): number {
    const at = this.states, i = this.index(time), j = at ? at.findLastIndex((k) => k <= i) : i, n = at ? at.length : this.n;
    const t = (k: number) => this.t[at ? at[k] : k];
    return t(Math.min(n - 1, Math.max(0, count < 0 && time > t(Math.max(0, j)) ? j + count + 1 : j + count)));
  }

  /** Frames of bodies that are not there at a time. */
  away(time: number): Set<number> {
    return new Set((this.head.away ?? []).filter(({ t }) => t.some(([from, to]) => from <= time && time < to)).map(({ f }) => f));
  }

  /** Poses at a time, between two states linearly; p (frames, 3), q (frames, 4). */
  pose(time: number, p: Float32Array, q: Float32Array) {
    if (!this.n) return;
    const i = this.index(time), j = Math.min(i + 1, this.n - 1), c = this.count;
    const h = this.t[j] - this.t[i];
    const s = h > 0 ? Math.min(1, Math.max(0, (time - this.t[i]) / h)) : 0;
    for (let k = 0; k < 3 * c; k++) p[k] = this.p[3 * c * i + k] * (1 - s) + this.p[3 * c * j + k] * s;
    for (let k = 0; k < 4 * c; k += 4) {
      const a = 4 * c * i + k, b = 4 * c * j + k;
      let dot = 0, norm = 0;
      for (let m = 0; m < 4; m++) dot += this.q[a + m] * this.q[b + m];
      const sign = dot < 0 ? -s : s;
      for (let m = 0; m < 4; m++) norm += (q[k + m] = this.q[a + m] * (1 - s) + this.q[b + m] * sign) ** 2;
      norm = norm > 0 ? 1 / Math.sqrt(norm) : 1;
      for (let m = 0; m < 4; m++) q[k + m] *= norm;
    }
  }

  /** Value of component c of a series at a time, between two states linearly. */
  value(s: Series, time: number, c: number): number {
    if (!s.t.length) return 0;
    const i = this.index(time, s.t, s.t.length), j = Math.min(i + 1, s.t.length - 1);
    const h = s.t[j] - s.t[i], x = h > 0 ? Math.min(1, Math.max(0, (time - s.t[i]) / h)) : 0;
    return s.values[i * s.width + c] * (1 - x) + s.values[j * s.width + c] * x;
  }

  /** Adds states that a live run sent: times (k), poses (k, frames, 7), residuals (k), whether the frames that come and go are away (k, frames of them). */
  append(t: Float64Array, poses: Float32Array, residual: Float32Array, away: Uint8Array) {
    const k = t.length, c = this.count, n = this.n + k;
    if (n > this.t.length) {
      const room = Math.max(1024, 2 * n);
      this.t = grown(this.t, room, this.n);
      this.p = grown(this.p, room * c * 3, this.n * c * 3);
      this.q = grown(this.q, room * c * 4, this.n * c * 4);
      this.residual = grown(this.residual, room, this.n);
    }
    this.t.set(t, this.n);
    this.residual.set(residual, this.n);
    for (let s = 0; s < k * c; s++) {
      for (let m = 0; m < 3; m++) this.p[(this.n * c + s) * 3 + m] = poses[7 * s + m];
      for (let m = 0; m < 4; m++) this.q[(this.n * c + s) * 4 + m] = poses[7 * s + 3 + m];
    }
    this.n = n;
    const frames = this.head.live?.away ?? [], known = (this.head.away ??= frames.map((f) => ({ f, t: [] })));
    known.forEach(({ t: times }, i) => {
      for (let s = 0; s < k; s++) {
        const last = times[times.length - 1], gone = last !== undefined && last[1] === Infinity;
        if (away[s * frames.length + i] && !gone) times.push([t[s], Infinity]);
        else if (!away[s * frames.length + i] && gone) last[1] = t[s];
      }
    });
  }

  /** Forgets all states: a live run begins again. */
  clear() {
    this.n = 0;
    this.head.away = undefined;
    this.series.clear();
    this.events = { t: new Float64Array(), kind: new Uint8Array(), item: new Int32Array(), value: new Float32Array() };
  }

  /** Adds the energies [J] of a live run at a time. */
  addEnergy(time: number, [kinetic, potential]: [number, number]) {
    for (const [word, value] of [["kinetic", kinetic], ["potential", potential], ["total", kinetic + potential]] as const) {
      const path = `energy.${word}`, old = this.series.get(path), n = old?.t.length ?? 0;
      if (n && time <= old!.t[n - 1]) return;
      const t = grown(old?.t ?? new Float64Array(), n + 1, n), values = grown(old?.values ?? new Float32Array(), n + 1, n);
      (t[n] = time), (values[n] = value);
      this.series.set(path, { path, unit: "J", components: [], width: 1, values, t });
    }
  }

  addEvents(list: [number, string, number, number][]) {
    if (!list.length) return;
    const e = this.events, n = e.t.length;
    for (const [, kind] of list) if (!this.head.events.includes(kind)) this.head.events.push(kind);
    this.events = {
      t: grown(e.t, n + list.length, n), kind: grown(e.kind, n + list.length, n),
      item: grown(e.item, n + list.length, n), value: grown(e.value, n + list.length, n),
    };
    list.forEach(([t, kind, item, value], i) => {
      this.events.t[n + i] = t;
      this.events.kind[n + i] = this.head.events.indexOf(kind);
      this.events.item[n + i] = item;
      this.events.value[n + i] = value;
    });
  }
}

function grown<T extends Numbers>(old: T, length: number, used: number): T {
  const next = new (old.constructor as new (n: number) => T)(length);
  next.set(old.subarray(0, used) as any);
  return next;
}

/** Containers inside the page (zlib, base64), in order. */
export async function embedded(): Promise<ArrayBuffer[]> {
  const all = [...document.querySelectorAll<HTMLScriptElement>('script[type="application/x-saltus"]')];
  return Promise.all(all.map(async (node) => inflated(Uint8Array.from(atob(node.textContent!.trim()), (c) => c.charCodeAt(0)))));
}

export async function inflated(bytes: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> {
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).arrayBuffer();
}
