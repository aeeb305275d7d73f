import { type AttemptLedger, type Container, createRunScope, type RunScope } from "../../execution/index.js";
import { currentContainer, isOneForAll, type WithSettings } from "../../execution/internal.js";
import type { ChatModel } from "../../models/index.js";
import { isList, type WireNames } from "../../schema/internal.js";
import type { ApplicationContext } from "../../tool/index.js";
import { nearestName, unlessAborted } from "../../tool/internal.js";
import { type SubAgentClass, type AgentDefinition, classNameOf } from "../agent-class.js";
import type { Prompt, GenerateOptions } from "../run-options.js";
import { agentDefinitionOf, checkMaxSteps } from "../agent-definition.js";
import { checkInstanceMembers } from "../agent-members.js";
import { modelFor } from "../agent-model.js";
import { AttachedTools, attachTools } from "../attached-tools.js";
import { processClaims, strictClaims } from "../../storage/internal.js";
import type { Conversation } from "../../conversation/internal.js";
import { sharedAgent } from "../agent-errors.js";
import {
  type CheckedInput,
  checkInput,
  checkOutput,
  type GuardrailSituation,
  type Guardrails,
  makeGuardrails,
} from "../guardrails/index.js";
import type { AgentListener } from "../agent-listener.js";
import { type Budget, checkBudget, type LoopLimits, limitsOf } from "../../loop/index.js";
import type { AgentEvent } from "../stream/agent-event.js";
import type { CallingRun, InheritedOptions } from "../sub-agents/calling-run.js";
import { lineageOf } from "../sub-agents/lineage.js";
import { chooseRun, type RunningAgent } from "./run-hooks.js";
import type { RunParts } from "./run-parts.js";
import { namedChoice } from "./tool-choice.js";

/** The agent whose run is prepared. */
export interface RunSource {
  readonly agent: RunningAgent;
  readonly agentClass: SubAgentClass;
  readonly conversation: Conversation;
  /** Those that held when the run was asked for. */
  readonly settings: WithSettings;
}

/** What a resumed run brings along. */
export interface EarlierRun {
  readonly runId: string;
  readonly ledger: AttemptLedger;
  /** How often it was resumed before. */
  readonly resumptions: number;
  readonly tags?: Readonly<Record<string, string>>;
}

export interface PreparedRun {
  readonly parts: RunParts;
  readonly limits: LoopLimits;
  /** The guardrails that look at the prompt, if there are any. */
  readonly checkPrompt: ((prompt: Prompt) => Promise<CheckedInput>) | undefined;
  /** False if the run was aborted before its tools and its model were known: it must end at once. */
  readonly isResolved: boolean;
}

/** What the application's functions said of a run. */
interface Resolved {
  readonly options: InheritedOptions;
  readonly tools: AttachedTools;
  readonly container: Container | undefined;
  readonly guards: Guardrails | undefined;
  readonly model: ChatModel;
  readonly instructions: string | undefined;
}

/**
 * Resolves all that a run needs: tools, model, instructions, limits. Changes nothing but the instructions of the conversation.
 * A run that is aborted meanwhile has none of them, and ends before it asks for any.
 */
