import type { ToolDefinition } from "../tool/index.js";
import { canonicalHash } from "./canonical-json.js";

/** Definitions are frozen, so that the hash of one never changes. */
const hashes = new WeakMap<ToolDefinition, string>();

/**
 * The identity that an approval is bound to: SHA-256, as 64 hex digits, of the tool's name, description, parameters schema and
 * version.
 *
 * A decision made for one hash isn't valid for another. The order of keys in the schema doesn't matter. See
 * docs/04-confirmation.md.
 */
export function definitionHash(definition: ToolDefinition): string {
  let hash = hashes.get(definition);
  if (hash === undefined) {
    const { name, description, parametersSchema, version, answeredBy, outputSchema } = definition;
    const identity = { name, description, parametersSchema, version };
    // The schema of the answer is a part of the question.
    hash = canonicalHash(answeredBy === undefined ? identity : { ...identity, answeredBy, outputSchema });
    hashes.set(definition, hash);
  }
  return hash;
}
