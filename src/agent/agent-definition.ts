import type { HistoryLimits } from "../conversation/index.js";
import { limitNames } from "../conversation/internal.js";
import type { Container, ToolMiddleware } from "../execution/index.js";
import { type Budget, checkBudget } from "../loop/index.js";
import { hidesCharacters, printable } from "../redaction/internal.js";
import { describeValue } from "../schema/internal.js";
import type { ReturnsOption } from "../tool/index.js";
import type { ToolSearch } from "../tool-search/index.js";
import { checkOptionNames, settingListOf, settingOf, snakeCase } from "../tool/internal.js";
import { type AgentDefinition, type AgentTools, type ByContext, classNameOf, type SubAgentClass } from "./agent-class.js";
import { AgentDefinitionError } from "./agent-errors.js";
import { checkStaticMembers } from "./agent-members.js";
import { checkModelOptions, checkModelSettings, type ModelChoice } from "./agent-model.js";
import { listTools } from "./attached-tools.js";
import { checkGuardrails } from "./guardrails/index.js";
import { agentOutputOf } from "./output/index.js";

const defaultMaxSteps = 16;

const definitions = new WeakMap<object, AgentDefinition>();

/**
 * The definition of an agent class, resolved once. Definitions of a static list's tools are read here too, so that
 * their authors' errors don't wait for a model call. Throws `AgentDefinitionError` and `ToolDefinitionError`.
 */
export function agentDefinitionOf(agentClass: SubAgentClass): AgentDefinition {
  let definition = definitions.get(agentClass);
  if (definition === undefined) {
    refuseCircle(agentClass);
    resolving.push(agentClass);
    try {
      definition = resolveDefinition(agentClass);
    } finally {
      resolving.pop();
    }
    definitions.set(agentClass, definition);
  }
  return definition;
}

/** The agents whose lists of tools are being read, each for the one before it. */
const resolving: SubAgentClass[] = [];

function refuseCircle(agentClass: SubAgentClass): void {
  const start = resolving.indexOf(agentClass);
  if (start === -1) return;
  const path = [...resolving.slice(start), agentClass].map(classNameOf).join(" -> ");
  throw new AgentDefinitionError(`Agents call each other in a circle: ${path}. Take one of them out of @usesTools of the other.`);
}

function resolveDefinition(agentClass: SubAgentClass): AgentDefinition {
  const owner = classNameOf(agentClass);
  const description = settingOf(agentClass, "description");
  const options = settingOf(agentClass, "modelOptions");
  const text = settingOf(agentClass, "instructions");
  const container = settingOf(agentClass, "usesContainer");
  const limits = settingOf(agentClass, "budget");
  const returned = settingOf(agentClass, "returns");
  const history = settingOf(agentClass, "history");
  const search = settingOf(agentClass, "toolSearch");
  const tools = settingOf(agentClass, "usesTools");
  checkStaticMembers(agentClass, owner, tools !== undefined);
  return Object.freeze({
    name: readName(settingOf(agentClass, "identifier") ?? snakeCase(agentClass.name), owner),
    ...(description !== undefined && { description: description as string }),
    model: readModel(settingOf(agentClass, "model"), owner),
    ...(options !== undefined && { modelOptions: checkModelOptions(options, owner) }),
    ...(text !== undefined && { instructions: readInstructions(text, owner) }),
    tools: readTools(tools ?? [], owner),
    maxSteps: checkMaxSteps(settingOf(agentClass, "maxSteps") ?? defaultMaxSteps, owner),
    ...(returned !== undefined && { output: agentOutputOf(returned as ReturnsOption, owner) }),
    ...(search !== undefined && { toolSearch: readToolSearch(search, owner) }),
    ...(history !== undefined && { history: checkHistoryLimits(history as HistoryLimits, owner) }),
    guardrails: checkGuardrails(settingListOf(agentClass, "guardrails"), owner),
    middleware: readMiddleware(settingListOf(agentClass, "usesMiddleware"), owner),
    ...(limits !== undefined && { budget: readBudget(limits, owner) }),
    ...(container !== undefined && { container: readContainer(container, owner) }),
  });
}

/** Throws unless `steps` is a positive integer or Infinity. */
export function checkMaxSteps(steps: unknown, owner: string): number {
  if (typeof steps === "number" && steps >= 1 && (Number.isInteger(steps) || steps === Number.POSITIVE_INFINITY)) return steps;
  throw new AgentDefinitionError(
    `${owner}: maxSteps is ${String(steps)}, but counts model calls: give a positive integer such as @maxSteps(16), or Infinity for no limit.`,
  );
}

