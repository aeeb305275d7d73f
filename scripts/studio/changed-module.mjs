import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { startStudio } from "./start.mjs";

const folder = "build/studio/changing";
const module = `${folder}/tools.ts`;

function write(text, secondsLater) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(module, text);
  const time = new Date(Date.now() + secondsLater * 1_000);
  utimesSync(module, time, time);
}

const withWord = (word) => `import { Agent, createTool, model, usesTools } from "toolwright";
export const greet = createTool({
  name: "greet", description: "Greets. Use to greet.", inputSchema: { type: "object", properties: {} }, execute: () => "${word}",
});
@model("embedded/keyword")
@usesTools([greet])
export class GreetAgent extends Agent {}
`;

/** Changes a module while the page is open, breaks it, corrects it, and goes on with the chat. */
export async function loadsChangedModules(page, { expectText, look }) {
  write(withWord("Hello"), -60);
  const studio = await startStudio([module]);
  const returned = async () => {
    await page.goto(studio.url);
    await page.getByRole("navigation", { name: "Views" }).waitFor();
  };
  const loadAgain = async () => {
    const loaded = page.waitForEvent("load");
    await page.getByRole("button", { name: "Load again" }).click();
    await loaded;
  };
  const focus = () => page.evaluate(() => dispatchEvent(new Event("focus")));
  await returned();
  await page.getByRole("link", { name: "Agents" }).click();
  await page.getByRole("link", { name: "greet_agent" }).click();
  await page.locator("#prompt").fill("Greet");
  await page.locator("#prompt").press("Enter");
  await expectText(page.locator(".card.done"), "Hello", "The first word");
  await page.reload();
  await expectText(page.locator(".card.done"), "Hello", "The chat after a reload of the page");

  write("export const broken = ;", 60);
  await focus();
  await expectText(page.locator(".banner"), "tools.ts changed on disk", "The banner");
  await loadAgain();
  await expectText(page.locator(".banner"), "can't be loaded", "The reason why the module can't be loaded");
  await look("broken-module");
  write(withWord("Good evening"), -60);
  await loadAgain();
  await page.locator(".banner").waitFor({ state: "detached" });
  await expectText(page.locator(".card.done"), "Hello", "The chat after the module was loaded again");
  await page.locator("#prompt").fill("Greet again");
  await page.locator("#prompt").press("Enter");
  await expectText(page.locator(".card.done"), "Good evening", "The changed tool in the same chat");
  studio.stop();
}
