import type { CallResult, LoopStep } from "../../loop/index.js";
import { type RecordedRun, type RunEntry, RunReading } from "../../loop/internal.js";
import type { Message } from "../../models/index.js";
import { JournalError, type Storage } from "../../storage/index.js";
import { recordedNames } from "../run/recorded-run.js";
import { subRunId } from "../sub-agents/sub-run-id.js";

/** A tool call in the record of a run. */
export interface RecordedCall {
  /** The id of the call in the history. */
  readonly callId: string;
  /** The tool's own name. */
  readonly tool: string;
  /** The arguments as the model wrote them. */
  readonly arguments: string;
  /** What the model read. Absent while the call is open. */
  readonly result?: CallResult;
  /**
   * `answered`: the result is the tool's, the client's or a person's denial, and answers the same call of a replay. `begun`: the call began,
   * and it isn't known whether it took effect. `not_run`: it waits, or a limit or an abort left it out.
   */
  readonly state: "answered" | "begun" | "not_run";
  /** The run of the sub-agent that the call ran. */
  readonly subRun?: Recording;
}

/** A model call in the record of a run, with the tool calls that it asked for. */
export interface RecordedStep {
  /** The number of the model call, from 1. */
  readonly step: number;
  /** How many messages of the recording the model was sent. */
  readonly sent: number;
  /** The text of the answer. Empty if there is none. */
  readonly text: string;
  /** The calls in the order of the answer. */
  readonly calls: readonly RecordedCall[];
}

/** What the journal of a run has, step by step. */
export interface Recording {
  /** The id of the run. */
  readonly runId: string;
  /** The agent's name. */
  readonly agent: string;
  /** The history without the instructions. */
  readonly messages: readonly Message[];
  /** The model calls that were begun. */
  readonly steps: readonly RecordedStep[];
  /** The context that a runtime was given for the run. */
  readonly context?: Readonly<Record<string, unknown>>;
}

/**
 * Reads the record of a run, and of the runs of its sub-agents. A run that goes on is read as far as it has come.
 *
 * ```ts
 * const { steps } = await readRecording(storage, "order-7");
 * console.log(steps[0]?.calls.map(({ tool }) => tool)); // ["refund_order"]
 * ```
 *
 * Throws `JournalError` if the storage has no such run, or if its journal can't be read. See docs/19-durable-runs.md.
 */
export async function readRecording(storage: Pick<Storage, "journals">, runId: string): Promise<Recording> {
  const { reading, results, begun, places } = readSteps((await storage.journals.read(runId)) as readonly RunEntry[], runId);
  const { accepted, run } = reading;
  const { agent, context } = accepted ?? {};
  const name = run?.agent ?? agent;
  if (name === undefined)
    throw new JournalError("unknown", `There is no journal of run "${runId}" in this storage. Check the id and the storage.`);
  const steps: RecordedStep[] = [];
  for (const { step, sent, answer } of places) {
    const calls: RecordedCall[] = [];
    for (const [index, call] of (answer?.calls ?? []).entries()) {
      const read = answer?.results[index] ?? undefined;
      // The loop writes a denial when the step closes: no entry has it.
      const own = results.get(call.id) ?? (read?.errorType === "confirmation_denied" ? read : undefined);
      const result = read ?? own;
      const subRun = await readSubRun(storage, runId, call);
      calls.push({
        callId: call.id,
        tool: recordedNames(run as RecordedRun).toTool(call.name),
        arguments: call.arguments,
        ...(result !== undefined && { result }),
        state: own !== undefined ? "answered" : begun.has(call.id) ? "begun" : "not_run",
        ...(subRun !== undefined && { subRun }),
      });
    }
    steps.push({ step, sent, text: answer?.text ?? "", calls });
  }
  return { runId, agent: name, messages: run?.messages ?? [], steps, ...(context !== undefined && { context }) };
}

/** Where a model call is in the history, and what was answered. */
interface StepPlace {
  readonly step: number;
  readonly sent: number;
  answer?: LoopStep | undefined;
}

function readSteps(entries: readonly RunEntry[], runId: string) {
  const reading = new RunReading(runId);
  const results = new Map<string, CallResult>();
  const begun = new Set<string>();
  const places: StepPlace[] = [];
  for (const entry of entries) {
    const [closed] = reading.take(entry);
    const last = places.at(-1);
    if (closed !== undefined && last !== undefined) last.answer = closed;
    if (entry.kind === "call_finished") results.set(entry.id, entry.result);
    else if (entry.kind === "call_begun") begun.add(entry.id);
    // A call that waits for a person hasn't begun, unless it was cut off and is asked about again.
    else if (entry.kind === "call_gated" && entry.gate.begun === undefined) begun.delete(entry.id);
    const { loop, messages } = reading.run ?? {};
    if (loop?.status === "calling_model" && last?.step !== loop.step) places.push({ step: loop.step, sent: messages?.length ?? 0 });
  }
  const last = places.at(-1);
  if (last !== undefined) last.answer ??= reading.run?.loop.current ?? undefined;
  return { reading, results, begun, places };
}

/** A sub-agent's tool has one parameter, `prompt`: calls without it aren't looked up in the storage. */
async function readSubRun(
  storage: Pick<Storage, "journals">,
  runId: string,
  call: { readonly id: string; readonly arguments: string },
): Promise<Recording | undefined> {
  if (!call.arguments.includes("prompt")) return undefined;
  const id = subRunId(runId, call.id);
  return (await storage.journals.head(id)) === undefined ? undefined : readRecording(storage, id);
}
