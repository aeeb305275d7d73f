// Emitted types are lost for classes that are defined before reflect-metadata is there, so it comes first.
import "reflect-metadata";

import "./isolation/index.js";

// `export *` on the way to ToolContext: only then does an application's `declare module "toolwright"` merge with it.
export * from "./agent/index.js";
export {
  type Answer,
  answer,
  approve,
  approveEdited,
  type Confirmation,
  type ConfirmationHandler,
  type ConfirmationSituation,
  type Decision,
  DecisionError,
  deny,
  type Question,
} from "./confirmation/index.js";
export type { HistoryLimits, MessageListener } from "./conversation/index.js";
export { type Container, type ExecutionProfile, type ToolCallRequest, type ToolMiddleware, useContainer } from "./execution/index.js";
export {
  type Budget,
  type OutcomeOf,
  openConfirmations,
  openQuestions,
  type RunOutcome,
  type RunState,
  RunStateError,
} from "./loop/index.js";
export {
  type AnswerSource,
  type AssistantMessage,
  type ChatModel,
  type FinishReason,
  type Message,
  ModelError,
  type ModelOptions,
  type ModelReference,
  type ProviderCall,
  type SystemMessage,
  type TokenUsage,
  type ToolCall,
  type ToolChoice,
  type ToolMessage,
  type UserMessage,
} from "./models/index.js";
export { addSecret } from "./redaction/index.js";
export {
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
} from "./schema/index.js";
export { type ConversationStore, ConversationStoreError } from "./storage/index.js";
export * from "./tool/index.js";
export type { ToolSearch } from "./tool-search/index.js";
