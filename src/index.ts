// Emitted types are lost for classes that are defined before reflect-metadata is there, so it comes first.
import "reflect-metadata";

export * from "./agent/index.js";
export * from "./execution/index.js";
export * from "./models/index.js";
export {
  acceptSchema,
  anyOf,
  type Fault,
  Integer,
  type JsonSchema,
  type JsonValue,
  mapOf,
  type Repair,
  type Result,
  SchemaError,
  type StandardSchema,
  type TypeOf,
  type TypeToken,
  validateToolArgs,
} from "./schema/index.js";
export * from "./tool/index.js";
