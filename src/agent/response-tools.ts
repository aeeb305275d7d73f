import type { ToolClass } from "../tool/index.js";
import { type AttachedTools, latestTools } from "./attached-tools.js";
import type { AgentResponse } from "./agent-response.js";

const byResponse = new WeakMap<AgentResponse, AttachedTools>();

/** Remembers which tools the run had: a response has only their names. */
export function keepTools(response: AgentResponse, tools: AttachedTools): void {
  byResponse.set(response, tools);
}

/** The tools of the run, and those of the agents among them; none for a copy of a response, of which nothing is known. */
export function toolsBehind(response: AgentResponse): readonly ToolClass[] {
  const attached = byResponse.get(response);
  if (attached === undefined) return [];
  const found = new Set([attached]);
  // Those that are added meanwhile are looked at too, and none twice.
  for (const { agents } of found) {
    for (const agent of agents) {
      const tools = latestTools(agent);
      if (tools !== undefined) found.add(tools);
    }
  }
  return [...found].flatMap(({ classes }) => classes);
}
