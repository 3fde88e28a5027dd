// What is drawn over the bodies: arrows of forces, contact points, traces, frames, planes and the grid on the ground.
import * as THREE from "three";
import { along, multiplied, placed, turned, world } from "./parts";
import type { Head, Recording } from "./recording";
import { touching } from "./touching";

const FORCE = 0xff6b5e, REACTION = 0x36d399, CONTACT = 0xffc53d;
const TOUCH = [0x9aa5b1, CONTACT, 0xff6bd6]; // open, sticks, slides
const FLOORS = [0xc3ccd4, 0xe0cfae, 0xb9d2c0, 0xd5c3d8];
const POINTS_THROUGH = 64, ARROWS_THROUGH = 400; // contact points, arrows of contacts at most that bodies do not hide
const ROUNDING = 1e-9; // of the largest force
const TRAIL = 160; // points of a trace at most

/** Arrows: shafts and heads, two draw calls, as many as `room`. */
class Arrows {
  readonly group = new THREE.Group();
  private shaft: THREE.InstancedMesh;
  private head: THREE.InstancedMesh;
  n = 0; // drawn
  readonly tips = new THREE.Box3(); // of those that were drawn
  constructor(room: number, through = false) {
    const material = new THREE.MeshBasicMaterial({ depthTest: !through });
    this.shaft = new THREE.InstancedMesh(new THREE.CylinderGeometry(1, 1, 1, 8).rotateX(Math.PI / 2), material, room);
    this.head = new THREE.InstancedMesh(new THREE.ConeGeometry(1, 1, 12).rotateX(Math.PI / 2), material, room);
    for (const mesh of [this.shaft, this.head]) {
      mesh.frustumCulled = false;
      mesh.renderOrder = through ? 2 : 0;
      mesh.setColorAt(0, new THREE.Color(FORCE));
      this.group.add(mesh);
    }
  }
  private point = new THREE.Vector3();
  begin() { this.n = 0; }
  add(from: number[], vector: number[], thick: number, color: number) {
    const length = Math.hypot(...vector);
    if (length < 1e-9 || this.n >= this.shaft.instanceMatrix.count) return;
    const tip = Math.min(0.45 * length, 4.5 * thick) / length;
    const neck = from.map((x, i) => x + vector[i] * (1 - tip)), end = from.map((x, i) => x + vector[i]);
    this.tips.expandByPoint(this.point.set(end[0], end[1], end[2]));
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
  private pressed: Arrows | null = null; // of contacts
  private dots: THREE.Points<THREE.BufferGeometry, THREE.PointsMaterial> | null = null;
  private trail: THREE.LineSegments;
  private triads: THREE.LineSegments;
  /** Grids and planes: seen with every recording. */
  readonly grid = new THREE.Group();
  private largest = new Map<string, number>();
  private traced: { frame: number; local: number[] }[] = [];
  private now = new Map<number, number[]>(); // forces of a live run by item [N]
  private highest = 0;
  /** Length [m] of which arrows are a part: of the model, or of the picture where that is much larger. */
  private get scale() { return Math.max(this.head.size, 0.4 * this.reach); }
  /** Side of a square of the grid [m]. */
  square = 1;
  pull: { from: number[]; to: number[] } | null = null;
  /** Seconds of the run in a second: traces are three seconds of the clock long at most. */
  rate = 1;

  constructor(private recording: Recording, private bounds: THREE.Box3, private reach: number, private shadows: boolean) {
    this.head = recording.head;
    const { contacts, joints, springs, loads } = this.head;
    this.arrows = new Arrows(Math.min(4000, contacts.length + joints.length + springs.length + loads.length + 1));
    this.group.add(this.arrows.group);
    const most = (this.head.contact_points?.most ?? 0) + contacts.length;
    if (most) this.group.add((this.pressed = new Arrows(Math.min(4000, most), most <= ARROWS_THROUGH)).group);
    const found = this.head.groups.reduce((sum, g) => sum + Math.min(6000, 4 * (g.a.length + (g.b?.length ?? 0))), 0);
    const points = contacts.length + (recording.contactPoints ? this.head.contact_points!.most : found);
    if (points) {
      const at = new THREE.BufferAttribute(new Float32Array(3 * points), 3).setUsage(THREE.DynamicDrawUsage);
      // As large on the screen from near as from far; few are seen through the bodies that touch there.
      const ink = new THREE.BufferAttribute(new Float32Array(3 * points), 3).setUsage(THREE.DynamicDrawUsage);
      this.dots = new THREE.Points(new THREE.BufferGeometry().setAttribute("position", at).setAttribute("color", ink), new THREE.PointsMaterial({ vertexColors: true, map: disc(), alphaTest: 0.5, size: 11, sizeAttenuation: false, depthTest: points > POINTS_THROUGH }));
      this.dots.renderOrder = 2;
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
    this.pushes(time, p, q);
    this.contacts(time, p, q);
    this.traces(time);
    this.frames(p, q);
    this.grid.visible = this.show.grid;
  }

  /** Box of the tips of the arrows at a time. */
  tips(time: number, p: Float32Array, q: Float32Array) {
    this.arrows.tips.makeEmpty();
    this.arrows.begin();
    this.forces(time, p, q);
    this.pressed?.tips.makeEmpty();
    this.pushes(time, p, q);
    return this.pressed ? this.arrows.tips.union(this.pressed.tips) : this.arrows.tips;
  }

  private forces(time: number, p: Float32Array, q: Float32Array) {
    const { scale } = this, items = this.head.items;
    const draw = (item: number, at: number[], color: number) => {
      const force = this.now.get(item);
      if (force && time >= this.recording.end && Math.hypot(...force) > 1e-3 * this.highest) this.arrows.add(at, force.map((x) => (x / this.highest) * 0.22 * scale), 0.004 * scale, color);
      if (this.head.live) return;
      const series = this.recording.series.get(`${items[item].n}.force`);
      if (!series || series.width !== 3 || !series.values.length) return;
      const high = this.high(color === REACTION ? "joints" : "forces");
      if (high <= 0) return;
      const f = [0, 1, 2].map((c) => this.recording.value(series, time, c));
      const length = Math.hypot(...f);
      if (length < 1e-3 * high) return;
      this.arrows.add(at, f.map((x) => (x / high) * 0.22 * scale), 0.004 * scale, color);
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
        if (norm > 0) this.arrows.add(at, v.map((x) => (x / norm) * 0.22 * scale), 0.005 * scale, FORCE);
      }
    }
  }

  /** Forces of contacts on their second bodies: of those that are relations, and of the points of groups. */
  private pushes(time: number, p: Float32Array, q: Float32Array) {
    const { contactPoints, head } = this.recording;
    if (!this.pressed) return;
    this.pressed.begin();
    const { scale } = this, high = this.touch;
    for (const c of this.show.forces && high > 0 ? head.contacts : []) {
      const series = this.recording.series.get(`${head.items[c.i].n}.force`);
      if (series?.width !== 3 || !series.values.length) continue;
      const f = [0, 1, 2].map((k) => this.recording.value(series, time, k)), norm = Math.hypot(...f);
      if (norm > 1e-3 * high) this.pressed.add(meeting(c, p, q).point, f.map((x) => (x / Math.max(norm, high)) * 0.22 * scale), 0.005 * scale, CONTACT);
    }
    const index = contactPoints ? contactPoints.at[this.recording.index(time, this.recording.t, this.recording.n)] : 0;
    for (let k = contactPoints?.begin[index] ?? 0; contactPoints && this.show.forces && k < contactPoints.begin[index + 1]; k++) {
      const f = [...contactPoints.force.subarray(3 * k, 3 * k + 3)], norm = Math.hypot(...f);
      if (norm > 1e-3 * head.contact_points!.force) this.pressed.add([...contactPoints.point.subarray(3 * k, 3 * k + 3)], f.map((x) => (x / Math.max(norm, head.contact_points!.force)) * 0.22 * scale), 0.005 * scale, TOUCH[contactPoints.state[k]]);
    }
    this.pressed.end();
  }

  /** Force of the longest arrow of a contact that is a relation [N]: the largest of the run, but for the few of its impacts. */
  private get touch(): number {
    if (this.largest.has("contacts")) return this.largest.get("contacts")!;
    const norms: number[] = [];
    for (const { i } of this.head.contacts) {
      const series = this.recording.series.get(`${this.head.items[i].n}.force`);
      if (series?.width === 3) for (let k = 0; k + 2 < series.values.length; k += 3) norms.push(Math.hypot(series.values[k], series.values[k + 1], series.values[k + 2]));
    }
    const pushing = Float64Array.from(norms.filter((x) => x > 0)).sort(), n = pushing.length;
    const high = n ? Math.min(pushing[n - 1], 1.2 * pushing[Math.floor(0.95 * (n - 1))]) : 0;
    this.largest.set("contacts", high < ROUNDING * this.reference() ? 0 : high);
    return this.largest.get("contacts")!;
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
    if (high < ROUNDING * this.reference()) high = 0;
    this.largest.set(family, high);
    return high;
  }
  /** Largest force of the run, and largest torque over the length of the model [N]: beside it a force may be what rounding left. */
  private reference(): number {
    let high = 0;
    for (const { path, values } of this.recording.series.values()) {
      const by = path.endsWith(".force") ? 1 : path.endsWith(".torque") ? 1 / this.head.size : 0;
      if (by) for (const x of values) high = Math.max(high, by * Math.abs(x));
    }
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
    const at = this.dots.geometry.attributes.position, ink = this.dots.geometry.attributes.color, size = this.head.size, { contactPoints } = this.recording;
    const colors = TOUCH.map((color) => new THREE.Color(color));
    let n = 0;
    const dot = (point: ArrayLike<number>, state = 1) => {
      if (n >= at.count) return;
      ink.setXYZ(n, colors[state].r, colors[state].g, colors[state].b);
      at.setXYZ(n++, point[0], point[1], point[2]);
    };
    const index = this.recording.index(time, this.recording.t, this.recording.n);
    if (this.show.contacts)
      this.head.contacts.forEach((c, k) => {
        const { point, gap } = meeting(c, p, q);
        const force = this.recording.contact ? this.recording.contact[k * this.recording.n + index] / 255 : gap < 2e-4 * size ? 0.3 : 0;
        if (force <= 0) return;
        dot(point);
      });
    if (this.show.contacts && contactPoints) for (let k = contactPoints.begin[contactPoints.at[index]]; k < contactPoints.begin[contactPoints.at[index] + 1]; k++) dot(contactPoints.point.subarray(3 * k, 3 * k + 3), contactPoints.state[k]);
    else if (this.show.contacts) {
      const away = this.recording.away(time);
      for (const group of this.head.groups) touching(group, p, q, away, dot);
    }
    this.dots.geometry.setDrawRange(0, n);
    this.dots.visible = n > 0;
    at.needsUpdate = ink.needsUpdate = true;
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

  /** Hides the planes whose back is seen: what they bound stands before them. */
  look(camera: THREE.Camera) {
    for (const { group, p, normal } of this.sheets) group.visible = !normal || camera.position.clone().sub(p).dot(normal) > 0;
  }
  /** How many arrows of forces are drawn. */
  get drawn() { return this.show.forces ? this.arrows.n + (this.pressed?.n ?? 0) : 0; }
  /** Normals of the planes. */
  get normals() { return this.sheets.flatMap(({ normal }) => normal ?? []); }
  private sheets: { group: THREE.Group; p: THREE.Vector3; normal: THREE.Vector3 | null }[] = [];

  private planes() {
    const extent = this.bounds.getSize(new THREE.Vector3()).length() || 1, side = 1.8 * extent;
    this.square = Math.max(nice(this.reach / 8), nice(side / 150));
    const centre = this.bounds.getCenter(new THREE.Vector3());
    const up = new THREE.Vector3().setComponent("xyz".indexOf(this.head.up), 1);
    const planes = this.head.planes.filter((plane) => plane.on[0] < 0).slice(0, 12).map((plane) => {
      const { p, q } = placed(plane.on), turn = new THREE.Quaternion(q[1], q[2], q[3], q[0]);
      return { p: new THREE.Vector3(...(p as [number, number, number])), turn, normal: new THREE.Vector3(0, 0, 1).applyQuaternion(turn) };
    });
    if (!planes.length) {
      const low = this.bounds.min.clone().multiply(up);
      const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), up);
      this.sheet(low.sub(up.clone().multiplyScalar(0.04 * extent)), turn, centre, side, null, []);
    }
    planes.forEach((plane, k) => this.sheet(plane.p, plane.turn, centre, side, plane.normal, planes.filter((other) => other !== plane), FLOORS[k % FLOORS.length]));
  }

