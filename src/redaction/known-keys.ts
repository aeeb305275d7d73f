import { redacted } from "./secrets.js";

/** A run of the characters of keys, from where a key may begin. It is taken whole, so that no text is looked at twice. */
const candidate = /(?<!\w)(?:(?:sk|pk|rk|gsk|xai|hf|npm|gh[opsur]|github_pat|glpat|xox[abeoprs]|whsec)[-_]|AIza|AKIA|ASIA|eyJ)[\w*.-]*/g;

const providerPrefix = /(?<!\w)(?:sk|pk|rk|gsk|xai|hf|npm|gh[opsur]|github_pat|glpat|xox[abeoprs]|whsec)[-_]/g;
const awsKey = /(?<!\w)(?:AKIA|ASIA)[A-Z\d]{16}(?!\w)/g;
const googleKey = /(?<!\w)AIza[\w-]{20,}/g;
const tokenStart = /(?<!\w)eyJ/;

/** How far behind its prefix a key has its first digit, or the star of a masked one: a word such as `sk-learn` has none. */
const digitWithin = 81;
const leastBehindPrefix = 16;
const leastOfTokenPart = 10;

/** Removes keys that are known by their form: the prefix of a provider, or a JSON Web Token. */
export const redactKnownKeys = (text: string): string => text.replace(candidate, redactRun);

/** Each search goes through the run once, whatever the run holds. */
function redactRun(run: string): string {
  const start = Math.min(providerKeyStart(run), tokenStartIn(run));
  const rest = start === Number.POSITIVE_INFINITY ? "" : redacted;
  return run.slice(0, start).replace(awsKey, redacted).replace(googleKey, redacted) + rest;
}

/** The beginning of a provider's key, which continues to the end of the run. */
function providerKeyStart(run: string): number {
  let digit = -1;
  for (const { 0: prefix, index } of run.matchAll(providerPrefix)) {
    const behind = index + prefix.length;
    if (run.length - behind < leastBehindPrefix) break;
    if (digit < behind) digit = nextDigit(run, behind);
    if (digit < behind + digitWithin) return index;
  }
  return Number.POSITIVE_INFINITY;
}

function nextDigit(run: string, from: number): number {
  for (let index = from; index < run.length; index += 1) if (digitOrStar.test(run.charAt(index))) return index;
  return Number.POSITIVE_INFINITY;
}

const digitOrStar = /[\d*]/;

/** The beginning of a JSON Web Token: three parts with a dot between them. The first begins with `eyJ`. */
function tokenStartIn(run: string): number {
  const parts = run.split(".");
  let start = 0;
  for (const [number, part] of parts.entries()) {
    const [second = "", third = ""] = parts.slice(number + 1, number + 3);
    if (second.length >= leastOfTokenPart && third !== "" && !part.includes("*") && !second.includes("*")) {
      const begin = part.search(tokenStart);
      if (begin >= 0 && part.length - begin - 3 >= leastOfTokenPart) return start + begin;
    }
    start += part.length + 1;
  }
  return Number.POSITIVE_INFINITY;
}
