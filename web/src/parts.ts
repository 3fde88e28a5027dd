// Bodies, joints, springs as instances of a few unit solids: one draw call a solid, whatever the number of bodies.
import * as THREE from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import type { Head, Place, Shape } from "./recording";

/** One instance: a unit solid scaled, at a place on a moving frame (-1: world), or spanned between two places. */
export interface Part {
  solid: string; frame: number; p: number[]; q: number[]; scale: number[]; color: number; item: number;
  to?: { frame: number; p: number[] }; // spanned: z of the solid runs from p to here
}

export const PALETTE = [0x4e9af1, 0xf2a33c, 0x5fc48d, 0xe0637c, 0x9b7fe6, 0x38bdc8, 0xd9c24a, 0xc98a6b];
const STEEL = 0x7c8996, COIL = 0xaab5c0, RAIL = 0x5d6a77;
const BIAS = 1e-6; // by which faces of one colour stand behind those of the one before, where both lie in one plane: of the depth's range from -1 to 1
const POINT = 0.02; // radius of a point mass among many, of what is looked at; of one that is alone half as much again
const ONE = [1, 0, 0, 0];
const TO_AXIS: Record<string, number[]> = { z: ONE, x: [Math.SQRT1_2, 0, Math.SQRT1_2, 0], y: [Math.SQRT1_2, -Math.SQRT1_2, 0, 0] };

export function solids(coarse: boolean): Record<string, THREE.BufferGeometry> {
  const round = coarse ? 16 : 32, quarter = round / 4, right = Math.PI / 2;
  const upright = (g: THREE.BufferGeometry) => g.rotateX(right);
  const quarters = [0, 1, 2, 3], octants = quarters.flatMap((i) => [0, 1].map((j) => [i, j]));
  return {
    box: new THREE.BoxGeometry(1, 1, 1),
    sphere: new THREE.SphereGeometry(1, round, round / 2),
    ball: marked(octants.map(([i, j]) => new THREE.SphereGeometry(1, quarter, quarter, i * right, right, j * right, right)), (k) => (k >> 1) + k),
    cylinder: upright(new THREE.CylinderGeometry(1, 1, 1, round)),
    wheel: upright(marked(quarters.map((i) => new THREE.CylinderGeometry(1, 1, 1, quarter, 1, false, i * right, right)), (k) => k)),
    cone: upright(new THREE.ConeGeometry(1, 1, coarse ? 8 : 18)),
    ring: new THREE.TorusGeometry(1, 0.16, 8, round),
    coil: coil(coarse ? 6 : 10, coarse ? 10 : 22),
  };
}

/** Pieces of a round solid as one, light and dark in turn, so that its turning is seen; the colours multiply those of the instances. */
function marked(pieces: THREE.BufferGeometry[], number: (k: number) => number): THREE.BufferGeometry {
  pieces.forEach((piece, k) => {
    const shade = number(k) % 2 ? 0.62 : 1;
    piece.setAttribute("color", new THREE.Float32BufferAttribute(new Float32Array(3 * piece.attributes.position.count).fill(shade), 3));
  });
  return mergeGeometries(pieces);
}

/** A coil of radius 1 along z from 0 to 1, with straight ends; its wire is scaled with it. */
function coil(around: number, along: number): THREE.BufferGeometry {
  const turns = 9;
  class Helix extends THREE.Curve<THREE.Vector3> {
    constructor() {
      super();
    }
    getPoint(s: number, target = new THREE.Vector3()) {
      const u = Math.min(1, Math.max(0, (s - 0.08) / 0.84)), angle = 2 * Math.PI * turns * u;
      const r = s < 0.08 ? s / 0.08 : s > 0.92 ? (1 - s) / 0.08 : 1;
      return target.set(r * Math.cos(angle), r * Math.sin(angle), s);
    }
  }
  // The wire is thin in units of the radius; along z it would be squeezed, so it is drawn flat there.
  const g = new THREE.TubeGeometry(new Helix(), turns * along, 0.16, around, false);
  const p = g.attributes.position, curve = new Helix(), point = new THREE.Vector3();
  for (let i = 0; i <= turns * along; i++) {
    curve.getPointAt(i / (turns * along), point);
    for (let j = 0; j <= around; j++) {
      const k = i * (around + 1) + j;
      p.setZ(k, point.z + (p.getZ(k) - point.z) * 0.12);
    }
  }
  return g;
}

