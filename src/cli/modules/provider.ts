import { type ProviderDialect, providerDialects } from "../../schema/internal.js";

/** The APIs that `--provider` means: one, or all. */
export function dialectsOf(provider: string | undefined): readonly ProviderDialect[] {
  if (provider === undefined) return providerDialects;
  const name = provider === "openai" ? "openai-chat" : provider;
  // The parser lets no other names through.
  return providerDialects.filter((dialect) => dialect === name);
}
