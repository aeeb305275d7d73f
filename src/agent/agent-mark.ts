import type { AgentClass } from "./agent.js";

/** A static member of `Agent`, by which its subclasses are known, also those of another copy of the package. */
export const agentMark = Symbol.for("toolwright.agent");

export const isAgentClass = (value: unknown): value is AgentClass =>
  typeof value === "function" && (value as { readonly [agentMark]?: unknown })[agentMark] === true;
