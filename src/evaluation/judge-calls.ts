import type { AgentResponse } from "../agent/index.js";
import { isCallOf, type MadeCall, madeCalls, namesMeant, nameInstead, toolsBehind } from "../agent/internal.js";
import { searchToolName } from "../models/internal.js";
import { describeFaults } from "../schema/index.js";
import { type Difference, differencesOf, isRecord } from "../schema/internal.js";
import type { ToolClass } from "../tool/index.js";
import { planOf } from "../tool/internal.js";
import { choiceName, type ExpectedCall, type ToolChoice } from "./evaluation-case.js";
import { EvaluationError } from "./evaluation-error.js";

/** An expected call beside the one that was made for it. `null`: there is none. */
export interface CallPair {
  /** The name of the tool that was expected. */
  readonly expected: string | null;
  /** The name of the tool that the model called. */
  readonly called: string | null;
  /** Where the arguments differ; empty if they are right, or if the tool is wrong. */
  readonly differences: readonly Difference[];
}

/** A call as it is compared. */
interface ReadCall {
  readonly made: MadeCall;
  readonly name: string;
  /** The arguments as the tool would get them, with defaults; as the model wrote them if the tool would reject them. */
  readonly input: unknown;
}

interface WantedCall {
  readonly name: string;
  readonly names: readonly string[];
  readonly isRight: ((given: Readonly<Record<string, unknown>>) => boolean) | undefined;
  /** With defaults; `undefined` if any arguments are right. */
  readonly input: unknown;
}

/** The calls of a run as the model chose them: without those that a check rejected before the tool ran, and searches for tools. */
const chosenCalls = (response: AgentResponse): readonly MadeCall[] =>
  madeCalls(response).filter(
    ({ name, errorType }) => name !== searchToolName && errorType !== "validation_error" && errorType !== "unknown_tool",
  );

/**
 * Pairs the expected calls with those that were made: equal ones first, then those of one tool whose arguments differ least, then the
 * others in their order. Throws `EvaluationError` if the run didn't have an expected tool, or if expected arguments break its schema.
 */
export async function pairCalls(response: AgentResponse, expected: readonly ExpectedCall[]): Promise<readonly CallPair[]> {
  const tools = toolsBehind(response);
  let open = await Promise.all(chosenCalls(response).map((call) => readCall(call, tools)));
  const wanted = await Promise.all(expected.map((call) => readExpected(call, tools)));
  const pairs = new Map<WantedCall, CallPair>();
  const take = (call: WantedCall, taken: ReadCall, differences: readonly Difference[]): void => {
    open = open.filter((other) => other !== taken);
    pairs.set(call, { expected: call.name, called: taken.name, differences });
  };
  const unpaired = (): readonly WantedCall[] => wanted.filter((call) => !pairs.has(call));
  for (const isWhole of [true, false]) {
    for (const call of unpaired()) {
      const [nearest] = open
        .filter(({ made }) => isCallOf(made, call.names))
        .map((made) => ({ made, differences: differencesFrom(call, made.input) }))
        .sort((one, other) => one.differences.length - other.differences.length);
      if (nearest !== undefined && (!isWhole || nearest.differences.length === 0)) take(call, nearest.made, nearest.differences);
    }
  }
  for (const call of unpaired()) {
    const [next] = open;
    if (next === undefined) pairs.set(call, { expected: call.name, called: null, differences: [] });
    else take(call, next, []);
  }
  const inOrder = wanted.flatMap((call) => pairs.get(call) ?? []);
  return [...inOrder, ...open.map(({ name }) => ({ expected: null, called: name, differences: [] }))];
}

/**
 * The names of forbidden tools that were called, also if a check rejected the call. Throws `EvaluationError` for a name that is much like
 * that of a tool, and would never be called.
 */
export function forbiddenCalls(response: AgentResponse, forbidden: readonly ToolChoice[]): readonly string[] {
  const tools = toolsBehind(response);
  for (const tool of forbidden) {
    const meant = typeof tool === "string" ? nameInstead(tools, tool) : undefined;
    if (meant === undefined) continue;
    throw new EvaluationError(
      `The case forbids "${choiceName(tool)}", which the agent didn't have in this run. Did you mean "${meant}"? If the agent should have no tool of this name, pass its class.`,
    );
  }
  const made = madeCalls(response);
  return forbidden.filter((tool) => made.some((call) => isCallOf(call, namesMeant(tools, tool)))).map(choiceName);
}

async function readCall(made: MadeCall, tools: readonly ToolClass[]): Promise<ReadCall> {
  const tool = tools.find(({ definition }) => isCallOf(made, [definition.name]));
  if (tool === undefined) return { made, name: made.name, input: made.input };
  const { name } = tool.definition;
  const reading = await planOf(tool).readInput(made.input, { owned: false, repair: true });
  return { made, name, input: reading.ok ? asJson(reading.value.input) : made.input };
}

async function readExpected(call: ExpectedCall, tools: readonly ToolClass[]): Promise<WantedCall> {
  const names = namesMeant(tools, call.tool);
  const tool = tools.find(({ definition }) => names.includes(definition.name));
  const written = choiceName(call.tool);
  if (tool === undefined) {
    const meant = nameInstead(tools, written);
    const known = tools.map(({ definition }) => definition.name).join(", ") || "no tools";
    throw new EvaluationError(
      `The case expects a call of "${written}", which the agent didn't have in this run. ${meant === undefined ? `It had: ${known}.` : `Did you mean "${meant}"?`}`,
    );
  }
  const { name } = tool.definition;
  if (typeof call.arguments === "function") return { name, names, isRight: call.arguments, input: undefined };
  if (call.arguments === undefined) return { name, names, isRight: undefined, input: undefined };
  const reading = await planOf(tool).readInput(call.arguments, { owned: false, repair: false });
  if (reading.ok) return { name, names, isRight: undefined, input: asJson(reading.value.input) };
  throw new EvaluationError(`The expected arguments break the schema of "${name}": ${describeFaults(reading.error, "arguments")}`);
}

function differencesFrom({ isRight, input }: WantedCall, given: unknown): readonly Difference[] {
  if (isRight !== undefined) return isRecord(given) && isRight(given) ? [] : [{ path: "", expected: "other arguments", found: given }];
  return input === undefined ? [] : differencesOf(input, given);
}

/** Dates and the like as the model writes them. */
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
