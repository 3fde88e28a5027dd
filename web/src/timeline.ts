// The foot of the page: energy and residual as a strip, marks of events, and the controls of time.
import { css, el, icon, short, tool } from "./dom";
import { INK, swatch } from "./plots";
import type { Recording } from "./recording";

export interface Clock {
  play(): void; step(count: number): void; seek(time: number): void; event(direction: number): void;
  loop(): void; speed(value: number): void;
}

const KINDS: Record<string, string> = { impact: "--bad", stick: "--good", slip: "--warn", step_rejected: "--soft" };

export class Timeline {
  readonly node: HTMLElement;
  private strip = el("canvas", { role: "img", "aria-label": "Energy and worst residual over time" });
  private ticks = el("canvas", { class: "ticks", role: "img", "aria-label": "Marks of events over time" });
  private labels = el("div", { class: "labels" });
  private range = el("input", { type: "range", min: 0, max: 1, step: "any", value: 0, "aria-label": "Time", "aria-keyshortcuts": "ArrowLeft ArrowRight Home End" });
  private now = el("span", { class: "time" });
  private playButton: HTMLButtonElement;
  private loopButton: HTMLButtonElement;
  readonly speeds: HTMLSelectElement;
  private recording: Recording | null = null;

  constructor(private clock: Clock) {
    this.playButton = tool("play", "Play", "Space", () => clock.play(), { class: "primary" });
    this.loopButton = tool("loop", "Loop", "L", () => clock.loop(), { "aria-pressed": "false", class: "loop" });
    this.speeds = el("select", { "aria-label": "Speed", title: "Speed (+ and -)", onchange: () => clock.speed(Number(this.speeds.value)) });
    this.range.addEventListener("input", () => clock.seek(Number(this.range.value)));
    this.node = el("footer", { class: "foot", "aria-label": "Time" },
      el("div", { class: "strip" }, this.strip, this.labels), this.ticks,
      el("div", { class: "line" },
        tool("first", "To the start", "Home", () => clock.seek(-Infinity)), tool("back", "One state back", "ArrowLeft", () => clock.step(-1)), this.playButton,
        tool("step", "One state on", "ArrowRight", () => clock.step(1)), this.range, this.now,
        tool("previous", "Event before", "[", () => clock.event(-1), { class: "wide" }), tool("next", "Next event", "]", () => clock.event(1), { class: "wide" }), this.loopButton, this.speeds));
    for (const canvas of [this.strip, this.ticks]) canvas.addEventListener("pointerdown", (event) => this.grab(canvas, event));
    new ResizeObserver(() => this.draw()).observe(this.node);
  }

  private grab(canvas: HTMLCanvasElement, event: PointerEvent) {
    const seek = (e: PointerEvent) => {
      const box = canvas.getBoundingClientRect(), r = this.recording;
      if (r) this.clock.seek(r.begin + ((e.clientX - box.left) / box.width) * (r.end - r.begin));
    };
    canvas.setPointerCapture(event.pointerId);
    seek(event);
    canvas.onpointermove = seek;
    canvas.onpointerup = canvas.onpointercancel = () => (canvas.onpointermove = null);
  }

  /** A recording, or more of it. */
  show(recording: Recording) {
    this.recording = recording;
    this.node.classList.toggle("still", recording.still);
    this.range.min = String(recording.begin);
    this.range.max = String(recording.end > recording.begin ? recording.end : recording.begin + 1);
    this.range.disabled = recording.n < 2;
    this.draw();
  }

  at(time: number) {
    const r = this.recording;
    if (!r) return;
    this.range.value = String(time);
    this.now.textContent = r.head.run.static ? "equilibrium" : `${short(time, 5)} / ${short(r.head.live?.until ?? r.end, 5)} s`;
    this.range.setAttribute("aria-valuetext", `${short(time)} seconds`);
  }

  playing(on: boolean) {
    this.playButton.replaceChildren(icon(on ? "pause" : "play"));
    this.playButton.setAttribute("aria-label", on ? "Pause" : "Play");
    this.playButton.title = `${on ? "Pause" : "Play"} (Space)`;
  }
  looping(on: boolean) { this.loopButton.setAttribute("aria-pressed", String(on)); }

  speedsAre(values: number[], chosen: number) {
    this.speeds.replaceChildren(...values.map((v) => el("option", { value: v, selected: v === chosen }, `${short(v, 3)}×`)));
  }

  private draw() {
    const r = this.recording;
    if (!r) return;
    this.curves(r);
    this.marks(r);
  }

