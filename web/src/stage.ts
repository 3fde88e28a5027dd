// The picture: camera, light, one or two recordings, picking, stills and video.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { lit } from "./lit";
import { Instances, cornersOf, world } from "./parts";
import type { Labels } from "./labels";
import { Overlays } from "./overlays";
import type { Recording } from "./recording";

interface Layer { recording: Recording; instances: Instances; overlays: Overlays | null; p: Float32Array; q: Float32Array; root: THREE.Group }

const TIMES = 24; // at which arrows of forces are looked at, to place the camera
const FILLED = { width: 0.84, height: 0.92 }; // part of the picture that a model fills, with its arrows; tools stand at its side
const FAR = 4; // a run that is as many times longer than its model is looked at from beside the model

export type Compare = "off" | "ghost" | "beside";
type View = "free" | "x" | "y" | "z";

/** What a picture is drawn on. Without a graphics card it is coarse: simpler shapes, no shadows, no smoothed edges; asked: coarse or not, whatever there is. */
interface Surface { canvas: HTMLCanvasElement; context?: WebGL2RenderingContext; coarse: boolean }

/** Without a graphics card the context that tells so is the one that draws. */
function surface(asked: boolean | undefined): Surface {
  const canvas = document.createElement("canvas");
  if (asked === false) return { canvas, coarse: false };
  const context = canvas.getContext("webgl2", { alpha: true, antialias: false, preserveDrawingBuffer: true, powerPreference: "high-performance" });
  if (!context) return { canvas, coarse: true };
  const named = context.getExtension("WEBGL_debug_renderer_info"), name = named ? String(context.getParameter(named.UNMASKED_RENDERER_WEBGL)) : "";
  if (asked || /swiftshader|llvmpipe|software|basic render/i.test(name)) return { canvas, context, coarse: true };
  context.getExtension("WEBGL_lose_context")?.loseContext();
  return { canvas: document.createElement("canvas"), coarse: false };
}

export class Stage {
  readonly canvas: HTMLCanvasElement;
  private options: { coarse: boolean };
  private renderer: THREE.WebGLRenderer;
  private scene = new THREE.Scene();
  readonly camera: THREE.PerspectiveCamera;
  private controls: OrbitControls;
  private key = new THREE.DirectionalLight(0xffffff, 2.4);
  private fill = new THREE.DirectionalLight(0xcfe2ff, 0.6);
  private layers: Layer[] = [];
  private bounds = new THREE.Box3();
  private extent = new THREE.Vector3(); // of the model at one time, at most
  private travels = false;
  private followed = -1; // frame
  private last = new THREE.Vector3();
  private accent = 0xffd166;
  private size = "";
  private fitted: View | null = null; // how the model was placed in the picture, until somebody turns the camera
  compare: Compare = "ghost";
  dirty = true;
  frames = 0;
  time = 0;

