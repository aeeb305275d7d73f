import type { AttemptLedgerState } from "../execution/index.js";
import type { Confirmation, Decision } from "../confirmation/index.js";
import type { ContentPart, ConversationPrefix, Message, PlacedChange } from "../models/index.js";
import type { Budget, LoopLimits } from "./limits.js";
import type { LoopEvent } from "./loop-event.js";

/** The version of the entries that this library writes, and the newest that it reads. */
export const entryVersion = 1;

/** A runtime accepted the run, which is to begin: the first entry of its journal. */
export interface AcceptedEntry {
  readonly kind: "accepted";
  readonly version: typeof entryVersion;
  readonly runId: string;
  readonly agent: string;
  readonly prompt: string | readonly ContentPart[];
  /** What the application said of the run's user. */
  readonly context: Readonly<Record<string, unknown>>;
  readonly options: AcceptedOptions;
  /** The id of the stored conversation that the run belongs to. */
  readonly conversation?: string;
}

/** The options that the run was started with. */
export interface AcceptedOptions {
  readonly maxSteps?: number;
  readonly budget?: Budget;
  readonly tags?: Readonly<Record<string, string>>;
}

/** The run as it began: the first entry of the journal of a run that no runtime accepted. */
export interface BeganEntry {
  readonly kind: "began";
  readonly version: typeof entryVersion;
  readonly runId: string;
  readonly agent: string;
  readonly limits: LoopLimits;
  /** The history with the prompt, without the instructions. */
  readonly messages: readonly Message[];
  /** How many of the messages were there before the run. */
  readonly start?: number;
  readonly tags?: Readonly<Record<string, string>>;
  readonly toolNames?: ToolNames;
  /** Whether the run is a replay of another one. */
  readonly replay?: true;
  /** What waited in the conversation's run before, which was given up. */
  readonly givenUp?: readonly Confirmation[];
  /** The stored conversation that gets the run's messages. */
  readonly conversation?: ConversationPlace;
  /** What the conversation had offered to the model before the run. */
  readonly prefix?: ConversationPrefix;
}

/** A stored conversation as a run knows it. */
export interface ConversationPlace {
  readonly id: string;
  readonly revision: number;
}

/** The conversation has the run's messages, and the run that waits if it does. */
export interface ConversationSavedEntry {
  readonly kind: "conversation_saved";
  /** The revision that has them. */
  readonly revision: number;
}

/** The first request of the conversation: what it offers to the model. */
export interface PrefixEntry extends ConversationPrefix, FoundNames {
  readonly kind: "prefix";
}

/** From the next request on, the model is offered something else. */
export interface ChangedEntry extends PlacedChange, FoundNames {
  readonly kind: "changed";
}

/** What is recorded of a request that offers something else than the one before. */
export type OfferEntry = PrefixEntry | ChangedEntry;

/** The own names of tools, by their wire names; without those that are the same. */
export type ToolNames = Readonly<Record<string, string>>;

/** The own names of deferred tools that are offered: the beginning of the record doesn't have them. */
interface FoundNames {
  readonly toolNames?: ToolNames;
}

/** A person decided about a call; the run goes on with it. */
export interface DecidedEntry {
  readonly kind: "decided";
  readonly decision: Decision;
}

/** The run continues at the step that it had reached, with the decisions that were taken before. */
export interface ResumedEntry {
  readonly kind: "resumed";
  /** Those of the agent, or of the application for what follows. */
  readonly limits: LoopLimits;
  /** Whether the application gave limits: nothing of them is spent. */
  readonly isFresh: boolean;
  /** The ids of the calls whose recorded decisions it goes on with. Others may have come meanwhile. Left out if there are none. */
  readonly decided?: readonly string[];
  readonly toolNames?: ToolNames;
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
    ? { readonly kind: Type; readonly attempts?: AttemptLedgerState } & Timed & Omit<Event, "type">
    : never
  : never;

/** When an entry was made. Nothing of a run depends on it. */
export interface Timed {
  /** Milliseconds since 1970, by the clock of the process that made the entry. Entries of earlier versions have none. */
  readonly at?: number;
}

/** What a journal records of a run, one by one, as JSON. The state of the run is read back from them, see `readRun`. */
export type RunEntry = Timed &
  (
    | AcceptedEntry
    | BeganEntry
    | OfferEntry
    | DecidedEntry
    | ResumedEntry
    | CallBegunEntry
    | ConversationSavedEntry
    | GivenUpEntry
    | EventEntry
  );

/** The entry of an event. */
export function entryOf(event: LoopEvent, attempts?: AttemptLedgerState): EventEntry {
  const { type: kind, ...members } = event;
  // The members of an event stay as they are; TypeScript can't follow its name.
  return { kind, ...members, ...(attempts && { attempts }) } as EventEntry;
}

/** The event of an entry. */
export function eventOf({ kind, attempts: _attempts, at: _at, ...members }: EventEntry): LoopEvent {
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
