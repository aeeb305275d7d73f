export { InProcessRuntime, type InProcessRuntimeOptions } from "./in-process-runtime.js";
export type { RunServices, RuntimeRunOptions } from "./agent-maker.js";
export type {
  DecidedCall,
  DecidedEvent,
  DrainOptions,
  DrainReport,
  EventsOptions,
  PendingItem,
  PendingQuery,
  ResultOptions,
  RunEvent,
  RunStatus,
  Runtime,
  RuntimeRun,
  StartOptions,
} from "./runtime.js";
export { RuntimeError } from "./runtime-error.js";
export {
  prepareReplay,
  readRecording,
  type RecordedCall,
  type RecordedStep,
  type Recording,
  type ReplayOptions,
} from "../agent/internal.js";
export { createWorker, type Worker, type WorkerOptions } from "./dbos/create-worker.js";
export { DbosRuntime, type DbosRuntimeOptions } from "./dbos/dbos-runtime.js";
export type { OnRuntimeError } from "./report-error.js";
export type { ProcessRunLimits, RunLimits } from "./run-limits.js";
