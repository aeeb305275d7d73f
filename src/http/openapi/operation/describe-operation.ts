import { withoutHidden } from "../../../redaction/internal.js";
import { labelOf, type OpenApiOperation } from "./operations.js";

/** OpenAI takes no longer description of a function. */
const longestDescription = 1_024;

/** What the model reads: summary and description, without the tags of HTML that many documents have. */
export function describeOperation(operation: OpenApiOperation): string {
  const { summary = "", description = "" } = operation;
  const parts = description.startsWith(summary) ? [description] : [summary, description];
  const text = [...(operation.deprecated ? ["Deprecated."] : []), ...parts.map(plainText)].filter((part) => part !== "").join("\n\n");
  return shorten(text || `Calls ${labelOf(operation)}.`);
}

/** More isn't read: tags may be left out of it, and the rest is cut all the same. */
const longestRead = 16_384;

const plainText = (text: string): string =>
  withoutHidden(text.slice(0, longestRead))
    .replace(/<br\s*\/?>/gi, "\n")
    .replace(/<\/?(p|div|span|ul|ol|li|code|pre|b|i|em|strong|a|h[1-6]|table|tr|td|th|tbody|thead)(\s[^<>]{0,500})?>/gi, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();

function shorten(text: string): string {
  if (text.length <= longestDescription) return text;
  const cut = text.slice(0, longestDescription - 1);
  const end = Math.max(cut.lastIndexOf(". ") + 1, cut.lastIndexOf(".\n") + 1, cut.lastIndexOf("\n\n"));
  return end > longestDescription / 2 ? cut.slice(0, end).trimEnd() : `${cut.slice(0, cut.lastIndexOf(" ")).trimEnd()}…`;
}
