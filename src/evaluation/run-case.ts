import type { Agent, AgentClass, AgentResponse, GenerateOptions } from "../agent/index.js";
import { madeCalls, makeAgent, modelInterceptor, toolsBehind, type WithInterceptor } from "../agent/internal.js";
import type { Container } from "../execution/index.js";
import { currentContainer } from "../execution/internal.js";
import { type Message, messageText, noUsage } from "../models/index.js";
import { searchToolName } from "../models/internal.js";
import { redactText } from "../redaction/index.js";
import { hideSecretsIn } from "../redaction/internal.js";
import type { EvaluationCase, Scorer } from "./evaluation-case.js";
import { EvaluationError } from "./evaluation-error.js";
import type { CaseResult, ConversationLine } from "./evaluation-report.js";
import { judgeCase } from "./judge-case.js";
import { RunModels, type WatchedModels } from "./watched-models.js";

/** Other options of an evaluation's runs. */
export type RunOptions = Omit<GenerateOptions, "abortSignal" | "container">;

/** What a run of a case needs. */
export interface CaseRun {
  readonly agent: AgentClass;
  readonly evaluated: EvaluationCase;
  readonly id: string;
  readonly repetition: number;
  readonly models: WatchedModels;
  readonly runTools: boolean;
  readonly scorers: Readonly<Record<string, Scorer>>;
  readonly services:
    | ((context: Readonly<Record<string, unknown>>, evaluated: EvaluationCase) => Container | Promise<Container>)
    | undefined;
  readonly options:
    | ((context: Readonly<Record<string, unknown>>, evaluated: EvaluationCase) => RunOptions | Promise<RunOptions>)
    | undefined;
  readonly abortSignal: AbortSignal | undefined;
}

/**
 * Runs a case and judges the response. Rejects with `EvaluationError` if answers can't be kept, with the `ModelError` of a model that
 * isn't set up, and with the reason of `abortSignal`: the other cases would end in the same way.
 */
export async function runCase(run: CaseRun): Promise<CaseResult> {
  const { evaluated, id, repetition, scorers, runTools, abortSignal } = run;
  const models = new RunModels(run.models);
  const start = performance.now();
  const found = (response: AgentResponse | undefined) => ({
    ...{ id, repetition, usage: response?.usage ?? noUsage, requests: models.requests, keptRequests: models.keptRequests },
    milliseconds: performance.now() - start + models.savedMilliseconds,
  });
  const failed = (error: unknown, response?: AgentResponse): CaseResult => ({
    ...found(response),
    ...{ passed: false, scores: {}, faults: [], argumentFaults: [], choices: [] },
    error: redactText(error instanceof Error ? error.message : String(error)),
    ...(response !== undefined && { outcome: response.reason, conversation: conversationOf(response) }),
  });
  let response: AgentResponse;
  try {
    response = await respond(run, models);
  } catch (error) {
    abortSignal?.throwIfAborted();
    if (error instanceof EvaluationError) throw error;
    return failed(error);
  }
  abortSignal?.throwIfAborted();
  if (response.reason === "model_error" && evaluated.expect.outcome !== "model_error") {
    if (response.error.misconfigured) throw response.error;
    return failed(response.outcome.detail, response);
  }
  const measured = found(response);
  try {
    const { pairs, ...verdict } = await judgeCase(evaluated, response, scorers, runTools);
    return hideSecretsIn({
      ...measured,
      ...verdict,
      choices: pairs.map(({ expected, called }) => ({ expected, called })),
      outcome: response.reason,
      ...(!verdict.passed && { conversation: conversationOf(response) }),
    }) as CaseResult;
  } catch (error) {
    return failed(error, response);
  }
}

async function respond(
  { agent: agentClass, evaluated, runTools, services, options, abortSignal }: CaseRun,
  models: RunModels,
): Promise<AgentResponse> {
  const { prompt, messages, context = {} } = evaluated;
  const container = (await services?.(context, evaluated)) ?? agentClass.definition.container ?? currentContainer();
  const given = await options?.(context, evaluated);
  // `makeAgent` makes what its class is.
  const agent = (await makeAgent(agentClass, container)) as unknown as Agent;
  if (messages !== undefined) agent.restore(messages);
  const asked: GenerateOptions & WithInterceptor = {
    toolContext: context,
    ...given,
    ...(container !== undefined && { container }),
    ...(abortSignal !== undefined && { abortSignal }),
    ...(!runTools && { maxSteps: 1 }),
    [modelInterceptor]: models,
  };
  let response = await agent.generate(prompt, asked);
  for (let step = 1; step < agentClass.definition.maxSteps && !runTools && hasOnlySearched(response); step += 1) {
    const { toolChoice: _choice, tags: _tags, runId: _id, ...again } = asked;
    // `hasOnlySearched` looks at runs that stopped at their first calls: they have a state.
    if (response.state !== undefined) response = await agent.resume(response.state, again);
  }
  return response;
}

/** A search for tools isn't a choice yet. Most agents have none. */
const hasOnlySearched = (response: AgentResponse): boolean =>
  response.reason === "max_steps" &&
  toolsBehind(response).some(({ definition }) => definition.name === searchToolName) &&
  madeCalls(response).every(({ name }) => name === searchToolName);

function conversationOf({ messages, text, reason }: AgentResponse): readonly ConversationLine[] {
  // Calls that stay open at the end have only notes that they didn't run.
  const last = messages.findLastIndex(({ role }) => role === "assistant");
  const lines = (reason === "max_steps" ? messages.slice(0, last + 1) : messages).map(lineOf);
  return text === undefined || lines.at(-1)?.text === text ? lines : [...lines, { role: "assistant", text }];
}

function lineOf(message: Message): ConversationLine {
  if (message.role === "user") return { role: "user", text: messageText(message.content) };
  if (message.role !== "assistant" || message.toolCalls === undefined) return { role: message.role, text: message.content };
  const calls = message.toolCalls.map(({ name: tool, arguments: written }) => ({ tool, arguments: written }));
  return { role: "assistant", text: message.content, calls };
}
