import type { AttemptLedgerState } from "../execution/index.js";
import type { Message } from "../models/index.js";
import type { LoopState } from "./loop/index.js";

/**
 * A run as plain, frozen JSON: what decides (`loop`), the history without the instructions, and the attempts of each
 * tool. Stored and read back it goes on by the same loop.
 */
export interface RunState {
  readonly version: 1;
  readonly runId: string;
  /** The agent's name. */
  readonly agent: string;
  readonly loop: LoopState;
  readonly messages: readonly Message[];
  readonly ledger: AttemptLedgerState;
}

/** Freezes a JSON value all the way down. */
export function freezeDeep<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null) for (const member of Object.values(Object.freeze(value))) freezeDeep(member);
  return value;
}
