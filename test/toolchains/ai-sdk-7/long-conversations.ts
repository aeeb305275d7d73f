/** Long conversations with the packages of AI SDK 7, which need Node 22 and newer; `scripts/ai-sdk-7.mjs` bundles and runs it. */
import { deepStrictEqual } from "node:assert/strict";
import fc from "fast-check";
import * as main from "../../../src/index.js";
import * as modelPort from "../../../src/models/index.js";
import * as storage from "../../../src/storage/index.js";
import { loadPackages } from "../../support/histories/models.js";
import {
  breaksOf,
  checkChangesAlone,
  checkFrozen,
  checkKept,
  checkLength,
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
} from "../../support/prefix/check-long-conversations.js";
import { withoutRedefinitions } from "../../support/prefix/long-conversation.js";

// The other programs load a package by its main entry.
const bedrock = await import("@ai-sdk/amazon-bedrock/anthropic");
const packages = { ...(await loadPackages()), ...bedrock };
const world: World = { library: { ...main, ...modelPort, ...storage }, packages, fc, runs: 2 };
const stateless = { options: { providerOptions: { openai: { store: false } } } };
const dropsAny = Number.POSITIVE_INFINITY;
let steps = 0;

await hold(world, { connect: claude(world), seed: 1 }, (held) => {
  checkKept(held);
  checkLength(held);
  deepStrictEqual(breaksOf(held).includes(true), false);
  steps += held.steps;
});
await hold(world, { connect: claudeOnBedrock(world), seed: 2, change: withoutRedefinitions }, (held) => checkKept(held));
await hold(world, { connect: converseApi(world), seed: 7 }, (held) => {
  checkFrozen(held);
  steps += held.steps;
});

// Tools are added in their places, so only a changed definition changes what was sent, and costs the reasoning behind it.
await hold(world, { connect: openAi(world), seed: 3, change: withoutRedefinitions, ...stateless }, (held) => {
  checkKept(held);
  checkLength(held);
  deepStrictEqual(breaksOf(held).includes(true), false);
  steps += held.steps;
});
await hold(world, { connect: openAi(world), seed: 4, ...stateless }, (held) => {
  checkKept(held, dropsAny);
  deepStrictEqual(
    breaksOf(held),
    held.offers.map(({ isRedefined }) => isRedefined),
  );
});
await hold(world, { connect: openAi(world), seed: 5, change: firstThird, limits: { maxTurns: 4 } }, (held) => checkKept(held, dropsAny));

await hold(world, { connect: gemini(world), seed: 6 }, (held) => {
  checkKept(held);
  checkLength(held);
  checkChangesAlone(held);
  steps += held.steps;
});
for (const [connect, seed] of [
  [openAiChat, 8],
  [mistral, 9],
  [groq, 10],
] as const) {
  await hold(world, { connect: connect(world), seed }, (held) => {
    checkKept(held);
    checkChangesAlone(held);
    steps += held.steps;
  });
}
console.log(`Node ${process.version}, AI SDK 7: ${steps} steps of long conversations, no request was rejected, and nothing was lost.`);
