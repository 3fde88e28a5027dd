// The panel of a live run: start again, sliders for parameters, what the engine says.
import { el, icon, short } from "./dom";
import type { Link, Status } from "./link";
import type { Head } from "./recording";

export interface LivePanel { node: HTMLElement; running: boolean; update(status: Status): void }

export function livePanel(head: Head, link: Link): LivePanel {
  const state = el("p", {}, "");
  const sliders = head.live!.parameters.map(({ name, value, low, high }, i) => {
    const out = el("output", {}, short(value)), input = el("input", { type: "range", min: low, max: high, step: (high - low) / 400 || 1, value, "aria-label": `Parameter ${name}` });
    input.addEventListener("input", () => (out.textContent = short(Number(input.value))));
    input.addEventListener("change", () => link.parameter(i, Number(input.value)));
    return { node: el("label", {}, name, out, input), input, out };
  });
  const panel: LivePanel = {
    running: false,
    node: el("section", { class: "live", "aria-label": "Live run" }, el("h2", {}, "Live"), state,
      el("div", { class: "acts" }, el("button", { type: "button", onclick: () => link.reset() }, icon("reset"), "Start again")),
      sliders.length ? el("h3", {}, "Parameters") : null, ...sliders.map((s) => s.node), el("p", { class: "type" }, "Pull a body with the mouse while it runs: the force of the pull is part of the result.")),
    update(status) {
      panel.running = status.running;
      state.textContent = `${status.status} at ${short(status.time)} s of ${short(status.until)} s${status.energy ? ` · energy ${short(status.energy[0] + status.energy[1], 4)} J` : ""}`;
      status.parameters.forEach((value, i) => {
        const s = sliders[i];
        if (!s || document.activeElement === s.input) return;
        s.input.value = String(value);
        s.out.textContent = short(value);
      });
    },
  };
  return panel;
}
