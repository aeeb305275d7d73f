import type { GuardedResponse } from "./guarded-response.js";

/** Members with the reason of a failure: RFC 9457 (`detail`, `title`), OAuth, Google, Stripe, GitHub, Spring, ASP.NET, FastAPI and others. */
const reasonNames: readonly string[] = ["error_description", "detail", "message", "msg", "errors", "error"];

/** Used if there is nothing better. */
const codeNames: readonly string[] = ["title", "reason", "code"];

/** What a reason is about; of a way to it, its end. */
const placeNames: readonly string[] = ["field", "param", "parameter", "loc", "path"];

/** Deeper ones are no reasons. */
const deepest = 4;

/** The reason that the body of a failure gives, in JSON or as plain text; empty if it gives none. */
export function failureReason(response: GuardedResponse): string {
  if (response.contentType === "text/plain") return response.text().trim();
  try {
    return [...new Set(reasonsIn(response.json(), 0))].join("; ");
  } catch {
    // No JSON: the status says what there is to say.
    return "";
  }
}

function reasonsIn(value: unknown, depth: number): readonly string[] {
  if (typeof value === "string") return value.trim() === "" ? [] : [value.trim().replace(/\.$/, "")];
  if (typeof value !== "object" || value === null || depth > deepest) return [];
  if (Array.isArray(value)) return value.slice(0, 20).flatMap((item) => reasonsIn(item, depth + 1));
  const found = reasonsAt(value, reasonNames, depth);
  const reasons = found.length > 0 ? found : reasonsAt(value, codeNames, depth);
  // `{ "errors": { "price": ["must be above 0"] } }`
  if (reasons.length === 0 && depth > 0) {
    return Object.entries(value).flatMap(([name, member]) => reasonsIn(member, depth + 1).map((reason) => `${name}: ${reason}`));
  }
  const place = reasonsAt(value, placeNames, depth).at(-1);
  return place === undefined ? reasons : reasons.map((reason) => `${place}: ${reason}`);
}

const reasonsAt = (value: object, names: readonly string[], depth: number): readonly string[] =>
  names.flatMap((name) => (Object.hasOwn(value, name) ? reasonsIn((value as Record<string, unknown>)[name], depth + 1) : []));
