import type { JsonSchema } from "../../schema/index.js";
import { openAiStrictKeywords } from "../../schema/internal.js";

/** What OpenAI's structured outputs take in strict mode (its guide "Structured Outputs", "Supported schemas"). */
const strictKeywords: ReadonlySet<string> = new Set([
  ...["type", "properties", "required", "additionalProperties", "items", "enum", "const", "anyOf", "$ref", "$defs", "description"],
  ...openAiStrictKeywords,
]);

/** Whether a schema is one that strict mode takes: only keywords that it knows, all objects closed, all their properties required. */
export function isStrict(schema: JsonSchema | boolean): boolean {
  if (typeof schema === "boolean" || Object.keys(schema).some((keyword) => !strictKeywords.has(keyword))) return false;
  const { type, properties = {}, required = [], additionalProperties, items, anyOf = [], $defs = {} } = schema;
  const isObject = type === "object" || schema.properties !== undefined;
  if (isObject && (additionalProperties !== false || Object.keys(properties).some((name) => !required.includes(name)))) return false;
  const inner = [...Object.values(properties), ...Object.values($defs), ...anyOf, ...[items ?? []].flat()];
  return inner.every(isStrict);
}

/** The names under which the packages of OpenAI's family look for their options. */
function optionNames(provider: string): readonly string[] {
  if (provider.startsWith("openai-compatible")) return ["openaiCompatible"];
  if (provider.startsWith("azure")) return ["azure", "openai"];
  return /^openai(\.|$)/.test(provider) ? ["openai"] : [];
}

/**
 * The provider options for an output schema that isn't made for strict mode. OpenAI's packages request
 * strict mode by default, and in strict mode the API rejects a request whose schema has an optional property.
 */
export function withoutStrictOutput(
  provider: string,
  options: Record<string, Record<string, unknown>> = {},
): Record<string, Record<string, unknown>> {
  const added = optionNames(provider).map((name) => [name, { strictJsonSchema: false, ...options[name] }] as const);
  return { ...options, ...Object.fromEntries(added) };
}
