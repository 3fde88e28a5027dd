// Small helpers for elements, icons and numbers.

type Child = Node | string | null | undefined | false;

/** An element with attributes and children; `on...` are listeners. */
export function el<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Record<string, unknown> = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value as EventListener);
    else node.setAttribute(key, value === true ? "" : String(value));
  }
  node.append(...children.filter((child): child is Node | string => !!child));
  return node;
}

/** A name that may break behind what joins its words. */
export function breaking(name: string): Child[] {
  return name.split(/(?<=[_.])(?=\w)/).flatMap((part, i) => (i ? [el("wbr"), part] : [part]));
}

const PATHS: Record<string, string> = {
  play: "M8 5l11 7-11 7z", pause: "M8 5v14M16 5v14", step: "M6 5l9 7-9 7zM18 5v14", back: "M18 5l-9 7 9 7zM6 5v14", first: "M6 5v14M19 5l-10 7 10 7z",
  loop: "M17 3l3 3-3 3M4 11V9a3 3 0 013-3h13M7 21l-3-3 3-3M20 13v2a3 3 0 01-3 3H4", tree: "M4 5h6M9 12h11M9 19h11M6 5v14h3M6 12h3", card: "M4 5h16v14H4zM14 5v14",
  fit: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5", follow: "M12 8a4 4 0 100 8 4 4 0 000-8zM12 2v4M12 18v4M2 12h4M18 12h4", arrow: "M4 20L18 6M10 5h9v9",
  contact: "M4 19h16M12 5a5.5 5.5 0 110 11 5.5 5.5 0 010-11", trace: "M3 18c4 0 4-12 9-12s4 8 9 8", frames: "M6 18V6M6 18h12M6 18l7-7", names: "M4 6h10l6 6-6 6H4zM8 12h.5", grid: "M4 8h16M4 16h16M8 4v16M16 4v16",
  photo: "M4 8h3l2-3h6l2 3h3v11H4zM12 10.5a3 3 0 100 6 3 3 0 000-6", video: "M4 7h11v10H4zM15 11l5-3v8l-5-3z", theme: "M20 14.5A8.5 8.5 0 119.5 4 6.8 6.8 0 0020 14.5z", help: "M9.5 9.5a2.5 2.5 0 115 0c0 2-2.5 2-2.5 4M12 17.2v.3M12 3a9 9 0 100 18 9 9 0 000-18",
  compare: "M5 5h9v9H5zM10 10h9v9h-9z", close: "M6 6l12 12M18 6L6 18", reset: "M4 12a8 8 0 108-8 8 8 0 00-6 3M6 3v4h4", chart: "M4 4v16h16M7 15l4-5 3 3 5-7", next: "M5 12h12M13 7l5 5-5 5", previous: "M19 12H7M11 7l-5 5 5 5",
};

export function icon(name: string): SVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  svg.innerHTML = `<path d="${PATHS[name] ?? ""}"/>`;
  return svg;
}

/** A button with an icon, a name for screen readers, and its key. */
export function tool(name: string, title: string, key: string, act: () => void, attributes: Record<string, unknown> = {}): HTMLButtonElement {
  return el("button", { type: "button", title: key ? `${title} (${key})` : title, "aria-label": title, "aria-keyshortcuts": key || undefined, onclick: act, ...attributes }, icon(name));
}

/** About five digits, in the shortest form. */
export function short(x: number, digits = 5): string {
  if (!Number.isFinite(x)) return String(x);
  if (x === 0) return "0";
  const a = Math.abs(x);
  return a >= 1e6 || a < 1e-4 ? x.toExponential(Math.min(3, digits - 1)).replace(/\.?0+e/, "e") : String(+x.toPrecision(digits));
}

export function shown(value: unknown): string {
  if (typeof value === "number") return short(value, 7);
  if (Array.isArray(value)) {
    if (value.some(Array.isArray)) return value.map((row) => shown(row)).join("; ");
    return value.length > 40 ? `${value.length} values` : value.map(shown).join(", ");
  }
  if (value && typeof value === "object") return Object.entries(value).map(([k, v]) => (k === "type" ? String(v) : `${k} ${shown(v)}`)).join(", ");
  return typeof value === "string" && /^-?\d*\.?\d+(e[-+]?\d+)?$/i.test(value) ? short(Number(value), 7) : String(value);
}

export function download(blob: Blob, name: string) {
  const a = el("a", { href: URL.createObjectURL(blob), download: name });
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 10_000);
}

export const css = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
