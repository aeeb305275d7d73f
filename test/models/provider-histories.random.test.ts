/**
 * Random histories go through the provider packages to rules that stand for the providers. A request by HTTP costs as much processor time
 * as all else that the test does with it, so a local server gets some of the histories. The others are answered in this process, as the
 * `fetch` of the packages.
 */
import fc from "fast-check";
import * as main from "../../src/index.js";
import * as modelPort from "../../src/models/index.js";
import { checkConversations, checkStoredHistories } from "../support/histories/check-histories.js";
import { loadPackages, modelsOn } from "../support/histories/models.js";
import { wires } from "../support/histories/plans.js";
import { RuleProvider } from "../support/histories/rule-provider.js";
import type { World } from "../support/histories/run-conversation.js";

describe.each([
  { answeredBy: "in this process", conversations: 120, histories: 260, seed: 1 },
  { answeredBy: "on a local server", conversations: 30, histories: 40, seed: 2 },
])("no provider $answeredBy rejects", ({ answeredBy, conversations, histories, seed }) => {
  let world: World;
  beforeEach(async () => {
    const provider = new RuleProvider();
    const answering = answeredBy === "on a local server" ? await provider.listen() : provider.fetch;
    world = { library: { ...main, ...modelPort }, provider, models: modelsOn(answering, await loadPackages()) };
  });
  afterEach(() => world.provider.close());

  it("a conversation with calls, aborts, fallbacks, blank texts, denials, repeated ids and switched models", async () => {
    await checkConversations(world, fc, { count: conversations, seed });
    for (const wire of wires) expect([wire, world.provider.counts.get(wire)]).toEqual([wire, expect.any(Number)]);
  }, 120_000);

  it("a stored history in any order, with blanks, foreign ids and lost results", async () => {
    await checkStoredHistories(world, fc, { count: histories, seed });
    for (const wire of wires) expect(world.provider.counts.get(wire)).toBeGreaterThanOrEqual(histories);
  }, 120_000);
});
