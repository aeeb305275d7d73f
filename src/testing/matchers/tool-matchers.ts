import { type AgentClass, type AgentResponse, AgentStream } from "../../agent/index.js";
import {
  describeCall,
  isAgentClass,
  isCallOf,
  madeCalls,
  nameInstead,
  namesMeant,
  type SubAgentClass,
  toolsBehind,
} from "../../agent/internal.js";
import { isWaiting } from "../../loop/index.js";
import type { ToolClass } from "../../tool/index.js";
import { isToolClass } from "../../tool/internal.js";
import { describeDifferences, nearestCall } from "./argument-differences.js";

/**
 * Matchers of jest and Vitest for an agent's response. `Result` is the return type of the runner's own matchers. See
 * docs/06-testing.md.
 */
export interface ToolMatchers<Result = void> {
  /**
   * Passes if the model called the tool, even if the call failed. With `input`, one call must have exactly these arguments, as the
   * model wrote them; asymmetric matchers such as `expect.objectContaining` are allowed.
   *
   * ```ts
   * expect(response).toHaveCalledTool(WeatherTool, { city: "Paris" });
   * expect(response).not.toHaveCalledTool("delete_account");
   * ```
   */
  toHaveCalledTool(tool: ToolClass | AgentClass | string, input?: unknown): Result;
  /**
   * Passes if the run awaits a confirmation or was interrupted. With `tool`, a call of this tool must await the confirmation.
   *
   * ```ts
   * expect(response).toHaveBeenInterrupted(RefundTool);
   * ```
   */
  toHaveBeenInterrupted(tool?: ToolClass | AgentClass | string): Result;
}

/** What a test runner hands to a matcher, as far as it is used here: the same in jest and in Vitest. */
interface MatcherContext {
  readonly isNot?: boolean;
  readonly equals: (left: unknown, right: unknown, customTesters?: never[]) => boolean;
  // Each runner types its own testers; they go from it to it.
  readonly customTesters?: unknown;
  readonly utils: {
    readonly matcherHint: (
      name: string,
      received: string,
      expected: string,
      options: { isNot: boolean; secondArgument?: string },
    ) => string;
    readonly printExpected: (value: unknown) => string;
    readonly printReceived: (value: unknown) => string;
  };
}

interface Verdict {
  readonly pass: boolean;
  readonly message: () => string;
}

/**
 * The matchers `toHaveCalledTool` and `toHaveBeenInterrupted`: `expect.extend(toolMatchers)`.
 *
 * With jest, or Vitest's `globals`, `import "toolwright/testing/jest"` does this. See docs/06-testing.md.
 */
