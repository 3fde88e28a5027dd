// What is drawn over the bodies: arrows of forces, contact points, traces, frames, planes and the grid on the ground.
import * as THREE from "three";
import { along, multiplied, placed, turned, world } from "./parts";
import type { Head, Recording } from "./recording";
import { touching } from "./touching";

const FORCE = 0xff6b5e, REACTION = 0x36d399, CONTACT = 0xffc53d;
const TRAIL = 160; // points of a trace at most

/** Arrows: shafts and heads, two draw calls, as many as `room`. */
class Arrows {
  readonly group = new THREE.Group();
  private shaft: THREE.InstancedMesh;
  private head: THREE.InstancedMesh;
  private n = 0;
  constructor(room: number) {
    const material = new THREE.MeshBasicMaterial();
    this.shaft = new THREE.InstancedMesh(new THREE.CylinderGeometry(1, 1, 1, 8).rotateX(Math.PI / 2), material, room);
    this.head = new THREE.InstancedMesh(new THREE.ConeGeometry(1, 1, 12).rotateX(Math.PI / 2), material, room);
    for (const mesh of [this.shaft, this.head]) {
      mesh.frustumCulled = false;
      mesh.setColorAt(0, new THREE.Color(FORCE));
      this.group.add(mesh);
    }
  }
  begin() { this.n = 0; }
  add(from: number[], vector: number[], thick: number, color: number) {
    const length = Math.hypot(...vector);
    if (length < 1e-9 || this.n >= this.shaft.instanceMatrix.count) return;
    const tip = Math.min(0.45 * length, 4.5 * thick) / length;
    const neck = from.map((x, i) => x + vector[i] * (1 - tip)), end = from.map((x, i) => x + vector[i]);
    along(from, neck, thick, 0.5, this.shaft.instanceMatrix.array as Float32Array, 16 * this.n);
    along(neck, end, 2.6 * thick, 0.5, this.head.instanceMatrix.array as Float32Array, 16 * this.n);
    for (const mesh of [this.shaft, this.head]) mesh.setColorAt(this.n, new THREE.Color(color));
    this.n++;
  }
  end() {
    for (const mesh of [this.shaft, this.head]) {
      mesh.count = this.n;
      mesh.instanceMatrix.needsUpdate = true;
      mesh.instanceColor!.needsUpdate = true;
    }
    this.group.visible = this.n > 0;
  }
}

export class Overlays {
  readonly group = new THREE.Group();
  show = { forces: true, contacts: true, traces: true, frames: false, grid: true };
  private head: Head;
  private arrows: Arrows;
  private dots: THREE.InstancedMesh | null = null;
  private trail: THREE.LineSegments;
  private triads: THREE.LineSegments;
  /** Grids and planes: seen with every recording. */
  readonly grid = new THREE.Group();
  private largest = new Map<string, number>();
  private traced: { frame: number; local: number[] }[] = [];
  private now = new Map<number, number[]>(); // forces of a live run by item [N]
  private highest = 0;
  /** Side of a square of the grid [m]. */
  square = 1;
  pull: { from: number[]; to: number[] } | null = null;
  /** Seconds of the run in a second: traces are three seconds of the clock long at most. */
  rate = 1;

  constructor(private recording: Recording, private bounds: THREE.Box3) {
    this.head = recording.head;
    const { contacts, joints, springs, loads } = this.head;
    this.arrows = new Arrows(Math.min(4000, contacts.length + joints.length + springs.length + loads.length + 1));
    this.group.add(this.arrows.group);
    const points = contacts.length + this.head.groups.reduce((sum, g) => sum + Math.min(6000, 4 * (g.a.length + (g.b?.length ?? 0))), 0);
    if (points) {
      this.dots = new THREE.InstancedMesh(new THREE.SphereGeometry(1, 10, 8), new THREE.MeshBasicMaterial({ color: CONTACT }), points);
      this.dots.frustumCulled = false;
      this.group.add(this.dots);
    }
    this.trail = lines(2 * TRAIL * 16, true);
    this.triads = lines(6 * (this.head.markers.length + Math.min(400, this.head.frames.length) + 1), false);
    this.group.add(this.trail, this.triads);
    this.trace(null);
    this.planes();
  }

