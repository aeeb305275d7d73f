import type { ToolDefinition } from "../tool/index.js";
import { canonicalHash } from "./canonical.js";

/** Definitions are frozen, so that the hash of one never changes. */
const hashes = new WeakMap<ToolDefinition, string>();

/**
 * What a tool is to who decides about a call of it: SHA-256, as 64 hex digits, of its name, description, parameters
 * schema (whatever the order of keys) and version. A decision made for one hash doesn't hold for another.
 */
export function definitionHash(definition: ToolDefinition): string {
  let hash = hashes.get(definition);
  if (hash === undefined) {
    const { name, description, parametersSchema, version } = definition;
    hash = canonicalHash({ name, description, parametersSchema, version });
    hashes.set(definition, hash);
  }
  return hash;
}
