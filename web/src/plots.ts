// Plots of quantities over time with uPlot: one for each quantity, a line a component, a cursor at the time shown.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { breaking, css, el, short, tool } from "./dom";
import type { Recording, Series } from "./recording";

export const INK = ["#3f8fe8", "#e08a1e", "#2fa36b", "#d1495b", "#8464d6", "#1aa3b5", "#a58a00", "#b0704f", "#6b7885"];

export class Plot {
  readonly node: HTMLElement;
  private chart: uPlot;
  private legend = el("div", { class: "legend" });
  private observer: ResizeObserver;
  private time = 0;

  constructor(host: HTMLElement, title: string, private layers: { recording: Recording; series: Series }[], private height: number, jump: (t: number) => void, close?: () => void) {
    const unit = layers[0].series.unit;
    this.node = el("section", { class: "plot", "aria-label": `Plot of ${title}` },
      el("div", { class: "name" }, el("span", {}, ...breaking(title), unit ? ` [${unit}]` : null), close ? tool("close", `Close the plot of ${title}`, "", close) : null), this.legend);
    host.append(this.node);
    const axis = { stroke: css("--soft"), grid: { stroke: css("--line"), width: 1 }, ticks: { stroke: css("--line"), width: 1 }, font: "11px system-ui, sans-serif" };
    this.chart = new uPlot({
      width: Math.max(120, this.node.clientWidth - 14), height,
      scales: { x: { time: false } },
      cursor: { drag: { x: true, y: false, uni: 20 }, points: { show: false } },
      axes: [{ ...axis, size: 26, values: (_, v) => v.map((x, i) => short(x, 4) + (i === v.length - 1 ? " s" : "")) }, { ...axis, size: 52, values: (_, v) => v.map((x) => short(x, 4)) }],
      series: [{}, ...this.lines()],
      hooks: { draw: [(u) => this.cursor(u)] },
    }, this.data(), this.node);
    this.node.insertBefore(this.chart.root, this.legend);
    this.chart.over.addEventListener("click", (event) => jump(this.chart.posToVal(event.offsetX, "x")));
    this.observer = new ResizeObserver(() => this.chart.setSize({ width: Math.max(120, this.node.clientWidth - 14), height: this.height }));
    this.observer.observe(this.node);
    this.at(0);
  }

  private lines(): uPlot.Series[] {
    return this.layers.flatMap(({ series }, k) =>
      Array.from({ length: series.width }, (_, c) => ({ stroke: INK[c % INK.length], width: 1.4, dash: k ? [5, 4] : undefined, points: { show: series.t.length < 2 }, label: this.name(series, c) })));
  }

  private name(series: Series, c: number) { return series.components[c] ?? (series.width > 1 ? String(c) : series.path.split(".").slice(1).join(".") || series.path); }

  private data(): uPlot.AlignedData {
    const tables = this.layers.map(({ series: s }) => {
      const columns = Array.from({ length: s.width }, (_, c) => {
        const y = new Array<number>(s.t.length);
        for (let i = 0; i < s.t.length; i++) y[i] = s.values[i * s.width + c];
        return y;
      });
      return [Array.from(s.t), ...columns] as uPlot.AlignedData;
    });
    return tables.length > 1 ? uPlot.join(tables) : tables[0];
  }

  /** The data changed: a live run went on. */
  refresh(series: Series) {
    this.layers[0].series = series;
    this.chart.setData(this.data());
  }

  /** Shows a time: the cursor and the values there. */
  at(time: number) {
    this.time = time;
    this.chart.redraw(false, false);
    this.legend.replaceChildren(...this.layers.flatMap(({ recording, series }, k) =>
      Array.from({ length: series.width }, (_, c) => el("span", {}, swatch(INK[c % INK.length]), `${k ? "2nd " : ""}${this.name(series, c)} ${short(recording.value(series, time, c))}`))));
  }

  private cursor(u: uPlot) {
    const x = Math.round(u.valToPos(this.time, "x", true));
    if (!(x >= u.bbox.left && x <= u.bbox.left + u.bbox.width)) return;
    u.ctx.save();
    u.ctx.strokeStyle = css("--pick");
    u.ctx.lineWidth = devicePixelRatio * 1.4;
    u.ctx.beginPath();
    u.ctx.moveTo(x, u.bbox.top);
    u.ctx.lineTo(x, u.bbox.top + u.bbox.height);
    u.ctx.stroke();
    u.ctx.restore();
  }

  /** Gives it another height [px]. */
  stretch(height: number) {
    this.height = height;
    this.chart.setSize({ width: Math.max(120, this.node.clientWidth - 14), height });
  }

  remove() {
    this.observer.disconnect();
    this.chart.destroy();
    this.node.remove();
  }
}

export function swatch(color: string) {
  const i = el("i");
  i.style.background = color;
  return i;
}
