// The card of an item: name, type, fields with units, its quantities as plots; without an item the run's report.
import { breaking, el, short, shown, tool } from "./dom";
import type { Recording, Series } from "./recording";

export interface CardActions { plot(path: string): void; follow(): void; fit(): void; close(): void }
export type Asked = (path: string) => Promise<Series | null>;

const FIRST = ["position", "velocity", "force", "torque", "angle", "tension", "length", "coordinate", "value", "state", "multiplier"];

/** Fields, quantities and actions of an item. */
export function itemCard(recording: Recording, item: number, actions: CardActions, asked: Asked | null, followed: boolean): Node[] {
  const { head } = recording, { n: name, s, t, f } = head.items[item], type = head.types[`${s}/${t}`];
  const rows = Object.entries(f).map(([key, value]) => {
    const [unit, doc] = type?.fields[key] ?? ["", ""];
    return el("tr", { title: doc }, el("th", { scope: "row" }, key.replaceAll("_", " ")), el("td", {}, shown(value)), el("td", { class: "u" }, unit));
  });
  const moves = head.bodies.some((body) => body.i === item && body.f >= 0);
  const words = asked ? (head.quantities[`${s}/${t}`] ?? []) : [...recording.series.keys()].filter((path) => path.startsWith(`${name}.`)).map((path) => path.slice(name.length + 1)).filter((word) => !word.includes("."));
  const rank = (word: string) => (FIRST.indexOf(word) + 1 || 99);
  words.sort((a, b) => rank(a) - rank(b));
  const still = words.filter((word) => rank(word) < 99 && word !== "velocity" && (word !== "force" || t !== "contact" || "B" in f)).map((word): [string, string] => [word, `${name}.${word}`]); // of an equilibrium
  return [
    el("div", { class: "acts", style: "justify-content:space-between;margin:0" }, el("h2", {}, ...breaking(name)), tool("close", "Close the item", "Escape", actions.close)),
    el("p", { class: "type" }, `${t.replaceAll("_", " ")} · ${s}`),
    type ? el("p", {}, type.doc) : null,
    moves ? el("div", { class: "acts" }, el("button", { type: "button", onclick: actions.follow, "aria-pressed": String(followed), "aria-keyshortcuts": "F" }, "Follow")) : null,
    rows.length ? el("h3", {}, "Fields") : null,
    rows.length ? el("table", { class: "fields" }, el("tbody", {}, ...rows)) : null,
    ...(recording.still ? [still.length ? el("h3", {}, "Values") : null, still.length ? valuesTable(recording, still, asked ?? (async () => null)) : null, ...pointsTable(recording, item)] : [
    words.length ? el("h3", {}, "Plot") : null,
    words.length ? el("div", { class: "chips" }, ...words.map((word) => el("button", { type: "button", onclick: () => actions.plot(`${name}.${word}`) }, word.replaceAll("_", " ")))) : null]),
  ].filter((node): node is NonNullable<typeof node> => !!node);
}

/** Components without what rounding leaves of them. */
function listed(x: number[], digits = 5): string {
  const rounding = 1e-12 * Math.max(...x.map(Math.abs));
  return x.map((v) => short(Math.abs(v) > rounding ? v : 0, digits)).join(", ");
}

/** Values of quantities of an equilibrium, by their names; each row is filled when its series is there. */
export function valuesTable(recording: Recording, quantities: [string, string][], asked: Asked): HTMLTableElement {
  const row = ([name, path]: [string, string]) => {
    const value = el("td"), unit = el("td", { class: "u" }), line = el("tr", { title: path }, el("th", { scope: "row" }, name.replaceAll("_", " ")), value, unit);
    const fill = (s: Series | null) => {
      if (!s?.t.length) return line.remove();
      value.textContent = listed(Array.from({ length: s.width }, (_, c) => recording.value(s, recording.end, c)));
      unit.textContent = s.unit;
    };
    const known = recording.series.get(path);
    if (known) fill(known);
    else void asked(path).then(fill);
    return line;
  };
  return el("table", { class: "fields values" }, el("tbody", {}, ...quantities.map(row)));
}

