import { fail, type Result, succeed } from "../../schema/index.js";
import { type ArgumentsErrorCode, parseJson } from "../../schema/internal.js";

/**
 * The JSON values that an answer may mean, the likeliest first. Nothing for an empty text.
 *
 * 1. The whole text, with or without a Markdown fence.
 * 2. The text between the first opening and the last closing bracket.
 * 3. The same after the thoughts that some local models write into their answers.
 * 4. The last fenced block.
 */
export function* readJson(text: string): Generator<Result<unknown, string>> {
  const tried = new Set([""]);
  for (const find of [whole, betweenBrackets, behindThoughts, lastFence]) {
    const found = find(text).trim();
    if (tried.has(found)) continue;
    tried.add(found);
    const parsed = parseJson(found);
    yield parsed.ok ? succeed(parsed.value) : fail(`the answer ${problems[parsed.error.code] ?? `is refused: ${parsed.error.message}`}`);
  }
}

const whole = (text: string): string => text;

function betweenBrackets(text: string): string {
  const start = text.search(/[{[]/);
  const end = Math.max(text.lastIndexOf("}"), text.lastIndexOf("]"));
  return start === -1 ? "" : text.slice(start, end + 1);
}

function behindThoughts(text: string): string {
  const end = text.lastIndexOf(endOfThoughts);
  return end === -1 ? "" : betweenBrackets(text.slice(end + endOfThoughts.length));
}

const endOfThoughts = "</think>";

function lastFence(text: string): string {
  const end = text.lastIndexOf("```");
  const start = end <= 0 ? -1 : text.lastIndexOf("```", end - 1);
  return start === -1 ? "" : text.slice(start + 3, end).replace(/^\w*\s/, "");
}

/** The parser's own words speak of arguments. */
const problems: Readonly<Partial<Record<ArgumentsErrorCode, string>>> = {
  malformed_json: "is not JSON",
  truncated: "ends too early, in the middle of its JSON",
  too_large: "is too large",
  too_large_to_repair: "is not valid JSON",
  too_deep: "is nested too deeply",
};
