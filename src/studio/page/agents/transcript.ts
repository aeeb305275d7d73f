import type { DecidedLine, Picture, WaitingCall } from "../../api.js";

/** An event of a run: see docs/03-agents.md, and those that the studio adds. */
export interface RunEvent {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** A tool call as the page shows it. */
export interface CallEntry {
  readonly kind: "call";
  readonly callId: string;
  readonly tool: string;
  readonly step: number;
  /** As the model wrote them. */
  readonly arguments: string;
  readonly state: "written" | "running" | "waiting" | "decided" | "done" | "failed";
  /** As the tool got them. */
  readonly input?: unknown;
  readonly progress?: { readonly fraction: number; readonly message: string };
  readonly content?: string;
  readonly data?: unknown;
  readonly errorType?: string;
  readonly attachments: readonly Picture[];
  /** Milliseconds. Absent in records of earlier versions. */
  readonly duration?: number;
  /** Whether start and end were measured beside the tool's code. */
  readonly isMeasured?: boolean;
  readonly stack?: string;
  readonly repairs: readonly { readonly path: string; readonly from: unknown; readonly to: unknown }[];
  readonly waiting?: WaitingCall;
  /** What a person decided, and the time in which it waited for that. */
  readonly decided?: Pick<DecidedLine, "decision" | "decidedBy" | "reason" | "arguments">;
  readonly wait?: {
    readonly start: number;
    readonly end?: number;
    /** Until when it could be approved. */
    readonly until?: number;
  };
  /** Whether a replay took the result from the record. */
  readonly fromRecord?: boolean;
  /** What differs from the call of another run. */
  readonly note?: string;
  /** What happened in the sub-agent that the call ran. */
  readonly inside?: Transcript;
  readonly start: number;
  readonly end?: number;
}

export type Entry =
  /** `context`: what the prompt was sent with, as JSON. */
  | { readonly kind: "user"; readonly text: string; readonly context?: string }
  | { readonly kind: "answer"; readonly text: string; readonly step: number; readonly isDone: boolean }
  | { readonly kind: "reasoning"; readonly text: string; readonly step: number }
  /** `context`: what a decision was sent with, as JSON. */
  | { readonly kind: "note"; readonly text: string; readonly isFault: boolean; readonly context?: string }
  /** A step of a run begins. */
  | { readonly kind: "step"; readonly step: number; readonly runId: string }
  | CallEntry;

/** A call of the model. */
export interface StepEntry {
  readonly step: number;
  readonly model?: string;
  readonly duration?: number;
  readonly tools?: readonly string[];
  readonly usage?: Usage;
  readonly error?: string;
  readonly start: number;
  readonly end?: number;
}

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens: number;
}

/** What a run has shown so far. Times are those that the events were given with. */
export interface Transcript {
  readonly entries: readonly Entry[];
  readonly steps: readonly StepEntry[];
  readonly reason?: string;
  /** The run that goes on. Its steps are marked if it is known. */
  readonly runId?: string;
}

export const emptyTranscript: Transcript = { entries: [], steps: [] };

/**
 * The transcript after an event, which happened at a time, and ended what began at another.
 * Members of an event are cast to what the server sends with its type.
 */