export const toolMatchers = {
  toHaveCalledTool(this: MatcherContext, received: unknown, tool: ToolClass | AgentClass | string, input?: unknown): Verdict {
    const response = responseOf(received);
    const calls = madeCalls(response);
    const names = namesMeant(toolsBehind(response), checkedTool(tool));
    const equals = (left: unknown, right: unknown): boolean => this.equals(left, right, this.customTesters as never[]);
    const ofTool = calls.filter((call) => isCallOf(call, names));
    if (this.isNot === true && ofTool.length === 0) refuseMisspelt(response, tool);
    const matching = input === undefined ? ofTool : ofTool.filter((call) => equals(call.input, input));
    const message = (): string => {
      const nearest = this.isNot === true ? undefined : nearestCall(ofTool, input, equals);
      return [
        hint(this, "toHaveCalledTool", input === undefined ? "tool" : "tool, input"),
        "",
        `Expected: ${this.isNot === true ? "no" : "a"} call of ${oneOf(names, this.utils.printExpected)}` +
          (input === undefined ? "" : ` with ${this.utils.printExpected(input)}`),
        calls.length === 0
          ? `The run called no tool. ${ending(response)}${answer(response)}`
          : `The run ${ofTool.length === 0 ? `didn't call ${oneOf(names)}, but` : "called"}:`,
        ...calls.flatMap((call) => [
          `  ${describeCall(call)}${matching.includes(call) ? "  <-" : ""}`,
          ...(call === nearest?.call ? describeDifferences(nearest, this.utils).map((line) => `    ${line}`) : []),
        ]),
      ].join("\n");
    };
    return { pass: matching.length > 0, message };
  },

  toHaveBeenInterrupted(this: MatcherContext, received: unknown, tool?: ToolClass | AgentClass | string): Verdict {
    const response = responseOf(received);
    const { outcome, confirmations = [], questions = [] } = response;
    const names = tool === undefined ? undefined : namesMeant(toolsBehind(response), checkedTool(tool));
    const calls = names === undefined || this.isNot === true ? [] : madeCalls(response).filter((call) => isCallOf(call, names));
    const interrupted = isWaiting(outcome) || outcome.reason === "interrupted";
    const waits = names === undefined || [...confirmations, ...questions].some(({ tool: waiting }) => names.includes(waiting));
    if (this.isNot === true && names !== undefined && !waits) refuseMisspelt(response, tool);
    const message = (): string =>
      [
        hint(this, "toHaveBeenInterrupted", names === undefined ? "" : "tool"),
        "",
        names === undefined
          ? `Expected: a run that was ${this.isNot === true ? "not " : ""}interrupted`
          : `Expected: ${this.isNot === true ? "no" : "a"} call of ${oneOf(names, this.utils.printExpected)} that awaits confirmation`,
        ending(response),
        ...calls.map((call) => `  ${describeCall(call)}`),
        ...confirmations.map(({ tool: waiting, input }) => `  awaits confirmation: ${waiting} ${JSON.stringify(input)}`),
        ...questions.map(({ tool: waiting, input }) => `  awaits an answer: ${waiting} ${JSON.stringify(input)}`),
      ].join("\n");
    return { pass: interrupted && waits, message };
  },
};

const hint = ({ utils, isNot = false }: MatcherContext, name: string, expected: string): string =>
  utils.matcherHint(name, "response", expected, { isNot });

const ending = ({ outcome: { reason, detail } }: AgentResponse): string =>
  `It ended with ${reason}${detail === undefined ? "" : `: ${detail}`}.`;

/** What a model said in place of a call, as far as it helps to see it. */
function answer({ text = "" }: AgentResponse): string {
  return text === "" ? "" : ` The model said: ${JSON.stringify(text.length > longestAnswer ? `${text.slice(0, longestAnswer)}...` : text)}`;
}

const longestAnswer = 200;

function checkedTool(tool: unknown): ToolClass | SubAgentClass | string {
  if ((typeof tool === "string" && tool !== "") || isToolClass(tool) || isAgentClass(tool)) return tool;
  throw new TypeError(`A tool is expected as a class that extends Tool or Agent, or as its name, got ${shown(tool)}.`);
}

/** `.not` would hold of a misspelt name whatever was called. */
function refuseMisspelt(response: AgentResponse, tool: unknown): void {
  const instead = typeof tool === "string" ? nameInstead(toolsBehind(response), tool) : undefined;
  if (instead === undefined) return;
  throw new TypeError(
    `The run had no tool ${JSON.stringify(tool)}, so that this holds whatever it called. Did you mean ${JSON.stringify(instead)}? ` +
      "If the run should have no tool of this name, pass its class.",
  );
}

const oneOf = (names: readonly string[], print: (name: string) => string = (name) => name): string => names.map(print).join(" or ");

function responseOf(received: unknown): AgentResponse {
  if (typeof received === "object" && received !== null && "outcome" in received && "steps" in received) return received as AgentResponse;
  throw new TypeError(`expect takes an agent's response here, got ${shown(received)}.${fixOf(received)}`);
}

function fixOf(received: unknown): string {
  if (received instanceof Promise) return " Await it: expect(await agent.generate(...)).";
  return received instanceof AgentStream ? " Await its response: expect(await stream.response)." : "";
}

function shown(value: unknown): string {
  if (value instanceof Promise) return "a promise";
  if (value instanceof AgentStream) return "a stream";
  return typeof value === "function" ? value.name || "a function" : (JSON.stringify(value) ?? String(value));
}
