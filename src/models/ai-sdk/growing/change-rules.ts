import { claudeVersionOf } from "../claude-version.js";
import type { AiSdkLanguageModel } from "../language-model.js";

/**
 * How a provider takes changes of instructions and tools in a conversation.
 *
 * - `by_value`: in their places, tools with their definitions
 * - `by_reference`: in their places; a new tool is declared beside the others, and loaded in its place
 * - `allow_list`: instructions in their places; tools are narrowed by a list, and new ones added in their places or to the list
 * - `frozen`: not at all, and the model's thinking is bound to the beginning of the request
 * - `rewrite`: the beginning is written anew
 */
export type ChangeRule = "by_value" | "by_reference" | "allow_list" | "frozen" | "rewrite";

/**
 * https://docs.claude.com/en/docs/build-with-claude/preserved-thinking: Opus takes late system messages from 4.8 on, Fable and Mythos
 * from 5, Sonnet and Haiku from 5.5. Definitions in the history are a feature of the Claude API alone.
 */
export function changeRuleOf(model: AiSdkLanguageModel): ChangeRule {
  const { provider } = model;
  if (/^(openai|azure)\.responses$/.test(provider)) return "allow_list";
  const claude = claudeVersionOf(model);
  if (claude === undefined) return "rewrite";
  const { family, version } = claude;
  const takesChanges = version >= ({ fable: 500, mythos: 500, opus: 408 }[family] ?? 505);
  if (takesChanges && /^anthropic(\.|$)/.test(provider)) return "by_value";
  if (takesChanges && /\.anthropic(\.|$)/.test(provider)) return "by_reference";
  const isBound = version >= (family === "fable" || family === "mythos" ? 501 : 505);
  return isBound && provider.startsWith("amazon-bedrock") ? "frozen" : "rewrite";
}
