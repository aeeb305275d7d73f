import type { Agent } from "../../agent/index.js";
import type { ConversationStore } from "../../storage/index.js";
import { sourceOf } from "../../conversation/internal.js";

/** The runs under way, by the conversation that their agents were loaded from. */
const underWay = new WeakMap<ConversationStore, Map<string, Promise<void>>>();

/** An agent that no other run of this process holds the conversation of. */
export interface Turn {
  readonly agent: Agent;
  /** To be called when the conversation is stored again. */
  readonly end: () => void;
}

/**
 * Loads the agent of a request. If another request is answered from the same stored conversation, it waits and loads
 * again: each of them would store the conversation without the other's messages.
 */
export async function takeTurn(
  load: () => Agent | PromiseLike<Agent>,
  wait: (turn: Promise<void>) => void | PromiseLike<void>,
): Promise<Turn> {
  for (;;) {
    const agent = await load();
    const source = sourceOf(agent);
    if (source === undefined) return { agent, end: () => undefined };
    const turns = underWay.get(source.store) ?? new Map<string, Promise<void>>();
    underWay.set(source.store, turns);
    const other = turns.get(source.id);
    if (other === undefined) {
      let end = (): void => undefined;
      turns.set(
        source.id,
        new Promise((resolve) => {
          end = () => {
            turns.delete(source.id);
            resolve();
          };
        }),
      );
      return { agent, end };
    }
    await wait(other);
  }
}
