import type { AttemptLedgerState } from "../execution/index.js";
import type { Message, ConversationPrefix } from "../models/index.js";
import { hmacSha256, isEqualInConstantTime } from "../platform/index.js";
import { canonicalText, freezeDeep, kindOf } from "../schema/internal.js";
import { RunStateError } from "./run-state-error.js";
import type { LoopState } from "./loop-state.js";

/**
 * A run as frozen JSON, to store and to pass to `agent.resume(state)`. Don't change it: an edited state is rejected.
 *
 * It contains the history without the instructions. See docs/03-agents.md.
 */
export interface RunState {
  /** The version of this format. */
  readonly version: 1;
  /** The id of the run. */
  readonly runId: string;
  /** The agent's name. */
  readonly agent: string;
  /** What the run decides by: its step, limits, pending calls and outcome. */
  readonly loop: LoopState;
  /** The history, without the instructions. */
  readonly messages: readonly Message[];
  /** The failed attempts of each tool. */
  readonly ledger: AttemptLedgerState;
  /** How often the run was resumed. */
  readonly resumptions: number;
  /** The labels that `generate` was given. */
  readonly tags?: Readonly<Record<string, string>>;
  /** What the first request of the conversation offered to the model, and what changed since. Left out before it, and in older states. */
  readonly prefix?: ConversationPrefix;
  /** True if the run is recorded in a journal: it goes on from there, and not from the state. */
  readonly journaled?: true;
  /** True if the run is a replay: only the instance that `prepareReplay` returned goes on with it. */
  readonly replay?: true;
  /** A checksum of the members above, keyed with `stateSecret` if one is set. A changed state is rejected. */
  readonly digest: string;
}

/** The version that this library writes, and the only one that it reads. */
const version = 1;

/** A frozen copy of the parts, with their digest. */
export function sealState(parts: Omit<RunState, "version" | "digest">, secret: string | undefined): RunState {
  const copy = JSON.parse(JSON.stringify({ version, ...parts })) as Omit<RunState, "digest">;
  return freezeDeep({ ...copy, digest: digestOf(copy, secret) });
}

/** A copy of a stored state. Throws `RunStateError` if it isn't one of this agent, as this library wrote it. */
export function openState(value: unknown, agent: string, secret: string | undefined): RunState {
  const state = value as RunState | null | undefined;
  if (typeof state !== "object" || state === null || typeof state.loop !== "object" || !Array.isArray(state.messages)) {
    throw new RunStateError("no_state", `resume takes the state of a run, as response.state gives it, got ${whatIs(value)}.${hint(value)}`);
  }
  if (state.version !== version) {
    throw new RunStateError(
      "version",
      `The state has version ${String(state.version)}, and this version of Toolwright reads version ${version}. Finish the run with the version that began it, or go on from state.messages with restore.`,
    );
  }
  if (state.agent !== agent) {
    throw new RunStateError(
      "other_agent",
      `The state is of the agent "${state.agent}", and was given to "${agent}". Resume it with the agent that began the run.`,
    );
  }
  const { digest, ...rest } = JSON.parse(JSON.stringify(state)) as RunState;
  if (!isEqualInConstantTime(String(digest), digestOf(rest, secret))) {
    throw new RunStateError(
      "edited",
      "The state was changed since it was made, or another stateSecret was used. Store it as it was given; arguments are changed by approveEdited(callId, arguments).",
    );
  }
  return { ...rest, digest };
}

const whatIs = (value: unknown): string => (isResponse(value) ? "the whole response" : kindOf(value));

function hint(value: unknown): string {
  if (typeof value === "string") return " Parse it first: JSON.parse(text). To resume a recorded run by its id, pass the option journal.";
  if (value === undefined) return " A run that has ended with its answer leaves none: go on with generate.";
  return isResponse(value) ? " Give response.state." : "";
}

const isResponse = (value: unknown): boolean => typeof value === "object" && value !== null && "outcome" in value && "steps" in value;

const digestOf = (state: Omit<RunState, "digest">, secret = ""): string => hmacSha256(secret, canonicalText(state));
