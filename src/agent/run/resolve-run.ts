import type { Conversation } from "../../conversation/internal.js";
import type { AttemptLedger, Container, RunScope } from "../../execution/index.js";
import { currentContainer, isOneForAll, startScope, type WithSettings } from "../../execution/internal.js";
import { checkBudget, type LoopLimits } from "../../loop/index.js";
import type { ChatModel } from "../../models/index.js";
import { isList } from "../../schema/internal.js";
import { processClaims, strictClaims } from "../../storage/internal.js";
import type { ApplicationContext } from "../../tool/index.js";
import { isPromiseLike, unlessAborted } from "../../tool/internal.js";
import { classNameOf, type SubAgentClass } from "../agent-class.js";
import { agentDefinitionOf, checkMaxSteps } from "../agent-definition.js";
import { sharedAgent } from "../agent-errors.js";
import type { AgentListener } from "../agent-listener.js";
import { checkInstanceMembers } from "../agent-members.js";
import { modelFor } from "../agent-model.js";
import { modelInterceptor } from "../intercepted-models.js";
import { AttachedTools, attachTools } from "../attached-tools.js";
import {
  type CheckedInput,
  checkInput,
  checkOutput,
  type GuardrailSituation,
  type Guardrails,
  makeGuardrails,
} from "../guardrails/index.js";
import type { GenerateOptions, Prompt } from "../run-options.js";
import { replaying } from "../replay/replaying.js";
import type { AgentEvent } from "../stream/agent-event.js";
import { type InheritedOptions, inherited } from "../sub-agents/calling-run.js";
import { lineageOf } from "../sub-agents/lineage.js";
import { chooseRun, type RunningAgent } from "./run-hooks.js";
import { OfferedTools } from "./offered-tools.js";
import type { RunJournal } from "./run-journal.js";
import type { RunParts } from "./run-parts.js";
import { namedChoice } from "./tool-choice.js";
import { checkLimitedTools, wireLimits } from "./wire-limits.js";

/** The agent whose run is resolved. */
export interface RunSource {
  readonly agent: RunningAgent;
  readonly agentClass: SubAgentClass;
  readonly conversation: Conversation;
  /** Those that held when the run was asked for. */
  readonly settings: WithSettings;
  /** Gets the events of the run, if it has a listener. */
  readonly emit: ((event: AgentEvent) => void) | undefined;
  readonly journal: RunJournal | undefined;
}

/** What a resumed run brings along. */
export interface EarlierRun {
  readonly runId: string;
  readonly ledger: AttemptLedger;
  /** How often it was resumed before. */
  readonly resumptions: number;
  readonly tags?: Readonly<Record<string, string>>;
}

export interface ResolvedRun {
  readonly parts: RunParts;
  readonly limits: LoopLimits;
  /** The guardrails that look at the prompt, if there are any. */
  readonly checkPrompt: ((prompt: Prompt) => Promise<CheckedInput>) | undefined;
  /** False if the run was aborted before its tools and its model were known: it must end at once. */
  readonly isResolved: boolean;
}