export function after(given: Transcript, event: RunEvent, at: number, startedAt?: number): Transcript {
  const step = Number(event.step ?? 0);
  const before = stepMarks.has(event.type) ? withStepMark(given, step) : given;
  switch (event.type) {
    case "user":
      return withoutEnd({
        ...before,
        entries: [
          ...before.entries,
          { kind: "user", text: text(event.text), ...(event.context !== undefined && { context: JSON.stringify(event.context) }) },
        ],
      });
    case "run_began":
      return { ...withoutEnd(before), runId: text(event.runId) };
    case "text_delta":
      return withText(before, step, text(event.delta), false);
    case "text_done":
      return withText(before, step, text(event.text), true);
    case "reasoning_done":
      return { ...before, entries: [...before.entries, { kind: "reasoning", text: text(event.text), step }] };
    case "tool_call_done":
      return withCall(before, text(event.callId), {
        ...{ tool: text(event.tool), step, arguments: text(event.arguments), start: at },
      });
    case "tool_started":
      return withCall(before, text(event.callId), {
        ...{ tool: text(event.tool), step, state: "running", input: event.input },
        ...(event.attempt === 1 && callOf(before, text(event.callId))?.isMeasured !== true && { start: at }),
      });
    case "tool_progress":
      return withCall(before, text(event.callId), { progress: { fraction: Number(event.fraction), message: text(event.message) } });
    case "confirmation_required":
    case "answer_required": {
      const waiting = event.waiting as WaitingCall | undefined;
      const asked = (event.confirmation ?? event.question) as AskedCall;
      return withCall(before, asked.callId, {
        tool: asked.tool,
        step,
        state: "waiting",
        input: asked.input,
        wait: { start: at, ...(event.type === "confirmation_required" && { until: at + timeToDecide(asked) }) },
        ...(waiting && { waiting }),
      });
    }
    case "decided": {
      const { callId, tool, decision, decidedBy, reason, arguments: edited } = event as unknown as DecidedLine;
      const decided = {
        decision,
        ...(decidedBy !== undefined && { decidedBy }),
        ...(reason !== undefined && { reason }),
        ...(edited !== undefined && { arguments: edited }),
      };
      const wait = waitOf(before, callId);
      return withCall(before, callId, {
        tool,
        step,
        state: "decided",
        waiting: undefined,
        decided,
        ...(edited !== undefined && { input: edited }),
        wait: { ...wait, start: startedAt ?? wait?.start ?? at, end: at },
      });
    }
    case "tool_result":
      return withCall(before, text(event.callId), {
        ...(startedAt !== undefined && { start: startedAt, duration: Math.max(0, at - startedAt) }),
        ...(callOf(before, text(event.callId))?.isMeasured !== true && { end: at }),
        ...{ tool: text(event.tool), step, content: text(event.content), data: event.data },
        ...{ attachments: (event.attachments ?? []) as readonly Picture[], waiting: undefined },
        ...(event.fromRecord === true && { fromRecord: true }),
        ...(event.errorType === undefined ? { state: "done" } : { state: "failed", errorType: text(event.errorType) }),
      });
    case "call_finished":
      return withMeasured(before, event, at);
    case "sub_agent":
      return withinCall(before, event, at);
    case "model_started":
      return withStep(before, step, { model: text(event.model), tools: (event.tools ?? []) as readonly string[], start: at });
    case "model_finished":
      return withStep(before, step, {
        ...{ duration: Number(event.duration), end: at },
        ...(event.error !== undefined && { error: text(event.error) }),
      });
    case "usage":
      // A record has no begin of a model call: its answer is all that is known.
      return withStep(
        before,
        step,
        { usage: event.usage as Usage },
        {
          ...{ start: startedAt ?? Math.max(0, at - 1), end: at },
          ...(startedAt !== undefined && { duration: Math.max(0, at - startedAt) }),
        },
      );
    case "prefix_changed":
      return withNote(
        before,
        `The request of step ${step} didn't begin as the one before, from its ${text(event.part)} on: the provider's cache is lost.`,
        false,
      );
    case "model_retried":
      return withNote(before, `The model is asked again: ${text(event.error)}`, false);
    case "resumed":
      return withNote(before, `A process took up the run${event.time === undefined ? "" : ` at ${text(event.time)}`}.`, false);
    case "loaded":
      return withNote(before, "The modules were loaded again. What stands above ran with the code before.", false);
    case "context_changed": {
      const context = JSON.stringify(event.context);
      const note = { kind: "note", text: `Decided with another context: ${context}`, isFault: false, context } as const;
      return { ...before, entries: [...before.entries, note] };
    }
    case "aborted":
      return withNote(withoutOpen(before, at), `Stopped: ${text(event.detail)}`, false);
    case "error":
      return withNote(before, text(event.message), true);
    case "done":
      return { ...withEnd(before, event), reason: text(event.reason) };
    default:
      return before;
  }
}

/** The context that was sent last, as JSON; `undefined` if none is known. */
export function lastContext({ entries }: Transcript): string | undefined {
  const last = entries.findLast((entry) => (entry.kind === "user" || entry.kind === "note") && entry.context !== undefined);
  return last?.kind === "user" || last?.kind === "note" ? last.context : undefined;
}

const withoutEnd = ({ reason: _, ...others }: Transcript): Transcript => others;

/** Events that show that a step has begun. */
const stepMarks: ReadonlySet<string> = new Set(["model_started", "text_delta", "text_done", "reasoning_done", "tool_call_done"]);

function withStepMark(before: Transcript, step: number): Transcript {
  const { runId, entries } = before;
  if (runId === undefined || step === 0) return before;
  const last = entries.findLast((entry) => entry.kind === "step");
  if (last?.runId === runId && last.step === step) return before;
  return { ...before, entries: [...entries, { kind: "step", step, runId }] };
}

const callOf = ({ entries }: Transcript, callId: string): CallEntry | undefined =>
  entries.findLast((entry): entry is CallEntry => entry.kind === "call" && entry.callId === callId);

