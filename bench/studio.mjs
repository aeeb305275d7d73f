/**
 * npm run bench:studio
 *
 * The studio in Chromium: the first paint beside that of an empty page of the same server, the longest task of the page with 5,000 tools and
 * with a run of 5,000 events, and the size of what is loaded. Needs a build, and Chromium: from the variable CHROMIUM, or as `chromium` of the
 * system. Without one it says so, and measures nothing.
 */
import { spawn, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { loadavg } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const chromium = process.env.CHROMIUM ?? spawnSync("which", ["chromium"], { encoding: "utf8" }).stdout?.trim();
if (!chromium) {
  console.log("No Chromium here: the studio isn't measured. Set CHROMIUM, or install the package chromium.");
  process.exit(0);
}
const rounds = 5;
const flags = ["--disable-warning=DEP0205", "--import", "@swc-node/register/esm-register"];
const server = spawn(process.execPath, [...flags, "bench/studio/server.ts"], { stdio: ["ignore", "pipe", "inherit"] });
process.once("exit", () => server.kill("SIGKILL"));
const { few, many, blank } = await new Promise((resolve) => {
  let said = "";
  server.stdout.on("data", (data) => {
    said += data;
    if (said.endsWith("\n")) resolve(JSON.parse(said));
  });
});
// The browser's driver comes with the MCP server that tests use.
const { chromium: driver } = createRequire(createRequire(import.meta.url).resolve("@playwright/mcp/package.json"))("playwright-core");
const browser = await driver.launch({ executablePath: chromium, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });

/** A page in a profile of its own, so that nothing is cached. */
async function withPage(use) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  try {
    return await use(page);
  } finally {
    await context.close();
  }
}

const firstPaint = (url) =>
  withPage(async (page) => {
    await page.goto(url);
    await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
    return page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime);
  });

/** The longest task of the page's main thread while something is done: milliseconds of processor time, which other programs hardly change. */
async function longestTask(page, work) {
  await browser.startTracing(page, { categories: ["toplevel", "disabled-by-default-devtools.timeline", "devtools.timeline"] });
  await work();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const threads = new Set(
    traceEvents.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain").map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = traceEvents.filter(({ name, dur, pid, tid }) => /RunTask$/.test(name) && dur > 0 && threads.has(`${pid} ${tid}`));
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur / 1_000));
}

const settled = (page) => page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 2_000 })));

/** Turns the wheel over an element, as one who reads fast. */
async function scroll(page, locator, times) {
  await locator.hover();
  for (let turn = 0; turn < times; turn += 1) {
    await page.mouse.wheel(0, 600);
    await page.waitForTimeout(16);
  }
  await settled(page);
}

const measured = { empty: [], paint: [], list: [], scrolled: [], searched: [], run: [], earlier: [], runScrolled: [] };
for (let round = 0; round < rounds; round += 1) {
  measured.empty.push(await firstPaint(blank));
  measured.paint.push(await firstPaint(few));
  await withPage(async (page) => {
    const opened = await longestTask(page, async () => {
      await page.goto(many);
      await page.getByText("5000 tools").waitFor();
      await settled(page);
    });
    measured.list.push(opened);
    measured.scrolled.push(await longestTask(page, () => scroll(page, page.locator("nav.list"), 60)));
    const search = async () => {
      await page.getByLabel("Search tools").pressSequentially("record 4", { delay: 40 });
      await settled(page);
    };
    measured.searched.push(await longestTask(page, search));
  });
  await withPage(async (page) => {
    await page.goto(few);
    await page.getByRole("link", { name: "Runs" }).click();
    const run = await longestTask(page, async () => {
      await page.getByRole("link", { name: "long" }).click();
      await page.getByText("Found.").waitFor();
      await settled(page);
    });
    measured.run.push(run);
    const earlier = page.getByRole("button", { name: /^Show \d+ earlier/ });
    const show = async () => {
      for (let clicks = 0; (await earlier.count()) > 0 && clicks < 10; clicks += 1) await earlier.click();
      await settled(page);
    };
    measured.earlier.push(await longestTask(page, show));
    measured.runScrolled.push(await longestTask(page, () => scroll(page, page.locator("main"), 60)));
  });
}
await browser.close();

const sorted = (values) => [...values].sort((one, other) => one - other);
const median = (values) => sorted(values)[Math.floor(values.length / 2)];
function report(name, values, goal) {
  const [least, most] = [sorted(values)[0], sorted(values).at(-1)].map((value) => value.toFixed(0));
  const verdict = goal === undefined ? "" : `, goal under ${goal.toFixed(0)}: ${median(values) < goal ? "met" : "not met"}`;
  console.log(`${name}: median ${median(values).toFixed(0)} ms, least ${least}, most ${most}${verdict}`);
}
report("first paint of an empty page", measured.empty);
report("first paint of the studio", measured.paint, median(measured.empty) + 150);
report("longest task, opening 5,000 tools", measured.list, 50);
report("longest task, scrolling them", measured.scrolled, 50);
report("longest task, searching them", measured.searched, 50);
report("longest task, opening a run of 5,000 events", measured.run, 50);
report("longest task, showing 500 entries more", measured.earlier, 50);
report("longest task, scrolling it", measured.runScrolled, 50);
const bytes = readdirSync("dist/studio").reduce((sum, file) => sum + gzipSync(readFileSync(join("dist/studio", file))).length, 0);
console.log(`the page, compressed: ${(bytes / 1_000).toFixed(1)} KB, goal under 150: ${bytes < 150_000 ? "met" : "not met"}`);
console.log(`load of the machine: ${loadavg()[0].toFixed(1)}`);
process.exit(0);