function readName(name: unknown, owner: string): string {
  if (typeof name !== "string" || name.trim() === "") {
    throw new AgentDefinitionError(`${owner}: the agent has no name. Give it one: @identifier("weather_agent").`);
  }
  // A person who approves a call reads which agent makes it.
  if (/[\n\r\t]/.test(name) || hidesCharacters(name)) {
    throw new AgentDefinitionError(
      `${owner}: the name ${printable(JSON.stringify(name))} holds characters that people don't see. Leave them out of @identifier.`,
    );
  }
  return name;
}

function readModel(model: unknown, owner: string): ModelChoice {
  const setting = model as ModelChoice | undefined;
  if (!setting?.reference) {
    throw new AgentDefinitionError(
      `${owner}: the agent has no model. Add @model("openai/gpt-5-mini") above the class, or @model("embedded/keyword") to try it without a key.`,
    );
  }
  checkModelSettings(setting.settings, owner);
  const { retries = 0, timeout = 0 } = setting.settings;
  if (!(Number.isInteger(retries) && retries >= 0)) {
    throw new AgentDefinitionError(
      `${owner}: retries of @model is ${String(retries)}, but counts further attempts: give 0 or a positive integer such as { retries: 3 }.`,
    );
  }
  if (!(typeof timeout === "number" && timeout >= 0)) {
    throw new AgentDefinitionError(
      `${owner}: timeout of @model is ${String(timeout)}, but is a number of milliseconds such as { timeout: 30_000 }; 0 or Infinity means none.`,
    );
  }
  return setting;
}

function readBudget(limits: unknown, owner: string): Budget {
  try {
    return Object.freeze({ ...checkBudget(limits as Budget, owner) });
  } catch (error) {
    throw new AgentDefinitionError(error instanceof Error ? error.message : String(error));
  }
}

function readMiddleware(middleware: readonly unknown[], owner: string): readonly ToolMiddleware[] {
  const wrong = middleware.find((one) => typeof one !== "function");
  if (wrong === undefined) return Object.freeze([...(middleware as readonly ToolMiddleware[])]);
  throw new AgentDefinitionError(
    `${owner}: @usesMiddleware takes a function, got ${typeof wrong}. Write @usesMiddleware((call, next) => next()).`,
  );
}

function readContainer(container: unknown, owner: string): Container {
  if (typeof (container as Container | null)?.get === "function") return container as Container;
  throw new AgentDefinitionError(`${owner}: @usesContainer takes a container, anything with get(class), got ${String(container)}.`);
}

function readInstructions(instructions: unknown, owner: string): string | ByContext<string> {
  if (typeof instructions === "string" || typeof instructions === "function") return instructions as string | ByContext<string>;
  throw new AgentDefinitionError(`${owner}: @instructions takes a text or a function that returns one, got ${String(instructions)}.`);
}

function readToolSearch(search: unknown, owner: string): ToolSearch {
  if (typeof search === "function") return search as ToolSearch;
  throw new AgentDefinitionError(
    `${owner}: @toolSearch takes a function, got ${describeValue(search)}. Write @toolSearch((query, tools) => [...]), and return names.`,
  );
}

/** A list is read here, so that its authors' errors don't wait for a run. */
function readTools(tools: unknown, owner: string): AgentDefinition["tools"] {
  if (typeof tools !== "function") return Object.freeze([...listTools(tools as AgentTools, owner)]);
  if (isClass(tools)) throw new AgentDefinitionError(`${owner}: @usesTools takes a list of tools. Write @usesTools([${tools.name}]).`);
  return tools as ByContext<AgentTools>;
}

// A class's `prototype` can't be written to; that of a function can, and arrow functions have none.
const isClass = (value: object): boolean => Object.getOwnPropertyDescriptor(value, "prototype")?.writable === false;

/** Throws `AgentDefinitionError` for limits that limit nothing, or everything. */
export function checkHistoryLimits(limits: HistoryLimits, owner: string): HistoryLimits {
  checkOptionNames(limits ?? {}, limitNames, `${owner}: @history`, AgentDefinitionError);
  const { maxTokens, maxTurns } = limits ?? {};
  if (maxTokens === undefined && maxTurns === undefined) {
    throw new AgentDefinitionError(`${owner}: @history limits nothing. Give maxTokens or maxTurns: @history({ maxTokens: 50_000 }).`);
  }
  for (const [name, limit] of Object.entries({ maxTokens, maxTurns })) {
    if (limit === undefined || (Number.isInteger(limit) && limit >= 1)) continue;
    throw new AgentDefinitionError(`${owner}: ${name} of @history is ${String(limit)}, but must be a positive integer.`);
  }
  return limits;
}
