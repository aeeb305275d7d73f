import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodeWithSqlite } from "../services.mjs";
import { startStudio } from "./start.mjs";

/** Approves a run in the page that another process carries on, in a SQLite file. */
export async function decidesForAnotherProcess(page, { expectText, look, problems }) {
  const node = nodeWithSqlite();
  const file = join(mkdtempSync(join(tmpdir(), "toolwright-studio-")), "runs.sqlite");
  const application = spawn(node, ["--no-warnings", "scripts/studio/application.mjs", file], { stdio: ["ignore", "pipe", "inherit"] });
  process.once("exit", () => application.kill("SIGKILL"));
  let said = "";
  const waits = new Promise((resolve) => {
    application.stdout.on("data", (data) => {
      said += data;
      if (said.includes("It waits.")) resolve();
    });
  });
  await waits;
  const studio = await startStudio(["--storage", file, "--by", "ada"], node);
  await page.goto(studio.url);
  await page.getByRole("link", { name: "Runs" }).click();
  await page.locator(".inbox a").first().click();
  await expectText(page.locator(".waiting"), "C-9", "The waiting call of another process");
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await expectText(page.locator(".card.done"), "Refunded C-9.", "The run that goes on in another process");
  await expectText(page.locator(".decision"), "Approved by ada", "Who decided");
  await look("other-process");
  if (!said.includes("Refunded C-9.")) problems.push(`The application didn't go on with the run: ${said}`);
  studio.stop();
}
