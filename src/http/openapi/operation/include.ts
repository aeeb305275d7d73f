import { printable } from "../../../redaction/internal.js";
import { ToolDefinitionError } from "../../../tool/index.js";
import { cut, labelOf, type OpenApiOperation } from "./operations.js";

/**
 * Which operations become tools: a list of operation ids or methods with paths (`*` matches anything), or a function.
 *
 * ```ts
 * ["getOrder", "list*", "GET /orders/*"];
 * ({ tags, method }) => tags.includes("orders") && method === "GET";
 * ```
 */
export type Include = readonly string[] | ((operation: OpenApiOperation) => boolean);

/** The chosen operations, and those of them that were named without a `*`. Throws `ToolDefinitionError` for what names none. */
export function choose<Operation extends OpenApiOperation>(
  operations: readonly Operation[],
  include: Include | undefined,
): { readonly chosen: readonly Operation[]; readonly named: ReadonlySet<Operation> } {
  if (include === undefined) return { chosen: operations, named: new Set() };
  if (typeof include === "function") return { chosen: operations.filter(include), named: new Set() };
  const chosen = new Set<Operation>();
  const named = new Set<Operation>();
  for (const pattern of include) {
    const fits = matcher(pattern);
    const found = operations.filter((operation) => fits(operation.operationId ?? "") || fits(labelOf(operation)));
    if (found.length === 0)
      throw new ToolDefinitionError(`openApiToolbox: include has "${pattern}", which isn't an operation. ${known(operations)}`);
    for (const operation of found) {
      chosen.add(operation);
      if (!pattern.includes("*")) named.add(operation);
    }
  }
  return { chosen: operations.filter((operation) => chosen.has(operation)), named };
}

/** The parts between the stars are looked for one after the other: a regular expression of many stars would try every place for each. */
function matcher(pattern: string): (text: string) => boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return (text) => text === pattern;
  return (text) => {
    if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
    const end = text.length - last.length;
    let at = first.length;
    for (const part of rest) {
      const found = text.indexOf(part, at);
      if (found === -1 || found + part.length > end) return false;
      at = found + part.length;
    }
    return true;
  };
}

const mostShown = 10;
const longestShown = 100;

function known(operations: readonly OpenApiOperation[]): string {
  const shown = operations
    .slice(0, mostShown)
    .map((operation) => printable(cut(operation.operationId ?? labelOf(operation), longestShown)));
  return `There are: ${shown.join(", ")}${operations.length > mostShown ? `, and ${operations.length - mostShown} more` : ""}.`;
}
