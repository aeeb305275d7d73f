/**
 * A refund that a person must approve, over two processes: the first asks and exits, the second reads what was stored,
 * decides and finishes the run. `npm run example -- approval` plays both; by hand:
 *
 *   npm run example -- approval ask ./refunds
 *   npm run example -- approval decide ./refunds yes
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  Agent,
  approve,
  category,
  consequenceLevel,
  deny,
  description,
  identifier,
  instructions,
  model,
  type RunState,
  required,
  requiresConfirmation,
  Tool,
  usesTools,
} from "toolwright";
import { FileDecisionClaims } from "toolwright/storage";

@identifier("refund_order")
@description("Refunds an order. Use when the user wants the money back.")
@category("write")
@consequenceLevel("high")
@requiresConfirmation()
class RefundOrderTool extends Tool {
  @required(String, { description: "The order's number", pattern: "^[A-Z]-[0-9]+$" })
  order!: string;

  call() {
    console.log(`   (the money of ${this.order} moves now)`);
    return `The order ${this.order} is refunded.`;
  }
}

@model("embedded/keyword")
@instructions("You help customers with their orders.")
@usesTools([RefundOrderTool])
class ShopAgent extends Agent {}

const [command = "story", directory = mkdtempSync(join(tmpdir(), "refunds-")), answer = "yes"] = process.argv.slice(2);
const file = join(directory, "run.json");

switch (command) {
  case "ask":
    await ask();
    break;
  case "decide":
    await decide();
    break;
  default:
    playBoth();
}

/** The first process: the run pauses, its state is stored, the process ends. */
async function ask(): Promise<void> {
  const response = await ShopAgent.generate("Please refund the order A-17");
  if (response.confirmations === undefined) throw new Error(`The run didn't pause: ${response.outcome.reason}`);
  for (const { tool, category, consequenceLevel, input } of response.confirmations) {
    console.log(`The agent wants to run ${tool} (${category}, consequence ${consequenceLevel}) with ${JSON.stringify(input)}.`);
  }
  await mkdir(directory, { recursive: true });
  await writeFile(file, JSON.stringify(response.state));
  console.log(`The run waits (${response.outcome.reason}); its state is stored.`);
}

/** The second process: it knows nothing but the file. A decision counts once, however many processes try. */
async function decide(): Promise<void> {
  const state = JSON.parse(await readFile(file, "utf8")) as RunState;
  const waiting = Object.keys(state.loop.current?.gates ?? {});
  const decisions = waiting.map((callId) => (answer === "yes" ? approve(callId) : deny(callId, "This order is too old.")));
  try {
    const response = await new ShopAgent().resume(state, { decisions, claims: new FileDecisionClaims(directory) });
    console.log(`Agent: ${response.text}`);
  } catch (error) {
    console.log(`Refused: ${error instanceof Error ? error.message.replace(state.runId, "...") : String(error)}`);
  }
}

function playBoth(): void {
  console.log("-- The first process asks");
  play("ask", directory);
  console.log("\n-- The second process approves");
  play("decide", directory, "yes");
  console.log("\n-- A third one tries to use the approval again");
  play("decide", directory, "yes");
  rmSync(directory, { recursive: true });
}

function play(...parameters: readonly string[]): void {
  const { status } = spawnSync(process.execPath, [...process.execArgv, fileURLToPath(import.meta.url), ...parameters], {
    stdio: "inherit",
  });
  if (status !== 0) process.exit(status ?? 1);
}
