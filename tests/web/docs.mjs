// The built documentation in headless Chromium, from the disk: `node tests/web/docs.mjs '{"browser": ..., "docs": FOLDER}'`, called by tests/web/docs_pages.py.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const require = createRequire(fileURLToPath(new URL("../../web/package.json", import.meta.url)));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const settings = JSON.parse(process.argv[2]);
const browser = await chromium.launch({ executablePath: settings.browser, args: ["--no-sandbox"] });
const faults = [];

for (const [file, scheme, width] of settings.pages) {
  const page = await browser.newPage({ colorScheme: scheme, viewport: { width, height: 760 } });
  page.on("pageerror", (e) => faults.push(`${file}: ${e.message}`));
  page.on("requestfailed", (r) => /^file/.test(r.url()) && !/mathjax/i.test(r.url()) && faults.push(`${file}: ${r.url()} is not there`));
  await page.goto(`file://${file}`);
  await page.addScriptTag({ content: axe });
  const found = await page.evaluate(() => window.axe.run(document, { preload: false, runOnly: ["wcag2a", "wcag2aa", "wcag21aa"] }));
  for (const v of found.violations) faults.push(`${file} ${scheme} ${width}: ${v.id} at ${v.nodes.map((n) => n.target.join(" ")).slice(0, 3).join(", ")}`);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  if (wide > width) faults.push(`${file} ${width}: is ${wide} px wide`);
  const left = await page.evaluate(() => [...document.querySelectorAll(".table-wrapper")].flatMap((box) => {
    box.scrollLeft = 120;
    const cell = box.querySelector("tbody tr")?.firstElementChild;
    return box.scrollLeft < 100 || !cell || Math.abs(cell.getBoundingClientRect().left - box.getBoundingClientRect().left) < 3 ? [] : [cell.textContent];
  }));
  if (left.length) faults.push(`${file} ${width}: the first columns of tables scroll away: ${left.slice(0, 3).join(", ")}`);
  if (settings.shots) await page.screenshot({ path: `${settings.shots}/${file.split("/").pop()}_${scheme}_${width}.png` });
  await page.close();
}
if (settings.search) {
  const page = await browser.newPage();
  await page.goto(`file://${settings.search}/search.html?q=bushing`);
  await page.waitForFunction(() => document.querySelectorAll("#search-results li").length > 0, null, { timeout: 20000 }).catch(() => faults.push("the search finds nothing from the disk"));
  await page.close();
}
await browser.close();
console.log(faults.length ? `docs: ${faults.length} FAILED\n${faults.join("\n")}` : "docs: all passed");
process.exit(faults.length ? 1 : 0);
