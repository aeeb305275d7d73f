import type { AgentListener } from "../../agent/index.js";
import type { ApplicationContext, ToolCallRecord } from "../../tool/index.js";
import { ToolLibrary } from "../library/tool-library.js";
import { SpecificationError } from "../specification-error.js";
import { VariantCounts, type VariantReport } from "./variant-counts.js";
import { checkOptionNames, type OptionNames } from "../../tool/internal.js";
import { createHash } from "node:crypto";

/** Options of `experiment`. See docs/10-specifications-and-gram.md. */
export interface ExperimentOptions<Variant extends string> {
  /**
   * Returns the key that a run is assigned by, such as the user's id; a key always gets the same variant. If it returns
   * `undefined`, the run gets the first variant and isn't counted.
   */
  readonly by: (context: ApplicationContext) => string | number | undefined | Promise<string | number | undefined>;
  /** The share of each variant, in any unit: `{ a: 9, b: 1 }`. A variant with 0 gets no new runs. Default: equal shares. */
  readonly weights?: Readonly<Record<Variant, number>>;
}

/** Calls of each variant since the start of the process. */
export interface ExperimentReport<Variant extends string = string> {
  /** The name of the experiment. */
  readonly experiment: string;
  /** The calls of each variant, by name. */
  readonly variants: Readonly<Record<Variant, VariantReport>>;
}

/**
 * Implementations of the same specifications that are compared, made by `experiment`. Bind an agent to it:
 * `bindAgent(SupportAgent, experiment)`.
 *
 * Each run has its variant as the tag `experiment.{name}`, in listeners, traces, logs and state; a resumed run keeps it. To choose
 * a variant, pass the tag: `generate(prompt, { tags: { "experiment.search": "b" } })`, which throws `SpecificationError` for an
 * unknown variant. See docs/10-specifications-and-gram.md.
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

  /** Returns the variant for a context; `undefined` if it isn't part of the experiment. */
  async variantFor(context: ApplicationContext): Promise<Variant | undefined> {
    const key = await this.#by(context);
    // From JavaScript and from databases, nothing may be null.
    return key === undefined || key === null ? undefined : chooseVariant(this.name, String(key), this.#weights);
  }

  /** Returns the calls of each variant in this process. */
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
 * Compares implementations of the same specifications: each user gets one of the variants.
 *
 * ```ts
 * const search = experiment("search", { a: classic, b: semantic }, { by: (context) => context.userId, weights: { a: 9, b: 1 } });
 * const Support = bindAgent(SupportAgent, [search, library]);
 * await Support.generate("Where is my order?", { toolContext: { userId: "42" } });
 * console.log(search.report().variants.b.latency?.p95);
 * ```
 *
 * A hash of the experiment's name and the key chooses the variant, so it is the same in every process.
 *
 * Throws `SpecificationError` for an empty name, fewer than two variants, and invalid weights. See
 * docs/10-specifications-and-gram.md.
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
    throw new SpecificationError('experiment: the name is empty. Give it one, which traces and logs show: experiment("search", ...).');
  }
  const owner = `experiment "${name}"`;
  if (libraries.size < 2) {
    throw new SpecificationError(
      `${owner}: it compares nothing with ${libraries.size} variants. Give at least two: { a: libraryA, b: libraryB }.`,
    );
  }
  for (const [variant, library] of libraries) {
    if (library instanceof ToolLibrary) continue;
    throw new SpecificationError(`${owner}: the variant "${variant}" isn't a tool library. Make one: createToolLibrary([SearchTool]).`);
  }
  if (typeof by !== "function") {
    throw new SpecificationError(`${owner}: by must be a function that identifies the user, such as (context) => context.userId.`);
  }
  if (weights !== undefined) checkWeights(weights, [...libraries.keys()], owner);
}

function checkWeights(weights: Readonly<Record<string, number>>, variants: readonly string[], owner: string): void {
  const unknown = Object.keys(weights).find((variant) => !variants.includes(variant));
  if (unknown !== undefined) {
    throw new SpecificationError(`${owner}: weights names "${unknown}", which isn't one of its variants: ${variants.join(", ")}.`);
  }
  for (const variant of variants) {
    const weight = weights[variant];
    if (typeof weight === "number" && weight >= 0 && Number.isFinite(weight)) continue;
    throw new SpecificationError(`${owner}: the weight of "${variant}" is ${String(weight)}, but must be a number of at least 0.`);
  }
  if (variants.every((variant) => weights[variant] === 0)) {
    throw new SpecificationError(`${owner}: all weights are 0, so no user gets a variant. Give one of them more.`);
  }
}

/**
 * The variant of a key: always the same one, for each key independent of all others and of other experiments, and as often
 * as the weights say. By weighted rendezvous hashing: each variant draws a number for the key, and the best one wins. So
 * another weight or another variant moves no more keys than it must.
 */
function chooseVariant<Variant extends string>(
  experiment: string,
  key: string,
  weights: readonly (readonly [Variant, number])[],
): Variant | undefined {
  let best = Number.POSITIVE_INFINITY;
  let chosen: Variant | undefined;
  for (const [variant, weight] of weights) {
    if (weight === 0) continue;
    // The time until an event that is the likelier the larger its weight.
    const time = -Math.log(fraction(JSON.stringify([experiment, variant, key]))) / weight;
    if (time < best) [best, chosen] = [time, variant];
  }
  return chosen;
}

/** A text as a number above 0 and below 1. */
const fraction = (text: string): number => (createHash("sha256").update(text).digest().readUIntBE(0, 6) + 0.5) / 2 ** 48;
