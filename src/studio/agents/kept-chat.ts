import type { Agent } from "../../agent/index.js";
import type { StoredConversation } from "../../storage/index.js";
import type { KeptRecord } from "./kept-records.js";

/** A chat as JSON, for the studio that comes after this one. */
export interface KeptChat {
  readonly id: string;
  /** The id of the agent. */
  readonly agentId: string;
  readonly conversation: StoredConversation;
  /** The model in place of the agent's own. */
  readonly model?: string;
  /** How many runs it has begun. */
  readonly runs: number;
  readonly records: readonly KeptRecord[];
}

/** What a chat's agent remembers: its history, and the run that waits. */
export async function keptConversation(agent: Agent, id: string): Promise<StoredConversation | undefined> {
  let kept: StoredConversation | undefined;
  await agent.save({ load: () => undefined, save: (_, conversation) => void (kept = conversation) }, id);
  // What a new agent saves begins a conversation.
  return kept && { ...kept, revision: 1 };
}

/** Gives a new agent what a chat's agent remembered. */
export const withConversation = (agent: Agent, id: string, conversation: StoredConversation): Promise<Agent> =>
  agent.load({ load: () => conversation, save: () => undefined }, id);
