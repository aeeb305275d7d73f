import { describeFaults, fail, type JsonSchema, type Result, succeed } from "../../schema/index.js";
import type { ReturnsOption } from "../../tool/index.js";
import { snakeCase, valueReader } from "../../tool/internal.js";
import { readJson } from "./read-json.js";

/** The structured output of an agent. */
export interface AgentOutput {
  /** Legal for every provider: `^[a-zA-Z0-9_-]{1,64}$`. */
  readonly name: string;
  /** Always of an object, as providers want it: any other type stands under the key `output`. */
  readonly schema: JsonSchema;
  /** The output in an answer's text, or what is wrong with it. What rules of the application throw is thrown. */
  read(text: string): Promise<Result<unknown, string>>;
  /** The prompt that asks the model to correct an answer that doesn't fit. */
  repairPrompt(faults: string): string;
}

/** What `@returns` of an agent says. Throws `ToolDefinitionError` for a type that can't be known. `owner`: the agent's class name. */
export function agentOutputOf(type: ReturnsOption, owner: string): AgentOutput {
  const reader = valueReader(type, `${owner} @returns`);
  const wrapped = reader.schema.type !== "object";
  const schema = wrapped ? wrap(reader.schema) : reader.schema;
  return {
    name: nameOf(type),
    schema,
    async read(text) {
      let first: Result<unknown, string> | undefined;
      for (const json of readJson(text)) {
        const reading = json.ok ? await readValue(wrapped ? unwrap(json.value) : json.value) : json;
        if (reading.ok) return reading;
        // An answer that is JSON gives better faults.
        if (first === undefined || json.ok) first = reading;
      }
      return first ?? fail("the answer is empty");
    },
    repairPrompt: (faults) =>
      `Your answer doesn't fit: ${faults}. Answer again, with nothing but one JSON object of this schema:\n${JSON.stringify(schema)}`,
  };

  async function readValue(value: unknown): Promise<Result<unknown, string>> {
    const reading = await reader.read(value);
    return reading.ok ? succeed(reading.value) : fail(describeFaults(reading.error, "the answer"));
  }
}

const key = "output";

/** References in the schema start at its root, where its `$defs` must stay. */
function wrap({ $defs, ...schema }: JsonSchema): JsonSchema {
  const object = { type: "object", properties: { [key]: schema }, required: [key], additionalProperties: false } as const;
  return $defs === undefined ? object : { ...object, $defs };
}

/** A model that was never shown the schema gives the value itself. */
function unwrap(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  return Object.keys(value).length === 1 && Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : value;
}

function nameOf(type: ReturnsOption): string {
  const name = typeof type === "function" && type.prototype !== undefined ? snakeCase(type.name) : "";
  return name.replace(/[^a-zA-Z0-9_-]+/g, "_").slice(0, 64) || key;
}
