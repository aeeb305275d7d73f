import { ToolDefinitionError } from "./tool-errors.js";

/** The most letters that a misspelt name may differ by. */
const mostLetters = 3;

/**
 * How a message goes on that has named what doesn't exist: with the known name that is most like it, else with all.
 *
 * ```ts
 * insteadOfName("requireConfirmation", ["requires", "requiresConfirmation"]); // 'Did you mean "requiresConfirmation"?'
 * insteadOfName("schema", ["timeout", "tags"]); // "Known are: timeout, tags."
 * ```
 */
export function insteadOfName(unknown: string, known: readonly string[]): string {
  const nearest = nearestName(unknown, known);
  return nearest === undefined ? `Known are: ${known.join(", ")}.` : `Did you mean "${nearest}"?`;
}

/** The most similar known name; `undefined` if none is similar. */
export function nearestName(unknown: string, known: readonly string[]): string | undefined {
  let nearest: string | undefined;
  let least = Math.min(mostLetters, Math.floor(unknown.length / 2)) + 1;
  for (const name of known) {
    const letters = differingLetters(unknown.toLowerCase(), name.toLowerCase());
    if (letters < least) [nearest, least] = [name, letters];
  }
  return nearest;
}

/** How many letters must be added, removed or replaced to make one of the other (Levenshtein's distance). */
function differingLetters(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let index = 1; index <= one.length; index += 1) {
    const next = [index];
    for (let column = 1; column <= other.length; column += 1) {
      const replaced = (row[column - 1] ?? 0) + (one[index - 1] === other[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}

/** What is misspelt here may be the rule that keeps a call from running. */
export function refuseUnknown(written: object, known: readonly string[], owner: string): void {
  for (const name of Object.keys(written)) {
    if (!known.includes(name)) throw new ToolDefinitionError(`${owner}: there is nothing named "${name}". ${insteadOfName(name, known)}`);
  }
}
