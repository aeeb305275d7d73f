import type { JsonValue } from "../../schema/index.js";
import { type AgentSpecification, checkedAgent } from "../agents/agent-specification.js";
import { type GramProperty, type GramValue, gramValueOf, parseGram, plainValue, printGram } from "../gram/index.js";
import { wrongAt } from "./gram-fault.js";
import { labelledPattern } from "./pattern-subject.js";
import { label, onlyPattern, patternOfTool, toolOfPattern } from "./tool-pattern.js";

/**
 * Writes an agent's specification in gram notation, with its tools inside:
 *
 * ```
 * [support:Agent {instruction: "Help.", model: "openai/gpt-5-mini"} | [search:ToolSpecification {...} | (::Text)==>(::String)]]
 * ```
 *
 * See docs/10-specifications-and-gram.md.
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
 * Reads an agent's specification from gram notation.
 *
 * Throws `GramSyntaxError` for invalid gram and `SpecificationError` if it isn't an agent, both with line, column and excerpt. See
 * docs/10-specifications-and-gram.md.
 */
export function agentSpecificationFromGram(text: string): AgentSpecification {
  const pattern = onlyPattern(parseGram(text, { typeSignatures: true }), "an agent", text);
  const { identifier: name, record = [], elements } = labelledPattern(pattern, ["Agent"], "an agent", text);
  const settings = Object.fromEntries(record.map(({ key, value }) => [key, readSetting(value, text)]));
  const { instruction, model, ...rest } = settings;
  if (instruction !== undefined && rest.instructions !== undefined) {
    const second = record.findLast(({ key }) => key.startsWith("instruction"));
    return wrongAt(text, second ?? pattern, "instruction and instructions mean the same. Keep one.");
  }
  const agent = {
    ...rest,
    name,
    // Providers have their names in lower case here.
    model: typeof model === "string" ? model.replace(/^[^/]+/, (provider) => provider.toLowerCase()) : model,
    ...(instruction !== undefined && { instructions: instruction }),
    tools: elements.map((element) => toolOfPattern(element, text)),
  };
  return checkedAgent(agent, (reason, member) => {
    const saying = record.find(({ key }) => key === member || (key === "instruction" && member === "instructions"));
    return wrongAt(text, saying ?? pattern, reason);
  });
}

const property = (key: string, value: GramValue): GramProperty => ({ key, separator: ":", value });

/** Gram has neither maps in maps nor empty lists: what is nested stands in a text of JSON. */
function settingValue(value: JsonValue): GramValue {
  return typeof value === "object" && value !== null ? { kind: "tagged", tag: "json", value: JSON.stringify(value) } : gramValueOf(value);
}

function readSetting(value: GramValue, text: string): JsonValue {
  if (value.kind !== "tagged" || value.tag !== "json") return plainValue(value);
  try {
    return JSON.parse(value.value) as JsonValue;
  } catch (error) {
    return wrongAt(text, value, `the text json\`${value.value}\` isn't JSON.`, error);
  }
}
