export { Agent, type AgentClass, type Prompt } from "./agent.js";
export type { AgentDefinition } from "./agent-definition.js";
export type { ModelSettings } from "./agent-model.js";
export type { AgentTools } from "./agent-tools.js";
export * from "./confirmation/index.js";
export type { MessageListener } from "./conversation.js";
export {
  type ConversationStore,
  ConversationStoreError,
  FileConversationStore,
  type HistoryLimits,
  MemoryConversationStore,
  type StoredConversation,
  type StoredMessage,
  trimHistory,
} from "./conversations/index.js";
export * from "./decorators/index.js";
export * from "./errors.js";
export {
  block,
  type Guardrail,
  type GuardrailMoment,
  type GuardrailSituation,
  type InputGuardrail,
  type OutputGuardrail,
  pass,
  transform,
  type Verdict,
} from "./guardrails/index.js";
export type { AgentListener } from "./listener.js";
export type { Budget, OutcomeOf, RunOutcome } from "./loop/index.js";
export type { GenerateOptions, ResumeOptions } from "./options.js";
export type {
  AgentModelFailure,
  AgentPause,
  AgentRefusal,
  AgentResponse,
  AgentStep,
  AgentStop,
  AgentSuccess,
  AgentToolCall,
} from "./response.js";
export type { StepChanges, StepSituation } from "./run/step-preparation.js";
export type { RunState } from "./run-state.js";
export { RunStateError } from "./run-state-error.js";
export type { AgentEvent, SubAgentCall, SubAgentEvent } from "./stream/agent-event.js";
export { AgentStream } from "./stream/agent-stream.js";
