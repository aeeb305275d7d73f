import { Agent, model } from "../../../src/agent/index.js";
import {
  agentSpecificationOf,
  bindAgent,
  createToolLibrary,
  createToolSpecification,
  toolSpecificationFromJSON,
  usesSpecifications,
} from "../../../src/specification/index.js";
import { type Example, type Examples, errorOf, warningOf } from "./example.js";
import { RefundTool } from "./subjects.js";

const search = createToolSpecification("search", "Searches the shop.", "(query::Text)==>(::String)");

@model(() => "openai/gpt-5-mini")
@usesSpecifications([search])
class SupportAgent extends Agent {}

/** What who specifies tools and agents, or binds them, meets. */
export const specificationErrors: Examples<"SpecificationError" | "BindingError"> = {
  SpecificationError: [
    () => errorOf(() => createToolSpecification("search", "Searches the shop.", "(query::Txt)==>(::String)")),
    () => errorOf(() => agentSpecificationOf(SupportAgent)),
  ],
  BindingError: [() => errorOf(() => bindAgent(SupportAgent, createToolLibrary([RefundTool])))],
};

export const unbound: Example = () => errorOf(() => SupportAgent.generate("Find lamps"));

export const disagreement: Example = () =>
  warningOf(() =>
    toolSpecificationFromJSON({ ...search, schema: { type: "object", properties: { query: { type: "integer" } }, required: ["query"] } }),
  );
