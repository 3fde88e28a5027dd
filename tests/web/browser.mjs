// Clicks through the viewer in headless Chromium; called by browser.py with one JSON argument.
import { createRequire } from "node:module";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const require = createRequire(fileURLToPath(new URL("../../web/package.json", import.meta.url)));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const settings = JSON.parse(process.argv[2]);
const browser = await chromium.launch({
  executablePath: settings.browser,
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
});

function check(holds, text) {
  if (!holds) throw new Error(text);
}

/** A page of its own; any error on its console fails the test. */
async function opened(address, options = {}) {
  const context = await browser.newContext({ viewport: { width: 960, height: 640 }, colorScheme: "light", acceptDownloads: true, ...options });
  const page = await context.newPage(), errors = [];
  page.on("console", (m) => m.type() === "error" && errors.push(m.text()));
  page.on("pageerror", (e) => errors.push(e.message));
  await page.goto(address);
  await page.waitForFunction(() => window.saltus?.stats().ready, null, { timeout: 60000 });
  const stats = () => page.evaluate(() => window.saltus.stats());
  const drawn = (n = 1) => page.evaluate((more) => window.saltus.stats().frames + more, n).then((target) => page.waitForFunction((t) => {
    if (window.saltus.stage) window.saltus.stage.dirty = true;
    return window.saltus.stats().frames >= t;
  }, target, { timeout: 60000 }));
  const press = (key) => page.keyboard.press(key);
  const close = async () => {
    check(!errors.length, `console: ${errors.join(" | ")}`);
    await context.close();
  };
  const shot = async (name) => settings.shots && (mkdirSync(settings.shots, { recursive: true }), page.screenshot({ path: `${settings.shots}/${name}.png` }));
  return { page, stats, drawn, press, close, shot };
}
const file = (name, query = "?coarse") => `file://${settings.folder}/${name}.html${query}`;

/** Pixels of the first canvas whose [r, g, b] (0 to 255) hold; `holds` is text of a function. */
async function pixels(page, holds) {
  const now = await page.locator("canvas").first().screenshot();
  return page.evaluate(async ([data, text]) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob()), test = new Function(`return ${text}`)();
    const g = new OffscreenCanvas(image.width, image.height).getContext("2d");
    g.drawImage(image, 0, 0);
    const { data: p } = g.getImageData(0, 0, image.width, image.height);
    let n = 0;
    for (let i = 0; i < p.length; i += 4) n += test(p[i], p[i + 1], p[i + 2]);
    return n;
  }, [now.toString("base64"), holds]);
}

/** Mean difference (0 to 255) of two PNG of the same size, by the browser itself. */
async function difference(page, a, b) {
  return page.evaluate(async ([x, y]) => {
    const pixels = async (data) => {
      const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
      const g = new OffscreenCanvas(image.width, image.height).getContext("2d");
      g.drawImage(image, 0, 0);
      return g.getImageData(0, 0, image.width, image.height);
    };
    const [p, q] = [await pixels(x), await pixels(y)];
    if (p.width !== q.width || p.height !== q.height) return 255;
    let sum = 0;
    for (let i = 0; i < p.data.length; i++) sum += Math.abs(p.data[i] - q.data[i]);
    return sum / p.data.length;
  }, [a.toString("base64"), b.toString("base64")]);
}

async function sameAsStored(page, name) {
  const now = await page.locator("canvas").first().screenshot(), stored = `${settings.pictures}/${name}.png`;
  if (settings.write || !existsSync(stored)) {
    check(settings.write, `no stored picture ${name}; write it with --pictures and look at it`);
    mkdirSync(settings.pictures, { recursive: true });
    writeFileSync(stored, now);
    return;
  }
  const d = await difference(page, now, readFileSync(stored));
  check(d < 6, `picture ${name} differs by ${d.toFixed(1)} of 255 on average`);
}

