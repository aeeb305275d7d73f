import { fail, type Result, succeed } from "../../schema/index.js";
import type { ToolClass } from "../../tool/index.js";
import { checkSpecification, type ToolSpecification } from "../tool-specification.js";
import type { BindingProblem } from "./binding-error.js";
import { schemaDifference } from "./schema-difference.js";
import { checkLibrary, type ToolLibrary } from "./tool-library.js";

/**
 * Finds the implementation of a specification in a library: the tool with the same name, description and schema, or `undefined`.
 *
 * ```ts
 * const specification = createToolSpecification("greet", "Greets a person.", '(::Text {paramName:"name"})==>(::String)');
 * const Greet = bindTool(specification, library);
 * ```
 *
 * The order of keys doesn't matter, nor whether objects are closed. See docs/10-specifications-and-gram.md.
 */
export function bindTool(specification: ToolSpecification, library: ToolLibrary): ToolClass | undefined {
  const binding = checkBinding(specification, library);
  return binding.ok ? binding.value : undefined;
}

/** Like `bindTool`, but returns the reason if there is no implementation. See docs/10-specifications-and-gram.md. */
export function checkBinding(specification: ToolSpecification, library: ToolLibrary): Result<ToolClass, BindingProblem> {
  checkSpecification(specification, "bindTool");
  const { name, description, schema } = specification;
  checkLibrary(library, `bindTool "${name}"`);
  const tool = library.get(name);
  if (tool === undefined) return fail(notFound(name, library));
  const { definition } = tool;
  if (definition.description !== description) {
    return fail({
      tool: name,
      reason: "description",
      message: `The description of "${name}" is ${JSON.stringify(description)} in the specification and ${JSON.stringify(definition.description)} in ${tool.name}.`,
    });
  }
  const difference = schemaDifference(schema, definition.parametersSchema);
  if (difference === undefined) return succeed(tool);
  const { path, left, right } = difference;
  return fail({
    tool: name,
    reason: "schema",
    message: `The schema of "${name}" differs at ${path}: ${shown(left)} in the specification, ${shown(right)} in ${tool.name}.`,
  });
}

function notFound(name: string, { names }: ToolLibrary): BindingProblem {
  // A registry's tools have full names.
  const [full, ...more] = names.filter((other) => other.endsWith(`/${name}`));
  if (full !== undefined && more.length === 0) {
    const message = `No tool is named "${name}" in the library, which holds "${full}". Give the specification that name, or make the library of the class itself.`;
    return { tool: name, reason: "not_found", message };
  }
  const others = names.slice(0, namesShown).join(", ");
  const holds = names.length === 0 ? "which is empty" : `which holds ${others}${names.length > namesShown ? ", ..." : ""}`;
  return { tool: name, reason: "not_found", message: `No tool is named "${name}" in the library, ${holds}.` };
}

const namesShown = 10;

const shown = (value: unknown): string => (value === undefined ? "nothing" : JSON.stringify(value));
