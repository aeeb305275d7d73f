import type { AgentListener, AgentTools } from "../../agent/index.js";
import type { ChooseRun, RunChoice } from "../../agent/internal.js";
import type { ApplicationContext, ToolClass } from "../../tool/index.js";
import { insteadOfName } from "../../tool/internal.js";
import type { Experiment } from "../experiments/experiment.js";
import { SpecificationError } from "../specification-error.js";
import { type BoundEntry, isTrial, type Trial } from "./tool-source.js";

type Tags = Readonly<Record<string, string>>;

/** Chooses the tools of an agent's runs if some are part of experiments. */
export class ToolChooser {
  readonly #lists = new WeakMap<readonly BoundEntry[], Map<string, AgentTools>>();
  /** By what the application gave: an agent keeps its executor as long as the list of listeners is the same. */
  readonly #listeners = new WeakMap<readonly AgentListener[], readonly AgentListener[]>();

  /** The tools of one run, and the tags that name their variants. */
  async choose(
    agent: string,
    entries: readonly BoundEntry[],
    context: ApplicationContext,
    asked: Parameters<ChooseRun>[1],
    isResumed: boolean,
  ): Promise<RunChoice> {
    const experiments = new Set(entries.filter(isTrial).map(({ experiment }) => experiment));
    let tags: Tags = asked.tags ?? {};
    for (const experiment of experiments) tags = await withVariant(tags, experiment, context, isResumed);
    const tools = this.#tools(entries, experiments, tags, agent);
    return { tools, options: { tags, listeners: this.#listening(experiments, asked.listeners ?? noListeners) } };
  }

  /** The same list for the same variants, because an agent caches what it prepares for a frozen list. */
  #tools(entries: readonly BoundEntry[], experiments: ReadonlySet<Experiment>, tags: Tags, agent: string): AgentTools {
    const chosen = [agent, ...[...experiments].map(({ tag }) => tags[tag])].join("\n");
    const known = this.#lists.get(entries) ?? new Map<string, AgentTools>();
    let tools = known.get(chosen);
    if (tools === undefined) {
      tools = Object.freeze(entries.map((entry) => (isTrial(entry) ? toolOf(entry, tags, agent) : entry)));
      this.#lists.set(entries, known.set(chosen, tools));
    }
    return tools;
  }

  #listening(experiments: ReadonlySet<Experiment>, listeners: readonly AgentListener[]): readonly AgentListener[] {
    const missing = [...experiments].map(({ listener }) => listener).filter((listener) => !listeners.includes(listener));
    if (missing.length === 0) return listeners;
    const known = this.#listeners.get(listeners);
    if (known !== undefined && missing.every((listener) => known.includes(listener))) return known;
    const all = [...listeners, ...missing];
    this.#listeners.set(listeners, all);
    return all;
  }
}

const noListeners: readonly AgentListener[] = [];

/**
 * A variant that the tags name already stays: a resumed run keeps its own, and an agent that is called its caller's. One that was
 * given up since a run began is chosen anew; a new run that asks for none of the variants is a mistake.
 */
async function withVariant(tags: Tags, experiment: Experiment, context: ApplicationContext, isResumed: boolean): Promise<Tags> {
  const { [experiment.tag]: named, ...others } = tags;
  if (named !== undefined) {
    if (experiment.libraries.has(named)) return tags;
    if (!isResumed) throw unknownVariant(experiment, named);
  }
  const variant = await experiment.variantFor(context);
  return variant === undefined ? others : { ...others, [experiment.tag]: variant };
}

const unknownVariant = ({ name, tag, libraries }: Experiment, named: string): SpecificationError =>
  new SpecificationError(
    `experiment "${name}": the run's tag "${tag}" asks for "${named}", which isn't one of its variants. ${insteadOfName(named, [...libraries.keys()])}`,
  );

function toolOf({ experiment, tools, first }: Trial, tags: Tags, agent: string): ToolClass {
  const tool = tools.get(tags[experiment.tag] ?? "") ?? first;
  experiment.count(agent, tool.definition.name);
  return tool;
}
