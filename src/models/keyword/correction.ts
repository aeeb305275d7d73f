import type { ToolCall, ToolMessage } from "../message.js";
import { stem } from "./sentence-words.js";

/**
 * The arguments of a refused call, with each refused value replaced by the nearest allowed one. The error must name the allowed values
 * (`units must be one of: celsius, fahrenheit`). `undefined` if a value can't be replaced.
 */
export function correctArguments(call: ToolCall, { content }: ToolMessage): Record<string, unknown> | undefined {
  const refusals = [...content.matchAll(/(?<![\w$])([\w$]+) must be one of: ([^;\n]+)/g)];
  const corrected = JSON.parse(call.arguments) as Record<string, unknown>;
  for (const [, name = "", list = ""] of refusals) {
    const allowed = list.split(",").map((value) => withoutQuotes(value.trim()));
    const nearest = allowed.find((value) => isNear(value, String(corrected[name])));
    if (nearest === undefined) return undefined;
    corrected[name] = nearest;
  }
  return refusals.length > 0 ? corrected : undefined;
}

const withoutQuotes = (value: string): string => value.replace(/^["']/, "").replace(/(?<!["'.])["'.]+$/, "");

/** The same word in another form: "Celsius", "celsius degrees" and "C" for `celsius`. */
function isNear(allowed: string, value: string): boolean {
  const [a, b] = [allowed.toLowerCase(), value.toLowerCase()];
  return a === b || stem(a) === stem(b) || (b !== "" && a.startsWith(b)) || b.split(/\W+/).includes(a);
}
