import { ToolDefinitionError } from "../tool-errors.js";
import type { ToolDefinition } from "../tool-definition.js";

/** Throws `ToolDefinitionError` if a tool that the provider runs is to wait for a person, or for a search: its calls pass no executor. */
export function refuseHeldProviderTool(
  {
    name,
    providerTool,
    requiresConfirmation,
    deferred,
  }: Pick<ToolDefinition, "name" | "providerTool" | "requiresConfirmation" | "deferred">,
  owner: string,
): void {
  if (providerTool === undefined) return;
  if (requiresConfirmation !== false) throw confirmedProviderTool(owner);
  if (deferred !== true) return;
  throw new ToolDefinitionError(
    `${owner}: the provider tool "${name}" is deferred, but providers take their own tools only in the list of the request. Remove deferred.`,
  );
}

export const confirmedProviderTool = (owner: string): ToolDefinitionError =>
  new ToolDefinitionError(
    `${owner}: it needs a confirmation, but the provider runs its calls before anyone can decide about them. Remove the confirmation, and limit who gets the tool: providerTool(name, args, { access: { roles: ["admin"] } }).`,
  );
