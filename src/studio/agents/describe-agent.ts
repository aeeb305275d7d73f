import { toolsFor } from "../../agent/internal.js";
import type { AgentLine, AgentTools } from "../api.js";
import { messageOf } from "../server/event-queue.js";
import type { StudioAgent } from "../subjects.js";

export function agentLine(id: string, { agent: { definition }, module, choosesTools }: StudioAgent): AgentLine {
  const { name, description, model } = definition;
  const { reference } = model;
  const named =
    typeof reference === "string"
      ? reference
      : typeof reference === "function"
        ? null
        : "id" in reference
          ? reference.id
          : reference.modelId;
  return { id, name, module, model: named, choosesTools, ...(description !== undefined && { description }) };
}

/** What a run of the agent would offer with this context. An error of the application's functions is part of the answer. */
export async function agentTools({ agent: { definition }, make }: StudioAgent, context: Record<string, unknown>): Promise<AgentTools> {
  try {
    const chosen = await toolsFor(await make(), context);
    const { instructions = "" } = definition;
    return {
      tools: chosen.map(({ definition: { name, description, deferred = false }, permitted, lack }) => ({
        ...{ name, description, deferred, permitted },
        ...(lack !== undefined && { lack }),
      })),
      instructions: typeof instructions === "string" ? instructions : await instructions(context),
    };
  } catch (error) {
    return { tools: [], instructions: "", error: messageOf(error) };
  }
}
