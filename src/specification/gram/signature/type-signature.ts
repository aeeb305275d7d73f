import type { JsonSchema } from "../../../schema/index.js";
import { objectKeywords } from "./signature-types.js";

/** The parameters and return type of a tool, as JSON Schema. See docs/10-specifications-and-gram.md. */
export interface TypeSignature {
  /** The parameters in order. */
  readonly parameters: readonly SignatureParameter[];
  /** The return type: documentation for people and models. Results aren't checked against it. */
  readonly returns: JsonSchema;
  /** Schemas that the parameters refer to with `#/$defs/...`. */
  readonly definitions?: { readonly [name: string]: JsonSchema | boolean };
}

/** A parameter of a type signature. */
export interface SignatureParameter {
  readonly name: string;
  /** Its type, description, default and other keywords. */
  readonly schema: JsonSchema;
  /** Whether the argument must be sent. */
  readonly required: boolean;
}

/** Returns the JSON Schema of a signature's arguments. See docs/10-specifications-and-gram.md. */
export function parametersSchemaOf({ parameters, definitions }: TypeSignature): JsonSchema {
  return {
    type: "object",
    ...objectKeywords(parameters),
    ...(definitions === undefined ? {} : { $defs: definitions }),
  };
}
