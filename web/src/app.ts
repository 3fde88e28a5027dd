// The page: header, tree, picture, card, time; what keys and buttons do.
import * as THREE from "three";
import { itemCard, runCard, valuesTable } from "./card";
import { css, download, el, icon, short, tool } from "./dom";
import { Film, base64, canFilm } from "./film";
import { Link, type Status } from "./link";
import { Labels, type Labelled } from "./labels";
import { livePanel, type LivePanel } from "./live";
import { nice } from "./overlays";
import { Plot } from "./plots";
import { Recording, embedded, unpack, type Series } from "./recording";
import { schematic, type Drawing } from "./schematic";
import { sketch } from "./sketch";
import { Stage, type Compare } from "./stage";
import { Timeline } from "./timeline";
import { Tree } from "./tree";

const KEYS: [string, string][] = [
  ["Space", "play or pause"], ["← →", "one state back, on (Shift: ten)"], ["Home End", "to the start, to the end"], ["[ ]", "event before, next event"], ["+ −", "faster, slower"],
  ["L", "loop"], ["1 2 3 0", "look along x, y, z; see everything"], ["F", "follow the chosen body"], ["A", "forces"], ["O", "contact points"], ["X", "traces"], ["N", "names, then numbers, off"], ["M", "frames"], ["G", "grid"],
  ["C", "compare: ghost, side by side, off"], ["P", "picture (PNG)"], ["V", "video (WebM)"], ["D", "light or dark"], ["T", "model tree"], ["I", "card"], ["/", "find an item"], ["Escape", "let go of the item"], ["?", "this list"],
];

const FILM_RATE = 30; // pictures a second

export class App {
  readonly recordings: Recording[] = [];
  stage: Stage | null = null;
  time = 0;
  drawn = 0; // ms from the start of the page to its first frame
  private playing = false;
  private looped = false;
  private rate = 1;
  private before = 0;
  private chosen = -1;
  private drawing: Drawing | null = null;
  private followed = false;
  private plots = new Map<string, Plot>();
  private link: Link | null = null;
  private live: LivePanel | null = null;
  private atHead = true;
  private stale = false;
  private readonly asked = new URLSearchParams(location.search);

  private root = document.getElementById("app")!;
  private title = el("h1", {}, "Saltus");
  private sub = el("span", { class: "sub" });
  private badge = el("span", { class: "badge", hidden: true });
  private toast = el("div", { class: "toast", role: "status", "aria-live": "polite" });
  private hud = el("div", { class: "hud" });
  private host = el("main", { class: "stage", "aria-label": "Picture" });
  private cardTop = el("div");
  private cardPlots = el("div");
  private card = el("aside", { class: "card", "aria-label": "Item", tabindex: 0 });
  private tree = new Tree((item) => this.choose(item));
  private timeline: Timeline;
  private toggles = new Map<string, HTMLButtonElement>();
  private help = this.helpDialog();