/** Place of a colour among faces in one plane: joints and springs before bodies. Faces of one colour look alike, whichever is seen. */
const depthRank = (color: number) => PALETTE.indexOf(color) + 1;

/** Lets each instance draw itself behind by its rank, so that faces in one plane do not flicker. */
function ranked(shader: { vertexShader: string }) {
  shader.vertexShader = `attribute float rank;\n${shader.vertexShader.replace("#include <project_vertex>", `#include <project_vertex>\ngl_Position.z += ${BIAS.toExponential()} * rank * gl_Position.w;`)}`;
}

export function multiplied(a: number[], b: number[]): number[] {
  return [
    a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
    a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
  ];
}
export function turned(q: ArrayLike<number>, v: ArrayLike<number>): [number, number, number] {
  const [w, x, y, z] = [q[0], q[1], q[2], q[3]];
  const tx = 2 * (y * v[2] - z * v[1]), ty = 2 * (z * v[0] - x * v[2]), tz = 2 * (x * v[1] - y * v[0]);
  return [v[0] + w * tx + y * tz - z * ty, v[1] + w * ty + z * tx - x * tz, v[2] + w * tz + x * ty - y * tx];
}

/** Half the thickness of a joint as it is drawn [m]: a part of the model, less where most bodies hold joints that are near each other, as the links of a chain do. */
function thickness(head: Head): number {
  const held = new Map<number, number[][]>(), gaps: number[] = [];
  for (const j of head.joints) for (const end of [j.a, j.b]) if (end[0] >= 0) held.set(end[0], [...(held.get(end[0]) ?? []), end.slice(1, 4)]);
  for (const points of held.values()) {
    const apart = points.slice(0, 40).flatMap((a, k) => points.slice(0, k).map((b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]))).filter((d) => d > 1e-6 * head.size);
    if (apart.length) gaps.push(Math.min(...apart));
  }
  gaps.sort((a, b) => a - b);
  return Math.min(0.012, Math.max(0.003, gaps.length ? (0.08 * gaps[gaps.length >> 1]) / head.size : 1)) * head.size;
}

/** Everything of a scene that moves with its frames; reach: diagonal of what is looked at [m]. Meshes are apart: each has a geometry of its own. */
export function partsOf(head: Head, reach: number): Part[] {
  const parts: Part[] = [], size = head.size;
  const add = (solid: string, place: { frame: number; p: number[]; q: number[] }, scale: number[], color: number, item: number) =>
    parts.push({ solid, frame: place.frame, p: place.p, q: place.q, scale, color, item });
  const span = (solid: string, a: { frame: number; p: number[] }, b: { frame: number; p: number[] }, radius: number, color: number, item: number) =>
    parts.push({ solid, frame: a.frame, p: a.p, q: ONE, scale: [radius, radius, 1], color, item, to: b });
  const point = POINT * (1 + 0.5 / Math.max(1, head.bodies.length)) * reach;
  const shapes = new Map<number, number>(); // of a frame: a point beside other shapes stays within them
  for (const body of head.bodies) shapes.set(body.f, (shapes.get(body.f) ?? 0) + 1);
  const seen = (body: Shape & { f: number }) => (body.point && body.kind === "sphere" && shapes.get(body.f) === 1 ? { ...body, radius: Math.max(body.radius ?? 0, point) } : body);
  head.bodies.forEach((body, k) => shapeParts(seen(body), body.f, body.i, PALETTE[k % PALETTE.length], add, span));
  const r = thickness(head), wide = 0.012 * size;
  for (const j of head.joints) {
    const a = placed(j.a), b = placed(j.b);
    if (/revolute/.test(j.t)) add("cylinder", b, [1.9 * r, 1.9 * r, 4 * r], STEEL, j.i);
    else if (j.t === "cylindrical") add("cylinder", b, [1.6 * r, 1.6 * r, 8 * r], STEEL, j.i);
    else if (j.t === "prismatic") {
      add("box", b, [3.6 * r, 3.6 * r, 4.5 * r], STEEL, j.i);
      const [low, high] = j.s ?? [-6.5 * r, 6.5 * r], middle = turned(a.q, [0, 0, (low + high) / 2]); // as long as the way along it
      add("cylinder", { ...a, p: a.p.map((x, i) => x + middle[i]) }, [0.6 * r, 0.6 * r, high - low + 9 * r], RAIL, j.i);
    } else if (j.t === "universal") {
      add("cylinder", { ...b, q: multiplied(b.q, TO_AXIS.x) }, [r, r, 6 * r], STEEL, j.i);
      add("cylinder", { ...b, q: multiplied(b.q, TO_AXIS.y) }, [r, r, 6 * r], STEEL, j.i);
    } else if (j.t === "distance") span("cylinder", a, b, 0.5 * r, STEEL, j.i);
    else if (j.t === "fixed") add("box", b, [3 * r, 3 * r, 3 * r], STEEL, j.i);
    else add("sphere", b, [1.8 * r, 1.8 * r, 1.8 * r], STEEL, j.i);
  }
  for (const s of head.springs) {
    if (s.coil) span("coil", placed(s.a), placed(s.b), Math.min(1.9 * wide, 0.02 * reach), COIL, s.i);
    else if (s.r) {
      span("cylinder", placed(s.a), placed(s.b), s.r, PALETTE[0], s.i);
      for (const end of [placed(s.a), placed(s.b)]) add("sphere", end, [s.r, s.r, s.r], PALETTE[0], s.i);
    }
    else add("ring", placed(s.b), [3 * r, 3 * r, 3 * r], COIL, s.i);
    if (s.coil && s.a[0] < 0) add("box", placed(s.a), [2.4 * wide, 2.4 * wide, 2.4 * wide], RAIL, s.i);
  }
  return parts;
}