  /** A grid in the x-y plane of a frame, under the middle of the scene; with a normal, a plane that is touched, of which the part in front of the others is drawn. */
  private sheet(p: THREE.Vector3, turn: THREE.Quaternion, centre: THREE.Vector3, side: number, normal: THREE.Vector3 | null, others: { p: THREE.Vector3; normal: THREE.Vector3 }[], color = 0x8194a6) {
    const group = new THREE.Group(), back = turn.clone().invert(), square = this.square;
    // The foot of the middle on the plane, on whole squares.
    const foot = centre.clone().sub(p).applyQuaternion(back);
    foot.set(Math.round(foot.x / square) * square, Math.round(foot.y / square) * square, 0);
    const half = (Math.max(2, Math.round(side / square)) * square) / 2, origin = foot.clone().applyQuaternion(turn).add(p);
    let outline = [[-half, -half], [half, -half], [half, half], [-half, half]];
    for (const other of others) {
      const n = other.normal.clone().applyQuaternion(back), level = origin.clone().sub(other.p).dot(other.normal);
      if (Math.hypot(n.x, n.y) > 1e-3) outline = kept(outline, n.x, n.y, level);
    }
    if (outline.length < 3) return;
    const points: number[] = normal ? outline.flatMap(([x, y], i) => [x, y, 0, ...outline[(i + 1) % outline.length], 0]) : [];
    for (let x = -half; x <= half * (1 + 1e-9); x += square)
      for (const along of [0, 1]) {
        const ends = crossed(outline, along, x);
        if (ends) points.push(...(along ? [ends[0], x, 0, ends[1], x, 0] : [x, ends[0], 0, x, ends[1], 0]));
      }
    const shape = new THREE.ShapeGeometry(new THREE.Shape(outline.map(([x, y]) => new THREE.Vector2(x, y))));
    const behind = { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1, depthWrite: false, side: THREE.DoubleSide };
    const floor = new THREE.Mesh(shape, new THREE.MeshLambertMaterial({ color, transparent: true, opacity: normal ? 0.72 : 0.1, ...behind }));
    const grid = new THREE.LineSegments(
      new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(points, 3)),
      new THREE.LineBasicMaterial({ color: 0x64788c, transparent: true, opacity: 0.45, depthWrite: false }),
    );
    floor.renderOrder = -4, grid.renderOrder = -2;
    group.add(floor, grid);
    if (this.shadows) {  // a plane that shows nothing else: without shadows it would cost a program and a pass over the screen
      const shade = new THREE.Mesh(shape, new THREE.ShadowMaterial({ opacity: normal ? 0.38 : 0.26, ...behind }));
      shade.receiveShadow = true, shade.renderOrder = -3;
      group.add(shade);
    }
    group.quaternion.copy(turn);
    group.position.copy(origin);
    this.grid.add(group);
    this.sheets.push({ group, p: origin, normal });
  }
}

