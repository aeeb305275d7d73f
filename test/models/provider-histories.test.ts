import fc from "fast-check";
import * as main from "../../src/index.js";
import * as modelPort from "../../src/models/index.js";
import { checkConversations, checkStoredHistories } from "../support/histories/check-histories.js";
import { loadPackages, modelsOn } from "../support/histories/models.js";
import { wires } from "../support/histories/plans.js";
import { RuleProvider } from "../support/histories/rule-provider.js";
import type { World } from "../support/histories/run-conversation.js";

describe("no provider rejects", () => {
  let world: World;
  beforeEach(async () => {
    const provider = new RuleProvider();
    world = { library: { ...main, ...modelPort }, provider, models: modelsOn(provider.fetch, await loadPackages()) };
  });

  it("a conversation with calls, aborts, fallbacks, blank texts, denials, repeated ids and switched models", async () => {
    await checkConversations(world, fc, { count: 150 });
    for (const wire of wires) expect([wire, world.provider.counts.get(wire)]).toEqual([wire, expect.any(Number)]);
  }, 120_000);

  it("a stored history in any order, with blanks, foreign ids and lost results", async () => {
    await checkStoredHistories(world, fc, { count: 300 });
    for (const wire of wires) expect(world.provider.counts.get(wire)).toBeGreaterThanOrEqual(300);
  }, 120_000);
});