  /** Traces a point of a frame; null: the origin of every body of a small model. */
  trace(point: { frame: number; local: number[] } | null) {
    const drawn = [...new Set(this.head.bodies.map((body) => body.f))].filter((f) => f >= 0);
    this.traced = point && point.frame >= 0 ? [point] : drawn.length <= 8 ? drawn.map((frame) => ({ frame, local: [0, 0, 0] })) : [];
  }

  /** Everything for one time; p (frames, 3), q (frames, 4) are the poses there. */
  move(time: number, p: Float32Array, q: Float32Array) {
    this.arrows.begin();
    if (this.show.forces) this.forces(time, p, q);
    if (this.pull) this.arrows.add(this.pull.from, this.pull.to.map((x, i) => x - this.pull!.from[i]), 0.006 * this.head.size, CONTACT);
    this.arrows.end();
    this.contacts(time, p, q);
    this.traces(time);
    this.frames(p, q);
    this.grid.visible = this.show.grid;
  }

  private forces(time: number, p: Float32Array, q: Float32Array) {
    const size = this.head.size, items = this.head.items;
    const draw = (item: number, at: number[], color: number) => {
      const told = this.now.get(item);
      if (told && time >= this.recording.end && Math.hypot(...told) > 1e-3 * this.highest) this.arrows.add(at, told.map((x) => (x / this.highest) * 0.22 * size), 0.004 * size, color);
      if (this.head.live) return;
      const series = this.recording.series.get(`${items[item].n}.force`);
      if (!series || series.width !== 3 || !series.values.length) return;
      const high = this.high(color === REACTION ? "joints" : "forces");
      if (high <= 0) return;
      const f = [0, 1, 2].map((c) => this.recording.value(series, time, c));
      const length = Math.hypot(...f);
      if (length < 1e-3 * high) return;
      this.arrows.add(at, f.map((x) => (x / high) * 0.22 * size), 0.004 * size, color);
    };
    for (const j of this.head.joints) draw(j.i, world(j.b[0], j.b.slice(1, 4), p, q), REACTION);
    for (const s of this.head.springs) draw(s.i, world(s.b[0], s.b.slice(1, 4), p, q), FORCE);
    for (const load of this.head.loads) {
      const on = placed(load.on), at = world(on.frame, on.p, p, q);
      if (!load.v) draw(load.i, at, FORCE);
      else {
        let turn = on.q;
        if (on.frame >= 0) turn = multiplied([...q.subarray(4 * on.frame, 4 * on.frame + 4)], on.q);
        const v = load.world ? load.v : turned(turn, load.v), norm = Math.hypot(...v);
        if (norm > 0) this.arrows.add(at, v.map((x) => (x / norm) * 0.22 * size), 0.005 * size, FORCE);
      }
    }
  }

  /** Largest force of a family over the run [N]: the length of arrows is a part of it. */
  private high(family: string): number {
    if (this.largest.has(family)) return this.largest.get(family)!;
    const list = family === "joints" ? this.head.joints : [...this.head.springs, ...this.head.loads.filter((l) => !l.v)];
    let high = 0;
    for (const { i } of list) {
      const series = this.recording.series.get(`${this.head.items[i].n}.force`);
      if (series?.width === 3)
        for (let k = 0; k + 2 < series.values.length; k += 3) {
          const f = Math.hypot(series.values[k], series.values[k + 1], series.values[k + 2]);
          if (f > high) high = f;
        }
    }
    this.largest.set(family, high);
    return high;
  }
  /** Forces of a live run at its last state (n, 3) [N]; the longest arrow so far is a fifth of the model. */
  live(values: Float32Array) {
    this.head.live?.forces.forEach((item, k) => {
      const f = [...values.subarray(3 * k, 3 * k + 3)];
      this.now.set(item, f);
      this.highest = Math.max(this.highest, Math.hypot(...f));
    });
  }
  /** Series came or changed: lengths of arrows are found again. */
  refresh() { this.largest.clear(); }

