import type { AttemptLedgerState } from "../execution/index.js";
import type { Message } from "../models/index.js";
import type { LoopLimits } from "./limits.js";
import type { LoopEvent } from "./loop-event.js";

/** The version of the entries that this library writes, and the newest that it reads. */
export const entryVersion = 1;

/** The first entry of a journal: the run as it began. */
export interface BeganEntry {
  readonly kind: "began";
  readonly version: typeof entryVersion;
  readonly runId: string;
  readonly agent: string;
  readonly limits: LoopLimits;
  /** The history with the prompt, without the instructions. */
  readonly messages: readonly Message[];
  readonly tags?: Readonly<Record<string, string>>;
}

/** The run goes on from where it stood. */
export interface ResumedEntry {
  readonly kind: "resumed";
  /** Those of the agent, or of the application for what follows. */
  readonly limits: LoopLimits;
  /** Whether the application gave limits: nothing of them is spent. */
  readonly isFresh: boolean;
}

/** A call begins. If the process ends before its result, it isn't known whether the call took effect. */
export interface CallBegunEntry {
  readonly kind: "call_begun";
  readonly id: string;
}

/** The conversation went on without the run, which can't be resumed any more. */
export interface GivenUpEntry {
  readonly kind: "given_up";
}

/** One event of the loop, its type as `kind`. `attempts`: of the tool that gave a result. */
export type EventEntry = LoopEvent extends infer Event
  ? Event extends { readonly type: infer Type extends string }
    ? { readonly kind: Type; readonly attempts?: AttemptLedgerState } & Omit<Event, "type">
    : never
  : never;

/** What a journal records of a run, one by one, as JSON. The state of the run is read back from them, see `readRun`. */
export type RunEntry = BeganEntry | ResumedEntry | CallBegunEntry | GivenUpEntry | EventEntry;

/** The entry of an event. */
export function entryOf(event: LoopEvent, attempts?: AttemptLedgerState): EventEntry {
  const { type: kind, ...members } = event;
  // The members of an event stay as they are; TypeScript can't follow its name.
  return { kind, ...members, ...(attempts && { attempts }) } as EventEntry;
}

/** The event of an entry. */
export function eventOf({ kind, attempts: _, ...members }: EventEntry): LoopEvent {
  return { type: kind, ...members } as LoopEvent;
}

const eventKinds: Readonly<Record<LoopEvent["type"], true>> = {
  started: true,
  model_answered: true,
  model_failed: true,
  answer_blocked: true,
  call_finished: true,
  call_gated: true,
  call_decided: true,
  calls_settled: true,
  paused: true,
  stopped: true,
};

export const isEventEntry = (entry: { readonly kind: unknown }): entry is EventEntry => Object.hasOwn(eventKinds, String(entry.kind));
