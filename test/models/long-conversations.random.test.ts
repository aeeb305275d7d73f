/**
 * Long random conversations with the real packages, against what the providers enforce. In `npm run test:random`, one conversation with
 * each has over 200 steps; if jest is given this file alone, it holds the first third of it.
 * `LONG_CONVERSATIONS`: how many other conversations each test holds.
 */
import * as bedrock from "@ai-sdk/amazon-bedrock";
import * as bedrockAnthropic from "@ai-sdk/amazon-bedrock/anthropic";
import * as anthropic from "@ai-sdk/anthropic";
import * as google from "@ai-sdk/google";
import * as groqPackage from "@ai-sdk/groq";
import * as mistralPackage from "@ai-sdk/mistral";
import * as openai from "@ai-sdk/openai";
import fc from "fast-check";
import * as main from "../../src/index.js";
import * as models from "../../src/models/index.js";
import * as storage from "../../src/storage/index.js";
import {
  breaksOf,
  checkChangesAlone,
  checkFrozen,
  checkKept,
  checkReports,
  checkLength,
  checkNewDefinitionsAlone,
  claude,
  claudeOnBedrock,
  converseApi,
  firstThird,
  gemini,
  groq,
  hold,
  mistral,
  openAi,
  openAiChat,
  type World,
} from "../support/prefix/check-long-conversations.js";
import { ConverseProvider } from "../support/prefix/converse-provider.js";
import { type Held, type Turn, withoutRedefinedDeferred, withoutRedefinitions } from "../support/prefix/long-conversation.js";
import { isWhole } from "../support/repeats.js";

const world: World = {
  library: { ...main, ...models, ...storage },
  packages: { ...bedrock, ...bedrockAnthropic, ...anthropic, ...google, ...groqPackage, ...mistralPackage, ...openai },
  fc,
  // `LONG_CONVERSATIONS=5` tries that many others of each; without it they are the same ones each time.
  runs: Number(process.env.LONG_CONVERSATIONS ?? 1),
  isRandom: process.env.LONG_CONVERSATIONS !== undefined,
};
const profile = "arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/shop";
/** A short history, of a short conversation. */
const cut = { limits: { maxTurns: 4 }, change: firstThird };
/** There are always instructions, and no other model takes over. */
const instructedAlone = (turns: readonly Turn[]): readonly Turn[] =>
  firstThird(turns).map(({ says, steps, ...turn }) => ({
    ...turn,
    says: says ?? "Be honest.",
    steps: steps.map((step) => ({ ...step, does: step.does === "fail" ? "call" : step.does })),
  }));
const long = (turns: readonly Turn[]): readonly Turn[] => (isWhole ? turns : firstThird(turns));
const checkWhole = (held: Held): void => {
  if (isWhole) checkLength(held);
};
const storing = (store: boolean) => ({ options: { providerOptions: { openai: { store } } } });

describe("a conversation with the Claude API", () => {
  it("is never rejected, never loses thinking, and repeats each request whole", async () => {
    await hold(world, { connect: claude(world), seed: 1, change: long, options: { cachePrompt: true } }, (held) => {
      checkKept(held);
      checkWhole(held);
      expect(breaksOf(held)).not.toContain(true);
    });
  }, 300_000);

  it("keeps its tools and thinking on Bedrock's endpoint if no definition changes", async () => {
    const change = (turns: readonly Turn[]) => withoutRedefinitions(firstThird(turns));
    await hold(world, { connect: claudeOnBedrock(world), seed: 2, change, options: { cachePrompt: true } }, (held) => checkKept(held));
  }, 300_000);

  it("is rejected once on Bedrock's endpoint because of a changed definition, and only such a request begins anew", async () => {
    await hold(world, { connect: claudeOnBedrock(world), seed: 9, change: instructedAlone }, ({ provider, wrong, offers }) => {
      expect(wrong).toEqual([]);
      expect(provider.rejected).toEqual([expect.stringContaining("bound to a different conversation")]);
      const restarts = provider.repetitions.flatMap(({ sameTools }, index) => (sameTools ? [] : [index]));
      const redefinitions = offers.flatMap(({ isRedefined }, index) => (isRedefined ? [index] : []));
      expect(restarts.length).toBeGreaterThan(2);
      expect(redefinitions).toEqual(expect.arrayContaining(restarts));
    });
  }, 300_000);

  it("is rejected once after its first message was edited, and the rest of it is kept", async () => {
    const edited = (turns: readonly Turn[]) =>
      instructedAlone(turns).map((turn, index): Turn => ({ ...turn, before: index === 4 ? "edited" : "stay" }));
    await hold(world, { connect: claude(world), seed: 10, change: edited }, (held) => {
      expect(held.wrong).toEqual([]);
      expect(held.provider.rejected).toEqual([expect.stringContaining("bound to a different conversation")]);
      expect(breaksOf(held).filter((isBroken) => isBroken)).toHaveLength(1);
      checkReports(held);
    });
  }, 300_000);

  it("is asked for once more after its history was cut", async () => {
    await hold(world, { connect: claude(world), seed: 3, ...cut }, ({ provider, wrong }) => {
      expect(wrong).toEqual([]);
      expect(provider.rejected).toEqual([expect.stringContaining("bound to a different conversation")]);
    });
  }, 300_000);
});

