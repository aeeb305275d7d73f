import type { JsonSchema } from "../../schema/index.js";
import { isRecord, kindOf } from "../../schema/internal.js";
import { insteadOfName } from "../../tool/internal.js";
import { warnProcess } from "../../redaction/internal.js";
import { schemaDifference } from "../library/schema-difference.js";
import { SpecificationError } from "../specification-error.js";
import { createToolSpecification, type ToolSpecification } from "../tool-specification.js";

/**
 * Checks the parsed JSON of a tool's specification and returns it.
 *
 * ```ts
 * const again = toolSpecificationFromJSON(JSON.parse(JSON.stringify(sayHello)));
 * ```
 *
 * `schema` may be absent: it is derived from the type signature. If the two differ, the signature is used, and a process warning
 * reports it.
 *
 * Throws `SpecificationError` if it isn't a specification. See docs/10-specifications-and-gram.md.
 */
export function toolSpecificationFromJSON(json: unknown): ToolSpecification {
  if (!isRecord(json)) {
    const hint = typeof json === "string" ? " Parse it first: JSON.parse(text)." : "";
    throw new SpecificationError(`A tool specification is an object of name, description and typeSignature, got ${kindOf(json)}.${hint}`);
  }
  const unknown = Object.keys(json).find((member) => !members.includes(member));
  if (unknown !== undefined) {
    throw new SpecificationError(
      `A tool specification has the unknown member "${unknown}", which would be ignored. ${insteadOfName(unknown, members)}`,
    );
  }
  const { name, description, typeSignature, schema } = json;
  // Each is checked for being a text.
  const specification = createToolSpecification(name as string, description as string, typeSignature as string);
  const difference = schema === undefined ? undefined : schemaDifference(specification.schema, schema as JsonSchema);
  if (difference !== undefined) {
    warnProcess(
      `The specification "${specification.name}" has a schema that its type signature doesn't say: at ${difference.path} it has ` +
        `${JSON.stringify(difference.right) ?? "nothing"}, the signature says ${JSON.stringify(difference.left) ?? "nothing"}. The signature counts.`,
    );
  }
  return specification;
}

const members: readonly string[] = ["name", "description", "typeSignature", "schema"] satisfies readonly (keyof ToolSpecification)[];
