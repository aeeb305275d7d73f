import type { Attributes } from "@opentelemetry/api";
import { redactText } from "../../redaction/index.js";

/** Names of providers whose name in OpenTelemetry differs from that in `@model`. */
const providerNames: Readonly<Record<string, string>> = {
  "amazon-bedrock": "aws.bedrock",
  azure: "azure.ai.openai",
  google: "gcp.gemini",
  "google-vertex": "gcp.vertex_ai",
  mistral: "mistral_ai",
  xai: "x_ai",
};

/** `openai/gpt-5-mini` as the conventions name it. */
export function modelAttributes(id: string): Attributes & { readonly "gen_ai.request.model": string } {
  const slash = id.indexOf("/");
  const provider = slash < 0 ? id : id.slice(0, slash);
  const name = Object.hasOwn(providerNames, provider) ? providerNames[provider] : provider;
  return { "gen_ai.operation.name": "chat", "gen_ai.provider.name": name, "gen_ai.request.model": slash < 0 ? id : id.slice(slash + 1) };
}

/** `toolwright.tag.tenant`; the tag `conversation` is what the conventions call `gen_ai.conversation.id`. */
export function tagAttributes(tags: Readonly<Record<string, string>> = {}): Attributes {
  const entries = Object.entries(tags).map(([name, value]) => [
    name === "conversation" ? "gen_ai.conversation.id" : `toolwright.tag.${name}`,
    redactText(String(value)),
  ]);
  return Object.fromEntries(entries) as Attributes;
}

export const errorAttribute = (type: string | undefined): Attributes => (type === undefined ? {} : { "error.type": type });
