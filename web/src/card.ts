// The card of an item: name, type, fields with units, its quantities as plots; without an item the run's report.
import { el, short, shown, tool } from "./dom";
import type { Recording } from "./recording";

export interface CardActions { plot(path: string): void; follow(): void; fit(): void; close(): void }

const FIRST = ["position", "velocity", "force", "torque", "angle", "tension", "length", "coordinate", "value", "state", "multiplier"];

/** Fields, quantities and actions of an item. */
export function itemCard(recording: Recording, item: number, actions: CardActions, asked: boolean, followed: boolean): Node[] {
  const { head } = recording, { n: name, s, t, f } = head.items[item], type = head.types[`${s}/${t}`];
  const rows = Object.entries(f).map(([key, value]) => {
    const [unit, doc] = type?.fields[key] ?? ["", ""];
    return el("tr", { title: doc }, el("th", { scope: "row" }, key.replaceAll("_", " ")), el("td", {}, shown(value)), el("td", { class: "u" }, unit));
  });
  const moves = head.bodies.some((body) => body.i === item && body.f >= 0);
  const words = asked ? (head.quantities[`${s}/${t}`] ?? []) : [...recording.series.keys()].filter((path) => path.startsWith(`${name}.`)).map((path) => path.slice(name.length + 1)).filter((word) => !word.includes("."));
  const rank = (word: string) => (FIRST.indexOf(word) + 1 || 99);
  return [
    el("div", { class: "acts", style: "justify-content:space-between;margin:0" }, el("h2", {}, name), tool("close", "Close the item", "Escape", actions.close)),
    el("p", { class: "type" }, `${t.replaceAll("_", " ")} · ${s}`),
    type ? el("p", {}, type.doc) : null,
    moves ? el("div", { class: "acts" }, el("button", { type: "button", onclick: actions.follow, "aria-pressed": String(followed), "aria-keyshortcuts": "F" }, "Follow")) : null,
    rows.length ? el("h3", {}, "Fields") : null,
    rows.length ? el("table", { class: "fields" }, el("tbody", {}, ...rows)) : null,
    words.length ? el("h3", {}, "Plot") : null,
    words.length ? el("div", { class: "chips" }, ...words.sort((a, b) => rank(a) - rank(b)).map((word) => el("button", { type: "button", onclick: () => actions.plot(`${name}.${word}`) }, word.replaceAll("_", " ")))) : null,
  ].filter((node): node is NonNullable<typeof node> => !!node);
}

/** What the run says of itself. */
export function runCard(recording: Recording, plot: (path: string) => void): Node[] {
  const { head } = recording, { report, run } = head, residual = report.residual ?? {};
  const row = (name: string, value: string, unit = "") => el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, value), el("td", { class: "u" }, unit));
  const e0 = report.energy_start as number, e1 = report.energy_end as number;
  const rows = [
    row("status", String(report.status ?? "")), row("scheme", run.scheme.replaceAll("_", " ")),
    run.static ? null : row("end", short(report.t ?? recording.end), "s"), row("steps", String(report.steps ?? "")), row("rejected", String(report.rejected ?? 0)),
    row("states drawn", `${run.drawn} of ${run.states}`),
    ...["equations", "constraints", "laws"].filter((k) => typeof residual[k] === "number").map((k) => row(`residual, ${k}`, residual[k].toExponential(1))),
    Number.isFinite(e0) && Number.isFinite(e1) && recording.series.has("energy.total") ? row("energy", `${short(e0, 6)} → ${short(e1, 6)}`, "J") : null,
  ].filter((node): node is HTMLTableRowElement => !!node);
  const warnings = (report.warnings ?? []) as unknown[];
  const outputs = Object.entries(head.outputs);
  return [
    head.live ? null : el("h2", {}, "Run"), head.live ? null : el("table", { class: "fields" }, el("tbody", {}, ...rows)),
    report.cause ? el("p", {}, String(report.cause)) : null,
    warnings.length ? el("h3", {}, "Warnings") : null, ...warnings.map((w) => el("p", { class: "warning" }, String(w))),
    outputs.length || recording.series.has("energy.total") ? el("h3", {}, "Plot") : null,
    el("div", { class: "chips" }, ...outputs.map(([name, path]) => el("button", { type: "button", title: path, onclick: () => plot(path) }, name)),
      recording.series.has("energy.total") ? el("button", { type: "button", onclick: () => plot("energy.total") }, "total energy") : null),
    Object.keys(head.parameters).length && !head.live ? el("h3", {}, "Parameters") : null,
    head.live ? null : el("table", { class: "fields" }, el("tbody", {}, ...Object.entries(head.parameters).map(([name, value]) => row(name, short(value, 7))))),
  ].filter((node): node is NonNullable<typeof node> => !!node);
}
