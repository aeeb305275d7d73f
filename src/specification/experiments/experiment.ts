import type { AgentListener } from "../../agent/index.js";
import type { ApplicationContext, ToolCallRecord } from "../../tool/index.js";
import { ToolLibrary } from "../library/tool-library.js";
import { SpecificationError } from "../specification-error.js";
import { chooseVariant } from "./choose-variant.js";
import { VariantCounts, type VariantReport } from "./variant-counts.js";
import { checkOptionNames, type OptionNames } from "../../tool/internal.js";

export interface ExperimentOptions<Variant extends string> {
  /**
   * Who is compared: one key, one variant. Where it gives `undefined`, the run isn't part of the experiment: it gets the
   * first variant, and isn't counted.
   */
  readonly by: (context: ApplicationContext) => string | number | undefined | Promise<string | number | undefined>;
  /** How large a share each variant gets, in any unit: `{ a: 9, b: 1 }`. Default: all the same. A variant with 0 gets nobody new. */
  readonly weights?: Readonly<Record<Variant, number>>;
}

/** What became of the calls, since the process began. */
export interface ExperimentReport<Variant extends string = string> {
  readonly experiment: string;
  readonly variants: Readonly<Record<Variant, VariantReport>>;
}

/**
 * The same specifications, bound to different implementations for different users: `bindAgent(SupportAgent, experiment)`.
 * Every run carries its variant as the tag `experiment.{name}`, which goes to listeners, traces, logs and the state of
 * the run; a run that is resumed keeps it, and `generate(prompt, { tags: { "experiment.search": "b" } })` asks for one,
 * and fails with `SpecificationError` where there is none of that name.
 */
export class Experiment<Variant extends string = string> {
  readonly name: string;
  /** @internal */
  readonly libraries: ReadonlyMap<Variant, ToolLibrary>;
  /** @internal The tag of runs that says their variant. */
  readonly tag: string;
  /** @internal Counts the calls of bound tools. */
  readonly listener: AgentListener = { toolFinished: (record) => this.#count(record) };
  readonly #by: ExperimentOptions<Variant>["by"];
  readonly #weights: readonly (readonly [Variant, number])[];
  readonly #counts: ReadonlyMap<Variant, VariantCounts>;
  /** The tools whose calls are counted, by the names of their agents. */
  readonly #counted = new Map<string, Set<string>>();

  /** @internal Made by `experiment`. */
  constructor(name: string, libraries: ReadonlyMap<Variant, ToolLibrary>, { by, weights }: ExperimentOptions<Variant>) {
    this.name = name;
    this.libraries = libraries;
    this.tag = `experiment.${name}`;
    this.#by = by;
    this.#weights = [...libraries.keys()].map((variant) => [variant, weights?.[variant] ?? 1] as const);
    this.#counts = new Map([...libraries.keys()].map((variant) => [variant, new VariantCounts()]));
  }

  /** The variant of whoever the context is about; `undefined` where it isn't part of the experiment. */
  async variantFor(context: ApplicationContext): Promise<Variant | undefined> {
    const key = await this.#by(context);
    // From JavaScript and from databases, nothing may be null.
    return key === undefined || key === null ? undefined : chooseVariant(this.name, String(key), this.#weights);
  }

  /** What became of the calls of each variant, in this process: the traces and logs of all processes say the rest. */
  report(): ExperimentReport<Variant> {
    const variants = [...this.#counts].map(([variant, counts]) => [variant, counts.report()]);
    return { experiment: this.name, variants: Object.fromEntries(variants) as Record<Variant, VariantReport> };
  }

  /** @internal Counts the calls that this agent makes of the tool. */
  count(agent: string, tool: string): void {
    let tools = this.#counted.get(agent);
    if (tools === undefined) this.#counted.set(agent, (tools = new Set()));
    tools.add(tool);
  }

  #count(record: ToolCallRecord): void {
    // Sub-agents inherit tags and listeners, and may have another tool of that name.
    if (record.agent === undefined || this.#counted.get(record.agent)?.has(record.tool) !== true) return;
    this.#counts.get(record.tags?.[this.tag] as Variant)?.add(record);
  }
}

/**
 * Compares implementations of the same specifications. Who gets which variant is decided by a hash of the experiment's name
 * and the key: the same one in every process, always.
 *
 * ```ts
 * const search = experiment("search", { a: classic, b: semantic }, { by: (context) => context.userId, weights: { a: 9, b: 1 } });
 * const Support = bindAgent(SupportAgent, [search, library]);
 * await Support.generate("Where is my order?", { toolContext: { userId: "42" } });
 * console.log(search.report().variants.b.latency?.p95);
 * ```
 *
 * Throws `SpecificationError` for a name that is empty, fewer than two variants and weights that are none.
 */
export function experiment<const Variant extends string>(
  name: string,
  variants: Readonly<Record<Variant, ToolLibrary>>,
  // The variants are those of the libraries; `NoInfer` would say so from TypeScript 5.4 on.
  options: ExperimentOptions<Variant & {}>,
): Experiment<Variant> {
  checkOptionNames(options, { by: true, weights: true } satisfies OptionNames<ExperimentOptions<Variant>>, "experiment");
  // The keys of the record are its variants.
  const libraries = new Map(Object.entries(variants) as [Variant, ToolLibrary][]);
  checkExperiment(name, libraries, options);
  return new Experiment(name, libraries, options);
}

function checkExperiment(name: unknown, libraries: ReadonlyMap<string, unknown>, { by, weights }: ExperimentOptions<string>): void {
  if (typeof name !== "string" || name.trim() === "") {
    throw new SpecificationError(
      'experiment: the name is empty. Give it one, by which traces and logs tell it: experiment("search", ...).',
    );
  }
  const owner = `experiment "${name}"`;
  if (libraries.size < 2) {
    throw new SpecificationError(
      `${owner}: it compares nothing with ${libraries.size} variants. Give at least two: { a: libraryA, b: libraryB }.`,
    );
  }
  for (const [variant, library] of libraries) {
    if (library instanceof ToolLibrary) continue;
    throw new SpecificationError(`${owner}: the variant "${variant}" is no tool library. Make one: createToolLibrary([SearchTool]).`);
  }
  if (typeof by !== "function") {
    throw new SpecificationError(`${owner}: by must be a function that tells users apart, such as (context) => context.userId.`);
  }
  if (weights !== undefined) checkWeights(weights, [...libraries.keys()], owner);
}

function checkWeights(weights: Readonly<Record<string, number>>, variants: readonly string[], owner: string): void {
  const unknown = Object.keys(weights).find((variant) => !variants.includes(variant));
  if (unknown !== undefined) {
    throw new SpecificationError(`${owner}: weights names "${unknown}", which is none of its variants: ${variants.join(", ")}.`);
  }
  for (const variant of variants) {
    const weight = weights[variant];
    if (typeof weight === "number" && weight >= 0 && Number.isFinite(weight)) continue;
    throw new SpecificationError(`${owner}: the weight of "${variant}" is ${String(weight)}, but must be a number of at least 0.`);
  }
  if (variants.every((variant) => weights[variant] === 0)) {
    throw new SpecificationError(`${owner}: all weights are 0, so that nobody gets a variant. Give one of them more.`);
  }
}
