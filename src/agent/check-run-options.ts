import { checkListeners, checkRun } from "../execution/internal.js";
import { checkOptionNames, isOptions, type OptionNames, isToolClass } from "../tool/internal.js";
import { checkSigningSecret } from "../redaction/internal.js";
import { checkClaims } from "../storage/internal.js";
import type { GenerateOptions, ResumeOptions } from "./run-options.js";
import type { StepChanges } from "./run/step-changes.js";
import type { InheritedOptions } from "./sub-agents/calling-run.js";
import { isAgentClass } from "./agent-class.js";

const generateNames: OptionNames<GenerateOptions> = {
  toolContext: true,
  abortSignal: true,
  maxSteps: true,
  budget: true,
  concurrency: true,
  toolChoice: true,
  profile: true,
  confirm: true,
  confirmationTimeout: true,
  stateSecret: true,
  tags: true,
  container: true,
  middleware: true,
  listeners: true,
  claims: true,
  runId: true,
  journal: true,
};

const resumeNames: OptionNames<GenerateOptions & ResumeOptions> = { decisions: true, ...generateNames };

export function checkGenerateOptions(options: InheritedOptions): void {
  checkOptionNames(options, generateNames, "generate");
  checkValues(options);
}

export function checkResumeOptions(options: ResumeOptions): void {
  checkOptionNames(options, resumeNames, "resume");
  checkValues(options);
  if (options.decisions !== undefined && !Array.isArray(options.decisions)) {
    throw new TypeError('The option decisions must be a list: resume(state, { decisions: [approve("call_1")] }).');
  }
}

const stepNames: OptionNames<StepChanges> = { model: true, tools: true, instructions: true, toolChoice: true };

/** Throws `TypeError` for an answer of `prepareStep` that would change nothing: `{ allowedTools }` narrows no step. */
export function checkStepChanges(changes: unknown, agent: string): StepChanges {
  if (changes === undefined || changes === null) return {};
  const owner = `${agent}: prepareStep`;
  checkOptionNames(changes, stepNames, owner);
  // A list that a function left out would leave all tools of the run.
  const absent = Object.keys(changes).find((name) => changes[name as keyof typeof changes] === null);
  if (absent !== undefined) throw new TypeError(`${owner}: ${absent} is null. Leave it out to use the run's setting.`);
  const { toolChoice } = changes as StepChanges;
  checkToolChoice(toolChoice, `${owner}: toolChoice`);
  return changes;
}

/** Throws `TypeError` for what is no list of functions. `owner` begins the message. */
export function checkMiddleware(middleware: unknown, owner: string): void {
  if (middleware === undefined || (Array.isArray(middleware) && middleware.every((one) => typeof one === "function"))) return;
  throw new TypeError(`${owner} must be a list of functions: [(call, next) => next()].`);
}

function checkToolChoice(choice: unknown, owner: string): void {
  if (choice === undefined || choice === "auto" || choice === "required" || choice === "none") return;
  if (isOptions(choice) && Object.keys(choice).length === 1 && "tool" in choice && isTool(choice.tool)) return;
  throw new TypeError(`${owner} must be "auto", "required", "none" or { tool: "search" }, with a name or a class.`);
}

const isTool = (tool: unknown): boolean => typeof tool === "string" || isToolClass(tool) || isAgentClass(tool);

/**
 * From JavaScript, or from a configuration, options may be what their types exclude. Throws `TypeError` for those that
 * would fail far from here, or hold for nothing.
 */
function checkValues(options: InheritedOptions): void {
  checkRun(options);
  checkListeners(options.listeners);
  checkMiddleware(options.middleware, "The option middleware");
  const { confirm } = options;
  if (confirm !== undefined && ![confirm].flat().every((handler) => typeof handler === "function")) {
    throw new TypeError("The option confirm must be a function that gives a decision, such as confirmInTerminal(), or a list of them.");
  }
  checkConcurrency(options.concurrency);
  checkConfirmationTimeout(options.confirmationTimeout);
  checkToolChoice(options.toolChoice, "The option toolChoice");
  checkClaims(options.claims, "The options");
  // An environment variable that isn't set must not leave states unsigned.
  if (Object.hasOwn(options, "stateSecret")) checkSigningSecret(options.stateSecret, "The option stateSecret");
}

function checkConcurrency(concurrency: number | undefined): void {
  if (concurrency === undefined || concurrency >= 1) return;
  throw new RangeError(`generate: concurrency is ${concurrency}, but counts tool calls that run at once: give at least 1.`);
}

function checkConfirmationTimeout(timeout: number | undefined): void {
  if (timeout === undefined || timeout >= 0) return;
  throw new RangeError(`generate: confirmationTimeout is ${timeout}, but is a number of milliseconds: give at least 0.`);
}
