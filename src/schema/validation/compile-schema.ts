import { acceptSchema, documentOf } from "../accept-schema.js";
import { type ApplyDefaults, compileDefaults } from "./defaults.js";
import { createEngine, type Engine } from "./engine.js";
import type { Fault, Repair } from "../faults/fault.js";
import type { JsonSchema } from "../json-schema.js";
import { pathOf } from "../place.js";
import type { SchemaDocument } from "../schema-document.js";
import type { SchemaValidator, Validated, ValidateOptions } from "./validator.js";
import { findFaults, fitsSchema } from "../faults/fault-walk.js";
import { TooCostlyError, WorkBudget } from "../work-budget.js";

const validators = new WeakMap<JsonSchema, SchemaValidator>();

/**
 * The validator of a schema: one per schema object. Nothing is compiled before the first value comes.
 *
 * ```ts
 * const checked = compileSchema(schema).validate({ limit: "42" }, { owned: false, repair: true });
 * if (checked.ok) use(checked.value); // { limit: 42 }
 * ```
 */
export function compileSchema(schema: JsonSchema): SchemaValidator {
  let validator = validators.get(schema);
  if (validator === undefined) validators.set(schema, (validator = new LazyValidator(schema)));
  return validator;
}

class LazyValidator implements SchemaValidator {
  private compiled: Pick<SchemaValidator, "validate"> | undefined;

  constructor(readonly schema: JsonSchema) {}

  /** @throws SchemaError on first use, for a schema that `acceptSchema` refuses. */
  validate(value: unknown, options: ValidateOptions): Validated {
    this.compiled ??= compile(acceptSchema(this.schema));
    return this.compiled.validate(value, options);
  }
}

/** No value fits a schema whose defaults are too costly to fill in. */
function compile(schema: JsonSchema): Pick<SchemaValidator, "validate"> {
  try {
    return new CompiledSchema(schema);
  } catch (error) {
    if (!(error instanceof TooCostlyError)) throw error;
    return { validate: () => ({ ok: false, error: [unreadable(error)] }) };
  }
}

class CompiledSchema {
  private readonly document: SchemaDocument;
  private readonly engine: Engine | undefined;
  private readonly defaults: ApplyDefaults | undefined;

  constructor(private readonly schema: JsonSchema) {
    this.document = documentOf(schema);
    this.engine = createEngine(schema, this.document);
    this.defaults = compileDefaults(schema, this.document);
  }

  validate(value: unknown, options: ValidateOptions): Validated {
    const budget = new WorkBudget();
    try {
      // A default is no part of what is checked: `oneOf` and the like are about what was sent.
      return this.accepts(value, options.size, budget)
        ? { ok: true, value: this.fill(value, options.owned, budget) }
        : this.explain(value, options, budget);
    } catch (error) {
      return { ok: false, error: [unreadable(error)] };
    }
  }

  /** The engine only says what a walk over schema and value would say, sooner. */
  private accepts(value: unknown, size: number | undefined, budget: WorkBudget): boolean {
    return this.engine?.(value, size) ?? fitsSchema(this.schema, this.document, value, budget);
  }

  /** The slow path: a default may stand in for what is required, a repair may help, or there are faults to name. */
  private explain(value: unknown, { owned, repair }: ValidateOptions, budget: WorkBudget): Validated {
    const filled = this.fill(value, owned, budget);
    const walked = findFaults(this.schema, this.document, filled, repair, budget);
    if (walked.faults.length > 0) return { ok: false, error: walked.faults.map(plainFault) };
    // What one keyword repaired may break another one, such as the `type` beside an `allOf`.
    if (walked.repairs.length > 0 && !this.accepts(walked.value, undefined, budget))
      return this.explain(value, { owned, repair: false }, budget);
    return accepted(this.fill(walked.value, false, budget), walked.repairs);
  }

  private fill(value: unknown, owned: boolean, budget: WorkBudget): unknown {
    return this.defaults === undefined ? value : this.defaults(value, owned, budget);
  }
}

const accepted = (value: unknown, repairs: readonly Repair[]): Validated =>
  repairs.length === 0 ? { ok: true, value } : { ok: true, value, repairs };

const plainFault = ({ path, message, keyword }: Fault): Fault => ({ path, message, keyword });

/** Values that can't be walked: endless ones, those beyond the budget, and objects whose properties throw. */
function unreadable(error: unknown): Fault {
  if (error instanceof TooCostlyError) {
    return { path: pathOf(error.place), message: "is too costly to check against its schema: send less at once", keyword: "complexity" };
  }
  if (error instanceof Error && error.name === "RangeError") return { path: "", message: "is nested too deeply", keyword: "depth" };
  return { path: "", message: `can't be read (${error instanceof Error ? error.message : String(error)})`, keyword: "unreadable" };
}
