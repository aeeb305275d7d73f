import { DecidingRuntime } from "../../durable/internal.js";
import type { DecidedCall, PendingItem, RunStatus } from "../../durable/index.js";
import { printable } from "../../redaction/internal.js";
import { JournalError, type JournalStatus, type Storage } from "../../storage/index.js";
import { insteadOfName } from "../../tool/internal.js";
import type { CommandModule } from "../command-table.js";
import { type ExitCode, exitCodes, UsageError } from "../exit-codes.js";
import { type Host, paintFor, writeJson, writeLine } from "../host.js";
import { withStorage } from "../runs/open-storage.js";
import { columns } from "../text/columns.js";

export const run: CommandModule["run"] = async ([runId], options, host) =>
  withStorage(options, host, (storage) =>
    runId === undefined
      ? listRuns(storage, options.status, options.json === true, host)
      : showRun(storage, runId, options.json === true, host),
  );

/** The most runs of each status that are listed. */
const most = 100;

async function listRuns(storage: Storage, status: string | undefined, asJson: boolean, host: Host): Promise<ExitCode> {
  // The parser lets no other names through.
  const wanted: readonly JournalStatus[] = status === undefined ? ["waiting", "running"] : [status as JournalStatus];
  const lists = await Promise.all(wanted.map((one) => storage.journals.list({ status: one, limit: most })));
  const runs = lists.flat().map(({ runId, agent, status: state, updatedAt }) => ({ runId, agent, status: state, updatedAt }));
  if (asJson) await writeJson(host, { runs });
  else if (runs.length === 0)
    await writeLine(host, status === undefined ? "No run waits or goes on. --status ended lists the others." : `No run is ${status}.`);
  else {
    const rows = runs.map(({ runId, agent, status: state, updatedAt }) => [printable(runId), printable(agent), state, updatedAt]);
    await writeLine(host, columns(rows));
  }
  return exitCodes.success;
}

async function showRun(storage: Storage, runId: string, asJson: boolean, host: Host): Promise<ExitCode> {
  const status = await statusOf(storage, runId);
  if (asJson) await writeJson(host, status);
  else await writeLine(host, describeStatus(status, paintFor(host, host.output).bold));
  return exitCodes.success;
}

/** How a run stands. Throws `UsageError` for an unknown one. */
export async function statusOf(storage: Storage, runId: string): Promise<RunStatus> {
  try {
    return await new DecidingRuntime(storage).status(runId);
  } catch (error) {
    if (!(error instanceof JournalError && error.reason === "unknown")) throw error;
    const known = (await storage.journals.list({ limit: most })).map((head) => head.runId);
    throw new UsageError(`There is no run "${runId}" in the storage. ${known.length === 0 ? "It is empty." : insteadOfName(runId, known)}`);
  }
}

export function describeStatus(
  { runId, agent, status, outcome, pending, decided = [], context, conversation }: RunStatus,
  bold: (text: string) => string,
): string {
  const rows = [
    ["agent", printable(agent)],
    ["status", outcome === undefined ? status : `${status}: ${outcome.reason}`],
    ...(outcome?.detail === undefined ? [] : [["detail", printable(outcome.detail)]]),
    ["context", printable(JSON.stringify(context))],
    ...(conversation === undefined ? [] : [["conversation", printable(conversation)]]),
  ];
  const waiting = pending.map((item) => [
    printable(item.callId),
    wantedOf(item),
    printable(`${item.confirmation.tool} ${JSON.stringify(item.confirmation.input)}`),
  ]);
  const calls =
    waiting.length === 0 ? "" : `\n\n${bold("Waiting calls")}\n${columns(waiting)}\n\nDecide: toolwright decide ${printable(runId)}`;
  const decisions = decided.length === 0 ? "" : `\n\n${bold("Decisions")}\n${columns(decided.map(decisionRow))}`;
  return `${bold(printable(runId))}\n${columns(rows)}${decisions}${calls}`;
}

const decisionRow = ({ callId, tool, decision, decidedBy, reason, decidedAt }: DecidedCall): readonly string[] => [
  ...[printable(callId), printable(tool), decisionWords[decision]],
  decidedBy === undefined ? "" : `by ${printable(decidedBy)}`,
  decidedAt === undefined ? "" : new Date(decidedAt).toISOString(),
  printable(reason ?? ""),
];

const decisionWords: Readonly<Record<DecidedCall["decision"], string>> = {
  approve: "approved",
  deny: "denied",
  approve_edited: "approved with other arguments",
  answer: "answered",
};

const wantedOf = ({ kind }: PendingItem): string => (kind === "question" ? "answer" : "approval");
