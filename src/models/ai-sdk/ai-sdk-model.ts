import { warnProcess } from "../../redaction/internal.js";
import { type WireForm, wireSchema } from "../../schema/internal.js";
import type { ChatModel, ChatRequest, ChatResponse, ModelTool } from "../chat-model.js";
import { ModelError } from "../model-error.js";
import { isAnthropic } from "./claude-version.js";
import { toCallOptions } from "./call-options.js";
import { answerError, toModelError } from "./errors.js";
import { type AiSdkCallOptions, type AiSdkContent, type AiSdkLanguageModel, type AiSdkResult, referenceTo } from "./language-model.js";
import {
  hasClientSearch,
  readSearch,
  refusesSearch,
  showsSearch,
  takesClientSearch,
  withoutSearch,
} from "./client-search/client-search.js";
import { changedPart, rememberAnswered } from "./growing/changed-part.js";
import { ChangesNotTaken, isUnsupported, showsChanges, tooOld } from "./growing/old-packages.js";
import { formOfRequest, formWithoutThinking } from "./growing/form-of-request.js";
import { searchForm } from "./growing/open-ai-changes.js";
import type { SentForm } from "./growing/sent-form.js";
import { errorIn } from "./provider-error.js";
import { pauseLimit, isPaused, joined, resumedPrompt } from "./paused-turn.js";
import { runsProviderTool } from "./provider-calls.js";
import { readStream } from "./read-stream.js";
import { ListCheck } from "../provider-tools/list-limits.js";
import { type AnswerNotes, toResponse } from "./response.js";
import { droppedWarning, droppingThinking, dropsThinking, isBoundElsewhere, rememberUnbound } from "./thinking-binding.js";
import { noRestores, readCall, takesExamples, toWireTools, type WireTools, wireFormOf } from "./wire-request.js";

const specifications: ReadonlySet<unknown> = new Set(["v2", "v3", "v4"]);

/**
 * Adapts a model of any Vercel AI SDK provider package to `ChatModel`.
 *
 * ```ts
 * import { openai } from "@ai-sdk/openai";
 *
 * const model = new AiSdkModel(openai("gpt-5-mini"));
 * ```
 *
 * Supports specification v2 (AI SDK 5), v3 (6) and v4 (7). `@model` does this by itself for a model object.
 *
 * Errors of the provider and the network, also during a stream, are `ModelError`s; an aborted request rejects with the reason of
 * its signal. It streams if the request has `onDelta`. Tool schemas are converted to the provider's form, in OpenAI's strict mode
 * if they fit it, and arguments are converted back. See docs/11-providers.md.
 */
export class AiSdkModel implements ChatModel {
  /** Provider package and model id: `openai/gpt-5-mini`. */
  readonly id: string;
  readonly #model: AiSdkLanguageModel;
  readonly #form: WireForm | undefined;
  /** The lists of tools as they were sent: most requests of a run have the same one. */
  readonly #sent = new WeakMap<readonly ModelTool[], WireTools>();
  /** Whether the package has shown that it doesn't know how to send changes. */
  #isTooOld = false;
  /** Whether it has shown that it does. */
  #takesChanges = false;
  readonly #lists: ListCheck;
  /** Whether the search for deferred tools is sent in OpenAI's own form. */
  #takesSearch: boolean;
  /** Whether the package has shown that it knows that form. */
  #showsSearch = false;

  constructor(model: AiSdkLanguageModel) {
    this.id = referenceTo(model);
    if (!specifications.has(model.specificationVersion)) {
      throw new Error(
        `${this.id}: specification "${model.specificationVersion}" of the AI SDK's language models is not supported; ` +
          "v2, v3 and v4 are. Install another version of the provider's package.",
      );
    }
    this.#model = model;
    this.#form = wireFormOf(model);
    this.#lists = new ListCheck(this.id, model.provider);
    this.#takesSearch = takesClientSearch(model);
  }

  /** Why the provider can't accept the tool; `undefined` if it can. */
  refusesTool({ parameters }: ModelTool): string | undefined {
    const schema = this.#form && wireSchema(parameters, this.#form);
    return schema !== undefined && "refused" in schema ? schema.refused : undefined;
  }

