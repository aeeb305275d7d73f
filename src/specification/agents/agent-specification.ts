import type { Budget } from "../../loop/index.js";
import type { ModelOptions } from "../../models/index.js";
import { isRecord } from "../../schema/internal.js";
import { insteadOfName } from "../../tool/internal.js";
import { toolSpecificationFromJSON } from "../forms/specification-json.js";
import { SpecificationError } from "../specification-error.js";
import type { ToolSpecification } from "../tool-specification.js";

/** An agent without code and secrets, as plain JSON. Made by `agentSpecificationOf`. See docs/10-specifications-and-gram.md. */
export interface AgentSpecification {
  /** The agent's name. */
  readonly name: string;
  readonly description?: string;
  /** A model's name: `"openai/gpt-5-mini"`. */
  readonly model: string;
  /** The second argument of `@model`: what to do when the model fails. `timeout` is in milliseconds. */
  readonly modelSettings?: { readonly retries?: number; readonly timeout?: number; readonly fallback?: string | readonly string[] };
  readonly modelOptions?: ModelOptions;
  readonly instructions?: string;
  /** The tools as specifications. */
  readonly tools: readonly ToolSpecification[];
  /** The most model calls of one run; `null` means no limit. Default: 16. */
  readonly maxSteps?: number | null;
  readonly budget?: Budget;
  readonly history?: { readonly maxTokens?: number; readonly maxTurns?: number };
}

const members: Readonly<Record<keyof AgentSpecification, true>> = {
  name: true,
  description: true,
  model: true,
  modelSettings: true,
  modelOptions: true,
  instructions: true,
  tools: true,
  maxSteps: true,
  budget: true,
  history: true,
};

/**
 * Checks the parsed JSON of an agent's specification and returns it. Limits are checked later, when an agent is made from it.
 *
 * Throws `SpecificationError` if it isn't a specification. See docs/10-specifications-and-gram.md.
 */
export function agentSpecificationFromJSON(json: unknown): AgentSpecification {
  if (!isRecord(json)) {
    throw new SpecificationError(
      `An agent specification is an object of name, model and tools, got ${typeof json === "string" ? "a text: parse it first" : String(json)}.`,
    );
  }
  return checkedAgent(json, (reason) => {
    throw new SpecificationError(reason);
  });
}

/** `wrong` receives the reason and the member at fault. */
export function checkedAgent(
  specification: Readonly<Record<string, unknown>>,
  wrong: (reason: string, member?: string) => never,
): AgentSpecification {
  const { name, description, model, instructions, tools } = specification;
  if (typeof name !== "string" || name.trim() === "") return wrong("An agent specification has no name.");
  const unknown = Object.keys(specification).find((member) => !Object.hasOwn(members, member));
  if (unknown !== undefined) {
    return wrong(
      `The agent specification "${name}" has the unknown member "${unknown}", which would be ignored. ${insteadOfName(unknown, Object.keys(members))}`,
      unknown,
    );
  }
  for (const [member, value] of Object.entries({ description, model, instructions })) {
    if (value === undefined || typeof value === "string") continue;
    return wrong(`The agent specification "${name}": ${member} must be a string, got a ${typeof value}.`, member);
  }
  if (typeof model !== "string" || model.trim() === "") {
    return wrong(`The agent specification "${name}" has no model. Give it one as a text: "openai/gpt-5-mini".`, "model");
  }
  if (!Array.isArray(tools)) return wrong(`The agent specification "${name}": tools must be a list of tool specifications.`);
  // In the order of the members, so that equal specifications print alike.
  const known = Object.keys(members).flatMap((member) => (specification[member] === undefined ? [] : [[member, specification[member]]]));
  return Object.freeze({ ...Object.fromEntries(known), name, model, tools: Object.freeze(tools.map(toolSpecificationFromJSON)) });
}
