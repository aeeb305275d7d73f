import type { AgentClass, AgentResponse, Prompt } from "../agent/index.js";
import { isAgentClass } from "../agent/internal.js";
import type { Message } from "../models/index.js";
import type { RunOutcome } from "../loop/index.js";
import { describeValue, isRecord } from "../schema/internal.js";
import type { ToolClass } from "../tool/index.js";
import { isToolClass, type OptionNames } from "../tool/internal.js";
import { checkOptionNames } from "../tool/internal.js";
import { EvaluationError } from "./evaluation-error.js";

/** A tool or sub-agent: its class, or its name. */
export type ToolChoice = ToolClass | AgentClass | string;

/** A call that the model must make. */
export interface ExpectedCall {
  readonly tool: ToolChoice;
  /**
   * All arguments, but those that equal the tool's defaults; a function returns whether they are right. Default: any. The order of keys
   * doesn't count.
   */
  readonly arguments?: Readonly<Record<string, unknown>> | ((given: Readonly<Record<string, unknown>>) => boolean);
}

/** What must be true of a run. What isn't set isn't looked at. */
export interface Expectation {
  /** The calls that the model must make, in any order, and no others: `[]` means none. */
  readonly calls?: readonly ExpectedCall[];
  /** Tools that the model must not call. */
  readonly forbidden?: readonly ToolChoice[];
  /** How the run must end: `response.reason`. */
  readonly outcome?: RunOutcome["reason"];
  /** What the answer must contain, in this case; or an expression that it must match. */
  readonly text?: string | RegExp;
}

/** A prompt, and what the agent must do with it. See docs/29-evaluation.md. */
export interface EvaluationCase {
  /** Names the case in reports, and when two reports are compared. Default: its number, from 1. */
  readonly id?: string;
  /** What the user says. */
  readonly prompt?: Prompt;
  /** The conversation before the prompt. Without a prompt, it ends with a message of the user. */
  readonly messages?: readonly Message[];
  /** The `toolContext` of the run. */
  readonly context?: Readonly<Record<string, unknown>>;
  readonly expect: Expectation;
}

/** Rates a response: a boolean decides with the other scores whether the case passes, a number from 0 to 1 is averaged. */
export type Scorer = (evaluated: EvaluationCase, response: AgentResponse) => boolean | number | Promise<boolean | number>;

const caseNames: OptionNames<EvaluationCase> = { id: true, prompt: true, messages: true, context: true, expect: true };
const expectationNames: OptionNames<Expectation> = { calls: true, forbidden: true, outcome: true, text: true };
const callNames: OptionNames<ExpectedCall> = { tool: true, arguments: true };
const outcomes: Readonly<Record<RunOutcome["reason"], true>> = {
  success: true,
  awaiting_confirmation: true,
  awaiting_answer: true,
  interrupted: true,
  max_steps: true,
  budget_exhausted: true,
  repeated_failure: true,
  aborted: true,
  model_error: true,
  truncated: true,
  content_filter: true,
  guardrail_blocked: true,
  invalid_structured_output: true,
};

/** Throws `EvaluationError` unless the value is a case. `place` begins the message: `cases.jsonl line 7`. */
export function checkCase(value: unknown, place: string): EvaluationCase {
  if (!isRecord(value)) throw new EvaluationError(`${place}: a case is an object such as { prompt, expect }, got ${describeValue(value)}.`);
  checkNames(value, caseNames, place);
  const { id, prompt, messages, context, expect } = value;
  if (id !== undefined && (typeof id !== "string" || id === "")) throw wrong(place, "id", id, "a string that isn't empty");
  if (prompt !== undefined && typeof prompt !== "string" && !Array.isArray(prompt))
    throw wrong(place, "prompt", prompt, "a string or parts");
  if (messages !== undefined && !Array.isArray(messages)) throw wrong(place, "messages", messages, "a list of messages");
  if (prompt === undefined && (messages === undefined || messages.length === 0))
    throw new EvaluationError(`${place}: it has neither prompt nor messages. Say what the user writes: "prompt": "Weather in Paris?".`);
  if (context !== undefined && !isRecord(context)) throw wrong(place, "context", context, "an object");
  if (!isRecord(expect)) throw wrong(place, "expect", expect, "an object such as { calls: [{ tool, arguments }] }");
  checkExpectation(expect, place);
  // Its members were checked one by one.
  return value as unknown as EvaluationCase;
}

function checkExpectation(expect: Readonly<Record<string, unknown>>, place: string): void {
  checkNames(expect, expectationNames, `${place}: expect`);
  const { calls, forbidden, outcome, text } = expect;
  if (Object.values(expect).every((member) => member === undefined))
    throw new EvaluationError(`${place}: expect is empty, so that every response would pass. Set calls, forbidden, outcome or text.`);
  if (calls !== undefined && !Array.isArray(calls)) throw wrong(place, "expect.calls", calls, "a list of calls; [] means none");
  for (const [index, call] of (calls ?? []).entries()) checkCall(call, place, `expect.calls[${index}]`);
  if (forbidden !== undefined && !(Array.isArray(forbidden) && forbidden.every(isToolChoice)))
    throw wrong(place, "expect.forbidden", forbidden, "a list of tools or names of tools");
  if (outcome !== undefined && !(typeof outcome === "string" && Object.hasOwn(outcomes, outcome)))
    throw wrong(place, "expect.outcome", outcome, `one of ${Object.keys(outcomes).join(", ")}`);
  if (text !== undefined && (text === "" || !(typeof text === "string" || text instanceof RegExp)))
    throw wrong(place, "expect.text", text, "a string that isn't empty, or an expression");
}

function checkCall(call: unknown, place: string, path: string): void {
  if (!isRecord(call)) throw wrong(place, path, call, "an object such as { tool, arguments }");
  checkNames(call, callNames, `${place}: ${path}`);
  if (!isToolChoice(call.tool)) throw wrong(place, `${path}.tool`, call.tool, "a tool's class or name");
  const { arguments: expected } = call;
  if (expected !== undefined && typeof expected !== "function" && !isRecord(expected))
    throw wrong(place, `${path}.arguments`, expected, "an object, or a function that judges one");
}

const isToolChoice = (value: unknown): value is ToolChoice =>
  (typeof value === "string" && value !== "") || isToolClass(value) || isAgentClass(value);

const checkNames = (value: object, known: Readonly<Record<string, true>>, place: string): void =>
  checkOptionNames(value, known, place, EvaluationError);

const wrong = (place: string, name: string, value: unknown, expected: string): EvaluationError =>
  new EvaluationError(`${place}: ${name} must be ${expected}, got ${describeValue(value)}.`);

/** The name under which reports have a tool of a case. */
export const choiceName = (tool: ToolChoice): string => (typeof tool === "string" ? tool : tool.definition.name);