type Add = (solid: string, place: { frame: number; p: number[]; q: number[] }, scale: number[], color: number, item: number) => void;
type Span = (solid: string, a: { frame: number; p: number[] }, b: { frame: number; p: number[] }, radius: number, color: number, item: number) => void;

function shapeParts(s: Shape, frame: number, item: number, color: number, add: Add, span: Span) {
  const place = { frame, p: s.p ?? [0, 0, 0], q: s.q ?? ONE };
  const r = s.radius ?? 0, at = (p: number[]) => ({ frame, p });
  if (s.kind === "sphere") add(s.point ? "sphere" : "ball", place, [r, r, r], color, item);
  else if (s.kind === "box") add("box", place, s.size!, color, item);
  else if (s.kind === "cylinder" || s.kind === "capsule") {
    const q = multiplied(place.q, TO_AXIS[s.axis ?? "z"]);
    add(s.kind === "capsule" ? "cylinder" : "wheel", { ...place, q }, [r, r, s.length!], color, item);
    if (s.kind === "capsule")
      for (const side of [-0.5, 0.5]) {
        const e = turned(q, [0, 0, side * s.length!]);
        add("sphere", { frame, p: place.p.map((x, i) => x + e[i]), q }, [r, r, r], color, item);
      }
  } else if (s.kind === "link") {
    const points = s.points!, n = points.length;
    for (const p of points) add("sphere", { ...place, p }, [r, r, r], color, item);
    for (let i = 0; i < (n > 2 ? n : n - 1); i++) span("cylinder", at(points[i]), at(points[(i + 1) % n]), r, color, item);
  }
  for (const arm of s.arms ?? []) span("cylinder", at(place.p), at(arm), s.arm!, color, item);
}

/** Corners (8) of a box around a shape, in the frame of its body. */
export function cornersOf(s: Shape): number[][] {
  const r = s.radius ?? 0, h = (s.length ?? 0) / 2, place = s.p ?? [0, 0, 0], axis = "xyz".indexOf(s.axis ?? "z");
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  const reach = (p: number[], e: number[]) => p.forEach((x, i) => ((low[i] = Math.min(low[i], x - e[i])), (high[i] = Math.max(high[i], x + e[i]))));
  if (s.points) for (const p of s.points) reach(p, [r, r, r]);
  else {
    const half = s.size ? s.size.map((x) => x / 2) : [0, 1, 2].map((i) => (s.kind === "cylinder" ? (i === axis ? h : r) : r + (s.kind === "capsule" && i === axis ? h : 0)));
    const turn = s.q ?? ONE;
    for (let k = 0; k < 8; k++) {
      const e = turned(turn, half.map((x, i) => ((k >> i) & 1 ? x : -x)));
      reach(place.map((x, i) => x + e[i]), [0, 0, 0]);
    }
  }
  for (const arm of s.arms ?? []) reach(arm, [0, 0, 0]);
  return Array.from({ length: 8 }, (_, k) => low.map((x, i) => ((k >> i) & 1 ? high[i] : x)));
}

export function placed(place: Place) {
  return { frame: place[0], p: place.slice(1, 4), q: place.slice(4, 8) };
}