const waitOf = (before: Transcript, callId: string): CallEntry["wait"] => callOf(before, callId)?.wait;

/** What a person is asked about. */
interface AskedCall {
  readonly callId: string;
  readonly tool: string;
  readonly input: unknown;
  readonly requestedAt: string;
  readonly expiresAt: string;
}

const timeToDecide = ({ requestedAt, expiresAt }: AskedCall): number => Date.parse(expiresAt) - Date.parse(requestedAt);

/** A tool's code has ended: measured beside it, while other events come when the page is sent them. */
function withMeasured(before: Transcript, event: RunEvent, at: number): Transcript {
  const callId = text(event.callId);
  const known = callOf(before, callId);
  const start = known?.isMeasured === true ? known.start : at - Number(event.duration);
  return withCall(before, callId, {
    ...{ isMeasured: true, start, end: at, duration: at - start, repairs: (event.repairs ?? []) as CallEntry["repairs"] },
    ...(event.stack !== undefined && { stack: text(event.stack) }),
  });
}

const text = (value: unknown): string => (typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value));

const withNote = (before: Transcript, note: string, isFault: boolean): Transcript => ({
  ...before,
  entries: [...before.entries, { kind: "note", text: note, isFault }],
});

/** What was going on when the run was stopped has ended. */
const withoutOpen = ({ entries, steps, ...rest }: Transcript, at: number): Transcript => ({
  ...rest,
  steps: steps.map((step) => (step.end === undefined ? { ...step, end: at } : step)),
  entries: entries.map((entry) =>
    entry.kind === "call" && (entry.state === "running" || entry.state === "written")
      ? { ...entry, state: "failed", errorType: "cancelled", end: at }
      : entry,
  ),
});

/** Why there is no answer, if there is none. */
function withEnd(before: Transcript, { reason, response }: RunEvent): Transcript {
  if (reason === "success" || reason === "awaiting_confirmation" || reason === "awaiting_answer" || reason === "aborted") return before;
  const { detail } = (response as { readonly outcome?: { readonly detail?: string } } | undefined)?.outcome ?? {};
  return withNote(before, `No answer (${text(reason)}): ${detail ?? ""}`, true);
}

function withText(before: Transcript, step: number, piece: string, isDone: boolean): Transcript {
  const last = before.entries.at(-1);
  if (last?.kind !== "answer" || last.step !== step || last.isDone) {
    return { ...before, entries: [...before.entries, { kind: "answer", text: piece, step, isDone }] };
  }
  const joined = { ...last, text: isDone ? piece : last.text + piece, isDone };
  return { ...before, entries: [...before.entries.slice(0, -1), joined] };
}

/** `undefined` takes a member away. */
type Changes = { readonly [Name in keyof CallEntry]?: CallEntry[Name] | undefined };

function withCall(before: Transcript, callId: string, changes: Changes): Transcript {
  const index = before.entries.findLastIndex((entry) => entry.kind === "call" && entry.callId === callId);
  const known = before.entries[index] as CallEntry | undefined;
  const empty: CallEntry = {
    ...{ kind: "call", callId, tool: "", step: 0, arguments: "", state: "written", attachments: [], repairs: [] },
    start: changes.end ?? 0,
  };
  const call = { ...(known ?? empty), ...changes } as CallEntry;
  return { ...before, entries: known === undefined ? [...before.entries, call] : before.entries.with(index, call) };
}

function withinCall(before: Transcript, { path, event }: RunEvent, at: number): Transcript {
  const [first, ...rest] = path as readonly { readonly callId: string }[];
  if (first === undefined) return before;
  const inner = event as RunEvent;
  const known = before.entries.findLast((entry): entry is CallEntry => entry.kind === "call" && entry.callId === first.callId);
  const forwarded = rest.length === 0 ? inner : { type: "sub_agent", path: rest, event: inner };
  return withCall(before, first.callId, { inside: after(known?.inside ?? emptyTranscript, forwarded, at) });
}

function withStep(before: Transcript, step: number, changes: Partial<StepEntry>, unknown: Partial<StepEntry> = {}): Transcript {
  // A later prompt counts its steps from 1 again: an ended step stays as it is.
  const index = before.steps.findLastIndex((one) => one.step === step);
  const known = before.steps[index];
  const begins = known === undefined || (changes.model !== undefined && known.end !== undefined);
  if (begins) return { ...before, steps: [...before.steps, { step, start: changes.end ?? 0, ...unknown, ...changes }] };
  return { ...before, steps: before.steps.with(index, { ...known, ...changes }) };
}
