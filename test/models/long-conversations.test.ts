/**
 * Long random conversations with the real packages, against what the providers enforce. One conversation with each has over 200 steps;
 * `npm test` holds the first third of it.
 * `npm run test:random` holds two others of each.
 * `LONG_CONVERSATIONS`: how many conversations each test holds.
 */
import * as bedrock from "@ai-sdk/amazon-bedrock/anthropic";
import * as anthropic from "@ai-sdk/anthropic";
import * as google from "@ai-sdk/google";
import * as openai from "@ai-sdk/openai";
import fc from "fast-check";
import * as main from "../../src/index.js";
import * as models from "../../src/models/index.js";
import * as storage from "../../src/storage/index.js";
import {
  breaksOf,
  checkChangesAlone,
  checkKept,
  checkReports,
  checkLength,
  checkNewDefinitionsAlone,
  claude,
  claudeOnBedrock,
  firstThird,
  gemini,
  hold,
  openAi,
  type World,
  withoutStreams,
} from "../support/prefix/check-long-conversations.js";
import { type Held, type Turn, withoutRedefinedDeferred, withoutRedefinitions } from "../support/prefix/long-conversation.js";
import { isWhole } from "../support/repeats.js";

const world: World = {
  library: { ...main, ...models, ...storage },
  packages: { ...bedrock, ...anthropic, ...google, ...openai },
  fc,
  // `LONG_CONVERSATIONS=5` tries that many others of each; without it they are the same ones each time.
  runs: Number(process.env.LONG_CONVERSATIONS ?? 1),
  isRandom: process.env.LONG_CONVERSATIONS !== undefined,
};
/** A short history, of a short conversation. */
const cut = { limits: { maxTurns: 4 }, change: firstThird };
/** There are always instructions, and no other model takes over. */
const instructedAlone = (turns: readonly Turn[]): readonly Turn[] =>
  withoutStreams(firstThird(turns)).map(({ says, steps, ...turn }) => ({
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
    const change = (turns: readonly Turn[]) => withoutStreams(withoutRedefinitions(firstThird(turns)));
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
