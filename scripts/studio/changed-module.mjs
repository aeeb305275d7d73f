import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { startStudio } from "./start.mjs";

const folder = "build/studio/changing";
const module = `${folder}/tools.ts`;
const imported = `${folder}/words.ts`;

function write(text, secondsLater, file = module) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, text);
  const time = new Date(Date.now() + secondsLater * 1_000);
  utimesSync(file, time, time);
}

const withWord = (word) => `import { Agent, createTool, model, usesTools } from "toolwright";
import { ending } from "./words.js";
export const greet = createTool({
  name: "greet", description: "Greets. Use to greet.", inputSchema: { type: "object", properties: {} }, execute: () => "${word}" + ending,
});
@model("embedded/keyword")
@usesTools([greet])
export class GreetAgent extends Agent {}
`;

const withEnding = (ending) => `export const ending = ${JSON.stringify(ending)};`;

/** Changes a module and a file that it imports while the page is open, breaks it, corrects it, and goes on with the chat. */
export async function loadsChangedModules(page, { expectText, look }) {
  write(withEnding("."), -60, imported);
  write(withWord("Hello"), -60);
  const studio = await startStudio([module]);
  const returned = async () => {
    await page.goto(studio.url);
    await page.getByRole("navigation", { name: "Views" }).waitFor();
  };
  const loadAgain = async () => {
    const loaded = page.waitForEvent("load");
    await page.getByRole("button", { name: "Load modules again" }).first().click();
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
  await expectText(page.locator(".banner"), "The modules were loaded again at", "The banner after the load");
  await expectText(page.locator("li.note"), "What stands above ran with the code before", "The mark in the chat");
  await expectText(page.locator(".card.done"), "Hello", "The chat after the module was loaded again");
  await page.locator("#prompt").fill("Greet again");
  await page.locator("#prompt").press("Enter");
  await expectText(page.locator(".card.done"), "Good evening", "The changed tool in the same chat");

  write(withEnding("!"), 60, imported);
  await focus();
  await expectText(page.locator(".banner"), "words.ts changed on disk", "The banner of an imported file");
  write(withEnding("!"), -60, imported);
  await loadAgain();
  await expectText(page.locator(".banner"), "The modules were loaded again at", "The banner after the load");
  await page.locator("#prompt").fill("Greet once more");
  await page.locator("#prompt").press("Enter");
  await expectText(page.locator(".card.done"), "Good evening!", "The changed import in the same chat");
  studio.stop();
}
