import type { JsonSchema } from "../../schema/index.js";
import { objectKeywords } from "./signature-types.js";

/** What a tool takes and gives, as JSON Schema: the meaning of a type signature in gram. */
export interface TypeSignature {
  readonly parameters: readonly SignatureParameter[];
  /** What the tool returns; documentation for people and models, which nothing is checked against. */
  readonly returns: JsonSchema;
  /** Schemas that the parameters refer to by `#/$defs/...`: `$defs` in the record of any of them. */
  readonly definitions?: { readonly [name: string]: JsonSchema | boolean };
}

export interface SignatureParameter {
  readonly name: string;
  /** Its type, with the description, the default and all other keywords. */
  readonly schema: JsonSchema;
  readonly required: boolean;
}

/** The JSON Schema of the arguments of a signature that was parsed or made. */
export function parametersSchemaOf({ parameters, definitions }: TypeSignature): JsonSchema {
  return {
    type: "object",
    ...objectKeywords(parameters),
    ...(definitions === undefined ? {} : { $defs: definitions }),
  };
}
