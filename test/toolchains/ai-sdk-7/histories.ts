/** The rules of histories with the packages of AI SDK 7, which need Node 22 and newer; `scripts/ai-sdk-7.mjs` bundles and runs it. */
import fc from "fast-check";
import * as main from "../../../src/index.js";
import * as modelPort from "../../../src/models/index.js";
import { checkConversations, checkStoredHistories } from "../../support/histories/check-histories.js";
import { loadPackages, modelsOn } from "../../support/histories/models.js";
import { wires } from "../../support/histories/plans.js";
import { RuleProvider } from "../../support/histories/rule-provider.js";

const provider = new RuleProvider();
const world = { library: { ...main, ...modelPort }, provider, models: modelsOn(provider.fetch, await loadPackages()) };
await checkConversations(world, fc, { count: 60 });
await checkStoredHistories(world, fc, { count: 100 });

const specifications = new Set(Object.values(world.models).map((model) => (model as modelPort.AiSdkLanguageModel).specificationVersion));
if (specifications.size !== 1 || !specifications.has("v4")) throw new Error(`Not AI SDK 7: ${[...specifications].join()}`);
const counts = wires.map((wire) => `${wire} ${provider.counts.get(wire)}`);
console.log(`Node ${process.version}, AI SDK 7: no history was rejected. Requests: ${counts.join(", ")}.`);
