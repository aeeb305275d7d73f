/** Long random conversations with the real package, against what OpenAI's Responses API publishes. */
import { createOpenAI } from "@ai-sdk/openai";
import fc from "fast-check";
import * as main from "../../src/index.js";
import * as models from "../../src/models/index.js";
import * as storage from "../../src/storage/index.js";
import { converse, longConversations, type Turn } from "../support/prefix/long-conversation.js";
import { OpenAiProvider } from "../support/prefix/openai-provider.js";
import type { Answering } from "../support/prefix/stand-in.js";

const library = { ...main, ...models, ...storage };
const runs = Number(process.env.LONG_CONVERSATIONS ?? 1);

const openAi = (answer: Answering) => {
  const provider = new OpenAiProvider(answer);
  return { provider, model: createOpenAI({ apiKey: "key", fetch: provider.fetch })("gpt-5.6") };
};
const holding = (seed: number, check: (turns: readonly Turn[]) => Promise<void>) =>
  fc.assert(fc.asyncProperty(longConversations(fc), check), { numRuns: runs, seed, endOnFailure: true });

describe("a long conversation with OpenAI's Responses API", () => {
  it.each([{ store: true }, { store: false }])(
    "is never rejected and loses no reasoning, and its beginning changes only with new definitions: %p",
    async ({ store }) => {
      await holding(1, async (turns) => {
        const { provider, wrong, warnings, offers, pictures, foundCalls } = await converse(turns, {
          library,
          connect: openAi,
          options: { providerOptions: { openai: { store } } },
        });
        const { rejected, dropped, repetitions } = provider;
        expect({ rejected, dropped, wrong, warnings }).toEqual({ rejected: [], dropped: 0, wrong: [], warnings: [] });
        expect(repetitions.length).toBeGreaterThan(200);
        const broken = repetitions.map(({ bytes, shared }) => shared < bytes);
        expect(broken).toEqual(offers.map(({ isNew, isRedefined }) => isNew || isRedefined));
        expect(repetitions.map(({ sameTools }) => !sameTools)).toEqual(broken);
        expect([pictures > 20, foundCalls > 20]).toEqual([true, true]);
      });
    },
    300_000,
  );

  it("is never rejected and keeps its tools after its history was cut, which costs the reasoning behind the cut", async () => {
    await holding(2, async (turns) => {
      const { provider, wrong, warnings } = await converse(turns, { library, connect: openAi, limits: { maxTurns: 12 } });
      expect({ rejected: provider.rejected, wrong, warnings }).toEqual({ rejected: [], wrong: [], warnings: [] });
      expect(provider.dropped).toBeGreaterThan(0);
    });
  }, 300_000);
});

describe("an answer that was cut off while the model reasoned", () => {
  it.each([{ store: true }, { store: false }])("doesn't make later requests be rejected: %p", async ({ store }) => {
    const provider = new OpenAiProvider(() => (provider.requests === 1 ? { isCutOff: true } : { text: "Done." }));
    @main.model(createOpenAI({ apiKey: "key", fetch: provider.fetch })("gpt-5.6"), { retries: 0 })
    @main.modelOptions({ providerOptions: { openai: { store } } })
    class CutOffAgent extends main.Agent {}
    const agent = new CutOffAgent();
    await agent.generate("Think.");
    expect((await agent.generate("Go on.")).text).toBe("Done.");
    expect(provider.rejected).toEqual([]);
  });
});
