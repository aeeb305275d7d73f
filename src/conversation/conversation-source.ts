import type { ConversationStore } from "../storage/index.js";

/** The store and id that an agent's conversation was loaded from. */
export interface ConversationSource {
  readonly store: ConversationStore;
  readonly id: string;
  /** The revision that was loaded; 0 if there was none. */
  readonly revision: number;
}

const sources = new WeakMap<object, ConversationSource>();

export function setSource(agent: object, source: ConversationSource): void {
  sources.set(agent, source);
}

/** `undefined` for an agent that wasn't loaded. */
export const sourceOf = (agent: object): ConversationSource | undefined => sources.get(agent);
