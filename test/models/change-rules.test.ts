import { changeRuleOf } from "../../src/models/ai-sdk/growing/change-rules.js";
import type { AiSdkLanguageModel } from "../../src/models/index.js";

const ruleOf = (provider: string, modelId: string) => changeRuleOf({ provider, modelId } as AiSdkLanguageModel);

describe("how a model takes changes of instructions and tools", () => {
  it.each([
    ["claude-opus-5-5", "by_value", "by_reference", "frozen"],
    ["claude-opus-5-5-20260901", "by_value", "by_reference", "frozen"],
    ["anthropic.claude-opus-5-5-v1:0", "by_value", "by_reference", "frozen"],
    ["us.anthropic.claude-sonnet-5-5-20260901-v1:0", "by_value", "by_reference", "frozen"],
    ["claude-haiku-5-5", "by_value", "by_reference", "frozen"],
    ["claude-fable-5-1", "by_value", "by_reference", "frozen"],
    ["claude-mythos-5-2", "by_value", "by_reference", "frozen"],
    ["claude-fable-5", "by_value", "by_reference", "rewrite"],
    ["claude-mythos-5", "by_value", "by_reference", "rewrite"],
    ["claude-opus-5", "by_value", "by_reference", "rewrite"],
    ["claude-opus-4-8", "by_value", "by_reference", "rewrite"],
    ["claude-opus-4.8", "by_value", "by_reference", "rewrite"],
    ["claude-opus-4-7", "rewrite", "rewrite", "rewrite"],
    ["claude-opus-4-20250514", "rewrite", "rewrite", "rewrite"],
    ["claude-sonnet-5", "rewrite", "rewrite", "rewrite"],
    ["claude-sonnet-4-5-20250929", "rewrite", "rewrite", "rewrite"],
    ["claude-haiku-4-5", "rewrite", "rewrite", "rewrite"],
    ["claude-3-7-sonnet-20250219", "rewrite", "rewrite", "rewrite"],
    ["claude-opus-6", "by_value", "by_reference", "frozen"],
  ])("%s: %s on the Claude API, %s on a cloud's endpoint, %s on Bedrock's Converse", (id, api, cloud, converse) => {
    expect(ruleOf("anthropic.messages", id)).toBe(api);
    for (const provider of ["bedrock.anthropic.messages", "vertex.anthropic.messages"]) expect(ruleOf(provider, id)).toBe(cloud);
    expect(ruleOf("amazon-bedrock", id)).toBe(converse);
  });

  it.each([
    ["openai.responses", "gpt-5.6", "allow_list"],
    ["azure.responses", "gpt-5-mini", "allow_list"],
    ["openai.chat", "gpt-5-mini", "rewrite"],
    ["google.generative-ai", "gemini-3-pro-preview", "rewrite"],
    ["mistral.chat", "mistral-large-latest", "rewrite"],
    ["groq.chat", "openai/gpt-oss-120b", "rewrite"],
    ["amazon-bedrock", "amazon.nova-pro-v1:0", "rewrite"],
    ["openrouter.chat", "anthropic/claude-opus-5.5", "rewrite"],
  ])("%s, %s: %s", (provider, id, rule) => {
    expect(ruleOf(provider, id)).toBe(rule);
  });
});
