import type { WireNames } from "../../schema/internal.js";
import type { LoopStep } from "../../loop/index.js";
import type { AgentStep } from "../agent-response.js";

/** A step of the loop, which knows tools by their names on the wire, as the application is told of it. */
export function describeStep({ text, finishReason, usage, calls, results }: LoopStep, names: WireNames): AgentStep {
  const toolCalls = calls.map((call, index) => {
    const { content = "", data, errorType } = results[index] ?? {};
    const made = { id: call.id, name: names.toTool(call.name), arguments: call.arguments, content };
    return errorType === undefined ? { ...made, data } : { ...made, errorType };
  });
  return { text, finishReason, usage, toolCalls };
}