/** Instances of all parts of one recording. `ghost`: see-through, for a second result. */
export class Instances {
  readonly group = new THREE.Group();
  private meshes: { mesh: THREE.InstancedMesh; parts: Part[] }[] = [];
  private bodies: { mesh: THREE.Mesh<THREE.BufferGeometry, THREE.MeshLambertMaterial | THREE.MeshStandardMaterial>; color: number; frame: number; item: number; p: number[]; q: number[] }[] = [];
  private lit = new Set<number>();
  readonly parts: Part[];

  constructor(head: Head, reach: number, ghost: boolean, coarse: boolean, shadows: boolean) {
    this.parts = partsOf(head, reach);
    const geometry = solids(coarse);
    const material = (color = 0xffffff, vertexColors = false) => {
      const all = { color, vertexColors, transparent: ghost, opacity: ghost ? 0.32 : 1, depthWrite: !ghost };
      return coarse ? new THREE.MeshLambertMaterial(all) : new THREE.MeshStandardMaterial({ ...all, roughness: 0.5, metalness: 0.05 });
    };
    for (const [solid, shape] of Object.entries(geometry)) {
      const parts = this.parts.filter((part) => part.solid === solid);
      if (!parts.length) continue;
      const look = material(0xffffff, !!shape.attributes.color);
      shape.setAttribute("rank", new THREE.InstancedBufferAttribute(new Float32Array(parts.map((part) => depthRank(part.color) + (ghost ? 0.5 : 0))), 1));
      look.onBeforeCompile = ranked;
      const mesh = new THREE.InstancedMesh(shape, look, parts.length);
      mesh.frustumCulled = false;
      mesh.castShadow = mesh.receiveShadow = shadows && !ghost;
      parts.forEach((part, i) => mesh.setColorAt(i, new THREE.Color(part.color)));
      this.meshes.push({ mesh, parts });
      this.group.add(mesh);
    }
    head.bodies.forEach((body, k) => {
      if (body.kind !== "mesh") return;
      const shape = new THREE.BufferGeometry();
      shape.setAttribute("position", new THREE.Float32BufferAttribute(body.points!.flat(), 3));
      shape.setIndex(body.faces!.flat());
      const flat = shape.toNonIndexed();
      flat.computeVertexNormals();
      const mesh = new THREE.Mesh(flat, Object.assign(material(PALETTE[k % PALETTE.length]), { polygonOffset: true, polygonOffsetUnits: (depthRank(PALETTE[k % PALETTE.length]) + (ghost ? 0.5 : 0)) * BIAS * 2 ** 23 }));
      mesh.castShadow = mesh.receiveShadow = shadows && !ghost;
      this.bodies.push({ mesh, color: PALETTE[k % PALETTE.length], frame: body.f, item: body.i, p: body.p ?? [0, 0, 0], q: body.q ?? ONE });
      this.group.add(mesh);
    });
  }

  /** Moves every instance to the poses p (frames, 3), q (frames, 4); those on frames that are away are not drawn. */
  move(p: Float32Array, q: Float32Array, away: Set<number>) {
    for (const { mesh, parts } of this.meshes) {
      const m = mesh.instanceMatrix.array as Float32Array;
      parts.forEach((part, i) => {
        if (away.has(part.frame) || (part.to && away.has(part.to.frame))) m.fill(0, 16 * i, 16 * i + 15);
        else if (part.to) spanned(part, p, q, m, 16 * i);
        else composed(part, p, q, m, 16 * i);
      });
      mesh.instanceMatrix.needsUpdate = true;
      mesh.boundingSphere = null;
    }
    for (const { mesh, frame, p: local, q: turn } of this.bodies) {
      mesh.visible = !away.has(frame);
      const [x, y, z] = world(frame, local, p, q);
      const r = frame < 0 ? turn : multiplied([...q.subarray(4 * frame, 4 * frame + 4)], turn);
      mesh.position.set(x, y, z);
      mesh.quaternion.set(r[1], r[2], r[3], r[0]);
    }
  }

  /** Colours the parts of items as chosen. */
  choose(items: Set<number>, accent: number) {
    for (const { mesh, parts } of this.meshes) {
      parts.forEach((part, i) => {
        if (items.has(part.item) || this.lit.has(part.item)) mesh.setColorAt(i, new THREE.Color(items.has(part.item) ? accent : part.color));
      });
      mesh.instanceColor!.needsUpdate = true;
    }
    for (const { mesh, color, item: of } of this.bodies) mesh.material.color.set(items.has(of) ? accent : color);
    this.lit = items;
  }

