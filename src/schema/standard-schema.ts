/**
 * The part of the Standard Schema specification (https://standardschema.dev) that Toolwright uses: a validator
 * of any library, zod among them, that names itself under `~standard`. `jsonSchema` is the specification's
 * Standard JSON Schema extension: the form for the wire.
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

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The output type of a Standard Schema. */
export type StandardOutput<Schema> = TypesOf<Schema> extends { readonly output: infer Output } ? Output : unknown;

/** The input type of a Standard Schema: what it takes, before its defaults and transformations. */
export type StandardInput<Schema> = TypesOf<Schema> extends { readonly input: infer Input } ? Input : unknown;

type TypesOf<Schema> = Schema extends { readonly "~standard": { readonly types?: infer Types } } ? NonNullable<Types> : unknown;

export function isStandardSchema(value: unknown): value is StandardSchema {
  return (
    ((typeof value === "object" && value !== null) || typeof value === "function") &&
    "~standard" in value &&
    typeof (value as StandardSchema)["~standard"]?.validate === "function"
  );
}
