import { answer, approve, approveEdited, confirmInTerminal, type Decision, deny } from "../../confirmation/index.js";
import { DecidingRuntime } from "../../durable/internal.js";
import type { PendingItem } from "../../durable/index.js";
import { insteadOfName } from "../../tool/internal.js";
import type { CommandModule, CommandOptions } from "../command-table.js";
import { CommandError, exitCodes, UsageError } from "../exit-codes.js";
import { canAsk, type Host, paintFor, writeJson, writeLine } from "../host.js";
import { deciderOf } from "../runs/decider.js";
import { withStorage } from "../runs/open-storage.js";
import { describeStatus, statusOf } from "./runs.js";

export const run: CommandModule["run"] = async ([runId = "", callId], options, host) =>
  withStorage(options, host, async (storage) => {
    const { pending } = await statusOf(storage, runId);
    const items = callId === undefined ? pending : pending.filter((item) => item.callId === callId);
    if (pending.length === 0) throw new UsageError(`No call of the run "${runId}" waits for a decision.`);
    if (items.length === 0) {
      const known = pending.map((item) => item.callId);
      throw new UsageError(`No call "${callId}" of the run "${runId}" waits. ${insteadOfName(callId ?? "", known)}`);
    }
    const given = isDecided(options) ? [decisionOf(onlyOne(items, runId), options)] : await askAbout(items, host);
    const decidedBy = deciderOf(options, host);
    const decisions = decidedBy === undefined ? given : given.map((decision) => ({ ...decision, decidedBy }));
    const status = await new DecidingRuntime(storage).decideAll(runId, decisions);
    if (options.json === true) await writeJson(host, status);
    else await writeLine(host, `Recorded.\n${describeStatus(status, paintFor(host, host.output).bold)}`);
    return exitCodes.success;
  });

const isDecided = ({ approve: yes, deny: no, edit, answer: value }: CommandOptions): boolean => {
  const given = [yes, no, edit, value].filter((option) => option !== undefined).length;
  if (given > 1) throw new UsageError("A call has one decision: give one of --approve, --deny, --edit and --answer.");
  return given === 1;
};

function onlyOne(items: readonly PendingItem[], runId: string): PendingItem {
  const [item, second] = items;
  if (item !== undefined && second === undefined) return item;
  throw new UsageError(
    `${items.length} calls of the run "${runId}" wait: ${items.map(({ callId, confirmation: { tool } }) => `${callId} (${tool})`).join(", ")}. Name one: toolwright decide ${runId} ${item?.callId}.`,
  );
}

/** Bound to the arguments as they are recorded. */
function decisionOf({ confirmation }: PendingItem, { deny: no, edit, answer: value }: CommandOptions): Decision {
  if (no !== undefined) return deny(confirmation, typeof no === "string" ? no : undefined);
  if (edit !== undefined) return approveEdited(confirmation, editedArguments(edit));
  if (value !== undefined) return answer(confirmation, parse(value, "--answer"));
  return approve(confirmation);
}

function editedArguments(text: string): Readonly<Record<string, unknown>> {
  const value = parse(text, "--edit");
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Readonly<Record<string, unknown>>;
  throw new UsageError(`--edit: the arguments must be an object, such as '{"amount":50}'.`);
}

function parse(text: string, option: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${option}: this isn't JSON: ${(error as Error).message} A text stands in double quotes: ${option} '"blue"'.`);
  }
}

async function askAbout(items: readonly PendingItem[], host: Host): Promise<readonly Decision[]> {
  if (!canAsk(host)) {
    throw new CommandError(
      "There is no terminal to ask in. Pass --approve, --deny [reason], --edit <json> or --answer <json>.",
      exitCodes.waiting,
    );
  }
  const ask = confirmInTerminal({ input: host.input, output: host.errors });
  const decisions: Decision[] = [];
  for (const { confirmation, question } of items) {
    const decision = await ask(question ?? confirmation, { abortSignal: undefined, toolContext: {} });
    if (decision !== undefined) decisions.push(decision);
  }
  if (decisions.length === 0) throw new CommandError("Nothing was decided: the run waits on.", exitCodes.interrupted);
  return decisions;
}