  /** A ghost, or as solid as the first. */
  seeThrough(on: boolean) {
    for (const mesh of [...this.meshes.map((entry) => entry.mesh), ...this.bodies.map((body) => body.mesh)]) {
      const material = mesh.material as THREE.Material;
      material.opacity = on ? 0.32 : 1;
      material.depthWrite = !on;
    }
  }

  /** Item under a ray and where it was hit. */
  hit(ray: THREE.Raycaster): { item: number; point: THREE.Vector3 } | null {
    const found = ray.intersectObjects(this.group.children, false)[0];
    if (!found) return null;
    const mesh = this.meshes.find((entry) => entry.mesh === found.object);
    const item = mesh ? mesh.parts[found.instanceId!].item : this.bodies.find((b) => b.mesh === found.object)!.item;
    return { item, point: found.point };
  }
}

/** World point of a local point of a frame. */
export function world(frame: number, local: ArrayLike<number>, p: Float32Array, q: Float32Array): [number, number, number] {
  if (frame < 0) return [local[0], local[1], local[2]];
  const v = turned(q.subarray(4 * frame, 4 * frame + 4), local);
  return [p[3 * frame] + v[0], p[3 * frame + 1] + v[1], p[3 * frame + 2] + v[2]];
}

function composed(part: Part, p: Float32Array, q: Float32Array, m: Float32Array, o: number) {
  const [x, y, z] = world(part.frame, part.p, p, q);
  let [w, a, b, c] = part.q;
  if (part.frame >= 0) {
    const k = 4 * part.frame, W = q[k], A = q[k + 1], B = q[k + 2], C = q[k + 3];
    [w, a, b, c] = [W * w - A * a - B * b - C * c, W * a + A * w + B * c - C * b, W * b - A * c + B * w + C * a, W * c + A * b - B * a + C * w];
  }
  const [sx, sy, sz] = part.scale;
  m[o] = (1 - 2 * (b * b + c * c)) * sx, m[o + 1] = 2 * (a * b + w * c) * sx, m[o + 2] = 2 * (a * c - w * b) * sx, m[o + 3] = 0;
  m[o + 4] = 2 * (a * b - w * c) * sy, m[o + 5] = (1 - 2 * (a * a + c * c)) * sy, m[o + 6] = 2 * (b * c + w * a) * sy, m[o + 7] = 0;
  m[o + 8] = 2 * (a * c + w * b) * sz, m[o + 9] = 2 * (b * c - w * a) * sz, m[o + 10] = (1 - 2 * (a * a + b * b)) * sz, m[o + 11] = 0;
  m[o + 12] = x, m[o + 13] = y, m[o + 14] = z, m[o + 15] = 1;
}

/** A solid along z from one point to another; coils begin at 0, cylinders are centred. */
function spanned(part: Part, p: Float32Array, q: Float32Array, m: Float32Array, o: number) {
  const a = world(part.frame, part.p, p, q), b = world(part.to!.frame, part.to!.p, p, q);
  along(a, b, part.scale[0], part.solid === "coil" ? 0 : 0.5, m, o);
}

/** Matrix of a unit solid whose z runs from a to b; `middle`: where its origin stands between them. */
export function along(a: number[], b: number[], radius: number, middle: number, m: Float32Array, o: number) {
  let [zx, zy, zz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const length = Math.hypot(zx, zy, zz), scale = Math.max(length, 1e-12);
  (zx /= scale), (zy /= scale), (zz /= scale);
  if (length < 1e-12) [zx, zy, zz] = [0, 0, 1];
  // Any axis across: the world's axis that is farthest from z.
  let [xx, xy, xz] = Math.abs(zx) < 0.6 ? [0, zz, -zy] : [-zz, 0, zx];
  const n = Math.hypot(xx, xy, xz);
  (xx /= n), (xy /= n), (xz /= n);
  m[o] = xx * radius, m[o + 1] = xy * radius, m[o + 2] = xz * radius, m[o + 3] = 0;
  m[o + 4] = (zy * xz - zz * xy) * radius, m[o + 5] = (zz * xx - zx * xz) * radius, m[o + 6] = (zx * xy - zy * xx) * radius, m[o + 7] = 0;
  m[o + 8] = zx * scale, m[o + 9] = zy * scale, m[o + 10] = zz * scale, m[o + 11] = 0;
  for (let i = 0; i < 3; i++) m[o + 12 + i] = a[i] + middle * (b[i] - a[i]);
  m[o + 15] = 1;
}
