import type { ChatModel, ChatRequest, ModelTool, ToolChoice } from "../../models/index.js";
import { untilAborted } from "../../tool/internal.js";
import { assembleModel } from "../agent-model.js";
import { checkStepChanges } from "../check-run-options.js";
import { listTools, refuseForeignTools, takenBy } from "../attached-tools.js";
import type { LoopState } from "../../loop/index.js";
import type { OfferEntry } from "../../loop/internal.js";
import type { RunParts } from "./run-parts.js";
import type { StepChanges, PrepareStep } from "./step-changes.js";
import { knownNames } from "./meant-tools.js";
import { namedChoice } from "./tool-choice.js";
import type { AgentTools } from "../agent-class.js";

/** One model call, ready to be made. */
export interface StepRequest {
  readonly model: ChatModel;
  readonly request: ChatRequest;
  /** The names of the tools that may be called in the step, if the agent narrowed them. */
  readonly allowedTools?: readonly string[];
  /** For the journal, if the request offers something else than the one before. */
  readonly offered?: OfferEntry;
}

/** What a step offers to the model. Members that are left out are the run's. */
interface StepOffer {
  readonly model: ChatModel;
  readonly instructions: string | undefined;
  /** The names of the tools that may be called, if the agent narrowed them. */
  readonly allowedTools?: readonly string[] | undefined;
}

/** Makes the requests of a run. Without `prepareStep` every step has the same one: its list of messages grows. */
export class StepRequests {
  readonly #parts: RunParts;
  readonly #same: StepRequest;

  constructor(parts: RunParts) {
    const { conversation, model, modelOptions, tools, scope, output } = parts;
    this.#parts = parts;
    const request: { -readonly [Name in keyof ChatRequest]: ChatRequest[Name] } = {
      messages: conversation.forModel,
      tools: takenBy(model, tools.described),
    };
    if (modelOptions !== undefined) request.options = modelOptions;
    if (scope.tags !== undefined) request.tags = scope.tags;
    if (scope.abortSignal !== undefined) request.abortSignal = scope.abortSignal;
    if (output !== undefined) request.responseFormat = { name: output.name, schema: output.schema };
    this.#same = { model, request };
  }

  next(state: LoopState): StepRequest | Promise<StepRequest> {
    const { prepareStep, toolChoice, model, instructions } = this.#parts;
    if (prepareStep !== undefined) return this.#changed(prepareStep, state);
    const choice = toolChoice === undefined ? undefined : this.#chosen(choiceIn(toolChoice, state));
    return this.#choosing(this.#offering({ model, instructions }), choice);
  }

  async #changed(prepareStep: PrepareStep, state: LoopState): Promise<StepRequest> {
    const { conversation, toolContext, tools, toolChoice, instructions, modelSettings, interceptor, scope } = this.#parts;
    const { step, usage } = state;
    conversation.instruct(instructions);
    const asked = prepareStep({ step, usage, messages: conversation.forModel, context: toolContext });
    const changes = checkStepChanges(await untilAborted(asked, scope.abortSignal), this.#parts.agent);
    const model =
      changes.model === undefined
        ? this.#parts.model
        : await untilAborted(assembleModel(changes.model, modelSettings, interceptor), scope.abortSignal);
    const allowedTools = changes.tools === undefined ? undefined : this.#namesOf(changes.tools);
    const choice = this.#chosen(
      changes.toolChoice === undefined
        ? choiceIn(toolChoice, state)
        : namedChoice(changes.toolChoice, tools, `${this.#parts.agent}, prepareStep`),
    );
    return this.#choosing(this.#offering({ model, instructions: changes.instructions ?? instructions, allowedTools }), choice);
  }

  /** A tool that must be called is offered, also if it is deferred. */
  #chosen(choice: ToolChoice | undefined): ToolChoice | undefined {
    if (typeof choice === "object") this.#parts.offered.find(choice.tool);
    return choice;
  }

  /** The request of a step. The conversation keeps what its first request offered, and each change since. */
  #offering({ model, instructions, allowedTools }: StepOffer): StepRequest {
    const { conversation, tools, offered: offering, journal } = this.#parts;
    const all = offering.for(model);
    const meant = allowedTools === undefined ? all : onlyNamed(all, allowedTools, tools);
    if (tools.runByProvider.length > 0) refuseForeignTools(model, meant, this.#parts.agent);
    const entry = conversation.offer(instructions, meant);
    const offered = journal === undefined ? undefined : entry;
    const { growing } = conversation;
    const isSame = growing === undefined && conversation.tools === tools.described && model === this.#parts.model;
    const request = isSame
      ? this.#same.request
      : {
          ...this.#same.request,
          tools: takenBy(model, conversation.tools),
          ...(growing !== undefined && { growing: { ...growing, tools: takenBy(model, growing.tools) } }),
        };
    if (request === this.#same.request && allowedTools === undefined && offered === undefined) return this.#same;
    return { model, request, ...(allowedTools !== undefined && { allowedTools }), ...(offered !== undefined && { offered }) };
  }

  #namesOf(stepTools: NonNullable<StepChanges["tools"]>): readonly string[] {
    const { tools, agent } = this.#parts;
    const owner = `${agent}, prepareStep`;
    const isName = (tool: unknown): tool is string => typeof tool === "string";
    const list: readonly unknown[] = Array.isArray(stepTools) ? stepTools : [];
    // What is no list, or holds what is no tool, has its own error.
    const others = (Array.isArray(stepTools) ? list.filter((tool) => !isName(tool)) : stepTools) as AgentTools;
    const meant = [...list.filter(isName), ...listTools(others, owner)];
    return [...new Set(meant.flatMap((tool) => knownNames(tool, tools, owner)))];
  }

  /** The choice names a tool by its own name; models know it by its wire name. */
  #choosing(made: StepRequest, choice: ToolChoice | undefined): StepRequest {
    if (choice === undefined) return made;
    const toolChoice = typeof choice === "string" ? choice : { tool: this.#parts.tools.names.toWire(choice.tool) };
    const chosen: StepRequest = { ...made, request: { ...made.request, toolChoice } };
    if (choice === "none") return { ...chosen, allowedTools: noTools };
    return typeof choice === "object" ? { ...chosen, allowedTools: [choice.tool] } : chosen;
  }
}

const onlyNamed = (all: readonly ModelTool[], allowed: readonly string[], { names }: RunParts["tools"]): readonly ModelTool[] =>
  all.filter((tool) => allowed.includes(names.toTool(tool.name)));

/** Some providers can't keep a model to the choice: then the executor does. */
const noTools: readonly string[] = [];

/** A tool that must be called is called in the first step: else the model could never answer. */
function choiceIn(choice: ToolChoice | undefined, { step, spent }: LoopState): ToolChoice | undefined {
  return choice === "auto" || choice === "none" || step - spent.stepsBefore === 1 ? choice : undefined;
}
