import { type AssistantMessage, type Message, noUsage } from "../../models/index.js";
import type { AgentStep, AgentToolCall } from "../agent-response.js";
import { type AgentEvent, toolResultEvent } from "../stream/agent-event.js";

/** A step as the history has it. */
export interface AnsweredStep {
  readonly step: AgentStep;
  /** Calls that have no result yet: the run goes on with them. */
  readonly open: readonly AgentToolCall[];
  readonly reasoning: string;
}

/** The steps of a part of a history. `toTool`: gives the own name of a tool that the history has by its wire name. */
export function answeredSteps(messages: readonly Message[], toTool: (name: string) => string): readonly AnsweredStep[] {
  return messages.flatMap((message, index) =>
    message.role === "assistant" ? [answeredStep(message, messages.slice(index + 1), toTool)] : [],
  );
}

function answeredStep(message: AssistantMessage, following: readonly Message[], toTool: (name: string) => string): AnsweredStep {
  const { content: text, toolCalls = [], reasoning = "" } = message;
  const done: AgentToolCall[] = [];
  const open: AgentToolCall[] = [];
  for (const { id, name, arguments: written } of toolCalls) {
    const call = { id, name: toTool(name), arguments: written };
    const result = following.find((other) => other.role === "tool" && other.toolCallId === id);
    if (result?.role !== "tool") open.push({ ...call, content: "" });
    else if (result.errorType !== undefined) done.push({ ...call, content: result.content, errorType: result.errorType });
    else {
      const { content, attachments } = result;
      done.push({ ...call, content, data: content, ...(attachments !== undefined && { attachments }) });
    }
  }
  const finishReason = toolCalls.length === 0 ? "stop" : "tool_calls";
  return { step: { text, finishReason, usage: noUsage, toolCalls: done }, open, reasoning };
}

/** Sends the events of steps that a stream sent before. */
export function repeatSteps(steps: readonly AnsweredStep[], emit: (event: AgentEvent) => void): void {
  steps.forEach(({ step: result, open, reasoning }, index) => {
    const step = index + 1;
    if (reasoning !== "") {
      emit({ type: "reasoning_delta", step, delta: reasoning });
      emit({ type: "reasoning_done", step, text: reasoning });
    }
    if (result.text !== "") {
      emit({ type: "text_delta", step, delta: result.text });
      emit({ type: "text_done", step, text: result.text });
    }
    for (const { id, name, arguments: written } of [...result.toolCalls, ...open]) {
      emit({ type: "tool_call_done", step, callId: id, tool: name, arguments: written });
    }
    for (const { id, name, ...outcome } of result.toolCalls) emit(toolResultEvent(step, id, name, outcome));
    if (open.length === 0) emit({ type: "step_done", step, result });
  });
}