/** The points of a contact of groups in an equilibrium: how many stick and slide, and the forces of the points. */
function pointsTable(recording: Recording, item: number): Node[] {
  const { contactPoints } = recording, all = contactPoints ? [...contactPoints.item.keys()].filter((k) => contactPoints.item[k] === item) : [];
  if (!contactPoints || !all.length) return [];
  const force = (k: number) => Math.hypot(...contactPoints.force.subarray(3 * k, 3 * k + 3)), states = ["open", "sticks", "slides"];
  all.sort((a, b) => force(b) - force(a));
  const line = (k: number) => el("tr", {}, el("th", { scope: "row" }, `at ${listed([...contactPoints.point.subarray(3 * k, 3 * k + 3)], 3)}`), el("td", {}, `${states[contactPoints.state[k]]}, ${short(force(k), 4)}`), el("td", { class: "u" }, "N"));
  const counts = states.map((word, s) => [all.filter((k) => contactPoints.state[k] === s).length, word] as const).filter(([n]) => n).map(([n, word]) => `${n} ${n > 1 && word !== "open" ? word.slice(0, -1) : word}`);
  return [el("h3", {}, "Contact points"), el("p", {}, `${counts.join(", ")}${all.length > 12 ? "; the twelve largest forces:" : ""}`), el("table", { class: "fields" }, el("tbody", {}, ...all.slice(0, 12).map(line)))];
}

/** What the run says of itself. */
export function runCard(recording: Recording, plot: (path: string) => void, asked: Asked): Node[] {
  const { head } = recording, { report, run } = head, residual = report.residual ?? {};
  const row = (name: string, value: string, unit = "") => el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, value), el("td", { class: "u" }, unit));
  const e0 = report.energy_start as number, e1 = report.energy_end as number;
  const rows = [
    row("status", String(report.status ?? "")), row("scheme", run.scheme.replaceAll("_", " ")),
    ...(recording.still ? [] : [run.static ? null : row("end", short(report.t ?? recording.end), "s"), row("steps", String(report.steps ?? "")), row("rejected", String(report.rejected ?? 0)),
    row("states drawn", `${run.drawn} of ${run.states}`)]),
    ...["equations", "constraints", "laws"].filter((k) => typeof residual[k] === "number").map((k) => row(`residual, ${k}`, residual[k].toExponential(1))),
    Number.isFinite(e0) && Number.isFinite(e1) && recording.series.has("energy.total") ? row("energy", recording.still ? short(e1, 6) : `${short(e0, 6)} → ${short(e1, 6)}`, "J") : null,
  ].filter((node): node is HTMLTableRowElement => !!node);
  const warnings = (report.warnings ?? []) as unknown[];
  const outputs = Object.entries(head.outputs);
  return [
    head.live ? null : el("h2", {}, "Run"), head.live ? null : el("table", { class: "fields" }, el("tbody", {}, ...rows)),
    report.cause ? el("p", {}, String(report.cause)) : null,
    warnings.length ? el("h3", {}, "Warnings") : null, ...warnings.map((w) => el("p", { class: "warning" }, String(w))),
    ...(recording.still ? (outputs.length ? [el("h3", {}, "Outputs"), valuesTable(recording, outputs, asked)] : []) : [
    outputs.length || recording.series.has("energy.total") ? el("h3", {}, "Plot") : null,
    el("div", { class: "chips" }, ...outputs.map(([name, path]) => el("button", { type: "button", title: path, onclick: () => plot(path) }, ...breaking(name))),
      recording.series.has("energy.total") ? el("button", { type: "button", onclick: () => plot("energy.total") }, "total energy") : null)]),
    Object.keys(head.parameters).length && !head.live ? el("h3", {}, "Parameters") : null,
    head.live ? null : el("table", { class: "fields" }, el("tbody", {}, ...Object.entries(head.parameters).map(([name, value]) => row(name, short(value, 7))))),
  ].filter((node): node is NonNullable<typeof node> => !!node);
}
