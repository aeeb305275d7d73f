import type { Prompt } from "../agent/index.js";
import { checkMaxSteps } from "../agent/internal.js";
import { promptFault } from "../conversation/internal.js";
import { checkBudget } from "../loop/index.js";
import { type AcceptedEntry, entryVersion } from "../loop/internal.js";
import { checkOptionNames, type OptionNames } from "../tool/internal.js";
import { jsonFault } from "./json-fault.js";
import type { StartOptions } from "./runtime.js";
import { RuntimeError } from "./runtime-error.js";

const optionNames: OptionNames<StartOptions> = {
  runId: true,
  context: true,
  conversation: true,
  tags: true,
  maxSteps: true,
  budget: true,
};

/** What is recorded of a run that is accepted. Throws `TypeError` for a wrong prompt or option, and `RuntimeError` for what isn't JSON. */
export function acceptedEntry(runId: string, agent: string, prompt: Prompt, options: StartOptions): AcceptedEntry {
  checkOptionNames(options, optionNames, "start");
  if (typeof runId !== "string" || runId === "") throw new TypeError("start: runId must be a string that isn't empty.");
  const fault = promptFault(prompt);
  if (fault !== undefined) throw new TypeError(`start: the prompt ${fault}`);
  const { context = {}, conversation, runId: _, ...others } = options;
  if (typeof context !== "object" || context === null || Array.isArray(context)) {
    throw new TypeError('start: context must be an object, such as { userId: "42" }.');
  }
  if (conversation !== undefined && (typeof conversation !== "string" || conversation === "")) {
    throw new TypeError("start: conversation must be the id of a stored conversation, a string that isn't empty.");
  }
  checkJson(prompt, "prompt");
  checkJson(context, "context");
  checkJson(others, "options");
  if (others.maxSteps !== undefined) checkMaxSteps(others.maxSteps, "start");
  if (others.budget !== undefined) checkBudget(others.budget, "start");
  const accepted: AcceptedEntry = {
    ...({ kind: "accepted", version: entryVersion, runId, agent, prompt, context, options: others } as const),
    ...(conversation !== undefined && { conversation }),
  };
  // A copy: the caller may use its objects again.
  return JSON.parse(JSON.stringify(accepted)) as AcceptedEntry;
}

function checkJson(value: unknown, path: string): void {
  const fault = jsonFault(value, path);
  if (fault === undefined) return;
  throw new RuntimeError(
    "input",
    `start: ${fault}, which can't be recorded. Pass ids and flags as JSON, and make the rest from them in services or options of the runtime.`,
  );
}
