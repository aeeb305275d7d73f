import type { ChatModel, ChatRequest, ToolChoice } from "../../models/index.js";
import { untilAborted } from "../../tool/internal.js";
import { assembleModel } from "../agent-model.js";
import { checkStepChanges } from "../check-run-options.js";
import { listTools } from "../attached-tools.js";
import type { LoopState } from "../../loop/index.js";
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
      tools: tools.offeredTo(model),
    };
    if (modelOptions !== undefined) request.options = modelOptions;
    if (scope.tags !== undefined) request.tags = scope.tags;
    if (scope.abortSignal !== undefined) request.abortSignal = scope.abortSignal;
    if (output !== undefined) request.responseFormat = { name: output.name, schema: output.schema };
    this.#same = { model, request };
  }

  next(state: LoopState): StepRequest | Promise<StepRequest> {
    const { prepareStep, toolChoice } = this.#parts;
    if (prepareStep !== undefined) return this.#changed(prepareStep, state);
    return toolChoice === undefined ? this.#same : this.#choosing(this.#same, choiceIn(toolChoice, state));
  }

  async #changed(prepareStep: PrepareStep, state: LoopState): Promise<StepRequest> {
    const { conversation, toolContext, tools, toolChoice, instructions, modelSettings, scope } = this.#parts;
    const { step, usage } = state;
    conversation.instruct(instructions);
    const asked = prepareStep({ step, usage, messages: conversation.forModel, context: toolContext });
    const changes = checkStepChanges(await untilAborted(asked, scope.abortSignal), this.#parts.agent);
    if (changes.instructions !== undefined) conversation.instruct(changes.instructions);
    const model =
      changes.model === undefined ? this.#parts.model : await untilAborted(assembleModel(changes.model, modelSettings), scope.abortSignal);
    const allowedTools = changes.tools === undefined ? undefined : this.#namesOf(changes.tools);
    const offered = tools.offeredTo(model);
    const request: ChatRequest = {
      ...this.#same.request,
      tools: allowedTools === undefined ? offered : offered.filter((tool) => allowedTools.includes(tools.names.toTool(tool.name))),
    };
    const changed: StepRequest = { model, request, ...(allowedTools !== undefined && { allowedTools }) };
    const choice =
      changes.toolChoice === undefined
        ? choiceIn(toolChoice, state)
        : namedChoice(changes.toolChoice, tools, `${this.#parts.agent}, prepareStep`);
    return this.#choosing(changed, choice);
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

/** Some providers can't keep a model to the choice: then the executor does. */
const noTools: readonly string[] = [];

/** A tool that must be called is called in the first step: else the model could never answer. */
function choiceIn(choice: ToolChoice | undefined, { step, spent }: LoopState): ToolChoice | undefined {
  return choice === "auto" || choice === "none" || step - spent.stepsBefore === 1 ? choice : undefined;
}
