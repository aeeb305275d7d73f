import { Agent, type AgentClass, type AgentTools } from "../../agent/index.js";
import { type ChooseRun, chooseRun, type RunChoice } from "../../agent/internal.js";
import type { ApplicationContext } from "../../tool/index.js";
import { writeSettings } from "../../tool/internal.js";
import { Experiment } from "../experiments/experiment.js";
import { SpecificationError } from "../specification-error.js";
import { checkAgentClass } from "./check-agent-class.js";
import { ToolChooser } from "./choose-tools.js";
import { type BoundEntry, bindEntries, checkSources, type ToolSource } from "./tool-source.js";
import { type SpecifiedTools, specifiedToolsOf, withSpecifications } from "./uses-specifications.js";

/**
 * Connects an agent that declares its tools with `@usesSpecifications` to their implementations. Returns a subclass with the same
 * name and constructor.
 *
 * ```ts
 * const Support = bindAgent(SupportAgent, createToolLibrary([SearchTool, RefundTool]));
 * const response = await Support.generate("Where is my order?");
 * ```
 *
 * With several sources, the first one that has a tool of the name is used.
 *
 * Throws `BindingError`, which lists every tool that is missing or different. If `@usesSpecifications` has a function, its tools
 * are bound at the start of each run, and the run throws the error. See docs/10-specifications-and-gram.md.
 */
export function bindAgent<Class extends AgentClass>(agentClass: Class, source: ToolSource | readonly ToolSource[]): Class {
  checkAgentClass(agentClass, "bindAgent");
  const { name } = agentClass;
  const specified = specifiedToolsOf(agentClass);
  if (specified === undefined) {
    throw new SpecificationError(
      `bindAgent: ${name} declares no specifications, so that there is nothing to bind. ` +
        "Declare its tools by @usesSpecifications([...]) in place of @usesTools.",
    );
  }
  const sources = checkSources(source, name);
  const bind = (tools: SpecifiedTools): readonly BoundEntry[] => bindEntries(tools, sources, name);
  const entries: Entries = typeof specified === "function" ? async (context) => bind(await specified(context)) : bind(specified);
  const bound = class extends agentClass {};
  Object.defineProperty(bound, "name", { value: name, configurable: true });
  // Without an experiment, the entries are tools.
  const tools = sources.some((one) => one instanceof Experiment) ? chooseByExperiments(bound, entries) : entries;
  writeSettings({ usesTools: withSpecifications(tools, specified) })(bound);
  // Authors' errors don't wait for a run.
  void bound.definition;
  // It has all that the class has, by inheritance.
  return bound as Class;
}

type Entries = readonly BoundEntry[] | ((context: ApplicationContext) => Promise<readonly BoundEntry[]>);

/** The tools of a run depend on its user, and its tags record the variant. Returns the tools for callers without a run. */
function chooseByExperiments(bound: AgentClass, entries: Entries): (context: ApplicationContext) => Promise<AgentTools> {
  if (bound.prototype.tools !== Agent.prototype.tools) {
    throw new SpecificationError(
      `bindAgent: ${bound.name} overrides tools, which an experiment would pass over. Say what it does by @usesSpecifications((context) => [...]).`,
    );
  }
  const chooser = new ToolChooser();
  const choose = async (agent: string, ...[context, ...asked]: Parameters<ChooseRun>): Promise<RunChoice> =>
    chooser.choose(agent, typeof entries === "function" ? await entries(context) : entries, context, ...asked);
  Object.defineProperty(bound.prototype, chooseRun, {
    value(this: Agent, ...asked: Parameters<ChooseRun>) {
      // TypeScript types `constructor` as any function; it is the class that made this instance.
      return choose((this.constructor as AgentClass).definition.name, ...asked);
    },
  });
  return async (context) => (await choose(bound.definition.name, context, {}, false)).tools;
}