  private curves(r: Recording) {
    const { g, w, h } = sized(this.strip);
    const lines = ["kinetic", "potential", "total"].map((word) => r.series.get(`energy.${word}`));
    const x = (t: number) => ((t - r.begin) / (r.end - r.begin || 1)) * w;
    let low = Infinity, high = -Infinity;
    for (const s of lines) if (s) for (const v of s.values) (low = Math.min(low, v)), (high = Math.max(high, v));
    const labels: Node[] = [];
    if (r.still && lines[1]) labels.push(el("span", {}, `potential energy ${short(lines[1].values[0])} J`));
    if (!r.still && high > low)
      lines.forEach((s, k) => {
        if (!s) return;
        const color = INK[[1, 2, 0][k]];
        curve(g, s.t.length, (i) => x(s.t[i]), (i) => h - 3 - ((s.values[i] - low) / (high - low)) * (h - (h > 50 ? 24 : 8)), color, w, s.path.endsWith("total") ? 1.8 : 1.2);
        labels.push(el("span", {}, swatch(color), s.path.split(".")[1]));
      });
    if (r.still) labels.unshift(el("b", {}, "equilibrium"));
    else if (labels.length) labels.unshift(el("b", {}, `energy ${short(low, 3)} … ${short(high, 3)} J`));
    // Residual: logarithmic, 1e-16 at the foot, 1 at the top.
    let worst = 0;
    for (let i = 0; i < Math.min(r.n, r.residual.length); i++) worst = Math.max(worst, r.residual[i]);
    if (worst > 0 && r.still) labels.push(el("span", {}, `residual ${worst.toExponential(1)}`));
    else if (worst > 0) {
      const y = (v: number) => h - 2 - ((Math.log10(Math.max(v, 1e-16)) + 16) / 16) * (h - 4);
      g.globalAlpha = 0.55;
      curve(g, r.n, (i) => x(r.t[i]), (i) => y(r.residual[i]), INK[3], w, 1);
      g.globalAlpha = 1;
      labels.push(el("span", {}, swatch(INK[3]), `residual, worst ${worst.toExponential(1)}`));
    }
    this.labels.replaceChildren(...labels);
    this.strip.parentElement!.hidden = !labels.length;
  }

  private marks(r: Recording) {
    const { g, w, h } = sized(this.ticks), e = r.events;
    this.ticks.hidden = !e.t.length;
    const counts = new Map<string, number>();
    for (let i = 0; i < e.t.length; i++) {
      const kind = r.head.events[e.kind[i]];
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      g.strokeStyle = css(KINDS[kind] ?? "--accent");
      g.globalAlpha = e.t.length > 400 ? 0.35 : 0.85;
      const x = ((e.t[i] - r.begin) / (r.end - r.begin || 1)) * w;
      g.beginPath();
      g.moveTo(x, 1);
      g.lineTo(x, h - 1);
      g.stroke();
    }
    this.ticks.title = [...counts].map(([kind, n]) => `${n} ${kind.replaceAll("_", " ")}`).join(", ");
    this.ticks.setAttribute("aria-label", `Marks of events over time: ${this.ticks.title || "none"}`);
  }
}

function sized(canvas: HTMLCanvasElement) {
  const ratio = devicePixelRatio || 1, w = canvas.clientWidth, h = canvas.clientHeight;
  canvas.width = Math.max(1, w * ratio);
  canvas.height = Math.max(1, h * ratio);
  const g = canvas.getContext("2d")!;
  g.scale(ratio, ratio);
  return { g, w, h };
}

/** A line of n points; where there are more points than pixels, the range of each pixel. */
function curve(g: CanvasRenderingContext2D, n: number, x: (i: number) => number, y: (i: number) => number, color: string, width: number, thick: number) {
  g.strokeStyle = color;
  g.lineWidth = thick;
  g.beginPath();
  let pixel = -1, low = 0, high = 0;
  for (let i = 0; i < n; i++) {
    const at = x(i), v = y(i);
    if (n < 2 * width) i ? g.lineTo(at, v) : g.moveTo(at, v);
    else if (Math.floor(at) === pixel) (low = Math.min(low, v)), (high = Math.max(high, v));
    else {
      if (pixel >= 0) g.lineTo(pixel, low), g.lineTo(pixel, high);
      else g.moveTo(at, v);
      (pixel = Math.floor(at)), (low = high = v);
    }
  }
  g.stroke();
}
