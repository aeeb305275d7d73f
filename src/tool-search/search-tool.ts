import { isPermitted } from "../execution/index.js";
import { searchToolName } from "../models/internal.js";
import { describeValue } from "../schema/internal.js";
import { createTool, text, type ToolClass, type ToolContext, type ToolDefinition } from "../tool/index.js";
import type { DeferringToolbox } from "../tool/internal.js";
import type { ToolSearch } from "./search-function.js";

/** The most tools that one search returns. */
const mostResults = 5;

/** Characters of a description in a result: the whole one follows in the tool's definition. */
const longestDescription = 200;

/** Milliseconds: the first search of 50,000 tools makes their index. */
const searchTimeout = 30_000;

/** What can be found, and how. */
export interface SearchedTools {
  /** The deferred tools that the run may use. */
  readonly tools: readonly ToolDefinition[];
  /** The toolboxes that these tools are of. */
  readonly toolboxes: readonly DeferringToolbox[];
  readonly search: ToolSearch;
  /** The name by which the model knows a tool. */
  wireName(name: string): string;
  /** Whether the model can be sent the tool. */
  isTaken(tool: ToolDefinition): boolean;
}

/** Makes the tool by which a model finds deferred tools. */
export function searchTool({ tools, toolboxes, search, wireName, isTaken }: SearchedTools): ToolClass {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return createTool({
    name: searchToolName,
    description: describe(toolboxes),
    inputSchema: querySchema,
    category: "read",
    effect: "none",
    consequenceLevel: "low",
    timeout: searchTimeout,
    execute: async ({ query }, context) => {
      const names: unknown = await search(String(query), tools, context);
      const found = namesIn(names).flatMap((name) => byName.get(name) ?? []);
      // The caller may have lost a role since the run began.
      const usable = [...new Set(found)].filter((tool) => isPermitted(tool, asBag(context)) && isTaken(tool));
      if (usable.length === 0) return text("No tool matches. Search again with other words, such as the thing and the action.");
      return {
        tools: usable.slice(0, mostResults).map(({ name, description }) => ({ name: wireName(name), description: shortened(description) })),
      };
    },
  });
}

const querySchema = {
  type: "object",
  properties: {
    query: { type: "string", description: 'What the tool should do, in a few words: "create issue".', minLength: 1, maxLength: 500 },
  },
  required: ["query"],
  additionalProperties: false,
} as const;

const purpose =
  "Finds tools that you have but don't see yet. Use it if none of the tools that you see fits, before you answer that something can't be done. " +
  "You can call the tools that it returns from your next step on.";

/** The same text for the same toolboxes, because a changed one would cost the model's prompt cache. */
function describe(toolboxes: readonly DeferringToolbox[]): string {
  if (toolboxes.length === 0) return purpose;
  return [purpose, "It knows, among others:", ...toolboxes.map(({ name, description }) => `- ${name}: ${description}`)].join("\n");
}

function namesIn(found: unknown): readonly string[] {
  if (Array.isArray(found) && found.every((name) => typeof name === "string")) return found;
  throw new TypeError(`The function of @toolSearch must return a list of tool names, the best first, got ${describeValue(found)}.`);
}

/** The members of the application's bag are those of the context. */
const asBag = (context: ToolContext): Readonly<Record<string, unknown>> => context as unknown as Readonly<Record<string, unknown>>;

function shortened(description: string): string {
  if (description.length <= longestDescription) return description;
  const cut = description.slice(0, longestDescription);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), 1)).toWellFormed()} ...`;
}
