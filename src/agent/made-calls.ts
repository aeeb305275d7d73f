import type { AgentResponse } from "./agent-response.js";
import { parseArgumentsText, saysNothing, WireNames } from "../schema/internal.js";

/** A tool call that the model made, whatever became of it. */
export interface MadeCall {
  /** As the model wrote them: an object, or the text if it can't be parsed. */
  readonly input: unknown;
  /** Why it failed; `undefined` if it succeeded. */
  readonly errorType?: string | undefined;
  readonly name: string;
  /** It has no result yet, so that `name` may be the one under which the model knows the tool. */
  readonly open: boolean;
}

/** The calls of a run, those that wait included, in the order in which the model made them. */
export function madeCalls({ steps, messages, confirmations = [], questions = [] }: AgentResponse): readonly MadeCall[] {
  const ended = steps.flatMap(({ toolCalls }) => toolCalls);
  const endedIds = new Set(ended.map(({ id }) => id));
  const asked = messages.flatMap((message) => (message.role === "assistant" ? (message.toolCalls ?? []) : []));
  const waiting = asked.filter(({ id }) => !endedIds.has(id));
  return [
    ...ended.map(({ name, errorType, arguments: text }) => ({ name, input: readInput(text), errorType, open: false })),
    ...waiting.map(({ id, name, arguments: text }) => ({
      name: [...confirmations, ...questions].find(({ callId }) => callId === id)?.tool ?? name,
      input: readInput(text),
      open: true,
    })),
  ];
}

/** `tools`: the names that are meant. */
export const isCallOf = ({ name, open }: MadeCall, tools: readonly string[]): boolean =>
  tools.some((tool) => name === tool || (open && name === new WireNames([tool]).toWire(tool)));

/** `weather {"city":"Paris"}: validation_error` */
export function describeCall({ name, input, errorType, open }: MadeCall): string {
  return `${name} ${typeof input === "string" ? input : JSON.stringify(input)}: ${open ? "has not run" : (errorType ?? "succeeded")}`;
}

function readInput(text: string): unknown {
  if (saysNothing(text)) return {};
  const parsed = parseArgumentsText(text);
  return parsed.ok ? parsed.value : text;
}
