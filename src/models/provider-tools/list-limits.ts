import { warnProcess } from "../../redaction/internal.js";

/** How many tools one request may hold, by how the names of dialects and provider packages begin; docs/11-providers.md has the sources. */
const limits: readonly (readonly [RegExp, number])[] = [
  [/^(openai(-chat|-responses)?|azure|groq)(\.|$)/, 128],
  [/^(gemini|google)(\.|$)/, 512],
];

/** Warns of a list that the provider rejects as a whole. It is sent all the same: a provider may have raised its limit. */
export function warnOfLongList(provider: string, count: number): void {
  const limit = limits.find(([pattern]) => pattern.test(provider))?.[1];
  if (limit === undefined || count <= limit) return;
  warnProcess(
    `${count} tools are too many for ${provider}, which takes ${limit} in a request and rejects longer lists. Offer fewer at a time: defer tools with @deferred(), or use a resolver of @usesTools, a profile, or prepareStep.`,
  );
}
