/**
 * npm run browser
 *
 * Opens the page of examples/web in Chromium, and reloads it in the middle of a run and while a call waits for a decision. Needs a build, and
 * Chromium: from the variable CHROMIUM, or as `chromium` of the system. Without one it says so, and checks nothing.
 */
import { spawn, spawnSync } from "node:child_process";
import { createRequire } from "node:module";

const chromium = process.env.CHROMIUM ?? spawnSync("which", ["chromium"], { encoding: "utf8" }).stdout?.trim();
if (!chromium) {
  console.log("No Chromium here: the page isn't checked. Set CHROMIUM, or install the package chromium.");
  process.exit(0);
}

const server = spawn(process.execPath, ["scripts/example.mjs", "web/server"], {
  env: { ...process.env, PORT: "0" },
  stdio: ["ignore", "pipe", "inherit"],
  // A group of its own, which ends as a whole.
  detached: true,
});
process.once("exit", () => process.kill(-server.pid, "SIGKILL"));
const late = setTimeout(() => fail("The page wasn't ready within a minute."), 60_000);

function fail(message) {
  console.error(message);
  process.exit(1);
}

const url = await new Promise((resolve) => {
  let said = "";
  server.stdout.on("data", (data) => {
    said += data;
    const [, address] = /Open (\S+)/.exec(said) ?? [];
    if (address !== undefined) resolve(address);
  });
  server.once("close", () => fail(`The server ended: ${said}`));
});

// The browser's driver comes with the MCP server that tests use.
const { chromium: driver } = createRequire(createRequire(import.meta.url).resolve("@playwright/mcp/package.json"))("playwright-core");
const browser = await driver.launch({ executablePath: chromium, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });
const page = await browser.newPage();
const problems = [];
page.on("pageerror", (error) => problems.push(String(error)));

/** Waits until the page shows the text in one of its places, and returns all that was there at that moment: a run goes on meanwhile. */
async function shows(text, place = "#said") {
  const found = await page.waitForFunction(
    ([selector, part]) => {
      const shown = document.querySelector(selector)?.textContent ?? "";
      return shown.includes(part) && shown;
    },
    [place, text],
    { timeout: 15_000 },
  );
  return found.jsonValue();
}

await page.goto(url);
await page.click("#count");
const before = await shows("calls count");
await page.reload();
const after = await shows("Counted to 5.");
console.log(`Before the reload:\n${before}\nAfter it:\n${after}`);

await page.click("#reset");
await shows("approve reset", "#asked");
await page.reload();
await shows("approve reset", "#asked");
console.log("The approval is there after a reload.");
await page.click("text=approve reset");
const done = await shows("The counter is zero.");
console.log(done);
await page.reload();
await shows("The counter is zero.");
const asked = await page.locator("#asked").textContent();

await browser.close();
clearTimeout(late);
if (before.includes("Counted")) problems.push("the run had ended before the reload");
if (asked !== "") problems.push(`a call that was decided is asked again: ${asked}`);
if (problems.length > 0) fail(`The page of examples/web fails:\n${problems.join("\n")}`);
console.log("The page of examples/web works.");
process.exit(0);
