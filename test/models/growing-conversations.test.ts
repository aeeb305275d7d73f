/** Long random conversations with the real package, against the rules that the Claude API enforces. */
import { createBedrockAnthropic } from "@ai-sdk/amazon-bedrock/anthropic";
import { createAnthropic } from "@ai-sdk/anthropic";
import fc from "fast-check";
import * as main from "../../src/index.js";
import * as models from "../../src/models/index.js";
import * as storage from "../../src/storage/index.js";
import { ClaudeProvider } from "../support/prefix/claude-provider.js";
import { converse, longConversations, type Turn, withoutRedefinitions } from "../support/prefix/long-conversation.js";
import type { Answering } from "../support/prefix/stand-in.js";

const library = { ...main, ...models, ...storage };
const runs = Number(process.env.LONG_CONVERSATIONS ?? 1);

const claude = (answer: Answering) => {
  const provider = new ClaudeProvider(answer);
  return { provider, model: createAnthropic({ apiKey: "key", fetch: provider.fetch })("claude-opus-5-5") };
};
const bedrock = (answer: Answering) => {
  const provider = new ClaudeProvider(answer);
  const settings = { apiKey: "key", fetch: provider.fetch, region: "us-east-1" };
  return { provider, model: createBedrockAnthropic(settings)("anthropic.claude-opus-5-5-v1:0") };
};
const holding = (seed: number, check: (turns: readonly Turn[]) => Promise<void>) =>
  fc.assert(fc.asyncProperty(longConversations(fc), check), { numRuns: runs, seed, endOnFailure: true });

describe("a long conversation with changing tools, instructions, approvals, processes, models, found tools and pictures", () => {
  it("is never rejected by the Claude API, never loses thinking, and repeats each request whole", async () => {
    await holding(1, async (turns) => {
      const { provider, wrong, warnings, pictures, foundCalls } = await converse(turns, { library, connect: claude });
      const { rejected, dropped, repetitions } = provider;
      expect({ rejected, dropped, wrong, warnings }).toEqual({ rejected: [], dropped: 0, wrong: [], warnings: [] });
      expect(repetitions.filter(({ bytes, shared }) => shared < bytes)).toEqual([]);
      expect(repetitions.length).toBeGreaterThan(200);
      expect([pictures > 20, foundCalls > 20]).toEqual([true, true]);
    });
  }, 300_000);

  it("is never rejected by Bedrock's endpoint if definitions stay, and never loses thinking", async () => {
    await holding(2, async (turns) => {
      const { provider, wrong, warnings } = await converse(withoutRedefinitions(turns), { library, connect: bedrock });
      const { rejected, dropped } = provider;
      expect({ rejected, dropped, wrong, warnings }).toEqual({ rejected: [], dropped: 0, wrong: [], warnings: [] });
    });
  }, 300_000);

  it("asks once more after its history was cut, and keeps its tools", async () => {
    await holding(3, async (turns) => {
      const { provider, wrong } = await converse(turns, { library, connect: claude, limits: { maxTurns: 12 } });
      expect(wrong).toEqual([]);
      expect(provider.rejected.length).toBeLessThanOrEqual(1);
      expect(provider.rejected.every((fault) => fault.includes("bound to a different conversation"))).toBe(true);
    });
  }, 300_000);
});
