import type { Message } from "../../../src/index.js";
import type { AiSdkLanguageModel } from "../../../src/models/index.js";
import { conversations, type FastCheck, storedHistories, wires } from "./plans.js";
import type { Wire } from "./rules.js";
import { runConversation, type World } from "./run-conversation.js";

interface HowMany {
  readonly count: number;
  readonly seed?: number;
}

/** Holds random conversations, each over several wires, and sends the history of each to every wire. Throws for what is rejected. */
export const checkConversations = (world: World, fc: FastCheck, howMany: HowMany): Promise<void> =>
  check(
    fc,
    howMany,
    fc.asyncProperty(conversations(fc), async (turns) => {
      world.server.rejected.length = 0;
      await sendToAll(await runConversation(turns, world), world);
    }),
  );

/** The same for stored histories. */
export const checkStoredHistories = (world: World, fc: FastCheck, howMany: HowMany): Promise<void> =>
  check(
    fc,
    howMany,
    fc.asyncProperty(storedHistories(fc), async (messages) => {
      world.server.rejected.length = 0;
      await sendToAll(messages, world);
    }),
  );

function check(fc: FastCheck, { count, seed = 1 }: HowMany, property: Parameters<FastCheck["assert"]>[0]): Promise<void> {
  // Both properties are asynchronous.
  return fc.assert(property, { numRuns: count, seed }) as unknown as Promise<void>;
}

async function sendToAll(messages: readonly Message[], world: World): Promise<void> {
  const { rejected } = world.server;
  if (rejected.length === 0) await Promise.all(wires.map((wire) => goOn(wire, messages, world)));
  if (rejected.length > 0) throw new Error(rejected.join("\n"));
}

async function goOn(wire: Wire, messages: readonly Message[], { library, models }: World): Promise<void> {
  @library.model(models[wire] as AiSdkLanguageModel, { retries: 0 })
  class OtherAgent extends library.Agent {}
  const { error } = await new OtherAgent().restore(messages).generate("Sum up.");
  if (error !== undefined) throw error;
}
