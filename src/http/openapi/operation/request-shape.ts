import type { ConvertedSchema } from "../document/schema-converter.js";
import type { ParameterFormat, ParameterPlace } from "./parameter-format.js";

/** A parameter of an operation, whichever version the document is written in. */
export interface Parameter {
  readonly name: string;
  readonly place: ParameterPlace;
  readonly required: boolean;
  /** With the parameter's description. */
  readonly schema: ConvertedSchema;
  readonly format: ParameterFormat;
}

/** How a property of a form or of a multipart body is written. */
export interface FieldFormat {
  /** The document says how: objects are written as JSON otherwise. */
  readonly format?: ParameterFormat;
  /** The argument is a file (`fileSchema`), or a list of them. */
  readonly file?: "one" | "list";
  /** Of its part in a multipart body. */
  readonly contentType?: string;
}

/** What may be sent as the body. */
export interface RequestBody {
  readonly kind: "json" | "form" | "multipart" | "text" | "file";
  readonly contentType: string;
  readonly required: boolean;
  readonly schema: ConvertedSchema;
  /** Of a form and of a multipart body, by property. */
  readonly fields: ReadonlyMap<string, FieldFormat>;
}

/** Everything that a call of an operation may send. */
export interface RequestShape {
  readonly parameters: readonly Parameter[];
  readonly body: RequestBody | undefined;
}
