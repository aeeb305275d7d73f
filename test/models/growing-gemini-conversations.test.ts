/** Long random conversations with the real package, against what Gemini publishes. */
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import fc from "fast-check";
import * as main from "../../src/index.js";
import * as models from "../../src/models/index.js";
import * as storage from "../../src/storage/index.js";
import { GeminiProvider } from "../support/prefix/gemini-provider.js";
import { converse, longConversations, type Turn } from "../support/prefix/long-conversation.js";
import type { Answering } from "../support/prefix/stand-in.js";

const library = { ...main, ...models, ...storage };
const runs = Number(process.env.LONG_CONVERSATIONS ?? 1);

const gemini = (answer: Answering) => {
  const provider = new GeminiProvider(answer);
  return { provider, model: createGoogleGenerativeAI({ apiKey: "key", fetch: provider.fetch })("gemini-3-pro-preview") };
};
const holding = (seed: number, check: (turns: readonly Turn[]) => Promise<void>) =>
  fc.assert(fc.asyncProperty(longConversations(fc), check), { numRuns: runs, seed, endOnFailure: true });

/** The package says so of calls that another model made. */
const ofForeignCalls = (warning: string): boolean => warning.includes("skip_thought_signature_validator");

describe("a long conversation with Gemini", () => {
  it("is never rejected and loses no signature, and its beginning changes only with its tools and instructions", async () => {
    await holding(1, async (turns) => {
      const { provider, wrong, warnings, offers, pictures, foundCalls } = await converse(turns, { library, connect: gemini });
      const { rejected, dropped, repetitions } = provider;
      const others = warnings.filter((warning) => !ofForeignCalls(warning));
      expect({ rejected, dropped, wrong, others }).toEqual({ rejected: [], dropped: 0, wrong: [], others: [] });
      expect(repetitions.length).toBeGreaterThan(200);
      expect(repetitions.map(({ bytes, shared }) => shared < bytes)).toEqual(offers.map(({ isOther }) => isOther));
      expect([pictures > 20, foundCalls > 20]).toEqual([true, true]);
    });
  }, 300_000);

  it("is never rejected after its history was cut, and keeps its tools", async () => {
    await holding(2, async (turns) => {
      const { provider, wrong } = await converse(turns, { library, connect: gemini, limits: { maxTurns: 12 } });
      expect({ rejected: provider.rejected, wrong }).toEqual({ rejected: [], wrong: [] });
    });
  }, 300_000);
});