const tests = {
  async "a mechanism: play, scrub, step, select, plot, follow"() {
    const { page, stats, drawn, press, close, shot } = await opened(file("mechanism"));
    check((await stats()).results === 2 && (await stats()).calls <= 20, "two results within 20 draw calls");
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await page.waitForFunction(() => window.saltus.stats().time > 0.05);
    await page.getByRole("button", { name: "Pause", exact: true }).click();
    check(!(await stats()).playing, "paused");
    await page.getByRole("slider", { name: "Time" }).fill("0.8");
    check(Math.abs((await stats()).time - 0.8) < 1e-9, "scrubbed to 0.8 s");
    await page.locator("canvas").first().focus();
    await press("ArrowRight");
    check(Math.abs((await stats()).time - 0.805) < 1e-9, `one state on: ${(await stats()).time}`);
    await press("ArrowLeft");
    await press("Home");
    check((await stats()).time === 0, "at the start");
    await page.getByRole("slider", { name: "Time" }).fill("0.8");
    const at = await page.evaluate(() => window.saltus.where("slider"));
    await page.mouse.click(at.x, at.y);
    check((await stats()).chosen === "slider", `a click on the slider chooses ${(await stats()).chosen}`);
    const card = page.getByRole("complementary", { name: "Item" });
    check((await card.innerText()).includes("kg"), "the card shows units");
    await card.getByRole("button", { name: "position", exact: true }).click();
    await page.getByRole("region", { name: "Plot of slider.position" }).waitFor();
    await card.getByRole("button", { name: "Follow" }).click();
    await page.getByRole("slider", { name: "Time" }).fill("1.2");
    await drawn();
    const moved = await page.evaluate(() => window.saltus.where("slider"));
    check(Math.hypot(moved.x - at.x, moved.y - at.y) < 2, "the camera follows");
    await page.getByRole("navigation", { name: "Model" }).getByRole("button", { name: /elbow|cardan/ }).first().click();
    check((await stats()).chosen === "cardan", "chosen in the tree");
    await shot("mechanism");
    await close();
  },
  async "compare: ghost, side by side, off; the picture is the stored one"() {
    const { page, stats, drawn, press, close, shot } = await opened(file("mechanism"));
    await page.getByRole("slider", { name: "Time" }).fill("1.9");
    await drawn(2);
    await sameAsStored(page, "ghost");
    await press("c");
    check((await stats()).compare === "beside", "side by side");
    await drawn(2);
    check((await stats()).calls <= 30, `${(await stats()).calls} draw calls for two pictures`);
    await sameAsStored(page, "beside");
    await shot("beside");
    await press("c");
    await drawn(2);
    await sameAsStored(page, "alone");
    await close();
  },
  async "a still and a video are files"() {
    const { page, stats, press, close } = await opened(file("mechanism"), { viewport: { width: 400, height: 320 } });
    const still = page.waitForEvent("download");
    await press("p");
    check((await still).suggestedFilename() === "slider-crank.png", "name of the still");
    await page.evaluate(() => window.saltus.seek(0));
    const film = page.waitForEvent("download", { timeout: 120000 });
    await press("v");
    check((await film).suggestedFilename() === "slider-crank.webm", "name of the video");
    const seen = await page.evaluate((data) => new Promise((done) => {
      const video = document.createElement("video");
      video.onloadedmetadata = () => ((video.currentTime = 1.5), (video.onseeked = () => done([video.duration, video.videoWidth > 100, video.currentTime])));
      video.onerror = () => done([video.error?.message]);
      video.src = `data:video/webm;base64,${data}`;
    }), readFileSync(await (await film).path()).toString("base64"));
    check(Math.abs(seen[0] - 2) < 0.1 && seen[1] && seen[2] === 1.5, `the video plays: ${seen}`);
    check((await stats()).video > 1000, "the video holds pictures");
    await close();
  },
  async "walls whose back is seen are hidden; names and numbers on demand; events skip rejected steps"() {
    const { page, stats, drawn, press, close, shot } = await opened(file("room"));
    await page.getByRole("slider", { name: "Time" }).fill("0.4");
    await drawn();
    const planes = (await stats()).planes;
    check(planes.length === 5 && planes.filter((v) => v).length === 3, `of five planes the floor and two walls are seen: ${planes}`);
    await press("n");
    await drawn();
    check((await stats()).labels.includes("ball") && !(await stats()).labels.includes("m/s"), `names: ${(await stats()).labels}`);
    await press("n");
    await drawn();
    check(/ball\s+[\d.]+ m\/s/.test((await stats()).labels), `numbers: ${(await stats()).labels}`);
    await press("n");
    await drawn();
    check((await stats()).labels === "", "labels off");
    await page.evaluate(() => (window.saltus.recordings[0].addEvents([[0.001, "step_rejected", -1, 0]]), window.saltus.seek(0)));
    const impacts = await page.evaluate(() => [...window.saltus.recordings[0].events.t].filter((t) => t > 0.001).sort((a, b) => a - b));
    await page.evaluate(() => window.saltus.event(1));
    check(Math.abs((await stats()).time - impacts[0]) < 1e-9, `the next event is an impact, not the rejected step: ${(await stats()).time}`);
    await shot("room");
    await close();
  },
  async "a sketch moves with the quantities of its body"() {
    const { page, close, shot } = await opened(file("woodpecker"));
    await page.getByRole("img", { name: "Sketch of toy" }).waitFor();
    const turns = () => page.locator(".schematic path").evaluateAll((all) => all.map((path) => path.getAttribute("transform")));
    const before = await turns();
    await page.getByRole("slider", { name: "Time" }).fill("0.2");
    const after = await turns();
    check(before[0] === after[0] && before.at(-1) !== after.at(-1) && !after.some((t) => t.includes("NaN")), "the pole stands, the bird moves");
    await shot("woodpecker");
    await close();
  },
  async "500 spheres: impacts marked, 20 draw calls at most"() {
    const { page, stats, drawn, press, close, shot } = await opened(file("pile"));
    check((await stats()).bodies === 500, "500 bodies");
    await press("]");
    check((await stats()).time > 0, "the next event is later");
    check((await page.getByRole("status").innerText()).includes("impact"), "the event is announced");
    await page.getByRole("slider", { name: "Time" }).fill("0.3");
    await drawn(2);
    check((await stats()).calls <= 20, `${(await stats()).calls} draw calls`);
    await sameAsStored(page, "pile");
    await page.getByRole("searchbox").fill("sphere_499");
    await page.getByRole("button", { name: "sphere_499 rigid body" }).click();
    check((await stats()).chosen === "sphere_499", "found and chosen");
    await shot("pile");
    await close();
  },
  async "a circuit shows its outputs"() {
    const { page, stats, press, close, shot } = await opened(file("circuit"));
    await page.getByRole("region", { name: "Plot of voltage" }).waitFor();
    check((await page.locator("main canvas").count()) >= 1 && (await stats()).calls === 0, "plots and no picture");
    await page.getByRole("img", { name: "Schematic of 7 elements between 4 nets" }).waitFor();
    await page.locator(".element", { hasText: "resistor_1" }).locator(".hit").click();
    check((await stats()).chosen === "resistor_1", "chosen in the schematic");
    check((await page.locator(".netname").allTextContents()).some((text) => /V$/.test(text)), "voltages of the nets");
    check((await page.getByRole("complementary").innerText()).includes("Ohm"), "resistance with its unit");
    await press("End");
    check(Math.abs((await stats()).time - 2e-3) < 1e-9, "at the end");
    await shot("circuit");
    await close();
  },
  async "1000 bodies: a frame a second at 320x240, 20 draw calls"() {
    const { stats, drawn, close } = await opened(file("thousand"), { viewport: { width: 320, height: 240 } });
    await drawn();
    const before = Date.now();
    await drawn(3);
    const rate = 3000 / (Date.now() - before);
    console.log(`  ${rate.toFixed(1)} frames a second, ${(await stats()).calls} draw calls`);
    check((await stats()).calls <= 20, "draw calls");
    await close();
  },
  async "10000 bodies load and are drawn"() {
    const { stats, drawn, close, shot } = await opened(file("crowd"), { viewport: { width: 640, height: 480 } });
    await drawn();
    check((await stats()).bodies === 10000 && (await stats()).calls <= 20, `${(await stats()).bodies} bodies, ${(await stats()).calls} draw calls`);
    await shot("crowd");
    await close();
  },
  async "a served result brings any quantity"() {
    const { page, stats, close } = await opened(`${settings.served}&coarse`);
    await page.getByRole("button", { name: "rod rigid body" }).click();
    await page.getByRole("button", { name: "angular velocity", exact: true }).click();
    await page.getByRole("region", { name: "Plot of rod.angular_velocity" }).waitFor();
    check((await stats()).plots.includes("rod.angular_velocity"), "plotted");
    await close();
  },
  async "live: pull, pause, step, parameter, start again; a page that leaves changes nothing"() {
    const { page, stats, press, close, shot } = await opened(`${settings.live}&coarse`);
    await page.waitForFunction(() => window.saltus.stats().states > 5, null, { timeout: 60000 });
    const at = await page.evaluate(() => window.saltus.where("box"));
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    await page.mouse.move(at.x + 90, at.y + 10, { steps: 3 });
    const near = async (x, y) => page.waitForFunction(([u, v]) => {
      const w = window.saltus.where("box");
      return Math.hypot(w.x - u, w.y - v) < 45;
    }, [x, y], { timeout: 60000 });
    await near(at.x + 90, at.y + 10);
    await shot("live");
    await page.mouse.up();
    await press(" ");
    await page.waitForFunction(() => !window.saltus.stats().running);
    const states = (await stats()).states;
    check((await stats()).energies > 1, "the strip of energy grows");
    await press("ArrowRight");
    await page.waitForFunction((n) => window.saltus.stats().states > n, states);
    await page.getByRole("slider", { name: "Parameter k" }).fill("70");
    await page.getByRole("slider", { name: "Parameter k" }).dispatchEvent("change");
    await page.getByRole("button", { name: "Start again" }).click();
    await page.waitForFunction(() => window.saltus.stats().running);
    await close();
    const again = await opened(`${settings.live}&coarse`);
    const before = (await again.stats()).states;
    await again.page.waitForFunction((n) => window.saltus.stats().states > n, before, { timeout: 60000 });
    check((await again.page.getByRole("slider", { name: "Parameter k" }).inputValue()) === "70", "the parameter stays");
    const box = await again.page.evaluate(() => window.saltus.where("box"));
    await again.page.mouse.move(box.x, box.y); // this pull is in the result, as browser.py sees
    await again.page.mouse.down();
    await again.page.mouse.move(box.x + 40, box.y, { steps: 3 });
    await again.page.waitForFunction((n) => window.saltus.stats().states > n + 8, (await again.stats()).states, { timeout: 60000 });
    await again.page.mouse.up();
    await again.close();
  },
  async "every control has a name and a key works it; contrast in light and dark passes axe"() {
    for (const [scheme, name] of [["light", "mechanism"], ["dark", "mechanism"], ["light", "circuit"], ["dark", "circuit"], ["light", "woodpecker"], ["dark", "woodpecker"]]) {
      const { page, close } = await opened(file(name), { colorScheme: scheme });
      await page.locator(".tree .row").first().click();
      await page.addScriptTag({ content: axe });
      const found = await page.evaluate(() => window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21aa"] }));
      check(!found.violations.length, `${scheme} ${name}: ${found.violations.map((v) => `${v.id} at ${v.nodes.map((n) => n.target.join(" ")).slice(0, 3).join(", ")}`).join("; ")}`);
      const nameless = await page.locator("button, input, select").evaluateAll((all) => all.filter((b) => !(b.ariaLabel || b.innerText || b.title)).length);
      check(!nameless, `${nameless} controls without a name`);
      await close();
    }
  },
  async "keys: theme, layers, panels, help, speed"() {
    const { page, press, close } = await opened(file("mechanism"));
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
    const first = await theme();
    await press("d");
    check((await theme()) !== first, "the theme turns");
    for (const [key, name] of [["a", /^Forces/], ["x", "Traces"], ["m", "Frames"], ["g", "Grid"], ["t", "Model tree"], ["i", /^Card$/]]) {
      const button = page.getByRole("button", { name }), before = await button.getAttribute("aria-pressed");
      await press(key);
      check((await button.getAttribute("aria-pressed")) !== before, `key ${key}`);
      await press(key);
    }
    await press("+");
    check((await page.getByLabel("Speed").inputValue()) === "2", "faster");
    await press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await press("Escape");
    await press("l");
    check((await page.getByRole("button", { name: "Loop" }).getAttribute("aria-pressed")) === "true", "loop");
    await press(" ");
    await page.waitForFunction(() => window.saltus.stats().playing, null, { timeout: 10000 }).catch(async () => check(false, `does not play; the focus is on ${await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200) + JSON.stringify(window.saltus.stats()))}`));
    await close();
  },
  async "an equilibrium: values in place of plots and of the controls of time"() {
    const { page, stats, close, shot } = await opened(file("rest"));
    const card = page.getByRole("complementary", { name: "Item" }), text = () => card.innerText();
    check(/tip\s+0\.9\d+\s+m/.test(await text()), `the output stands in the card: ${await text()}`);
    check(!(await page.getByRole("button", { name: "Play", exact: true }).isVisible()) && !(await stats()).plots.length, "nothing to play, nothing to plot");
    const choose = (name) => page.evaluate((n) => window.saltus.choose(window.saltus.recordings[0].head.items.findIndex((item) => item.n === n)), name);
    await choose("hinge");
    check(/force\s+0, 0, 19\.62\s+N/.test(await text()) && /angle\s+0\.04\d+\s+rad/.test(await text()), `force and angle of the hinge: ${await text()}`);
    await choose("feet");
    check(/force\s+0, 0, 19\.62\s+N/.test(await text()) && /Contact points\s+4 stick/.test(await text()), `points of the contact: ${await text()}`);
    await shot("rest");
    await close();
  },
  async "a force that is rounding has no arrow; a wall is looked at from its front"() {
    const rest = await opened(file("rest"));
    check((await rest.stats()).arrows === 5, `the force of the hinge and of four contact points: ${(await rest.stats()).arrows}`);
    await rest.close();
    const { stats, close } = await opened(file("rolled")), { arrows, planes } = await stats();
    check(arrows === 3, `the moment, the weight of the ball and the floor's answer: ${arrows}`);
    check(planes.every(Boolean), `the wall is seen: ${planes}`);
    await close();
  },
  async "shapes of a body: faces in one plane do not flicker, the body's choice colours them"() {
    const { page, drawn, close } = await opened(file("cart"));
    const green = "(r, g, b) => g > r + 20 && g > b + 20", picked = "(r, g, b) => r > 50 && g < 0.5 * r && b < 0.35 * r";
    for (const aside of [0, 0.013, 0.02, 0.11]) {
      await page.evaluate((d) => {
        const { stage } = window.saltus;
        stage.fit("x");
        stage.camera.position.y += d, (stage.camera.position.z += 2 * d);
        stage.controls.update();
      }, aside);
      await drawn();
      check(!(await pixels(page, green)), `${await pixels(page, green)} pixels of the face behind, ${aside} m aside`);
    }
    check(!(await pixels(page, picked)), "nothing is chosen");
    for (const name of ["cart", "cart.node", "feet"]) {
      await page.evaluate((n) => window.saltus.choose(window.saltus.recordings[0].head.items.findIndex((item) => item.n === n)), name);
      await drawn();
      check((await pixels(page, picked)) > 5000, `${await pixels(page, picked)} pixels are coloured by ${name}`);
      await page.evaluate(() => window.saltus.choose(-1));
      await drawn();
      check(!(await pixels(page, picked)), "nothing is chosen any more");
    }
    await close();
  },
  async "a phone: panels are drawers, everything within the width"() {
    const { page, close, shot } = await opened(file("mechanism"), { viewport: { width: 360, height: 700 }, hasTouch: true, isMobile: true });
    const wide = () => page.evaluate(() => document.documentElement.scrollWidth);
    check((await wide()) <= 360, `page is ${await wide()} wide`);
    await page.getByRole("button", { name: "Model tree" }).click();
    await page.getByRole("navigation", { name: "Model" }).waitFor();
    await page.locator(".tree .row", { hasText: "slider" }).first().click();
    await page.getByRole("complementary", { name: "Item" }).waitFor();
    await shot("phone");
    await close();
    const long = await opened(file("cart"), { viewport: { width: 360, height: 700 }, hasTouch: true, isMobile: true });
    await long.page.getByRole("button", { name: "Model tree" }).click();
    const row = long.page.locator(".tree .row", { hasText: "deck_of" }).first(), cut = await row.evaluate((r) => r.scrollWidth - r.clientWidth);
    check(cut <= 0, `a long name is cut by ${cut} px in the tree`);
    await row.click();
    const heading = long.page.locator(".card h2"), lines = await heading.evaluate((h) => [...h.childNodes].filter((n) => n.data).map((n) => { const r = document.createRange(); r.selectNode(n); return r.getClientRects().length; }));
    check(lines.length > 5 && lines.every((n) => n === 1), `the heading breaks within words: ${lines}`);
    await long.close();
  },
};

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  if (settings.only.length && !settings.only.some((word) => name.includes(word))) continue;
  try {
    await test();
    console.log(`ok      ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAILED  ${name}\n        ${String(error.message ?? error).split("\n").slice(0, 6).join("\n        ")}`);
  }
}
await browser.close();
console.log(failed ? `browser tests: ${failed} FAILED` : "browser tests: all passed");
process.exit(failed ? 1 : 0);
