import { joinTexts } from "./notes.js";

/** No provider is known to take longer ones; those that took less (1,024 characters, OpenAI until 2025) take this now. */
const longestDescription = 32_000;

/** What a model reads of a tool: its description, and what its schema on the wire can't say. Too long a text is cut, and says so. */
export function wireDescription(description: string, note: string | undefined): string {
  const whole = joinTexts(description, note) ?? "";
  if (whole.length <= longestDescription) return whole;
  return `${whole.slice(0, longestDescription)}... [cut: ${whole.length} characters in all]`;
}
