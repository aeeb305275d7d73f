import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodeWithSqlite } from "../services.mjs";
import { startStudio } from "./start.mjs";

/** Approves a run in the page that another process carries on, in a SQLite file. */
export function decidesInSqlite(page, tools) {
  const file = join(mkdtempSync(join(tmpdir(), "toolwright-studio-")), "runs.sqlite");
  return decidesForAnotherProcess(page, { ...tools, address: file, node: nodeWithSqlite(), name: "other-process", isInInbox: false });
}

/** The same on a server of Postgres, in the inbox. */
export function decidesOnPostgres(page, tools) {
  return decidesForAnotherProcess(page, { ...tools, node: process.execPath, name: "postgres", isInInbox: true });
}

async function decidesForAnotherProcess(page, { address, node, name, isInInbox, expectText, look, problems }) {
  const application = spawn(node, ["--no-warnings", "scripts/studio/application.mjs", address], { stdio: ["ignore", "pipe", "inherit"] });
  process.once("exit", () => application.kill("SIGKILL"));
  let said = "";
  const waits = new Promise((resolve, reject) => {
    application.stdout.on("data", (data) => {
      said += data;
      if (said.includes("It waits.")) resolve();
    });
    application.once("close", () => reject(new Error(`The application ended: ${said}`)));
  });
  await waits;
  const studio = await startStudio(["--storage", address, "--by", "ada"], node);
  await page.goto(studio.url);
  await page.getByRole("link", { name: "Runs" }).click();
  await expectText(page.locator(".waiting"), "C-9", "The waiting call of another process in the inbox");
  if (!isInInbox) await page.locator(".waiting-calls a").first().click();
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  if (isInInbox) await page.locator(".inbox a").first().click();
  await expectText(page.locator(".card.done"), "Refunded C-9.", "The run that goes on in another process");
  await expectText(page.locator(".decision"), "Approved by ada", "Who decided");
  await expectText(page.locator(".description"), "success", "The status of the run of another process");
  await look(name);
  if (!said.includes("Refunded C-9.")) problems.push(`The application didn't go on with the run: ${said}`);
  // The page asks on: about a storage that is gone, once its server has stopped.
  await page.goto("about:blank");
  studio.stop();
}
