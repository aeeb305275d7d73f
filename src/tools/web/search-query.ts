import { WebError } from "./web-error.js";

/** More is no question for a search engine, and engines refuse it. */
const longestQuery = 2_000;

/** The query as a service is asked for it. Throws `WebError` for one that no service answers. */
export function readQuery(query: string): string {
  const trimmed = query.trim();
  if (trimmed === "") throw new WebError("The query is empty. Say what to look for in a few words.");
  if (trimmed.length > longestQuery) throw new WebError(`The query is longer than ${longestQuery} characters. Use a few words of it.`);
  return trimmed.toWellFormed();
}
