import { type Message, noUsage } from "../../models/index.js";
import { randomUuid } from "../../platform/index.js";
import type { SubAgentClass, AgentDefinition } from "../agent-class.js";
import { agentDefinitionOf } from "../agent-definition.js";
import { latestTools } from "../attached-tools.js";
import { checkGenerateOptions } from "../check-run-options.js";
import type { GenerateOptions } from "../run-options.js";
import type { AgentResponse, AgentSuccess } from "../agent-response.js";
import type { ConversationRuns } from "../run/conversation-runs.js";
import { withoutPartialAnswer } from "../../loop/internal.js";
import { AgentStream } from "../stream/agent-stream.js";
import { answeredSteps, repeatSteps } from "./answered-steps.js";
import { type ChatMessage, placeOf } from "./chat-message.js";

/** The internal method of `Agent` that answers what a page posted. The package may be there twice. */
export const streamChatMessage = Symbol.for("toolwright.streamChatMessage");

/**
 * Answers a posted message. If the question was asked before, its answer is sent again, or the run that stopped before the answer
 * continues. `undefined` if the conversation doesn't have the message.
 */
export function answerChatMessage<Output>(
  runs: ConversationRuns<Output>,
  agentClass: SubAgentClass,
  posted: ChatMessage,
  options: GenerateOptions,
): AgentStream<Output> | undefined {
  checkGenerateOptions(options);
  runs.refuseWhileBusy();
  const history = runs.conversation.copyFrom(0);
  const place = placeOf(history, posted);
  if (place.type === "unknown") return undefined;
  const ask = (position: number): AgentStream<Output> => {
    const keep = position === history.length ? undefined : position;
    return new AgentStream(
      (emit, abortSignal) => runs.generate(posted.prompt, { ...options, abortSignal }, emit, { id: posted.id, keep }),
      options.abortSignal,
    );
  };
  if (place.type === "ask") return ask(place.keep);
  const { start, end } = place;
  const toTool = (name: string): string => latestTools(agentClass)?.names.toTool(name) ?? name;
  const { state } = runs;
  if (state !== undefined && end === history.length) {
    const before = answeredSteps(withoutPartialAnswer(state.messages.slice(start)), toTool);
    return new AgentStream((emit, abortSignal) => {
      repeatSteps(before, emit);
      return runs.resume(state, { ...options, abortSignal }, emit);
    }, options.abortSignal);
  }
  const answer = history.slice(start, end);
  const last = answer.at(-1);
  if (last?.role !== "assistant" || last.toolCalls !== undefined) return ask(start - 1);
  return new AgentStream(async (emit) => {
    const steps = answeredSteps(answer, toTool);
    repeatSteps(steps, emit);
    const response = await answeredBefore(agentDefinitionOf(agentClass), history.slice(start - 1, end), last.content);
    // What `@returns` describes was read by it.
    return { ...response, steps: steps.map(({ step }) => step) } as AgentResponse<Output>;
  }, options.abortSignal);
}

async function answeredBefore({ output }: AgentDefinition, messages: readonly Message[], text: string): Promise<AgentSuccess> {
  const reading = await output?.read(text);
  return {
    reason: "success",
    outcome: { reason: "success" },
    runId: randomUuid(),
    text,
    output: reading?.ok === true ? reading.value : undefined,
    messages,
    steps: [],
    usage: noUsage,
  };
}