  constructor() {
    this.timeline = new Timeline({
      play: () => this.toggle(), step: (n) => this.step(n), seek: (t) => this.seek(t), event: (d) => this.event(d),
      loop: () => this.timeline.looping((this.looped = !this.looped)), speed: (x) => this.setRate(x),
    });
    const mark = el("span", { class: "mark", "aria-hidden": "true" });
    mark.innerHTML = `<svg viewBox="0 0 32 32" width="24" height="24"><rect width="32" height="32" rx="7" fill="#0b6bcb"/><path d="M4 26Q9 2 14 26Q18 10 22 26Q25 18 28 26" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/></svg>`;
    this.card.append(this.cardTop, this.cardPlots);
    this.root.append(
      el("header", { class: "head" }, mark, this.title, this.badge, this.sub,
        this.switch("tree", "Model tree", "T", () => this.panel("tree"), true), this.switch("compare", "Compare", "C", () => this.compare()),
        tool("photo", "Picture", "P", () => void this.photo()), tool("video", "Video", "V", () => void this.video(), { "data-tool": "video", class: "wide" }),
        tool("theme", "Light or dark", "D", () => this.theme(true)), tool("help", "Keys", "?", () => this.help.showModal(), { class: "wide" }), this.switch("card", "Card", "I", () => this.panel("card"), true)),
      this.tree.node, this.host, this.card, this.timeline.node, this.help);
    this.toggles.get("compare")!.hidden = true;
    if (innerWidth <= 820) for (const name of ["tree", "card"]) this.panel(name, false);
    this.theme(false);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.theme(false));
    addEventListener("keydown", (event) => this.key(event));
    requestAnimationFrame((now) => this.tick(now));
  }

  /** Takes what the page holds, or asks the server that it came from. */
  async start() {
    try {
      const containers = await embedded();
      for (const container of containers) this.take(container);
      if (!containers.length) this.connect();
    } catch (error) {
      this.say(error instanceof Error ? error.message : String(error));
    }
  }

  private connect() {
    if (!location.protocol.startsWith("http")) return this.say("This page holds no result.");
    this.say("loads the result");
    this.link = new Link(`${location.origin.replace("http", "ws")}/live${location.search}`, {
      scene: (which, container) => {
        this.toast.textContent = "";
        if (which === 0 && this.recordings.length) return this.updated(container);
        this.take(container);
      },
      states: (...received) => this.grew(...received),
      forces: (values) => this.stage?.overlays?.live(values),
      cleared: () => this.cleared(),
      status: (status) => this.status(status),
      error: (text) => this.say(text),
      closed: () => this.say(this.live ? "The server has stopped. What was received stays." : this.recordings.length ? "" : "The server does not answer."),
    });
  }

  /** Shows a recording: the first is the result, the second is compared with it. */
  take(container: ArrayBuffer) {
    const recording = new Recording(container), { head } = recording, first = !this.recordings.length;
    this.recordings.push(recording);
    if (!first) {
      this.stage?.add(recording);
      this.toggles.get("compare")!.hidden = false;
      this.toggles.get("compare")!.setAttribute("aria-pressed", "true");
      this.say(`compared with ${head.title}`);
      return;
    }
    document.title = `${head.title || "Saltus"}`;
    this.title.textContent = head.title || "Saltus";
    this.sub.textContent = [head.run.scheme.replaceAll("_", " "), head.live ? "live" : recording.still ? "equilibrium" : `${head.run.states} states`, `Saltus ${head.version}`].filter(Boolean).join(" · ");
    this.report(String(head.report.status ?? ""));
    if (recording.count) this.picture(recording);
    else this.outputs(recording);
    this.tree.show(head);
    this.timeline.show(recording);
    this.speeds(recording);
    if (head.live && this.link) this.live = livePanel(head, this.link);
    this.choose(-1);
    const t = this.asked.get("t");
    this.seek(t === "end" ? recording.end : Number(t) || recording.begin);
    const output = Object.values(head.outputs)[0] ?? (recording.series.has("energy.total") ? "energy.total" : undefined);
    if (output && recording.count && !recording.still && innerWidth > 820) void this.plot(output);
    this.stage?.resize();
    this.stage?.render(); // the first picture stands before the page is shown: a headless browser photographs it
    this.drawn = performance.now();
    document.documentElement.dataset.ready = "true";
  }

  /** The same run, described again: a parameter or the end changed its model. */
  private updated(container: ArrayBuffer) {
    const { head } = unpack(container);
    Object.assign(this.recordings[0].head, { items: head.items, parameters: head.parameters });
    this.choose(this.chosen);
  }

  private picture(recording: Recording) {
    this.stage = new Stage(this.host, this.asked.has("coarse") ? true : this.asked.has("fine") ? false : undefined);
    this.theme(false);
    this.stage.add(recording);
    const show = this.stage.overlays!.show;
    const layer = (name: string, key: keyof typeof show, title: string, letter: string) =>
      this.switch(name, title, letter, () => {
        show[key] = !show[key];
        this.toggles.get(name)!.setAttribute("aria-pressed", String(show[key]));
        this.stage!.draw(this.time);
      }, show[key]);
    const { head } = recording;
    this.host.append(el("div", { class: "tools", role: "toolbar", "aria-label": "Layers", "aria-orientation": "vertical" },
      tool("fit", "See everything", "0", () => this.stage!.fit()), this.switch("follow", "Follow the chosen body", "F", () => this.follow()), layer("arrow", "forces", "Forces: of joints green, of springs and loads red", "A"),
      head.contacts.length || head.groups.length ? layer("contact", "contacts", "Contact points", "O") : null, layer("trace", "traces", "Traces", "X"), this.switch("names", "Names and numbers", "N", () => this.label()), layer("frames", "frames", "Frames", "M"), layer("grid", "grid", "Grid", "G")), this.hud, this.toast);
    this.stage.labels = new Labels(recording);
    this.host.insertBefore(this.stage.labels.node, this.hud);
    this.hud.textContent = `square ${short(this.stage.overlays!.square)} m · ${head.up} up`;
    this.pointer();
    if (this.link && !head.live) void this.forces(recording);
  }

  /** Names over the picture, then numbers too, then none. */
  private label() {
    const labels = this.stage?.labels, modes: Labelled[] = ["off", "names", "numbers"];
    if (!labels) return;
    labels.mode = modes[(modes.indexOf(labels.mode) + 1) % 3];
    this.toggles.get("names")!.setAttribute("aria-pressed", String(labels.mode !== "off"));
    if (labels.mode === "numbers") this.say("speeds of bodies, forces of joints, springs and loads");
    this.stage!.dirty = true;
  }

  /** A system without geometry: its schematic or sketch, and its outputs, large. */
  private outputs(recording: Recording) {
    const paths = Object.values(recording.head.outputs).length ? Object.values(recording.head.outputs) : [...recording.series.keys()].slice(0, 6);
    const box = el("div", { class: "outputs", tabindex: 0, role: "region", "aria-label": "Outputs" });
    this.host.append(box, this.toast);
    this.drawing = sketch(recording) ?? schematic(recording, (item) => this.choose(item));
    if (this.drawing) box.append(this.drawing.node), box.classList.add("drawn");
    if (recording.still) return void box.append(valuesTable(recording, paths.map((path) => [this.name(path), path]), (path) => this.series(recording, 0, path)));
    const height = Math.max(130, Math.min(280, this.host.clientHeight / Math.max(1, paths.length) - 70));
    for (const path of paths) {
      const series = recording.series.get(path);
      if (series) this.plots.set(path, new Plot(box, this.name(path), [{ recording, series }], height, (t) => this.seek(t)));
    }
  }

  private name(path: string) {
    return Object.entries(this.recordings[0]?.head.outputs ?? {}).find(([, p]) => p === path)?.[0] ?? path;
  }

  // Time.

  private speeds(recording: Recording) {
    const duration = (recording.head.live?.until ?? recording.end) - recording.begin;
    const base = recording.head.live || (duration >= 1.5 && duration <= 60) ? 1 : nice(duration / 8);
    const values = [...new Set([0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20].map((f) => +(f * base).toPrecision(3)))];
    this.timeline.speedsAre(values, base);
    this.setRate(base);
  }
  private setRate(x: number) {
    this.rate = x;
    if (this.stage?.overlays) this.stage.overlays.rate = x;
    this.link?.speed(x);
  }

  toggle() {
    const r = this.recordings[0];
    if (!r) return;
    if (this.live && this.link) {
      this.atHead = true;
      return this.live.running ? this.link.pause() : this.link.play();
    }
    if (r.n < 2) return;
    if (!this.playing && this.time >= r.end) this.seek(r.begin);
    this.play(!this.playing);
  }
  private play(on: boolean) {
    this.playing = on;
    this.before = performance.now();
    this.timeline.playing(on);
  }

  private tick(now: number) {
    requestAnimationFrame((next) => this.tick(next));
    const r = this.recordings[0];
    if (r && this.playing) {
      let t = this.time + Math.min(0.5, (now - this.before) / 1000) * this.rate;
      if (t >= r.end) {
        if (this.looped) t = r.begin;
        else (t = r.end), this.play(false);
      }
      this.show(t);
    }
    this.before = now;
    if (this.stale && r) {
      this.stale = false;
      this.timeline.show(r);
      this.show(this.atHead ? r.end : this.time);
    }
    this.stage?.render();
  }

  seek(t: number) {
    const r = this.recordings[0];
    if (!r) return;
    this.atHead = t >= r.end;
    this.show(Math.min(r.end, Math.max(r.begin, t)));
  }
  private show(t: number) {
    this.time = t;
    this.stage?.draw(t);
    this.timeline.at(t);
    this.drawing?.at(t);
    if (this.clock) this.clock.textContent = this.recordings[0].still ? "equilibrium" : `${short(t, 4)} s`;
    for (const plot of this.plots.values()) plot.at(t);
  }

  step(count: number) {
    const r = this.recordings[0];
    if (!r) return;
    if (this.live && this.link && count > 0 && this.atHead) return this.link.step();
    this.play(false);
    this.seek(r.stateFrom(this.time, count));
  }

  event(direction: number) {
    const r = this.recordings[0];
    if (!r?.events.t.length) return;
    const e = r.events, times = [...e.t], slack = 1e-9 * (r.end - r.begin);
    const counts = (k: number) => r.head.events[e.kind[k]] !== "step_rejected"; // of the computation, not of the motion
    const i = direction > 0 ? times.findIndex((t, k) => t > this.time + slack && counts(k)) : times.findLastIndex((t, k) => t < this.time - slack && counts(k));
    if (i < 0) return;
    this.play(false);
    this.seek(e.t[i]);
    const item = r.head.items[e.item[i]], unit = r.head.events[e.kind[i]] === "impact" ? " N s" : "";
    this.say(`${r.head.events[e.kind[i]].replaceAll("_", " ")}${item ? ` of ${item.n}` : ""} at ${short(e.t[i], 6)} s${e.value[i] ? `, ${short(e.value[i])}${unit}` : ""}`);
  }

  // Items.

  choose(item: number) {
    const r = this.recordings[0];
    if (!r) return;
    if (item !== this.chosen && this.followed) this.follow(false);
    this.chosen = item;
    this.tree.mark(item);
    this.drawing?.mark(item);
    this.stage?.choose(item, new THREE.Color(css("--pick")).getHex());
    const asked = (path: string) => this.series(r, 0, path);
    const nodes = item >= 0
      ? itemCard(r, item, { plot: (path) => void this.plot(path), follow: () => this.follow(), fit: () => this.stage?.fit(), close: () => this.choose(-1) }, this.link?.open ? asked : null, this.followed)
      : runCard(r, (path) => void this.plot(path), asked);
    this.cardTop.replaceChildren(...(this.live && item < 0 ? [this.live.node] : []), ...nodes);
    if (item >= 0) this.panel("card", true);
  }

  private follow(on = !this.followed) {
    const body = this.recordings[0]?.head.bodies.find((b) => b.i === this.chosen);
    if (on && !body) return this.say("Choose a body to follow.");
    this.followed = on;
    this.toggles.get("follow")?.setAttribute("aria-pressed", String(on));
    this.stage?.follow(on ? body!.f : -1);
    this.card.querySelector('[aria-keyshortcuts="F"]')?.setAttribute("aria-pressed", String(on));
  }

  async plot(path: string) {
    if (this.plots.has(path)) return this.unplot(path);
    const layers: { recording: Recording; series: Series }[] = [];
    for (const [which, recording] of this.recordings.entries()) {
      const series = await this.series(recording, which, path);
      if (series && (!layers.length || series.width === layers[0].series.width)) layers.push({ recording, series });
    }
    if (!layers.length) return this.say(`${path} is not in this page`);
    const plot = new Plot(this.cardPlots, this.name(path), layers, 130, (t) => this.seek(t), () => this.unplot(path));
    this.plots.set(path, plot);
    plot.at(this.time);
  }
  private unplot(path: string) {
    this.plots.get(path)?.remove();
    this.plots.delete(path);
  }

  private async series(recording: Recording, which: number, path: string): Promise<Series | null> {
    const known = recording.series.get(path);
    if ((known && !this.live) || !this.link?.open) return known ?? null;
    const container = await this.link.series(which, path);
    if (!container) return known ?? null;
    const { head, arrays } = unpack(container), s = head.series[0], array = arrays.get(s.array)!;
    const series = { ...s, values: array.values as Float32Array, width: array.shape[1] ?? 1, t: arrays.get("t")!.values as Float64Array };
    recording.series.set(path, series);
    return series;
  }

  /** Forces of joints, springs and loads come after the first picture. */
  private async forces(recording: Recording) {
    const { head } = recording, items = [...head.joints, ...head.springs, ...head.loads.filter((l) => !l.v)].slice(0, 60);
    for (const { i } of items) {
      const path = `${head.items[i].n}.force`;
      if (!recording.series.has(path) && head.quantities[`${head.items[i].s}/${head.items[i].t}`]?.includes("force")) await this.series(recording, 0, path);
    }
    this.stage?.overlays?.refresh();
    this.stage?.draw(this.time);
  }

  private pointer() {
    const stage = this.stage!, canvas = stage.canvas;
    let down: { x: number; y: number } | null = null, held: { frame: number; local: number[] } | null = null;
    const pull = (event: PointerEvent) => {
      const from = stage.world(held!.frame, held!.local), to = stage.facing(event.clientX, event.clientY, new THREE.Vector3(...from));
      stage.overlays!.pull = { from, to: to.toArray() };
      this.link!.drag(held!.frame, held!.local, to.toArray());
      stage.draw(stage.time);
    };
    canvas.addEventListener("pointerdown", (event) => {
      down = { x: event.clientX, y: event.clientY };
      const hit = this.live?.running && event.button === 0 ? stage.pick(event.clientX, event.clientY) : null;
      const body = hit && this.recordings[0].head.bodies.find((b) => b.i === hit.item && b.f >= 0);
      if (!hit || !body) return;
      held = { frame: body.f, local: stage.local(body.f, hit.point) };
      stage.steer(false);
      canvas.setPointerCapture(event.pointerId);
      pull(event);
    }, { capture: true });
    canvas.addEventListener("pointermove", (event) => held && pull(event));
    const up = (event: PointerEvent) => {
      if (held) {
        held = null;
        stage.overlays!.pull = null;
        stage.steer(true);
        this.link!.release();
      }
      if (down && event.type === "pointerup" && Math.hypot(event.clientX - down.x, event.clientY - down.y) < 5) this.choose(stage.pick(event.clientX, event.clientY)?.item ?? -1);
      down = null;
    };
    canvas.addEventListener("pointerup", up);
    canvas.addEventListener("pointercancel", up);
  }

  // Live.

  private grew(...received: Parameters<Recording["append"]>) {
    this.recordings[0]?.append(...received);
    this.stale = true;
  }
  private cleared() {
    this.recordings[0]?.clear();
    this.atHead = true;
    this.stale = true;
  }
  private status(status: Status) {
    const r = this.recordings[0];
    if (!r || !this.live) return;
    r.addEvents(status.events);
    if (status.energy) r.addEnergy(status.time, status.energy);
    this.live.update(status);
    this.timeline.playing(status.running);
    this.report(status.running ? "running" : status.status);
    if (status.message) this.say(status.message);
    this.stale = true;
    this.refreshPlots(r);
  }
  private refreshing = 0;
  private refreshPlots(r: Recording) {
    const now = performance.now();
    if (now - this.refreshing < 500) return;
    this.refreshing = now;
    for (const [path, plot] of this.plots) void this.series(r, 0, path).then((s) => s && plot.refresh(s));
  }

  private report(status: string) {
    this.badge.hidden = !status;
    this.badge.textContent = status;
    this.badge.className = `badge ${status === "done" || status === "running" ? "good" : status === "failed" ? "bad" : "warn"}`;
  }

  // Page.

  private switch(name: string, title: string, key: string, act: () => void, on = false) {
    const button = tool(name, title, key, act, { "aria-pressed": String(on) });
    this.toggles.set(name, button);
    return button;
  }

  private panel(name: string, on?: boolean) {
    const hidden = this.root.classList.toggle(`no-${name}`, on === undefined ? undefined : !on);
    this.toggles.get(name)!.setAttribute("aria-pressed", String(!hidden));
    if (innerWidth <= 820 && !hidden) this.panel(name === "tree" ? "card" : "tree", false);
  }

  private compare() {
    if (!this.stage || this.stage.count < 2) return;
    const modes: Compare[] = ["ghost", "beside", "off"], next = modes[(modes.indexOf(this.stage.compare) + 1) % 3];
    this.stage.compare = next;
    this.stage.dirty = true;
    this.toggles.get("compare")!.setAttribute("aria-pressed", String(next !== "off"));
    this.say({ ghost: `${this.recordings[1].head.title} as a ghost`, beside: `left ${this.recordings[0].head.title}, right ${this.recordings[1].head.title}`, off: "second result hidden" }[next]);
  }

  private theme(turn: boolean) {
    const root = document.documentElement, system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    const now = turn ? (root.dataset.theme === "dark" ? "light" : "dark") : root.dataset.chosen ?? this.asked.get("theme") ?? system;
    if (turn) root.dataset.chosen = now;
    root.dataset.theme = now;
    this.stage?.theme([css("--bg-top"), css("--bg-low")], css("--pick"));
    if (this.recordings.length) this.timeline.show(this.recordings[0]), this.drawing?.at(this.time);
  }

  private async photo() {
    if (!this.stage) return this.say("There is no picture; the plots are.");
    download(await this.stage.still(), `${this.file()}.png`);
    this.say("picture written");
  }

  /** Films one pass from the start to the end, picture by picture; asked again it ends there. */
  async video() {
    const r = this.recordings[0];
    if (!this.stage || !r || r.n < 2 || !canFilm()) return this.say("A video needs moving bodies and a browser that encodes.");
    if (this.filming) return void (this.filming = false);
    const button = this.root.querySelector<HTMLElement>('[data-tool="video"]')!, { canvas } = this.stage;
    const film = new Film(canvas.width & ~1, canvas.height & ~1, FILM_RATE), count = Math.ceil(((r.end - r.begin) / this.rate) * FILM_RATE);
    this.filming = true;
    button.classList.add("record");
    this.play(false);
    this.say("films until the end; the button stops it");
    try {
      for (let i = 0; i <= count && this.filming; i++) {
        this.show(Math.min(r.end, r.begin + (i * this.rate) / FILM_RATE));
        this.stage.render();
        await film.add(canvas);
        if (i % 5 === 0) await new Promise(requestAnimationFrame);
      }
      const file = await film.end();
      this.lastVideo = file.size;
      download(file, `${this.file()}.webm`);
      this.say("video written");
    } catch (error) {
      this.say(`no video: ${error instanceof Error ? error.message : error}`);
    }
    this.filming = false;
    button.classList.remove("record");
  }
  private filming = false;
  lastVideo = 0;

  private file() { return (this.recordings[0]?.head.title || "saltus").replace(/[^\w.-]+/g, "_"); }

  say(text: string) {
    this.toast.textContent = text;
    if (!this.toast.isConnected) this.host.append(this.toast);
    if (text) setTimeout(() => this.toast.textContent === text && (this.toast.textContent = ""), 5000);
  }

  private key(event: KeyboardEvent) {
    const target = event.target as HTMLElement, typing = /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName) && (target as HTMLInputElement).type !== "range";
    if (event.ctrlKey || event.metaKey || event.altKey || (typing && event.key !== "Escape") || this.help.open) return;
    if (event.key === " " && target.tagName === "BUTTON" && !this.help.contains(target)) return; // a closed dialog may keep the focus for a moment
    const far = event.shiftKey ? 10 : 1, press = (name: string) => () => this.toggles.get(name)?.click();
    const acts: Record<string, () => void> = {
      " ": () => this.toggle(), ArrowLeft: () => this.step(-far), ArrowRight: () => this.step(far), Home: () => this.seek(-Infinity), End: () => this.seek(Infinity), "[": () => this.event(-1), "]": () => this.event(1),
      "+": () => this.faster(1), "=": () => this.faster(1), "-": () => this.faster(-1), l: () => this.timeline.looping((this.looped = !this.looped)),
      "1": () => this.stage?.fit("x"), "2": () => this.stage?.fit("y"), "3": () => this.stage?.fit("z"), "0": () => this.stage?.fit(), f: () => this.follow(), n: press("names"), a: press("arrow"), o: press("contact"), x: press("trace"), m: press("frames"), g: press("grid"),
      c: press("compare"), p: () => void this.photo(), v: () => void this.video(), d: () => this.theme(true), t: press("tree"), i: press("card"), "/": () => (this.panel("tree", true), this.tree.focus()), Escape: () => (target.blur(), this.choose(-1)), "?": () => this.help.showModal(),
    };
    const act = acts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
  private faster(direction: number) {
    const box = this.timeline.speeds, next = Math.min(box.options.length - 1, Math.max(0, box.selectedIndex + direction));
    box.selectedIndex = next;
    this.setRate(Number(box.value));
  }

  private helpDialog() {
    const dialog = el("dialog", { "aria-label": "Keys" }, el("h2", {}, "Keys"), el("dl", {}, ...KEYS.flatMap(([key, text]) => [el("dt", {}, ...key.split(" ").flatMap((k) => [el("kbd", {}, k), " "])), el("dd", {}, text)])));
    dialog.append(el("button", { type: "button", class: "primary", style: "padding:0 16px", onclick: () => dialog.close() }, icon("close"), "Close"));
    return dialog;
  }

  /** For `saltus view --video`: the picture alone, with its time. Returns [begin, end, seconds of the run in a second]. */
  bare() {
    this.root.classList.add("bare");
    if (this.recordings[0]?.count) this.clock = el("div", { class: "clock" }), this.host.append(this.clock);
    this.stage?.resize();
    if (!this.stage && !this.drawing) for (const plot of this.plots.values()) plot.stretch(Math.max(130, (this.host.clientHeight - 16) / this.plots.size - 82)); // plots alone fill the picture
    const r = this.recordings[0];
    return [r.begin, r.end, this.rate];
  }
  private clock: HTMLElement | null = null;
  /** Shows a time; ends when it is on the screen. */
  async frame(t: number) {
    this.seek(t);
    this.stage?.render();
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  }
  /** Begins a film of PNG files given as base64, adds one, ends it: the file as base64. */
  film(width: number, height: number, rate: number) { this.reel = new Film(width, height, rate); }
  async filmed(picture: string) { await this.reel!.add(picture); }
  async filmEnd() { return base64(await this.reel!.end()); }
  private reel: Film | null = null;

  /** Figures for tests and for the curious. */
  stats() {
    const r = this.recordings[0];
    return { ready: !!r, time: this.time, playing: this.playing, frames: this.stage?.frames ?? 0, calls: this.stage?.calls ?? 0, bodies: r?.head.bodies.length ?? 0, states: r?.n ?? 0, chosen: r && this.chosen >= 0 ? r.head.items[this.chosen].n : "",
      plots: [...this.plots.keys()], results: this.recordings.length, compare: this.stage?.compare, video: this.lastVideo, labels: this.stage?.labels?.node.innerText ?? "", arrows: this.stage?.overlays?.drawn ?? 0, planes: this.stage?.overlays?.grid.children.map((g) => g.visible) ?? [], energies: r?.series.get("energy.total")?.t.length ?? 0, live: !!this.live, running: this.live?.running ?? false };
  }
  /** Where a body is in the window [CSS pixels]. */
  where(name: string) {
    const body = this.recordings[0]?.head.bodies.find((b) => this.recordings[0].head.items[b.i].n === name);
    return body && this.stage ? this.stage.screen(body.f) : null;
  }
}
