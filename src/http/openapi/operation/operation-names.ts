import { createHash } from "node:crypto";
import { labelOf, type OpenApiOperation } from "./operations.js";

/** What every provider takes as the name of a tool: `[a-zA-Z0-9_-]`, 64 characters. */
const longestName = 64;

/** Eight characters are as good as unique among the operations of a document. */
const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 8);

/**
 * The names of the tools, by operation: the `operationId`, else method and path, made of letters, digits, `_` and `-`. If two
 * would share a name, or one is too long, a hash of method and path follows, so that no name depends on what else is included.
 */
export function nameTools<Operation extends OpenApiOperation>(operations: readonly Operation[]): ReadonlyMap<Operation, string> {
  const claims = new Map<string, number>();
  const names = operations.map((operation) => {
    const name = legalName(operation);
    claims.set(name, (claims.get(name) ?? 0) + 1);
    return [operation, name] as const;
  });
  return new Map(
    names.map(([operation, name]) => {
      const isFree = name.length <= longestName && claims.get(name) === 1;
      return [operation, isFree ? name : `${name.slice(0, longestName - 9)}_${hashOf(labelOf(operation))}`];
    }),
  );
}

const legalName = (operation: OpenApiOperation): string =>
  legal(operation.operationId ?? "") || legal(`${operation.method.toLowerCase()} ${operation.path}`);

const legal = (text: string): string => trimmed(text.replace(/[^a-zA-Z0-9_-]+/g, "_"));

/** Without `_` at its ends. A regular expression would try again at each `_` of a long row. */
function trimmed(text: string): string {
  let [start, end] = [0, text.length];
  while (text[start] === "_") start += 1;
  while (end > start && text[end - 1] === "_") end -= 1;
  return text.slice(start, end);
}

/** What every provider takes as the name of an argument; Gemini is the strictest. */
const legalArgument = /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/;

/** `filter[name]` becomes `filter_name`, `X-Request-Id` `X_Request_Id`. */
export function argumentName(name: string): string {
  if (legalArgument.test(name) && name !== "__proto__") return name;
  const worded = trimmed(name.replace(/\W+/g, "_"));
  const begun = /^[a-zA-Z]/.test(worded) ? worded : `_${worded}`;
  return begun.length <= longestName ? begun : `${begun.slice(0, longestName - 9)}_${hashOf(name)}`;
}

/** Gives each argument a name of its own: of several that would be alike, the later ones get a number. */
export class ArgumentNames {
  readonly #taken = new Set<string>();
  readonly #numbers = new Map<string, number>();

  has(name: string): boolean {
    return this.#taken.has(name);
  }

  take(name: string): string {
    let own = name;
    while (this.#taken.has(own)) {
      const number = (this.#numbers.get(name) ?? 1) + 1;
      this.#numbers.set(name, number);
      own = `${name.slice(0, longestName - 1 - String(number).length)}_${number}`;
    }
    this.#taken.add(own);
    return own;
  }
}

/** A toolbox's name out of a document's title. */
export const toolboxName = (title: string | undefined): string => legal((title ?? "").toLowerCase()).slice(0, longestName) || "openapi";
