import { type ChatModel, type ModelOptions, type ModelReference, resolveModel, withFallback, withTimeout } from "../models/index.js";
import { retrying, turnsOf } from "../models/internal.js";
import { isList } from "../schema/internal.js";
import type { ApplicationContext } from "../tool/index.js";
import { checkOptionNames, type OptionNames } from "../tool/internal.js";
import { AgentDefinitionError } from "./agent-errors.js";
import type { ModelInterceptor } from "./intercepted-models.js";

/** What to do when a model fails: the second argument of `@model`. See docs/03-agents.md. */
export interface ModelSettings {
  /** Additional attempts after a retryable failure (429, 5xx, a broken connection), with increasing delays. Default: 2. */
  readonly retries?: number;
  /** Milliseconds for one attempt. 0 or Infinity means no limit other than the provider client's. Default: 0. */
  readonly timeout?: number;
  /** Models to call, in this order, when the model keeps failing. Each has the same retries and timeout. */
  readonly fallback?: ModelReference | readonly ModelReference[];
}

const settingNames: OptionNames<ModelSettings> = { retries: true, timeout: true, fallback: true };
const modelOptionNames: OptionNames<ModelOptions> = {
  temperature: true,
  topP: true,
  topK: true,
  maxOutputTokens: true,
  stopSequences: true,
  seed: true,
  presencePenalty: true,
  frequencyPenalty: true,
  cachePrompt: true,
  changesAsUserMessages: true,
  providerOptions: true,
};

/** Throws `AgentDefinitionError` for what `@model` doesn't know. `owner`: the agent's class name. */
export const checkModelSettings = (settings: unknown, owner: string): void =>
  checkOptionNames(settings, settingNames, `${owner}: @model`, AgentDefinitionError);

/** The same for `@modelOptions`; what stands in `providerOptions` is the provider's. */
export function checkModelOptions(options: unknown, owner: string): ModelOptions {
  checkOptionNames(options, modelOptionNames, `${owner}: @modelOptions`, AgentDefinitionError);
  return options as ModelOptions;
}

/** What `@model` wrote. */
export interface ModelChoice {
  readonly reference: ModelReference | ((context: ApplicationContext) => ModelReference | Promise<ModelReference>);
  readonly settings: ModelSettings;
}

const fixedModels = new WeakMap<ModelChoice, ChatModel>();

/** The model of a run, with its retries, timeout and fallbacks. A fixed one is made once per class. */
export function modelFor(
  choice: ModelChoice,
  context: ApplicationContext,
  interceptor: ModelInterceptor | undefined,
): ChatModel | Promise<ChatModel> {
  if (interceptor === undefined) return fixedModels.get(choice) ?? makeModel(choice, context);
  const replacement = interceptor.replacementOf(choice);
  // A fallback would answer for the model that is tried out.
  if (replacement !== undefined) return assembleModel(replacement, { ...choice.settings, fallback: [] }, interceptor);
  return chosenModel(choice, context, interceptor);
}

async function makeModel(choice: ModelChoice, context: ApplicationContext): Promise<ChatModel> {
  const model = await chosenModel(choice, context, undefined);
  if (typeof choice.reference !== "function") fixedModels.set(choice, model);
  return model;
}

async function chosenModel(
  { reference, settings }: ModelChoice,
  context: ApplicationContext,
  interceptor: ModelInterceptor | undefined,
): Promise<ChatModel> {
  return assembleModel(typeof reference === "function" ? await reference(context) : reference, settings, interceptor);
}

/** A model with the retries, timeout and fallbacks that `@model` says. */
export async function assembleModel(
  reference: ModelReference,
  { retries = 2, timeout = 0, fallback = [] }: ModelSettings,
  interceptor: ModelInterceptor | undefined,
): Promise<ChatModel> {
  const resolve = (one: ModelReference) => (interceptor === undefined ? resolveModel(one) : interceptor.resolve(one));
  const harden = async (one: ModelReference): Promise<ChatModel> =>
    retrying(withTimeout(await resolve(one), timeout), turnsOf(one), { attempts: retries + 1 });
  const others = await Promise.all((isList(fallback) ? fallback : [fallback]).map(harden));
  const first = await harden(reference);
  return others.length === 0 ? first : withFallback([first, ...others]);
}

// `Array.isArray` doesn't narrow readonly arrays out of a union.
