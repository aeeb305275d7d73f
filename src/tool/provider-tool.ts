import { describeValue } from "../schema/internal.js";
import { createTool } from "./create-tool.js";
import { confirmedProviderTool } from "./definition/provided.js";
import { freezeDefinition, registerCreated, resolve } from "./definition/resolve-definition.js";
import { checkOptionNames, isOptions } from "./option-names.js";
import type { ToolClass } from "./tool-class.js";
import type { ToolAccess } from "./tool-definition.js";
import { ToolDefinitionError } from "./tool-errors.js";
import { failure } from "./tool-response.js";

/** The newest version of each tool that providers run, as the AI SDK's packages name it. */
const newestTools: Readonly<Record<string, readonly string[]>> = {
  anthropic: ["web_search_20260209", "web_fetch_20260209", "code_execution_20260120"],
  openai: ["web_search", "web_search_preview", "file_search", "code_interpreter", "image_generation"],
  google: ["google_search", "url_context", "code_execution", "google_maps", "file_search", "enterprise_web_search", "vertex_rag_store"],
  xai: ["web_search", "x_search", "code_execution", "file_search", "view_image", "view_x_video"],
  groq: ["browser_search"],
};

/** How confirmations are asked for, here and elsewhere. */
const confirmationNames = ["requiresConfirmation", "needsApproval", "requireApproval"];

/**
 * A tool that the model's provider runs, such as its web search: `@usesTools([providerTool("anthropic/web_search", { maxUses: 3 })])`.
 *
 * `tool` is `provider/tool`, for the newest version, or the full id of a version: `anthropic.web_search_20250305`. `args` are the
 * arguments that the AI SDK's function of the tool takes, as JSON. `access`: the scopes and roles without which the tool isn't offered.
 *
 * Its calls don't pass the executor, so it can't require confirmations. Throws `ToolDefinitionError`. See docs/11-providers.md.
 */
export function providerTool(
  tool: string,
  args: Readonly<Record<string, unknown>> = {},
  options: { readonly access?: ToolAccess } = {},
): ToolClass {
  const { id, name } = readName(tool);
  const owner = `providerTool("${tool}")`;
  if (!isOptions(args)) throw new ToolDefinitionError(`${owner}: the arguments are an object, got ${describeValue(args)}.`);
  if (confirmationNames.some((option) => option in args || (isOptions(options) && option in options))) throw confirmedProviderTool(owner);
  checkOptionNames(options, { access: true }, owner);
  const made = createTool({
    name,
    description: `Run by the provider: ${id}`,
    inputSchema: { type: "object" },
    timeout: Number.POSITIVE_INFINITY,
    ...(options.access !== undefined && { access: options.access }),
    execute: () => failure(`Not run: the model's provider runs ${id}, and offers it only if it is in @usesTools of an agent.`),
  });
  const resolved = resolve(made);
  const entry = Object.freeze({ id, args: Object.freeze(plainCopy(args, owner)) });
  // `ToolClass` declares no constructor, because those of tools have any parameters. The class gets its definition below.
  const toolClass = class extends (made as unknown as new () => object) {} as unknown as ToolClass;
  Object.defineProperty(toolClass, "name", { value: name, configurable: true });
  registerCreated(toolClass, { ...resolved, definition: freezeDefinition({ ...resolved.definition, providerTool: entry }) });
  return toolClass;
}

/** The full id, and the name without its version. */
function readName(tool: unknown): { readonly id: string; readonly name: string } {
  const [, provider = "", written = ""] = typeof tool === "string" ? (/^([a-z0-9-]+)[./](\w+)$/.exec(tool) ?? []) : [];
  const known = Object.hasOwn(newestTools, provider) ? (newestTools[provider] ?? []) : [];
  const name = withoutVersion(written);
  const newest = known.find((one) => withoutVersion(one) === name);
  if (newest !== undefined) return { id: `${provider}.${written === name ? newest : written}`, name };
  const all = Object.entries(newestTools).flatMap(([of, names]) => names.map((one) => `${of}/${withoutVersion(one)}`));
  throw new ToolDefinitionError(
    `providerTool: ${describeValue(tool)} is no tool that a provider runs. Write one of ${all.join(", ")}, or the full id of a version, such as "anthropic.web_search_20250305".`,
  );
}

const withoutVersion = (name: string): string => name.replace(/_\d{8}$/, "");

/** The arguments are kept with the conversation, so they must be JSON. */
function plainCopy(args: object, owner: string): Record<string, unknown> {
  const text = JSON.stringify(args, (key, value: unknown) => {
    if (typeof value !== "function" && typeof value !== "symbol" && typeof value !== "bigint") return value;
    throw new ToolDefinitionError(`${owner}: the argument ${key} is a ${typeof value}. Give values that JSON has.`);
  });
  return JSON.parse(text) as Record<string, unknown>;
}
