import { type AttemptLedger, createRunScope, currentContainer } from "../../execution/index.js";
import type { Agent, AgentClass } from "../agent.js";
import { agentDefinitionOf, checkMaxSteps } from "../agent-definition.js";
import { modelFor } from "../agent-model.js";
import type { AgentTools } from "../agent-tools.js";
import type { ApplicationContext } from "../application-context.js";
import { type AttachedTools, attachTools } from "../attached-tools.js";
import { classNameOf } from "../class-name.js";
import type { Conversation } from "../conversation.js";
import type { AgentListener } from "../listener.js";
import { type Budget, checkBudget, type LoopLimits, limitsOf } from "../loop/index.js";
import type { GenerateOptions } from "../options.js";
import type { AgentEvent } from "../stream/agent-event.js";
import { lineageOf } from "../sub-agents/lineage.js";
import { registerParent } from "../sub-agents/parent-runs.js";
import type { RunParts } from "./run-parts.js";
import type { StepPreparation } from "./step-preparation.js";
import { limitWallTime } from "./wall-time.js";

/** The agent whose run is prepared. */
export interface RunSource {
  readonly agent: Agent;
  readonly agentClass: AgentClass;
  readonly conversation: Conversation;
  readonly tools: (context: ApplicationContext) => AgentTools | Promise<AgentTools>;
  readonly prepareStep: StepPreparation | undefined;
}

/** What a resumed run brings along. */
export interface EarlierRun {
  readonly runId: string;
  readonly ledger: AttemptLedger;
  readonly tags?: Readonly<Record<string, string>>;
}

export interface PreparedRun {
  readonly parts: RunParts;
  readonly limits: LoopLimits;
  /** To be called when the run has ended. */
  readonly end: () => void;
}

/** Resolves all that a run needs: tools, model, instructions, limits. Changes nothing but the instructions of the conversation. */
export async function prepareRun(
  source: RunSource,
  options: GenerateOptions,
  emit: ((event: AgentEvent) => void) | undefined,
  earlier?: EarlierRun,
): Promise<PreparedRun> {
  const { agentClass, conversation, prepareStep } = source;
  const definition = agentDefinitionOf(agentClass);
  const owner = classNameOf(agentClass);
  const { toolContext = emptyContext, listeners = noListeners, concurrency = defaultConcurrency, profile, confirm = [] } = options;
  const { confirmationTimeout = defaultConfirmationTimeout, stateSecret, toolChoice } = options;
  checkConcurrency(concurrency);
  const maxSteps = options.maxSteps === undefined ? definition.maxSteps : checkMaxSteps(options.maxSteps, owner);
  const budget = options.budget === undefined ? definition.budget : checkBudget(options.budget, owner);
  const tools = attachTools(agentClass, await source.tools(toolContext), toolContext, profile, owner);
  const executor = tools.executor(options.container ?? definition.container ?? currentContainer(), listeners, emit !== undefined);
  const model = await modelFor(definition.model, toolContext);
  const text = typeof definition.instructions === "function" ? await definition.instructions(toolContext) : definition.instructions;
  conversation.instruct(text);
  const { signal, end: stopClock } = limitWallTime(options.abortSignal, budget?.wallTime);
  const tags = options.tags ?? earlier?.tags;
  const scope = createRunScope({
    agent: definition.name,
    toolContext,
    ...earlier,
    ...(tags !== undefined && { tags }),
    ...(profile !== undefined && { profile }),
    ...(signal !== undefined && { abortSignal: signal }),
  });
  const parts: RunParts = {
    agent: definition.name,
    conversation,
    model,
    tools,
    executor,
    scope,
    toolContext,
    listeners,
    concurrency,
    confirmation: { handlers: isList(confirm) ? confirm : [confirm], timeout: confirmationTimeout },
    ...(definition.modelOptions !== undefined && { modelOptions: definition.modelOptions }),
    ...(text !== undefined && { instructions: text }),
    ...(toolChoice !== undefined && { toolChoice }),
    ...(prepareStep !== undefined && { prepareStep }),
    ...(emit !== undefined && { emit }),
    ...(stateSecret !== undefined && { stateSecret }),
  };
  if (tools.agents.length === 0) return { parts, limits: wireLimits(maxSteps, budget, tools), end: stopClock };
  const lineage = lineageOf(source.agent, agentClass, tools.agents);
  const unregister = registerParent(scope.runId, { options: inherited(options), lineage });
  const end = (): void => {
    stopClock();
    unregister();
  };
  return { parts, limits: wireLimits(maxSteps, budget, tools), end };
}

/** What the runs of sub-agents take over: limits and choices of this run are its own. */
function inherited({
  toolContext,
  profile,
  confirm,
  confirmationTimeout,
  stateSecret,
  tags,
  container,
  listeners,
}: GenerateOptions): GenerateOptions {
  const options = { toolContext, profile, confirm, confirmationTimeout, stateSecret, tags, container, listeners };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as GenerateOptions;
}

const defaultConcurrency = 10;

/** 24 hours, in milliseconds. */
const defaultConfirmationTimeout = 86_400_000;

function checkConcurrency(concurrency: number): void {
  if (concurrency >= 1) return;
  throw new RangeError(`generate: concurrency is ${concurrency}, but counts tool calls that run at once: give at least 1.`);
}

const noListeners: readonly AgentListener[] = [];

const emptyContext: ApplicationContext & Record<string, unknown> = Object.freeze({});

/** The loop knows tools by the names that go over the wire. */
function wireLimits(maxSteps: number, budget: Budget | undefined, { names }: AttachedTools): LoopLimits {
  const limits = limitsOf(maxSteps, budget);
  if (limits.callsPerTool === null || typeof limits.callsPerTool === "number") return limits;
  const entries = Object.entries(limits.callsPerTool).map(([tool, limit]) => [names.toWire(tool), limit] as const);
  return { ...limits, callsPerTool: Object.fromEntries(entries) };
}

// `Array.isArray` doesn't narrow readonly arrays out of a union.
const isList = <Item>(value: Item | readonly Item[]): value is readonly Item[] => Array.isArray(value);