  /** Whether the provider runs its own tool with this id. */
  runsProviderTool(id: string): boolean {
    return runsProviderTool(this.#model, id);
  }

  /** Calls the model. Throws `ModelError`. */
  async generate(request: ChatRequest): Promise<ChatResponse> {
    request.abortSignal?.throwIfAborted();
    try {
      const response = await this.#answerInForm(request);
      const { restores } = this.#wireTools(request.tools);
      return restores.size === 0 ? response : { ...response, toolCalls: response.toolCalls.map((call) => readCall(call, restores)) };
    } catch (error) {
      request.abortSignal?.throwIfAborted();
      throw error instanceof ModelError ? error : toModelError(this.id, error);
    }
  }

  /** A form that the package or the model doesn't take is left out from then on. */
  async #answerInForm(request: ChatRequest): Promise<ChatResponse> {
    // Another request may learn of the package before this one fails.
    const growing = this.#isTooOld ? undefined : request.growing;
    const form = this.#formOf(request, growing);
    try {
      return await this.#answer(request, form);
    } catch (error) {
      if (form === request || !this.#learnsFrom(error, form, growing !== undefined)) throw error;
      return this.#answerInForm(request);
    }
  }

  #formOf(request: ChatRequest, growing: ChatRequest["growing"]): SentForm {
    const isSearching = this.#takesSearch && hasClientSearch(growing?.tools ?? request.tools);
    if (growing === undefined && isSearching) return searchForm(request);
    if (this.#isTooOld) return request;
    return formOfRequest(request, this.#model, (tools) => this.#wireTools(tools).tools, isSearching);
  }

  /** Whether the error is about the form of the request, a part of which isn't sent any more. Warns of it once. */
  #learnsFrom(error: unknown, { searches }: SentForm, hasChanges: boolean): boolean {
    if (searches !== undefined && refusesSearch(error)) {
      if (this.#takesSearch) warnProcess(withoutSearch(this.id));
      this.#takesSearch = false;
      return true;
    }
    // Only Anthropic's old packages throw for late system messages: with others, the error is about something else.
    const isOfOldPackage = error instanceof ChangesNotTaken || (isAnthropic(this.#model.provider) && isUnsupported(error));
    if (!hasChanges || !isOfOldPackage) return false;
    if (!this.#isTooOld) warnProcess(tooOld(this.id));
    this.#isTooOld = true;
    return true;
  }

  #wireTools(tools: readonly ModelTool[]): WireTools {
    if (this.#form === undefined || tools.length === 0) return { tools, restores: noRestores };
    let wire = this.#sent.get(tools);
    if (wire === undefined) this.#sent.set(tools, (wire = toWireTools(tools, this.#form, takesExamples(this.#model))));
    return wire;
  }

  /** Asks once more if the provider rejects thinking that no longer fits the history. */
  async #answer(request: ChatRequest, form: SentForm): Promise<ChatResponse> {
    this.#lists.check(form.tools);
    const { provider, modelId } = this.#model;
    const { stripsThinking = false, restarts = false } = form;
    const notes = {
      warnings: stripsThinking ? [droppedWarning] : [],
      stripsThinking,
      restarts,
      provider,
      changedPart: changedPart(request.messages, this.id, form),
    };
    const canDrop = isAnthropic(provider);
    const isUnbound = dropsThinking(request.messages);
    try {
      return await this.#ask(request, form, { ...notes, dropsThinking: isUnbound });
    } catch (error) {
      if ((canDrop && isUnbound) || !isBoundElsewhere(error, provider, request.options)) throw error;
      request.onRetry?.({ error: toModelError(this.id, error), delay: 0 });
      const dropped = { ...notes, warnings: [...notes.warnings, droppedWarning] };
      if (!canDrop) {
        const bare = formWithoutThinking(request, this.#model);
        const changed = changedPart(request.messages, this.id, bare);
        const bareNotes = { ...dropped, stripsThinking: true, rejectedBy: modelId, changedPart: changed };
        return this.#ask(request, bare, { ...bareNotes, dropsThinking: isUnbound });
      }
      rememberUnbound(request.messages);
      return this.#ask(request, form, { ...dropped, dropsThinking: true });
    }
  }

  async #ask(request: ChatRequest, { laterTools, ...sent }: SentForm, notes: AnswerNotes): Promise<ChatResponse> {
    const form: SentForm = {
      ...sent,
      tools: this.#wireTools(sent.tools).tools,
      ...(laterTools !== undefined && { laterTools: this.#wireTools(laterTools).tools }),
    };
    const asked = notes.dropsThinking ? { ...request, options: droppingThinking(this.#model.provider, request.options) } : request;
    const { options, warnings } = toCallOptions(asked, form, this.#model);
    const all = warnings.length === 0 ? notes : { ...notes, warnings: [...notes.warnings, ...warnings] };
    const response = toResponse(await this.#wholeTurn(options, request, form.searches === undefined ? unchanged : readSearch), all);
    rememberAnswered(request.messages, this.id, { ...sent, ...(laterTools !== undefined && { laterTools }) });
    return response;
  }

  /** A provider that runs tools itself may pause a long turn: it goes on when it gets its answer back. */
  async #wholeTurn(options: AiSdkCallOptions, request: ChatRequest, read: ReadPart): Promise<AiSdkResult> {
    let result = await this.#result(options, request, read);
    for (let pauses = 0; isPaused(result) && pauses < pauseLimit; pauses += 1) {
      request.abortSignal?.throwIfAborted();
      result = joined(result, await this.#result({ ...options, prompt: resumedPrompt(options.prompt, result) }, request, read));
    }
    return isPaused(result) ? { ...result, finishReason: "length" } : result;
  }

  async #result(options: AiSdkCallOptions, { onDelta, abortSignal }: ChatRequest, read: ReadPart): Promise<AiSdkResult> {
    // A hand-made language model may have `doGenerate` alone.
    if (onDelta === undefined || this.#model.doStream === undefined) {
      const result = this.#whole(await this.#model.doGenerate(options));
      this.#checkForm(options, result.request?.body);
      return read === unchanged ? result : { ...result, content: result.content.map(read) };
    }
    const { stream, request: sent } = await this.#model.doStream(options);
    try {
      this.#checkForm(options, sent?.body);
    } catch (error) {
      await stream.cancel();
      throw error;
    }
    return readStream(this.id, stream, onDelta, abortSignal, read);
  }

  /** Looks at what was sent until it had all: that costs as much as the request is long. */
  #checkForm(options: AiSdkCallOptions, body: unknown): void {
    if (!this.#takesChanges) this.#takesChanges = showsChanges(options.prompt, body);
    if (this.#takesSearch && !this.#showsSearch) this.#showsSearch = showsSearch(options, body);
  }

  /** Some packages take an error that the provider sent in place of its answer for an empty answer. */
  #whole(result: AiSdkResult): AiSdkResult {
    const body = result.response?.body;
    if (errorIn(body) !== undefined) throw answerError(this.id, body);
    return result;
  }
}

/** Reads a part of an answer that the provider writes in a form of its own. */
type ReadPart = <Part extends AiSdkContent>(part: Part) => Part;

const unchanged: ReadPart = (part) => part;
