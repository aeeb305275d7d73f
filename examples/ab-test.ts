/**
 * Two implementations of one search, compared: an agent declared by a specification is bound to an experiment, a thousand
 * users ask it one question each, and the report says which variant failed how often and how long it took. Latency differs
 * from run to run: masked unless --latency is given.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Agent, failure, instructions, model } from "toolwright";
import {
  bindAgent,
  createToolLibrary,
  createToolSpecification,
  experiment,
  implementSpecification,
  usesSpecifications,
} from "toolwright/specification";

const search = createToolSpecification(
  "search",
  "Searches the shop. Use when the user is looking for something.",
  '(::Text {paramName:"query", description:"What to look for"})==>(::String)',
);

const goods = ["desk lamp", "floor lamp", "garden chair", "armchair", "bookcase"];

/** Finds what holds the words. */
const ByWords = implementSpecification(search, async ({ query }) => {
  await sleep(2);
  const found = goods.filter((name) => name.includes(String(query)));
  return found.length > 0 ? `Found: ${found.join(", ")}.` : failure(`Nothing is called "${query}".`, "nothing_found");
});

/** Knows other words for things, and takes longer. */
const otherWords: Readonly<Record<string, string>> = { light: "lamp", seat: "chair", sofa: "chair" };
const ByMeaning = implementSpecification(search, async ({ query }) => {
  await sleep(8);
  const found = goods.filter((name) => name.includes(otherWords[String(query)] ?? String(query)));
  return found.length > 0 ? `Found: ${found.join(", ")}.` : failure(`Nothing is like "${query}".`, "nothing_found");
});

@model("embedded/keyword")
@instructions("You help customers to find things.")
@usesSpecifications([search])
class ShopAgent extends Agent {}

const trial = experiment(
  "search",
  { words: createToolLibrary([ByWords]), meaning: createToolLibrary([ByMeaning]) },
  { by: ({ userId }) => userId, weights: { words: 3, meaning: 1 } },
);
const Shop = bindAgent(ShopAgent, trial);

const wanted = ["lamp", "light", "chair", "seat", "bookcase"];
const ask = (user: number) => Shop.generate(`Search "${wanted[user % wanted.length]}"`, { toolContext: { userId: `user-${user}` } });

// Twenty at a time.
for (let start = 0; start < 1_000; start += 20) await Promise.all(Array.from({ length: 20 }, (_, index) => ask(start + index)));

const { values } = parseArgs({ options: { latency: { type: "boolean", default: false } } });
for (const [variant, { calls, errors, latency }] of Object.entries(trial.report().variants)) {
  const failed = Object.entries(errors).map(([type, count]) => `${count} ${type}`);
  const times = values.latency && latency !== undefined ? `${latency.p50.toFixed(1)} / ${latency.p95.toFixed(1)} ms` : "masked";
  console.log(`${variant.padEnd(8)} ${calls} calls, ${failed.join(", ") || "no errors"}, latency p50 / p95: ${times}`);
}
console.log(`user-7 always gets: ${await trial.variantFor({ userId: "user-7" })}`);
