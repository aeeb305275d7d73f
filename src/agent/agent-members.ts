import { unfilledProperty } from "../execution/internal.js";
import { describeValue } from "../schema/internal.js";
import { agentMark, type SubAgentClass } from "./agent-class.js";
import { AgentDefinitionError } from "./agent-errors.js";

/**
 * Throws `AgentDefinitionError` for static members that hide what `Agent` derives from the decorators, and for a static `tools` that
 * nothing reads.
 */
export function checkStaticMembers(agentClass: SubAgentClass, owner: string, hasSetting: boolean): void {
  let hasTools = hasSetting;
  // The root of an agent class is `Agent`, which has the members itself.
  for (let own: object = agentClass; !Object.hasOwn(own, agentMark); own = Object.getPrototypeOf(own) as object) {
    const hidden = ["definition", "identifier"].find((name) => Object.hasOwn(own, name));
    if (hidden !== undefined) {
      const fix = hidden === "identifier" ? 'Write @identifier("...") above the class.' : "Rename it.";
      throw new AgentDefinitionError(`${owner}: static ${hidden} hides the one that Agent derives from the decorators. ${fix}`);
    }
    if (Object.hasOwn((own as SubAgentClass).prototype as object, "tools")) hasTools = true;
    if (!hasTools && Object.hasOwn(own, "tools")) throw new AgentDefinitionError(`${owner}: static tools is not read. ${sayTools}`);
  }
}

/** Throws `AgentDefinitionError` for members of an instance that aren't what `Agent` uses them for. */
export function checkInstanceMembers(agent: object, owner: string): void {
  const { tools, prepareStep } = agent as { readonly tools: unknown; readonly prepareStep?: unknown };
  if (typeof tools !== "function") {
    throw new AgentDefinitionError(`${owner}.tools: it must be a method, got ${describeValue(tools)}. ${sayTools}`);
  }
  if (prepareStep !== undefined && typeof prepareStep !== "function") {
    throw new AgentDefinitionError(
      `${owner}.prepareStep: it must be a method, got ${describeValue(prepareStep)}. Write: prepareStep({ step }) { return { ... }; }.`,
    );
  }
  const field = Object.hasOwn(agent, "messages") ? "messages" : Object.hasOwn(agent, "state") ? "state" : undefined;
  if (field !== undefined) {
    throw new AgentDefinitionError(`${owner}.${field}: the field hides ${field} of Agent, by which a conversation is saved. Rename it.`);
  }
  refuseUnfilled(agent, owner);
}

/** `new ShopAgent()` leaves the properties undefined that a container was to fill. */
function refuseUnfilled(agent: object, owner: string): void {
  const unfilled = unfilledProperty(agent.constructor as SubAgentClass, agent);
  if (unfilled === undefined) return;
  const { property, decoratedBy } = unfilled;
  throw new AgentDefinitionError(
    `${owner}.${String(property)}: @Inject of ${decoratedBy} wants 1 service, but the agent was made without it. ` +
      (decoratedBy === "typedi" ? `Make the agent by Container.get(${owner}).` : "Make the agent by AgentFactory of toolwright/nest."),
  );
}

const sayTools = "Write @usesTools([MyTool]) above the class, or override the method: tools(context) { return [MyTool]; }.";
