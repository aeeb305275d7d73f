import type { ToolClass } from "../tool/index.js";
import type { ToolMiddleware } from "./attempt/middleware.js";
import type { RunningCode } from "./preparation/prepared-call.js";
import type { Recorder } from "./record/recorder.js";

/** What all calls of one executor share. */
export interface CallHost {
  readonly recorder: Recorder;
  readonly middleware: readonly ToolMiddleware[];
  /** How often the executor runs a call whose repetition does no harm. */
  readonly attempts: number;
  /** Carries out a call that code of a tool makes. */
  callNested(caller: RunningCode, toolClass: ToolClass, input: Record<string, unknown>): Promise<unknown>;
  /** The same for code in another thread or process, where the class is another one. */
  callNamed(caller: RunningCode, name: string, input: Record<string, unknown>): Promise<unknown>;
}