describe("a conversation with Claude on Bedrock's Converse", () => {
  it("is never rejected, and leaves thinking out and begins anew for new definitions alone", async () => {
    await hold(world, { connect: converseApi(world), seed: 11, change: long }, (held) => {
      checkFrozen(held);
      checkWhole(held);
    });
  }, 300_000);

  it("is rejected once by a profile that doesn't name its model, and then keeps its beginning as well", async () => {
    await hold(world, { connect: converseApi(world, profile), seed: 15, change: instructedAlone }, ({ provider, wrong, offers }) => {
      expect(wrong).toEqual([]);
      expect(provider.rejected).toEqual([expect.stringContaining("bound to a different conversation")]);
      const changes = offers.filter(({ isOther }) => isOther).length;
      expect(provider.repetitions.filter(({ bytes, shared }) => shared < bytes).length).toBeLessThan(changes);
    });
  }, 300_000);

  it("is asked for once more each time after its history was cut", async () => {
    await hold(world, { connect: converseApi(world), seed: 16, ...cut }, ({ provider, wrong }) => {
      expect(wrong).toEqual([]);
      // A new tool at the same time leaves the thinking out before it could be rejected.
      expect(provider.rejected.length + provider.dropped).toBeGreaterThan(0);
      for (const text of provider.rejected) expect(text).toMatch(/^messages\.\d+\.content\.0: [^;]*bound to a different conversation\.$/);
    });
  }, 300_000);
});

describe("a conversation with OpenAI's Responses API", () => {
  it("is never rejected, loses no reasoning, and begins anew for new definitions alone, those of found tools aside", async () => {
    await hold(
      world,
      { connect: openAi(world), seed: 4, change: (turns) => long(withoutRedefinedDeferred(turns)), ...storing(false) },
      (held) => {
        checkKept(held);
        checkWhole(held);
        checkNewDefinitionsAlone(held, ({ isNew, isRedefined }) => isNew || isRedefined);
      },
    );
  }, 300_000);

  it("refers to stored items, and lists found tools for a model without tool_search", async () => {
    await hold(world, { connect: openAi(world, "gpt-5-mini"), seed: 5, change: firstThird, ...storing(true) }, (held) => {
      checkKept(held);
      checkNewDefinitionsAlone(held, ({ isNew, isFound, isRedefined }) => isNew || isFound || isRedefined);
    });
  }, 300_000);

  it("is never rejected after its history was cut, which costs the reasoning behind the cut", async () => {
    await hold(world, { connect: openAi(world), seed: 6, ...cut }, (held) => {
      checkKept(held, Number.POSITIVE_INFINITY);
      expect(held.provider.dropped).toBeGreaterThan(0);
    });
  }, 300_000);
});

describe("a conversation with Gemini", () => {
  it("is never rejected, loses no signature, and begins anew with changes of tools and instructions alone", async () => {
    await hold(world, { connect: gemini(world), seed: 7, change: long }, (held) => {
      checkKept(held);
      checkWhole(held);
      checkChangesAlone(held);
    });
  }, 300_000);

  it("is never rejected after its history was cut", async () => {
    await hold(world, { connect: gemini(world), seed: 8, ...cut }, (held) => checkKept(held, Number.POSITIVE_INFINITY));
  }, 300_000);
});

describe.each([
  ["OpenAI's Chat Completions", openAiChat, 12],
  ["Mistral", mistral, 13],
  ["Groq", groq, 14],
])("a conversation with %s", (_, connect, seed) => {
  it("is never rejected, and begins anew with changes of tools and instructions alone", async () => {
    await hold(world, { connect: connect(world), seed, change: long }, (held) => {
      checkKept(held);
      checkWhole(held);
      checkChangesAlone(held);
    });
  }, 300_000);

  it("is never rejected after its history was cut", async () => {
    await hold(world, { connect: connect(world), seed, ...cut }, (held) => checkKept(held));
  }, 300_000);
});

describe("a conversation in which another provider takes over and hands back", () => {
  it.each([
    ["the Claude API", "Bedrock's Converse", claude, converseApi, 20],
    ["Bedrock's Converse", "OpenAI's Responses API", converseApi, openAi, 21],
    ["OpenAI's Responses API", "Gemini", openAi, gemini, 22],
    ["Gemini", "Mistral", gemini, mistral, 23],
    ["Mistral", "Groq", mistral, groq, 24],
    ["Groq", "OpenAI's Chat Completions", groq, openAiChat, 25],
    ["OpenAI's Chat Completions", "the Claude API", openAiChat, claude, 26],
  ])(
    "is rejected neither by %s nor by %s, and loses no reasoning",
    async (_one, _other, connect, connectOther, seed) => {
      // A found tool that is defined anew costs OpenAI's reasoning.
      const change = (turns: readonly Turn[]) => withoutRedefinedDeferred(firstThird(turns));
      const conversations = { connect: connect(world), connectOther: connectOther(world), seed, change, ...storing(false) };
      await hold(world, conversations, ({ provider, other, wrong }) => {
        expect([wrong, provider.rejected, other?.rejected]).toEqual([[], [], []]);
        expect(other?.requests).toBeGreaterThan(3);
        // Converse takes no new tools beside earlier thinking.
        for (const one of [provider, other]) if (!(one instanceof ConverseProvider)) expect(one?.dropped).toBe(0);
      });
    },
    300_000,
  );
});
