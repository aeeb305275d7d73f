export { Agent, type AgentClass } from "./agent.js";
export type { Prompt } from "./run-options.js";
export type { AgentDefinition } from "./agent-class.js";
export type { ModelSettings } from "./agent-model.js";
export type { AgentTools } from "./agent-class.js";
export * from "./decorators/index.js";
export { AgentBusyError, AgentDefinitionError } from "./agent-errors.js";
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
export type { AgentListener } from "./agent-listener.js";
export type { GenerateOptions, ResumeOptions } from "./run-options.js";
export type {
  AgentModelFailure,
  AgentPause,
  AgentQuestions,
  AgentRefusal,
  AgentResponse,
  AgentStep,
  AgentStop,
  AgentSuccess,
  AgentToolCall,
} from "./agent-response.js";
export type { StepChanges, StepSituation } from "./run/step-changes.js";
export type { AgentEvent, SubAgentCall, SubAgentEvent } from "./stream/agent-event.js";
export { AgentStream } from "./stream/agent-stream.js";