export async function prepareRun(
  source: RunSource,
  asked: InheritedOptions,
  emit: ((event: AgentEvent) => void) | undefined,
  earlier?: EarlierRun,
): Promise<PreparedRun> {
  const { agent, agentClass, conversation, settings } = source;
  const definition = agentDefinitionOf(agentClass);
  const owner = classNameOf(agentClass);
  const {
    toolContext = emptyContext,
    abortSignal: signal,
    concurrency = defaultConcurrency,
    confirm = [],
    stateSecret,
    toolChoice,
  } = asked;
  const { confirmationTimeout = defaultConfirmationTimeout, claims = processClaims } = asked;
  checkConcurrency(concurrency);
  checkConfirmationTimeout(confirmationTimeout);
  const maxSteps = asked.maxSteps === undefined ? definition.maxSteps : checkMaxSteps(asked.maxSteps, owner);
  const budget = asked.budget === undefined ? definition.budget : checkBudget(asked.budget, owner);
  // What the application's functions answer after an abort is ignored.
  const resolved = signal?.aborted === true ? undefined : await unlessAborted(() => resolve(source, asked, earlier), signal);
  const { options, tools, container, guards, model, instructions } = resolved ?? unresolved(asked);
  const { listeners = noListeners } = options;
  const middleware = options.middleware === undefined ? definition.middleware : [...definition.middleware, ...options.middleware];
  const executor = settings(() => tools.executor(container, listeners, emit !== undefined, middleware));
  if (resolved !== undefined) {
    conversation.limit(definition.history);
    conversation.instruct(instructions);
  }
  const scope = scopeOf(definition.name, toolContext, options, signal, earlier);
  const checks =
    guards && textChecks(guards, { agent: definition.name, runId: scope.runId, context: toolContext, messages: conversation.forModel });
  const parts: RunParts = {
    agent: definition.name,
    resumptions: earlier === undefined ? 0 : earlier.resumptions + 1,
    conversation,
    model,
    modelSettings: definition.model.settings,
    tools,
    executor,
    scope,
    toolContext,
    listeners,
    concurrency,
    confirmation: { handlers: isList(confirm) ? confirm : [confirm], claims: strictClaims(claims), timeout: confirmationTimeout },
    modelOptions: definition.modelOptions,
    instructions,
    toolChoice: resolved === undefined || toolChoice === undefined ? undefined : namedChoice(toolChoice, tools, definition.name),
    prepareStep: agent.prepareStep && ((step) => agent.prepareStep?.(step)),
    checkAnswer: checks?.checkAnswer,
    output: definition.output,
    emit,
    stateSecret,
    calling: callingRun(source, scope.runId, tools, options),
  };
  return {
    parts,
    limits: wireLimits(maxSteps, budget, tools, definition),
    // A prompt that no guardrail could look at doesn't join the history.
    checkPrompt: resolved === undefined && definition.guardrails.length > 0 ? () => Promise.reject(signal?.reason) : checks?.checkPrompt,
    isResolved: resolved !== undefined,
  };
}

async function resolve(
  { agent, agentClass, settings }: RunSource,
  asked: InheritedOptions,
  earlier: EarlierRun | undefined,
): Promise<Resolved> {
  const definition = agentDefinitionOf(agentClass);
  const owner = classNameOf(agentClass);
  checkInstanceMembers(agent, owner);
  const { toolContext = emptyContext, profile } = asked;
  const choosing = agent[chooseRun]?.(
    toolContext,
    earlier?.tags === undefined ? asked : { tags: earlier.tags, ...asked },
    earlier !== undefined,
  );
  // Most agents have no such method: a thousand runs at once would wait a thousand times for nothing.
  const choice = choosing === undefined ? undefined : await choosing;
  const options = choice === undefined ? asked : { ...asked, ...choice.options };
  const shared = settings(currentContainer);
  const container = asked.container ?? definition.container ?? shared;
  refuseOneForAll(agent, [container, shared], owner);
  const chosen = choice?.tools ?? (await settings(() => agent.tools(toolContext)));
  const tools = attachTools(agentClass, chosen, toolContext, profile, owner);
  const guards = definition.guardrails.length === 0 ? undefined : await makeGuardrails(definition.guardrails, container, owner);
  const model = await modelFor(definition.model, toolContext);
  const text = typeof definition.instructions === "function" ? await definition.instructions(toolContext) : definition.instructions;
  return { options, tools, container, guards, model, instructions: text };
}

/** One instance is one conversation: users who share it read each other's messages. */
function refuseOneForAll(agent: RunningAgent, containers: readonly (Container | undefined)[], owner: string): void {
  if (containers.some((container) => isOneForAll(agent, container))) throw sharedAgent(owner, "has it registered as one instance for all");
}

/** Of a run that ends before it begins. */
const unresolved = (options: InheritedOptions): Resolved => ({
  options,
  tools: noTools,
  container: undefined,
  guards: undefined,
  model: noModel,
  instructions: undefined,
});

const noTools = new AttachedTools([]);

const noModel: ChatModel = { id: "none", generate: () => Promise.reject(new Error("The run ended before its model was chosen.")) };

