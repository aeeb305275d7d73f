import type { McpCaller } from "./server-options.js";

/** Members that mean "no caller": of token introspection (RFC 7662), and of results in general. */
const refusing: readonly string[] = [
  "active",
  "valid",
  "isValid",
  "ok",
  "success",
  "authenticated",
  "isAuthenticated",
  "authorized",
  "allowed",
];

/** Members by which it says that something is wrong. */
const accusing: readonly string[] = ["error", "err", "errors", "expired", "revoked"];

/** Seconds since 1970 until the year 5138: what is above was given in milliseconds, and would never expire. */
const latestExpiry = 100_000_000_000;

/**
 * The caller that `verify` returned; `undefined` if it rejected the token. Throws `TypeError` for every other answer. Only a plain object
 * with members of its own is a caller, so a mistake in `verify` admits no one. `owner` begins the error.
 */
export function readCaller(answer: unknown, owner: string): McpCaller | undefined {
  if (answer === undefined || answer === null) return undefined;
  const fault = faultOf(answer);
  if (fault === undefined) return answer as McpCaller;
  throw new TypeError(`${owner}: verify ${fault} The request was answered 401.`);
}

/** When the caller's token ends, in seconds since 1970: the claim of a JWT and of an introspection (`exp`) says the same. */
export const expiryOf = ({ expiresAt, exp }: McpCaller): number | undefined => expiresAt ?? (exp as number | undefined);

function faultOf(answer: unknown): string | undefined {
  if (typeof answer !== "object" || answer === null) return `returned ${nounOf(typeof answer)}, which isn't a caller. ${expected}`;
  if (answer instanceof Error) return `returned an error. Throw it, or return undefined to refuse the token.`;
  if (!isPlain(answer)) return `returned ${instanceNoun(answer)}, which isn't a plain object. ${expected}`;
  // `{ user: null }`, and `{ userId: undefined }` of a missing session, mean no caller either.
  if (Object.values(answer).every(saysNothing)) return `returned an object without members that say anything. ${expected}`;
  return claimFaultOf(answer as Readonly<Record<string, unknown>>);
}

/** A claim of the wrong type would hold for more than was meant: `"administrator".includes("admin")`. */
function claimFaultOf(answer: Readonly<Record<string, unknown>>): string | undefined {
  const no = refusing.find((name) => Object.hasOwn(answer, name) && isNo(name, answer[name]));
  if (no !== undefined) return `returned an answer whose member "${no}" says no. Return undefined to refuse a token.`;
  const accusation = accusing.find((name) => Object.hasOwn(answer, name) && !saysNothing(answer[name]) && answer[name] !== false);
  if (accusation !== undefined) return `returned an answer with the member "${accusation}". Return undefined to refuse a token.`;
  const { userId } = answer;
  if (userId !== undefined && (typeof userId !== "string" || userId === "")) {
    return `returned a caller whose userId is ${userId === "" ? "empty" : nounOf(typeof userId)}. Return a string, such as String(user.id).`;
  }
  for (const name of ["scopes", "roles"]) {
    const list = answer[name];
    if (list === undefined || (Array.isArray(list) && list.every((item) => typeof item === "string"))) continue;
    return `returned a caller whose ${name} aren't a list of strings. Return one, such as scope.split(" ").`;
  }
  for (const name of ["expiresAt", "exp"]) {
    const seconds = answer[name];
    if (seconds === undefined || (typeof seconds === "number" && Math.abs(seconds) <= latestExpiry)) continue;
    return `returned a caller whose ${name} isn't a time in seconds since 1970. Return one, such as date.getTime() / 1_000.`;
  }
  return undefined;
}

const saysNothing = (value: unknown): boolean => value === undefined || value === null;

/** `active` has one meaning (RFC 7662); the other names may stand for claims of the application. */
const isNo = (name: string, value: unknown): boolean => (name === "active" ? value !== true : value === false);

/** Objects of another realm have another `Object.prototype`. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

const expected = "Return a plain object, such as { userId: user.id, roles: user.roles }, or undefined to refuse the token.";

const nounOf = (type: string): string => `${/^[aeiou]/.test(type) ? "an" : "a"} ${type}`;

const instanceNoun = (answer: object): string =>
  Array.isArray(answer) ? "a list" : `an instance of ${(answer.constructor as { readonly name?: string } | undefined)?.name || "a class"}`;