/** What the application's functions said of a run. */
interface ApplicationAnswers {
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
export async function resolveRun(source: RunSource, asked: InheritedOptions, earlier?: EarlierRun): Promise<ResolvedRun> {
  const { agent, agentClass, conversation, settings, emit, journal } = source;
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
  const maxSteps = asked.maxSteps === undefined ? definition.maxSteps : checkMaxSteps(asked.maxSteps, owner);
  const budget = asked.budget === undefined ? definition.budget : checkBudget(asked.budget, owner);
  // What the application's functions answer after an abort is ignored.
  const resolved = signal?.aborted === true ? undefined : await unlessAborted(() => askApplication(source, asked, earlier), signal);
  const { options, tools: chosen, container, guards, model, instructions } = resolved ?? noAnswers(asked);
  const replay = asked[replaying];
  // What the provider runs by itself, no person could be asked about.
  const tools = replay === undefined ? chosen : chosen.withoutProviderTools();
  const { listeners = noListeners } = options;
  const executor = tools.executor(settings, {
    container,
    listeners,
    streamed: emit !== undefined,
    middleware: definition.middleware,
    added: options.middleware,
  });
  if (resolved !== undefined) {
    checkLimitedTools(budget, chosen, definition);
    conversation.limit(definition.history);
    conversation.instruct(instructions);
  }
  const scope = scopeOf(source, toolContext, options, signal, earlier);
  const checks =
    guards && textChecks(guards, { agent: definition.name, runId: scope.runId, context: toolContext, messages: conversation.forModel });
  const parts: RunParts = {
    agent: definition.name,
    resumptions: earlier === undefined ? 0 : earlier.resumptions + 1,
    conversation,
    model,
    modelSettings: definition.model.settings,
    interceptor: asked[modelInterceptor],
    tools,
    offered: new OfferedTools(tools, conversation),
    executor,
    scope,
    toolContext,
    listeners,
    concurrency,
    confirmation: {
      // A rule that approves by itself is no person.
      handlers: replay !== undefined ? [] : isList(confirm) ? confirm : [confirm],
      claims: strictClaims(claims),
      timeout: confirmationTimeout,
    },
    modelOptions: definition.modelOptions,
    instructions,
    toolChoice: resolved === undefined || toolChoice === undefined ? undefined : namedChoice(toolChoice, tools, definition.name),
    prepareStep: agent.prepareStep && ((step) => agent.prepareStep?.(step)),
    checkAnswer: checks?.checkAnswer,
    output: definition.output,
    emit,
    stateSecret,
    replaying: replay,
    journal,
    calling:
      tools.agents.length === 0
        ? undefined
        : {
            runId: scope.runId,
            options: inherited(options),
            lineage: lineageOf(agent, agentClass, tools.agents),
            settings,
            running: new Set(),
            subRuns: new Set(),
            isHandedOver: false,
          },
  };
  return {
    parts,
    limits: wireLimits(maxSteps, budget, tools),
    // A prompt that no guardrail could look at doesn't join the history.
    checkPrompt: resolved === undefined && definition.guardrails.length > 0 ? () => Promise.reject(signal?.reason) : checks?.checkPrompt,
    isResolved: resolved !== undefined,
  };
}

async function askApplication(
  { agent, agentClass, settings }: RunSource,
  asked: InheritedOptions,
  earlier: EarlierRun | undefined,
): Promise<ApplicationAnswers> {
  const definition = agentDefinitionOf(agentClass);
  const owner = classNameOf(agentClass);
  checkInstanceMembers(agent, owner);
  const { toolContext = emptyContext, profile } = asked;
  const choosing = agent[chooseRun]?.(
    toolContext,
    earlier?.tags === undefined ? asked : { tags: earlier.tags, ...asked },
    earlier !== undefined,
  );
  // Nothing is awaited that is no promise: a thousand runs at once would wait a thousand times for nothing.
  const choice = choosing === undefined ? undefined : await choosing;
  const options = choice === undefined ? asked : { ...asked, ...choice.options };
  const shared = settings(currentContainer);
  const container = asked.container ?? definition.container ?? shared;
  refuseOneForAll(agent, [container, shared], owner);
  const asking = choice?.tools ?? settings(() => agent.tools(toolContext));
  const tools = attachTools(agentClass, isPromiseLike(asking) ? await asking : asking, toolContext, profile, owner, definition.toolSearch);
  const guards = definition.guardrails.length === 0 ? undefined : await makeGuardrails(definition.guardrails, container, owner);
  const loading = modelFor(definition.model, toolContext, asked[modelInterceptor]);
  const model = loading instanceof Promise ? await loading : loading;
  const replay = asked[replaying];
  const replaced = replay?.definition === definition ? replay.instructions : undefined;
  const { instructions } = definition;
  const text = replaced ?? (typeof instructions === "function" ? await instructions(toolContext) : instructions);
  return { options, tools, container, guards, model, instructions: text };
}

/** One instance is one conversation: users who share it read each other's messages. */
function refuseOneForAll(agent: RunningAgent, containers: readonly (Container | undefined)[], owner: string): void {
  if (containers.some((container) => isOneForAll(agent, container))) throw sharedAgent(owner, "has it registered as one instance for all");
}

/** Of a run that ends before it begins. */
const noAnswers = (options: InheritedOptions): ApplicationAnswers => ({
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
): Pick<ResolvedRun, "checkPrompt"> & Pick<RunParts, "checkAnswer"> {
  return {
    checkPrompt: (prompt) => checkInput(before, prompt, situation),
    checkAnswer: after.length === 0 ? undefined : (said) => checkOutput(after, said, situation),
  };
}

/** What the run's tool calls share. */
function scopeOf(
  { agentClass, journal }: RunSource,
  toolContext: Record<string, unknown>,
  options: GenerateOptions,
  abortSignal: AbortSignal | undefined,
  earlier: EarlierRun | undefined,
): RunScope {
  const { profile } = options;
  const tags = options.tags ?? earlier?.tags;
  const runId = journal?.runId ?? options.runId ?? earlier?.runId;
  const scope: { -readonly [Name in keyof RunScope]?: RunScope[Name] } = { agent: agentDefinitionOf(agentClass).name, toolContext };
  if (earlier !== undefined) scope.ledger = earlier.ledger;
  if (tags !== undefined) scope.tags = tags;
  if (profile !== undefined) scope.profile = profile;
  if (runId !== undefined) scope.runId = runId;
  if (abortSignal !== undefined) scope.abortSignal = abortSignal;
  return startScope(scope);
}

const defaultConcurrency = 10;

/** 24 hours, in milliseconds. */
const defaultConfirmationTimeout = 86_400_000;

const noListeners: readonly AgentListener[] = [];

const emptyContext: ApplicationContext & Record<string, unknown> = Object.freeze({});
