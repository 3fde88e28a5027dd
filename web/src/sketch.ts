// A sketch that a model without bodies brings along: outlines in a plane that move with its quantities.
import type { Recording } from "./recording";
import type { Drawing } from "./schematic";

/** `points` in metres; `at` and `angle` (rad): a number, or quantities with factors: {"q.coordinate.0": 1, "": 0.2}. */
type Motion = number | Record<string, number>;
interface Part { points: [number, number][]; closed?: boolean; smooth?: boolean; fill?: string; stroke?: string; width?: number; at?: [Motion, Motion]; angle?: Motion }
export interface Sketch { i: number; view: [number, number, number, number]; parts: Part[] }

const NS = "http://www.w3.org/2000/svg";

export function sketch(recording: Recording): Drawing | null {
  const drawn = recording.head.sketch;
  if (!drawn) return null;
  const [x0, y0, x1, y1] = drawn.view, picture = document.createElementNS(NS, "svg"), unit = (y1 - y0) / 400;
  picture.setAttribute("viewBox", `${x0} ${-y1} ${x1 - x0} ${y1 - y0}`);
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", `Sketch of ${recording.head.items[drawn.i]?.n ?? "the model"}`);
  const shapes = drawn.parts.map((part) => {
    const shape = document.createElementNS(NS, "path");
    shape.setAttribute("d", (part.smooth ? round : straight)(part.points.map(([x, y]) => [x, -y]), !!part.closed));
    shape.setAttribute("style", `fill:${part.fill ?? "none"};stroke:${part.stroke ?? "none"};stroke-width:${(part.width ?? 1.5) * unit};stroke-linecap:round;stroke-linejoin:round`);
    picture.append(shape);
    return { shape, part };
  });
  const value = (m: Motion | undefined, time: number) =>
    typeof m === "number" || !m ? (m ?? 0) : Object.entries(m).reduce((sum, [path, factor]) => {
      const series = recording.series.get(path);
      return sum + factor * (path === "" ? 1 : series ? recording.value(series, time, 0) : 0);
    }, 0);
  const node = document.createElement("figure");
  node.className = "schematic";
  node.append(picture);
  return {
    node,
    at(time) {
      for (const { shape, part } of shapes)
        shape.setAttribute("transform", `translate(${value(part.at?.[0], time)} ${-value(part.at?.[1], time)}) rotate(${(-180 / Math.PI) * value(part.angle, time)})`);
    },
    mark() {},
  };
}

const straight = (points: number[][], closed: boolean) => `M${points.map((p) => p.join(" ")).join("L")}${closed ? "Z" : ""}`;

/** A curve through the points (Catmull, Rom 1974). */
function round(points: number[][], closed: boolean) {
  const n = points.length, at = (k: number) => points[closed ? (k + n) % n : Math.min(n - 1, Math.max(0, k))];
  let d = `M${points[0].join(" ")}`;
  for (let k = 0; k < (closed ? n : n - 1); k++) {
    const [a, b, c, e] = [at(k - 1), at(k), at(k + 1), at(k + 2)];
    d += `C${b[0] + (c[0] - a[0]) / 6} ${b[1] + (c[1] - a[1]) / 6} ${c[0] - (e[0] - b[0]) / 6} ${c[1] - (e[1] - b[1]) / 6} ${c[0]} ${c[1]}`;
  }
  return d + (closed ? "Z" : "");
}
