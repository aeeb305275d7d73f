import type { ToolSearch } from "../../tool-search/index.js";
import { type AgentClassDecorator, agentDecorator } from "./agent-class-decorator.js";

/**
 * Replaces the search by which the model of an agent finds deferred tools. Default: a search by words.
 *
 * `@toolSearch(async (query, tools) => rankByMeaning(query, tools)) class HelpDeskAgent extends Agent {}`
 *
 * The function returns names, the best first. Names that aren't in `tools` are ignored. See docs/23-many-tools.md.
 */
export function toolSearch(search: ToolSearch): AgentClassDecorator {
  return agentDecorator("toolSearch", search);
}