/** How the guardrails of a run look at prompts and answers. */
function textChecks(
  { before, after }: Guardrails,
  situation: GuardrailSituation,
): Pick<PreparedRun, "checkPrompt"> & Pick<RunParts, "checkAnswer"> {
  return {
    checkPrompt: (prompt) => checkInput(before, prompt, situation),
    checkAnswer: after.length === 0 ? undefined : (said) => checkOutput(after, said, situation),
  };
}

/** What sub-agents need to know of the run that calls them; `undefined` if it has none. */
function callingRun(
  { agent, agentClass, settings }: RunSource,
  runId: string,
  tools: AttachedTools,
  options: InheritedOptions,
): CallingRun | undefined {
  if (tools.agents.length === 0) return undefined;
  return { runId, options: inherited(options), lineage: lineageOf(agent, agentClass, tools.agents), settings };
}

/** What the runs of sub-agents take over: limits and choices of this run are its own. */
function inherited({
  toolContext,
  profile,
  confirm,
  confirmationTimeout,
  claims,
  stateSecret,
  tags,
  container,
  middleware,
  listeners,
}: InheritedOptions): InheritedOptions {
  const options = { toolContext, profile, confirm, confirmationTimeout, claims, stateSecret, tags, container, middleware, listeners };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as InheritedOptions;
}

/** What the run's tool calls share. */
function scopeOf(
  agent: string,
  toolContext: Record<string, unknown>,
  { tags: given, profile }: GenerateOptions,
  abortSignal: AbortSignal | undefined,
  earlier: EarlierRun | undefined,
): RunScope {
  const tags = given ?? earlier?.tags;
  const scope: { -readonly [Name in keyof RunScope]?: RunScope[Name] } = { agent, toolContext };
  if (tags !== undefined) scope.tags = tags;
  if (profile !== undefined) scope.profile = profile;
  if (abortSignal !== undefined) scope.abortSignal = abortSignal;
  if (earlier !== undefined) Object.assign(scope, { runId: earlier.runId, ledger: earlier.ledger });
  return createRunScope(scope);
}

const defaultConcurrency = 10;

/** 24 hours, in milliseconds. */
const defaultConfirmationTimeout = 86_400_000;

function checkConcurrency(concurrency: number): void {
  if (concurrency >= 1) return;
  throw new RangeError(`generate: concurrency is ${concurrency}, but counts tool calls that run at once: give at least 1.`);
}

function checkConfirmationTimeout(timeout: number): void {
  if (timeout >= 0) return;
  throw new RangeError(`generate: confirmationTimeout is ${timeout}, but is a number of milliseconds: give at least 0.`);
}

const noListeners: readonly AgentListener[] = [];

const emptyContext: ApplicationContext & Record<string, unknown> = Object.freeze({});

/** The loop knows tools by the names that go over the wire. */
function wireLimits(maxSteps: number, budget: Budget | undefined, { names }: AttachedTools, definition: AgentDefinition): LoopLimits {
  const limits = limitsOf(maxSteps, budget);
  if (limits.callsPerTool === null || typeof limits.callsPerTool === "number") return limits;
  refuseMisspelt(Object.keys(limits.callsPerTool), names, definition);
  const entries = Object.entries(limits.callsPerTool).map(([tool, limit]) => [names.toWire(tool), limit] as const);
  return { ...limits, callsPerTool: Object.fromEntries(entries) };
}

/** A misspelt name in a budget would limit nothing. Tools that a function chooses may be others for another user. */
function refuseMisspelt(limited: readonly string[], names: WireNames, { name: agent, tools }: AgentDefinition): void {
  if (typeof tools === "function") return;
  const known = tools.map(({ definition }) => definition.name);
  const others = known.filter((name) => !limited.includes(name));
  for (const name of limited) {
    const meant = known.includes(name) ? undefined : (others.find((other) => other.endsWith(`/${name}`)) ?? nearestName(name, others));
    if (meant === undefined || names.toWire(meant) === name) continue;
    throw new RangeError(`${agent}: callsPerTool of the budget names "${name}", which is none of its tools. Did you mean "${meant}"?`);
  }
}

// `Array.isArray` doesn't narrow readonly arrays out of a union.