  constructor(private host: HTMLElement, coarse?: boolean) {
    const { canvas, context, coarse: simple } = surface(coarse);
    (this.canvas = canvas), (this.options = { coarse: simple });
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", "Picture of the model. Drag turns it, the wheel zooms, a click chooses an item.");
    host.append(this.canvas);
    this.renderer = new THREE.WebGLRenderer({ canvas, context, antialias: !simple, preserveDrawingBuffer: true, powerPreference: "high-performance" });
    this.renderer.info.autoReset = false;
    this.renderer.debug.checkShaderErrors = false; // which waits for each program
    this.renderer.shadowMap.enabled = !simple;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.camera = new THREE.PerspectiveCamera(38, 1, 0.01, 1000);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.enableDamping = false;
    this.controls.addEventListener("change", () => (this.dirty = true));
    this.controls.addEventListener("start", () => (this.fitted = null));
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0x59697a, 1.25), this.key, this.key.target);
    new ResizeObserver(() => this.resize()).observe(host);
    this.resize();
  }

  /** Shows a recording; a second one as a ghost or beside. */
  add(recording: Recording) {
    const ghost = this.layers.length > 0;
    if (this.layers.length > 1) this.scene.remove(this.layers.pop()!.root);
    if (!ghost) this.measure(recording);
    const instances = new Instances(recording.head, this.reach(), ghost, this.options.coarse || recording.head.bodies.length > 3000, !this.options.coarse);
    const overlays = ghost ? null : new Overlays(recording, this.bounds, this.reach(), !this.options.coarse);
    const root = new THREE.Group();
    root.add(instances.group);
    if (overlays) root.add(overlays.group), this.scene.add(overlays.grid);
    this.scene.add(root);
    this.layers.push({ recording, instances, overlays, root, p: new Float32Array(3 * recording.count), q: new Float32Array(4 * recording.count) });
    if (!ghost) {
      const { p, q } = this.layers[0], { begin, end } = recording;
      if (!this.travels && recording.n) { // arrows are seen whole, but for peaks of a run
        const boxes: THREE.Box3[] = [];
        for (let k = 0; k <= TIMES; k++) {
          const t = begin + (k / TIMES) * (end - begin);
          recording.pose(t, p, q);
          boxes.push(overlays!.tips(t, p, q).clone().union(this.bounds));
        }
        this.widen(boxes, recording.still ? Infinity : 0.12 * recording.head.size);
      }
      recording.pose(begin, p, q);
      this.light();
      this.fit();
    }
    this.draw(this.time);
    this.renderer.compile(this.scene, this.camera); // while the rest of the page is made
  }

  /** Takes into the picture what half of the boxes reach, and of what fewer reach as much as `most` [m]. */
  private widen(boxes: THREE.Box3[], most: number) {
    const middle = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1], { min, max } = this.bounds;
    for (const x of ["x", "y", "z"] as const) {
      const low = boxes.map((box) => box.min[x]), high = boxes.map((box) => box.max[x]);
      [min[x], max[x]] = [Math.min(middle(low), Math.max(Math.min(...low), min[x] - most)), Math.max(middle(high), Math.min(Math.max(...high), max[x] + most))];
    }
  }

  get overlays() { return this.layers[0]?.overlays ?? null; }
  get count() { return this.layers.length; }

  /** Box of the whole run, and the larger box of one time about its middle: where a model travels far, the camera goes along with it. */
  private measure(recording: Recording) {
    const { head, n, count, p, q } = recording, point = new THREE.Vector3(), now = new THREE.Box3(), size = new THREE.Vector3();
    const corners = head.bodies.map((body) => ({ frame: body.f, at: cornersOf(body) })), ends = [...head.joints.flatMap((j) => [j.a, j.b]), ...head.springs.flatMap((s) => [s.a, s.b])];
    const step = Math.max(1, Math.ceil((n * (count + 8 * corners.length)) / 20000));
    const most = head.bodies.length > 2500 ? Math.ceil(head.bodies.length / 2500) : 1; // of very many, some
    const moving = new THREE.Box3();
    this.bounds.makeEmpty();
    this.extent.set(0, 0, 0);
    for (let k = 0; k < n; k = k < n - 1 ? Math.min(n - 1, k + step) : n) {
      const P = p.subarray(3 * count * k, 3 * count * (k + 1)), Q = q.subarray(4 * count * k, 4 * count * (k + 1));
      now.makeEmpty();
      for (let c = 0; c < count; c++) now.expandByPoint(point.fromArray(P, 3 * c));
      for (let c = 0; c < corners.length; c += most) for (const x of corners[c].at) now.expandByPoint(point.fromArray(world(corners[c].frame, x, P, Q)));
      this.extent.max(now.getSize(size));
      moving.union(now);
    }
    this.bounds.copy(moving);
    if (!n) for (const at of head.reference ?? []) this.bounds.expandByPoint(point.fromArray(at));
    for (const e of ends) if (n || e[0] < 0) this.bounds.expandByPoint(point.fromArray(n ? world(e[0], e.slice(1, 4), p, q) : e.slice(1, 4)));
    for (const x of head.line ?? []) this.bounds.expandByPoint(point.set(0, x.y, 0));
    if (this.bounds.isEmpty()) this.bounds.set(new THREE.Vector3(-0.5, -0.5, -0.5), new THREE.Vector3(0.5, 0.5, 0.5));
    this.travels = n > 1 && head.bodies.length > 1 && this.bounds.getSize(size).length() > FAR * this.extent.length();
    this.bounds.expandByScalar((head.live ? 0.35 : 0.02) * head.size); // where a live run goes is not known yet
  }

  /** Middle of the bodies as they are drawn now. */
  private middle(into: THREE.Vector3) {
    const { p, recording } = this.layers[0], box = new THREE.Box3(), point = new THREE.Vector3();
    for (let c = 0; c < recording.count; c++) box.expandByPoint(point.fromArray(p, 3 * c));
    return box.getCenter(into);
  }

  private light() {
    const r = this.reach();
    this.key.castShadow = !this.options.coarse;
    this.key.shadow.mapSize.set(2048, 2048);
    this.key.shadow.radius = 5;
    const c = this.key.shadow.camera;
    c.left = c.bottom = -0.8 * r, c.right = c.top = 0.8 * r, c.near = 0.01 * r, c.far = 5 * r;
    c.updateProjectionMatrix();
    this.key.shadow.bias = -0.0006;
    this.key.shadow.normalBias = 0.004 * r;
    this.scene.add(this.fill, this.fill.target);
    this.shine();
  }
  /** Puts the lights where the picture is. */
  private shine() {
    const r = this.reach(), centre = this.travels ? this.middle(new THREE.Vector3()) : this.bounds.getCenter(new THREE.Vector3());
    this.key.position.copy(centre).addScaledVector(this.up(), 1.6 * r).add(new THREE.Vector3(0.7 * r, -0.5 * r, 0.6 * r));
    this.key.target.position.copy(centre);
    this.fill.position.copy(centre).add(new THREE.Vector3(-r, -r, 0.4 * r));
    this.fill.target.position.copy(centre);
  }
  /** Diagonal of what the camera shows [m]. */
  private reach() { return (this.travels ? 1.6 * this.extent.length() : this.bounds.getSize(new THREE.Vector3()).length()) || 1; }

  private up() {
    const head = this.layers[0]?.recording.head;
    return new THREE.Vector3().setComponent("xyz".indexOf(head?.up ?? "z"), 1);
  }

  /** Places the camera so that the whole run is seen; `view`: along which axis it looks. */
  fit(view: View = "free") {
    const head = this.layers[0]?.recording.head;
    if (!head) return;
    this.fitted = view;
    const centre = this.travels ? this.middle(new THREE.Vector3()) : this.bounds.getCenter(new THREE.Vector3()), size = this.bounds.getSize(new THREE.Vector3());
    const flat = size.z < 0.12 * Math.max(size.x, size.y) && head.up === "y";
    this.camera.up.copy(this.up());
    const from = new THREE.Vector3();
    if (view !== "free") from.setComponent("xyz".indexOf(view), view === "y" ? -1 : 1);
    else if (flat) from.set(0.25, 0.2, 1);
    else if (head.up === "y") from.set(0.7, 0.5, 1);
    else from.set(0.75, -1, 0.5);
    const side = from.clone().setX(-from.x), fronts = (x: THREE.Vector3) => (this.overlays?.normals ?? []).filter((n) => n.dot(x) > 0).length;
    if (view === "free" && fronts(side) > fronts(from)) from.copy(side); // the back of a wall is not drawn
    if (Math.abs(from.clone().normalize().dot(this.camera.up)) > 0.999) this.camera.up.set(0, head.up === "y" ? 0 : 1, head.up === "y" ? -1 : 0);
    const r = this.distance(from.normalize(), this.travels ? this.extent.clone().multiplyScalar(1.5) : size);
    this.camera.position.copy(centre).addScaledVector(from, r);
    this.camera.near = r / 200, this.camera.far = 30 * Math.max(r, size.length());
    this.camera.updateProjectionMatrix();
    this.controls.target.copy(centre);
    this.controls.update();
    this.last.copy(this.followed >= 0 ? this.last : centre);
    this.dirty = true;
  }

  /** How far from the middle of a box along a direction the camera sees all of it [m]. */
  private distance(from: THREE.Vector3, size: THREE.Vector3) {
    const right = new THREE.Vector3().crossVectors(this.camera.up, from).normalize(), up = new THREE.Vector3().crossVectors(from, right);
    const half = Math.tan((this.camera.fov * Math.PI) / 360), high = half * FILLED.height, wide = half * FILLED.width * this.camera.aspect, corner = new THREE.Vector3();
    let r = 1e-9;
    for (let k = 0; k < 8; k++) {
      corner.set(k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, k & 4 ? 0.5 : -0.5).multiply(size);
      r = Math.max(r, corner.dot(from) + Math.max(Math.abs(corner.dot(right)) / wide, Math.abs(corner.dot(up)) / high));
    }
    return r;
  }

  choose(item: number, accent = this.accent) {
    const head = this.layers[0]?.recording.head;
    if (head) this.layers[0].instances.choose(lit(head, item), accent);
    if (this.labels) this.labels.chosen = item;
    const body = head?.bodies.find((b) => b.i === item);
    const place = head?.markers.find((m) => m.i === item)?.on ?? head?.joints.find((j) => j.i === item)?.b ?? head?.loads.find((l) => l.i === item)?.on;
    this.overlays?.trace(body ? { frame: body.f, local: [0, 0, 0] } : place ? { frame: place[0], local: place.slice(1, 4) } : null);
    this.draw(this.time);
  }

  /** Keeps the camera with the frame of an item; -1: lets it go. */
  follow(frame: number) {
    this.followed = frame;
    this.fitted = null;
    if (frame >= 0) this.last.fromArray(this.layers[0].p, 3 * frame);
    else if (this.travels) this.middle(this.last);
    this.dirty = true;
  }

  /** Moves everything to a time; the picture follows with the next frame. */
  draw(time: number) {
    this.time = time;
    this.layers.forEach(({ recording, p, q, instances, overlays }) => {
      recording.pose(Math.min(time, recording.end), p, q);
      instances.move(p, q, recording.away(Math.min(time, recording.end)));
      overlays?.move(time, p, q);
    });
    if (this.layers.length && (this.followed >= 0 || this.travels)) {
      const now = this.followed >= 0 ? new THREE.Vector3().fromArray(this.layers[0].p, 3 * this.followed) : this.middle(new THREE.Vector3()), step = now.clone().sub(this.last);
      this.camera.position.add(step);
      this.controls.target.add(step);
      this.last.copy(now);
      this.controls.update();
      if (this.travels) this.shine();
    }
    this.dirty = true;
  }

  /** Draws if something changed. */
  render() {
    if (!this.dirty || !this.canvas.width || !this.canvas.height) return;
    this.dirty = false;
    this.overlays?.look(this.camera);
    const [w, h] = [this.host.clientWidth, this.host.clientHeight];
    this.renderer.info.reset();
    const second = this.layers[1];
    if (second) second.root.visible = this.compare === "ghost";
    this.renderer.setScissorTest(false);
    this.renderer.setViewport(0, 0, w, h);
    if (second && this.compare === "beside") {
      this.renderer.setScissorTest(true);
      this.camera.aspect = w / 2 / h;
      this.camera.zoom = Math.min(1, Math.max(0.75, this.camera.aspect)); // as much is seen as in the whole width
      second.instances.seeThrough(false);
      this.camera.updateProjectionMatrix();
      this.layers.forEach((_, side) => {
        this.layers.forEach((layer, k) => (layer.root.visible = k === side));
        this.renderer.setViewport((side * w) / 2, 0, w / 2, h);
        this.renderer.setScissor((side * w) / 2, 0, w / 2, h);
        this.renderer.render(this.scene, this.camera);
      });
      this.layers[0].root.visible = true;
      second.instances.seeThrough(true);
      this.camera.aspect = w / h;
      this.camera.zoom = 1;
      this.camera.updateProjectionMatrix();
    } else this.renderer.render(this.scene, this.camera);
    this.frames++;
    const labels = this.labels, first = this.layers[0];
    if (labels && first) labels.move(this.time, first.p, first.q, (point) => this.seen(point, w, h));
  }
  labels: Labels | null = null;
  private seen(point: number[], w: number, h: number) {
    const v = new THREE.Vector3().fromArray(point).project(this.camera);
    return v.z < 1 && Math.abs(v.x) < 1.05 && Math.abs(v.y) < 1.05 ? { x: ((v.x + 1) / 2) * w, y: ((1 - v.y) / 2) * h } : null;
  }

  get calls() { return this.renderer.info.render.calls; }

  resize() {
    const { clientWidth: w, clientHeight: h } = this.host;
    const ratio = this.options.coarse ? 1 : Math.min(2, devicePixelRatio), size = `${w} ${h} ${ratio}`;
    if (!w || !h || size === this.size) return; // a canvas that is given its own size again is empty, and drawn once more
    this.size = size;
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(w, h, false);
    this.camera.aspect = w / h;
    this.camera.updateProjectionMatrix();
    if (this.fitted) this.fit(this.fitted);
    this.dirty = true;
    if (this.frames) this.render(); // a canvas of another size is empty
  }

  theme(background: [string, string], accent: string) {
    const paint = document.createElement("canvas");
    (paint.width = 2), (paint.height = 256);
    const g = paint.getContext("2d")!, fade = g.createLinearGradient(0, 0, 0, 256);
    fade.addColorStop(0, background[0]);
    fade.addColorStop(1, background[1]);
    g.fillStyle = fade;
    g.fillRect(0, 0, 2, 256);
    const texture = new THREE.CanvasTexture(paint);
    texture.colorSpace = THREE.SRGBColorSpace;
    this.scene.background = texture;
    this.accent = new THREE.Color(accent).getHex();
    this.dirty = true;
  }

  private ray(x: number, y: number) {
    const box = this.canvas.getBoundingClientRect(), ray = new THREE.Raycaster();
    ray.setFromCamera(new THREE.Vector2(((x - box.left) / box.width) * 2 - 1, 1 - ((y - box.top) / box.height) * 2), this.camera);
    return ray;
  }

  /** Item under a point of the window. */
  pick(x: number, y: number) { return this.layers[0]?.instances.hit(this.ray(x, y)) ?? null; }

  /** Point under the window's (x, y) on the plane through `through` that faces the camera. */
  facing(x: number, y: number, through: THREE.Vector3) {
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(this.camera.getWorldDirection(new THREE.Vector3()), through);
    return this.ray(x, y).ray.intersectPlane(plane, new THREE.Vector3()) ?? through.clone();
  }

  /** Local point of a frame of what is drawn now, and back. */
  local(frame: number, point: THREE.Vector3): number[] {
    const { p, q } = this.layers[0], k = 4 * frame;
    const turn = new THREE.Quaternion(q[k + 1], q[k + 2], q[k + 3], q[k]).invert();
    return point.clone().sub(new THREE.Vector3().fromArray(p, 3 * frame)).applyQuaternion(turn).toArray();
  }
  world(frame: number, local: number[]) { return world(frame, local, this.layers[0].p, this.layers[0].q); }

  steer(on: boolean) { this.controls.enabled = on; }

  /** Screen position (CSS pixels) of an item's body, for tests and labels. */
  screen(frame: number) {
    const v = new THREE.Vector3().fromArray(this.layers[0].p, 3 * frame).project(this.camera), box = this.canvas.getBoundingClientRect();
    return { x: box.left + ((v.x + 1) / 2) * box.width, y: box.top + ((1 - v.y) / 2) * box.height };
  }

  still(): Promise<Blob> {
    this.dirty = true;
    this.render();
    return new Promise((done, fail) => this.canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("no picture"))), "image/png"));
  }
}
