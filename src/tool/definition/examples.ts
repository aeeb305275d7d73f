import { describeFaults, type JsonSchema } from "../../schema/index.js";
import { compileSchema, describeValue, freezeDeep } from "../../schema/internal.js";
import { isOptions } from "../option-names.js";
import { ToolDefinitionError } from "../tool-errors.js";
import type { ToolExample } from "../tool-definition.js";
import { jsonOf } from "./default-value.js";

/** More examples cost tokens with every request, and teach the model little. */
const mostExamples = 5;

/** The examples of a tool as frozen JSON. Throws `ToolDefinitionError` for one that the tool's schema rejects. */
export function readExamples(written: unknown, parametersSchema: JsonSchema, owner: string): readonly ToolExample[] {
  if (!Array.isArray(written) || written.length === 0 || written.length > mostExamples) {
    const got = Array.isArray(written) ? String(written.length) : describeValue(written);
    throw new ToolDefinitionError(
      `${owner}: examples must be a list of 1 to ${mostExamples} objects of arguments, got ${got}. ` +
        'Write @example({ city: "Paris" }), or examples: [{ city: "Paris" }].',
    );
  }
  const validator = compileSchema(freezeDeep(parametersSchema));
  return written.map((example: unknown) => {
    if (!isOptions(example)) {
      throw new ToolDefinitionError(
        `${owner}: an example must be an object of arguments, got ${describeValue(example)}. Write @example({ city: "Paris" }).`,
      );
    }
    const json = jsonOf(example, "examples", owner) as ToolExample;
    const checked = validator.validate(json, { owned: false, repair: false });
    if (checked.ok) return freezeDeep(json);
    throw new ToolDefinitionError(
      `${owner}: the example ${JSON.stringify(json)} breaks the tool's schema: ${describeFaults(checked.error, "it")}. Change the example or the parameter.`,
    );
  });
}
