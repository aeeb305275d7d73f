import { type ProviderDialect, providerDialects } from "../../schema/internal.js";
import { asToolList, insteadOfName } from "../../tool/internal.js";
import type { ProvidableTool } from "./wire-tool.js";

// From JavaScript, or from a configuration, both may be what their types exclude.

/** Throws `ToolDefinitionError` for what isn't a list. */
export function checkTools(tools: readonly ProvidableTool[], owner: string): void {
  if (!Array.isArray(tools)) asToolList(tools, owner);
}

/** Throws `TypeError` for a dialect that doesn't exist. */
export function checkDialect(dialect: ProviderDialect, owner: string): void {
  if (providerDialects.includes(dialect)) return;
  throw new TypeError(`${owner}: there is no dialect "${dialect}". ${insteadOfName(String(dialect), providerDialects)}`);
}