/** Point of B that is nearest to A, and the gap [m], of a contact that is a relation. */
function meeting(c: Head["contacts"][number], p: Float32Array, q: Float32Array): { point: number[]; gap: number } {
  const a = placed(c.a), b = placed(c.b), A = world(a.frame, a.p, p, q), B = world(b.frame, b.p, p, q), plane = c.kind === "plane";
  const d = B.map((x, i) => x - A[i]), length = Math.hypot(...d) || 1;
  const normal = plane ? turned(a.frame < 0 ? a.q : multiplied([...q.subarray(4 * a.frame, 4 * a.frame + 4)], a.q), [0, 0, 1]) : d.map((x) => x / length);
  const gap = plane ? normal.reduce((s, x, i) => s + x * d[i], 0) - c.r[0] : length - c.r[0] - c.r[1];
  return { point: B.map((x, i) => x - normal[i] * (plane ? c.r[0] : c.r[1])), gap };
}

/** The part of a convex outline (n, 2) where a x + b y + c is not negative (Sutherland, Hodgman 1974). */
function kept(outline: number[][], a: number, b: number, c: number): number[][] {
  const level = ([x, y]: number[]) => a * x + b * y + c;
  return outline.flatMap((u, i) => {
    const v = outline[(i + 1) % outline.length], fu = level(u), fv = level(v), s = fu / (fu - fv);
    const cut = fu < 0 !== fv < 0 ? [[u[0] + s * (v[0] - u[0]), u[1] + s * (v[1] - u[1])]] : [];
    return fu < 0 ? cut : [u, ...cut];
  });
}

/** Where the line x = at (along 0) or y = at (along 1) enters and leaves a convex outline. */
function crossed(outline: number[][], along: number, at: number): [number, number] | null {
  const found = outline.flatMap((u, i) => {
    const v = outline[(i + 1) % outline.length], d = v[along] - u[along];
    if ((u[along] < at) === (v[along] < at) || !d) return [];
    return [u[1 - along] + ((at - u[along]) / d) * (v[1 - along] - u[1 - along])];
  });
  return found.length > 1 ? [Math.min(...found), Math.max(...found)] : null;
}

/** A round dot with a dark rim. */
function disc(): THREE.CanvasTexture {
  const paint = document.createElement("canvas");
  paint.width = paint.height = 32;
  const g = paint.getContext("2d")!;
  for (const [radius, color] of [[15, "#4a3500"], [11.5, "#ffffff"]] as const) {
    g.fillStyle = color;
    g.beginPath();
    g.arc(16, 16, radius, 0, 2 * Math.PI);
    g.fill();
  }
  return new THREE.CanvasTexture(paint);
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
