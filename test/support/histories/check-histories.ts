import type { Message } from "../../../src/index.js";
import type { AiSdkLanguageModel } from "../../../src/models/index.js";
import { conversations, type FastCheck, storedHistories, wires } from "./plans.js";
import { runConversation, type World } from "./run-conversation.js";

interface HowMany {
  readonly count: number;
  readonly seed?: number;
}

/** Holds random conversations, each over several wires, and sends the history of each to every wire. Throws for what is rejected. */
export function checkConversations(world: World, fc: FastCheck, howMany: HowMany): Promise<void> {
  const sendToAll = sendingToAll(world);
  const property = fc.asyncProperty(conversations(fc), async (turns) => {
    world.provider.rejected.length = 0;
    await sendToAll(await runConversation(turns, world));
  });
  return check(fc, howMany, property);
}

/** The same for stored histories. */
export function checkStoredHistories(world: World, fc: FastCheck, howMany: HowMany): Promise<void> {
  const sendToAll = sendingToAll(world);
  const property = fc.asyncProperty(storedHistories(fc), async (messages) => {
    world.provider.rejected.length = 0;
    await sendToAll(messages);
  });
  return check(fc, howMany, property);
}

function check(fc: FastCheck, { count, seed = 1 }: HowMany, property: Parameters<FastCheck["assert"]>[0]): Promise<void> {
  // Both properties are asynchronous.
  return fc.assert(property, { numRuns: count, seed }) as unknown as Promise<void>;
}

/** Sends a history to every wire. There is one agent class for each wire, because defining one takes longer than running it. */
function sendingToAll({ library, models, provider }: World): (messages: readonly Message[]) => Promise<void> {
  const agents = wires.map((wire) => {
    @library.model(models[wire] as AiSdkLanguageModel, { retries: 0 })
    class OtherAgent extends library.Agent {}
    return OtherAgent;
  });
  return async (messages) => {
    const { rejected } = provider;
    if (rejected.length === 0) {
      const responses = await Promise.all(agents.map((OtherAgent) => new OtherAgent().restore(messages).generate("Sum up.")));
      const failed = responses.find(({ error }) => error !== undefined);
      if (failed !== undefined && rejected.length === 0) throw failed.error;
    }
    if (rejected.length > 0) throw new Error(rejected.join("\n"));
  };
}
