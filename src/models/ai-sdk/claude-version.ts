import type { AiSdkLanguageModel } from "./language-model.js";

/** The family of a Claude model, and its version: 505 for 5.5. */
export interface ClaudeVersion {
  readonly family: string;
  readonly version: number;
}

const pattern = /claude-(fable|mythos|opus|sonnet|haiku)-(\d+)(?:[-.](\d{1,2})(?!\d))?/;

/** Anthropic's own package, or that of a cloud for its endpoint: `anthropic.messages`, `bedrock.anthropic.messages`. */
export const isAnthropic = (provider: string): boolean => /(^|\.)anthropic(\.|$)/.test(provider);

/** `undefined` for other models, and for the older names of Claude models (`claude-3-7-sonnet`). */
export function claudeVersionOf({ modelId }: AiSdkLanguageModel): ClaudeVersion | undefined {
  const [, family, major, minor = "0"] = pattern.exec(modelId) ?? [];
  return family === undefined ? undefined : { family, version: Number(major) * 100 + Number(minor) };
}
