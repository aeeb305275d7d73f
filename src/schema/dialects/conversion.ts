import type { SchemaNode } from "../keywords.js";
import type { SchemaDocument } from "../schema-document.js";
import type { Restore } from "./restore.js";

/** A schema that a provider's rules can't express: the tool goes out in another way, or not at all. */
export class UnfitError extends Error {
  override readonly name = "UnfitError";
}

/** A schema on its way to a provider. */
export interface Conversion {
  readonly schema: SchemaNode;
  readonly document: SchemaDocument;
  /** The keywords that moved into descriptions. */
  readonly moved: Set<string>;
}

/** A whole schema as it goes over the wire. */
export interface Converted {
  readonly parameters: SchemaNode;
  /** What the root says beyond that, for the description of the tool. */
  readonly note: string | undefined;
  readonly restore: Restore | undefined;
}
