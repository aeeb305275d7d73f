import type { JsonValue } from "../../schema/index.js";
import { type AgentSpecification, agentSpecificationFromJSON } from "../agents/agent-specification.js";
import { type GramProperty, type GramValue, gramValueOf, parseGram, plainValue, printGram } from "../gram/index.js";
import { SpecificationError } from "../specification-error.js";
import { label, onlyPattern, patternOfTool, shown, toolOfPattern } from "./tool-pattern.js";

/**
 * An agent's specification in gram notation, its tools within it:
 *
 * ```
 * [support:Agent {instruction: "Help.", model: "openai/gpt-5-mini"} | [search:ToolSpecification {...} | (::Text)==>(::String)]]
 * ```
 */
export function agentSpecificationToGram({ name, instructions, tools, ...rest }: AgentSpecification): string {
  const record = [
    ...(instructions === undefined
      ? []
      : [property("instruction", { kind: "string", value: instructions, fenced: instructions.includes("\n") })]),
    ...Object.entries(rest).map(([member, value]) => property(member, settingValue(value as JsonValue))),
  ];
  return printGram({ kind: "pattern", identifier: name, labels: [label("Agent")], record, elements: tools.map(patternOfTool) });
}

/**
 * An agent's specification from gram notation. Throws `GramSyntaxError` for what is no gram, and `SpecificationError` for what
 * is no agent.
 */
export function agentSpecificationFromGram(text: string): AgentSpecification {
  const pattern = onlyPattern(parseGram(text, { typeSignatures: true }), "an agent");
  if (pattern.kind !== "pattern" || pattern.labels?.some(({ name }) => name === "Agent") !== true) {
    throw new SpecificationError(`${shown(pattern)} is no agent: it has no label Agent, as in [support:Agent {...} | ...].`);
  }
  const settings = Object.fromEntries((pattern.record ?? []).map(({ key, value }) => [key, readSetting(value)]));
  const { instruction, model, ...rest } = settings;
  return agentSpecificationFromJSON({
    ...rest,
    name: pattern.identifier,
    // Providers have their names in lower case here.
    model: typeof model === "string" ? model.replace(/^[^/]+/, (provider) => provider.toLowerCase()) : model,
    ...(instruction !== undefined && { instructions: instruction }),
    tools: pattern.elements.map(toolOfPattern),
  });
}

const property = (key: string, value: GramValue): GramProperty => ({ key, separator: ":", value });

/** Gram has neither maps in maps nor empty lists: what is nested stands in a text of JSON. */
function settingValue(value: JsonValue): GramValue {
  return typeof value === "object" && value !== null ? { kind: "tagged", tag: "json", value: JSON.stringify(value) } : gramValueOf(value);
}

function readSetting(value: GramValue): JsonValue {
  if (value.kind !== "tagged" || value.tag !== "json") return plainValue(value);
  try {
    return JSON.parse(value.value) as JsonValue;
  } catch (error) {
    throw new SpecificationError(`The text json\`${value.value}\` is no JSON.`, { cause: error });
  }
}
