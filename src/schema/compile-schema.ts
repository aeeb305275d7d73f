import { acceptSchema, documentOf } from "./accept-schema.js";
import { type ApplyDefaults, compileDefaults } from "./defaults.js";
import { createEngine, type Engine, type EngineError } from "./engine.js";
import { TooComplexError } from "./engine-schema.js";
import type { Fault, Repair } from "./fault.js";
import { findFaults } from "./fault-walk.js";
import type { JsonSchema } from "./json-schema.js";
import { pathOf, placeOfPointer } from "./place.js";
import type { SchemaDocument } from "./schema-document.js";
import type { SchemaValidator, Validated, ValidateOptions } from "./validator.js";

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
  private compiled: CompiledSchema | undefined;

  constructor(readonly schema: JsonSchema) {}

  /** @throws SchemaError on first use, for a schema that `acceptSchema` refuses. */
  validate(value: unknown, options: ValidateOptions): Validated {
    this.compiled ??= new CompiledSchema(acceptSchema(this.schema));
    return this.compiled.validate(value, options);
  }
}

class CompiledSchema {
  private readonly document: SchemaDocument;
  private readonly engine: Engine;
  private readonly defaults: ApplyDefaults | undefined;

  constructor(private readonly schema: JsonSchema) {
    this.document = documentOf(schema);
    this.engine = createEngine(schema, this.document);
    this.defaults = compileDefaults(schema, this.document);
  }

  validate(value: unknown, options: ValidateOptions): Validated {
    try {
      // A default is no part of what is checked: `oneOf` and the like are about what was sent.
      return this.engine.check(value)
        ? { ok: true, value: this.defaults === undefined ? value : this.defaults(value, options.owned) }
        : this.explain(value, options);
    } catch (error) {
      return { ok: false, error: [unreadable(error)] };
    }
  }

  /** The slow path: a default may stand in for what is required, a repair may help, or there are faults to name. */
  private explain(value: unknown, { owned, repair }: ValidateOptions): Validated {
    const filled = this.fill(value, owned);
    const walked = findFaults(this.schema, this.document, filled, repair);
    if (walked.faults.length > 0) return { ok: false, error: walked.faults.map(plainFault) };
    if (!this.engine.check(walked.value))
      return { ok: false, error: this.engine.errors(walked.value).map((error) => engineFault(error, walked.value)) };
    return accepted(this.fill(walked.value, false), walked.repairs);
  }

  private fill(value: unknown, owned: boolean): unknown {
    return this.defaults === undefined ? value : this.defaults(value, owned);
  }
}

const accepted = (value: unknown, repairs: readonly Repair[]): Validated =>
  repairs.length === 0 ? { ok: true, value } : { ok: true, value, repairs };

const plainFault = ({ path, message, keyword }: Fault): Fault => ({ path, message, keyword });

const engineFault = ({ pointer, message, keyword }: EngineError, value: unknown): Fault => ({
  path: pathOf(placeOfPointer(pointer, value)),
  message,
  keyword,
});

/** Values that can't be walked: endless ones, and objects whose properties throw. */
function unreadable(error: unknown): Fault {
  if (error instanceof TooComplexError) return { path: "", message: "is too complex to be checked", keyword: "complexity" };
  if (error instanceof Error && error.name === "RangeError") return { path: "", message: "is nested too deeply", keyword: "depth" };
  return { path: "", message: `can't be read (${error instanceof Error ? error.message : String(error)})`, keyword: "unreadable" };
}