  private contacts(time: number, p: Float32Array, q: Float32Array) {
    if (!this.dots) return;
    const m = this.dots.instanceMatrix.array as Float32Array, size = this.head.size;
    let n = 0;
    const most = this.dots.instanceMatrix.count, dot = (at: number[], r: number) => {
      if (n >= most) return;
      m.fill(0, 16 * n, 16 * n + 16);
      m[16 * n] = m[16 * n + 5] = m[16 * n + 10] = r;
      m[16 * n + 15] = 1;
      for (let i = 0; i < 3; i++) m[16 * n + 12 + i] = at[i];
      n++;
    };
    const index = this.recording.index(time, this.recording.t, this.recording.n);
    if (this.show.contacts)
      this.head.contacts.forEach((c, k) => {
        const a = placed(c.a), b = placed(c.b), A = world(a.frame, a.p, p, q), B = world(b.frame, b.p, p, q);
        let normal: number[], gap: number;
        if (c.kind === "plane") {
          const turn = a.frame < 0 ? a.q : multiplied([...q.subarray(4 * a.frame, 4 * a.frame + 4)], a.q);
          normal = turned(turn, [0, 0, 1]);
          gap = normal.reduce((s, x, i) => s + x * (B[i] - A[i]), 0) - c.r[0];
        } else {
          const d = B.map((x, i) => x - A[i]), length = Math.hypot(...d) || 1;
          normal = d.map((x) => x / length);
          gap = length - c.r[0] - c.r[1];
        }
        const force = this.recording.contact ? this.recording.contact[k * this.recording.n + index] / 255 : gap < 2e-4 * size ? 0.3 : 0;
        if (force <= 0) return;
        const rB = c.kind === "plane" ? c.r[0] : c.r[1];
        dot(B.map((x, i) => x - normal[i] * rB), size * (0.006 + 0.016 * force));
      });
    if (this.show.contacts) for (const group of this.head.groups) touching(group, p, q, (point) => dot(point, 0.007 * size));
    this.dots.count = n;
    this.dots.visible = n > 0;
    this.dots.instanceMatrix.needsUpdate = true;
  }

  private traces(time: number) {
    const g = this.trail.geometry, at = g.attributes.position.array as Float32Array, ink = g.attributes.color.array as Float32Array;
    let n = 0;
    const { recording } = this, c = recording.count;
    if (this.show.traces && recording.n > 1) {
      const last = recording.index(time, recording.t, recording.n);
      const span = Math.min(0.35 * (recording.end - recording.begin), 3 * this.rate), first = recording.index(Math.max(recording.begin, time - span), recording.t, recording.n);
      const step = Math.max(1, Math.ceil((last - first) / TRAIL));
      for (const { frame, local } of this.traced.slice(0, 16))
        for (let k = last; k - step >= first; k -= step) {
          const fade = (k - first) / Math.max(1, last - first);
          for (const [i, f] of [[k, fade], [k - step, Math.max(0, fade - step / Math.max(1, last - first))]]) {
            const o = i * c + frame, v = turned(recording.q.subarray(4 * o, 4 * o + 4), local);
            for (let x = 0; x < 3; x++) {
              at[3 * n + x] = recording.p[3 * o + x] + v[x];
              ink[4 * n + x] = [0.3, 0.66, 1][x];
            }
            ink[4 * n++ + 3] = 0.9 * f;
          }
        }
    }
    g.setDrawRange(0, n);
    this.trail.visible = n > 0;
    g.attributes.position.needsUpdate = g.attributes.color.needsUpdate = true;
  }

  private frames(p: Float32Array, q: Float32Array) {
    const g = this.triads.geometry, at = g.attributes.position.array as Float32Array, ink = g.attributes.color.array as Float32Array;
    let n = 0;
    const length = 0.06 * this.head.size;
    const triad = (frame: number, local: number[], turn: number[]) => {
      const o = world(frame, local, p, q), r = frame < 0 ? turn : multiplied([...q.subarray(4 * frame, 4 * frame + 4)], turn);
      for (let axis = 0; axis < 3; axis++) {
        const e = turned(r, [0, 1, 2].map((i) => (i === axis ? length : 0)));
        for (const s of [0, 1]) {
          for (let i = 0; i < 3; i++) {
            at[3 * n + i] = o[i] + s * e[i];
            ink[3 * n + i] = i === axis ? 0.95 : 0.25;
          }
          n++;
        }
      }
    };
    triad(-1, [0, 0, 0], [1, 0, 0, 0]);
    if (this.show.frames) {
      for (const m of this.head.markers) triad(m.on[0], m.on.slice(1, 4), m.on.slice(4, 8));
      for (let f = 0; f < Math.min(400, this.head.frames.length); f++) triad(f, [0, 0, 0], [1, 0, 0, 0]);
    }
    this.triads.visible = this.show.frames;
    g.setDrawRange(0, n);
    g.attributes.position.needsUpdate = g.attributes.color.needsUpdate = true;
  }

