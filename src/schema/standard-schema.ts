/**
 * A schema of a validation library, such as zod, that implements Standard Schema (https://standardschema.dev).
 *
 * The library must also implement Standard JSON Schema (`jsonSchema`), because models need the JSON Schema. See docs/02-tools.md.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    readonly jsonSchema?: {
      readonly input: (options: StandardJsonSchemaOptions) => Record<string, unknown>;
      readonly output: (options: StandardJsonSchemaOptions) => Record<string, unknown>;
    };
  };
}

interface StandardJsonSchemaOptions {
  readonly target: string;
  /** What only the library itself understands. */
  readonly libraryOptions?: Record<string, unknown> | undefined;
}

/** The result of a Standard Schema's `validate`: a value, or issues. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** One problem that a Standard Schema found. */
export interface StandardIssue {
  /** What is wrong, for people. */
  readonly message: string;
  /** The keys that lead to the value. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The output type of a Standard Schema, after defaults and transforms. */
export type StandardOutput<Schema> = TypesOf<Schema> extends { readonly output: infer Output } ? Output : unknown;

/** The input type of a Standard Schema, before defaults and transforms. */
export type StandardInput<Schema> = TypesOf<Schema> extends { readonly input: infer Input } ? Input : unknown;

type TypesOf<Schema> = Schema extends { readonly "~standard": { readonly types?: infer Types } } ? NonNullable<Types> : unknown;

/** Whether a value is a Standard Schema, such as one of zod. See docs/02-tools.md. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  return (
    ((typeof value === "object" && value !== null) || typeof value === "function") &&
    "~standard" in value &&
    typeof (value as StandardSchema)["~standard"]?.validate === "function"
  );
}
