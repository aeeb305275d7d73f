import type { ToolClass } from "../../tool/index.js";
import { Experiment } from "../experiments/experiment.js";
import { checkBinding } from "../library/bind-tool.js";
import { BindingError, type BindingProblem } from "../library/binding-error.js";
import { ToolLibrary } from "../library/tool-library.js";
import { SpecificationError } from "../specification-error.js";
import { isToolSpecification, type ToolSpecification } from "../tool-specification.js";
import type { SpecifiedTools } from "./uses-specifications.js";

/** Where implementations come from: a tool library or an experiment. */
export type ToolSource = ToolLibrary | Experiment;

/** A specification in an experiment: its implementations, by variant. */
export interface Trial {
  readonly experiment: Experiment;
  readonly tools: ReadonlyMap<string, ToolClass>;
  /** For users who aren't part of the experiment. */
  readonly first: ToolClass;
}

/** What stands in place of an entry of `@usesSpecifications`. */
export type BoundEntry = Exclude<SpecifiedTools[number], ToolSpecification> | Trial;

export const isTrial = (entry: BoundEntry): entry is Trial => (entry as Partial<Trial>).experiment instanceof Experiment;

export function checkSources(source: ToolSource | readonly ToolSource[], owner: string): readonly ToolSource[] {
  const sources = source instanceof ToolLibrary || source instanceof Experiment ? [source] : source;
  if (Array.isArray(sources) && sources.length > 0 && sources.every((one) => one instanceof ToolLibrary || one instanceof Experiment)) {
    return sources;
  }
  throw new SpecificationError(
    `${owner} is bound to a tool library, an experiment, or a list of them. Make a library: createToolLibrary([SearchTool]).`,
  );
}

/**
 * The list with implementations in place of its specifications. Throws `SpecificationError` if two have one name, and
 * `BindingError` with all that is missing or differs.
 */
export function bindEntries(tools: SpecifiedTools, sources: readonly ToolSource[], owner: string): readonly BoundEntry[] {
  refuseDuplicates(tools, owner);
  const problems: BindingProblem[] = [];
  const bound = tools.flatMap((entry) => (isToolSpecification(entry) ? bindOne(entry, sources, problems) : [entry]));
  if (problems.length > 0) throw new BindingError(owner, problems);
  return bound;
}

/** Binds to the first source that has a tool of the name; none is asked after it. Adds to `problems` why it can't. */
function bindOne(specification: ToolSpecification, sources: readonly ToolSource[], problems: BindingProblem[]): readonly BoundEntry[] {
  const source = sources.find((one) => librariesOf(one).some(([, library]) => library.get(specification.name))) ?? sources.at(-1);
  const tools = new Map<string, ToolClass>();
  for (const [variant, library] of source === undefined ? [] : librariesOf(source)) {
    const binding = checkBinding(specification, library);
    if (binding.ok) tools.set(variant, binding.value);
    else problems.push(source instanceof Experiment ? ofVariant(binding.error, source.name, variant) : binding.error);
  }
  const [first] = tools.values();
  if (first === undefined) return [];
  return source instanceof Experiment ? [{ experiment: source, tools, first }] : [first];
}

const librariesOf = (source: ToolSource): readonly (readonly [string, ToolLibrary])[] =>
  source instanceof ToolLibrary ? [["", source]] : [...source.libraries];

const ofVariant = (problem: BindingProblem, experiment: string, variant: string): BindingProblem => ({
  ...problem,
  message: `Variant "${variant}" of the experiment "${experiment}": ${problem.message}`,
});

function refuseDuplicates(tools: SpecifiedTools, owner: string): void {
  const names = new Set<string>();
  for (const { name } of tools.filter(isToolSpecification)) {
    if (names.has(name)) {
      throw new SpecificationError(
        `${owner}: two of its specifications are named "${name}", and a model can't tell them apart. Leave one out.`,
      );
    }
    names.add(name);
  }
}