  private planes() {
    const extent = this.bounds.getSize(new THREE.Vector3()).length() || 1, side = 1.8 * extent;
    this.square = nice(extent / 8);
    const centre = this.bounds.getCenter(new THREE.Vector3());
    const planes = this.head.planes.filter((plane) => plane.on[0] < 0);
    const up = new THREE.Vector3().setComponent("xyz".indexOf(this.head.up), 1);
    if (!planes.length) {
      const low = this.bounds.min.clone().multiply(up);
      const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), up);
      this.sheet(low.sub(up.clone().multiplyScalar(0.04 * extent)), turn, centre, side, false);
    }
    for (const plane of planes.slice(0, 4)) {
      const { p, q } = placed(plane.on);
      this.sheet(new THREE.Vector3(...(p as [number, number, number])), new THREE.Quaternion(q[1], q[2], q[3], q[0]), centre, side, true);
    }
  }

  /** A grid in the x-y plane of a frame, under the middle of the scene; solid for planes that are touched. */
  private sheet(p: THREE.Vector3, turn: THREE.Quaternion, centre: THREE.Vector3, side: number, solid: boolean) {
    const n = Math.max(2, Math.round(side / this.square)), group = new THREE.Group();
    const points: number[] = [], half = (n * this.square) / 2;
    for (let i = 0; i <= n; i++) {
      const x = i * this.square - half;
      points.push(x, -half, 0, x, half, 0, -half, x, 0, half, x, 0);
    }
    const grid = new THREE.LineSegments(
      new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(points, 3)),
      new THREE.LineBasicMaterial({ color: 0x7f93a7, transparent: true, opacity: 0.5, depthWrite: false }),
    );
    const floor = new THREE.Mesh(
      new THREE.PlaneGeometry(2 * half, 2 * half),
      new THREE.MeshLambertMaterial({ color: 0x8194a6, transparent: true, opacity: solid ? 0.3 : 0.1, side: THREE.DoubleSide, depthWrite: false, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 }),
    );
    floor.receiveShadow = true;
    floor.renderOrder = -2;
    grid.renderOrder = -1;
    group.add(floor, grid);
    group.quaternion.copy(turn);
    // The foot of the middle on the plane, on whole squares.
    const local = centre.clone().sub(p).applyQuaternion(turn.clone().invert());
    local.set(Math.round(local.x / this.square) * this.square, Math.round(local.y / this.square) * this.square, 0);
    group.position.copy(local.applyQuaternion(turn).add(p));
    this.grid.add(group);
  }
}

/** 1, 2 or 5 times a power of ten, near x. */
export function nice(x: number): number {
  const ten = 10 ** Math.floor(Math.log10(x || 1)), m = x / ten;
  return ten * (m < 1.5 ? 1 : m < 3.5 ? 2 : m < 7.5 ? 5 : 10);
}

function lines(vertices: number, alpha: boolean): THREE.LineSegments {
  const g = new THREE.BufferGeometry();
  g.setAttribute("position", new THREE.BufferAttribute(new Float32Array(3 * vertices), 3).setUsage(THREE.DynamicDrawUsage));
  g.setAttribute("color", new THREE.BufferAttribute(new Float32Array((alpha ? 4 : 3) * vertices), alpha ? 4 : 3).setUsage(THREE.DynamicDrawUsage));
  const line = new THREE.LineSegments(g, new THREE.LineBasicMaterial({ vertexColors: true, transparent: alpha, depthWrite: !alpha }));
  line.frustumCulled = false;
  return line;
}
