// Emitted types are lost for classes that are defined before reflect-metadata is there, so it comes first.
import "reflect-metadata";

export * from "./agent/index.js";
export * from "./confirmation/index.js";
export { type HistoryLimits, type MessageListener, trimHistory } from "./conversation/index.js";
export { type Budget, type OutcomeOf, openConfirmations, type RunOutcome, type RunState, RunStateError } from "./loop/index.js";
export * from "./redaction/index.js";
export * from "./storage/index.js";
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
