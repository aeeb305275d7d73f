import type { Confirmation, Decision } from "../confirmation/index.js";
import type { AskedArguments } from "../execution/internal.js";
import type { RunState } from "./run-state.js";

/** A call that waits for a person. */
export interface Gate {
  /** What is asked: of the call itself, or of the calls of the sub-agent that it runs. */
  readonly confirmations: readonly Confirmation[];
  /** What was decided so far. */
  readonly decisions: readonly Decision[];
  /** The arguments that were shown: the call runs with these. Left out for the calls of a sub-agent, and in states of earlier versions. */
  readonly asked?: AskedArguments;
  /** How often the call has begun since it was decided: an interrupt leaves it open, and it goes on. Left out: 0. */
  readonly uses?: number;
  /** How often the call began after an approval and was cut off by the end of its process. Left out: 0. */
  readonly begun?: number;
  /** The sub-agent's run, if that is what waits. */
  readonly subRun?: RunState;
}

/** The gates of a step, by call id. */
export type Gates = Readonly<Record<string, Gate>>;

/** The gate of a call, whose id may be any text that a model makes up. */
export const gateOf = (gates: Gates | undefined, id: string): Gate | undefined =>
  gates !== undefined && Object.hasOwn(gates, id) ? gates[id] : undefined;

/** The confirmations without a decision. */
export const undecided = ({ confirmations, decisions }: Gate): readonly Confirmation[] =>
  confirmations.filter(({ callId }) => !decisions.some((decision) => decision.callId === callId));

/** Whether a call has a gate through which it may go on: one that waits has one that is shut. */
export const isDecided = (gate: Gate | undefined): gate is Gate => gate !== undefined && undecided(gate).length === 0;
