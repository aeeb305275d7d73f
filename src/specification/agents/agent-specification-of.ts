import { Agent, type AgentClass } from "../../agent/index.js";
import { type Budget, limitsOf } from "../../loop/index.js";
import { isAgentClass, subAgentTool } from "../../agent/internal.js";
import { isList } from "../../schema/internal.js";
import { canonicalJson } from "../../execution/index.js";
import type { ToolClass } from "../../tool/index.js";
import { isMeant, isToolClass, nameIn, openToolList, originalOf } from "../../tool/internal.js";
import { redact } from "../../redaction/index.js";
import { SpecificationError } from "../specification-error.js";
import { specificationOf } from "../specification-of.js";
import { isToolSpecification, type ToolSpecification } from "../tool-specification.js";
import type { AgentSpecification } from "./agent-specification.js";
import { checkAgentClass } from "./check-agent-class.js";
import { type SpecifiedTools, specifiedToolsOf } from "./uses-specifications.js";

/**
 * Returns the specification of an agent as JSON: name, model, instructions, limits, and its tools as specifications.
 *
 * ```ts
 * const json = JSON.stringify(agentSpecificationOf(SupportAgent));
 * const Support = agentFromSpecification(JSON.parse(json), library);
 * ```
 *
 * Containers and listeners are left out, because they belong to the process. Throws `SpecificationError` if the agent has something
 * that JSON can't express (functions, model objects, guardrails, own methods), or that looks like a secret. See
 * docs/10-specifications-and-gram.md.
 */
export function agentSpecificationOf(agentClass: AgentClass): AgentSpecification {
  checkAgentClass(agentClass, "agentSpecificationOf");
  const { name, description, model, modelOptions, instructions, maxSteps, budget, history, toolSearch, guardrails, output } =
    agentClass.definition;
  const owner = agentClass.name;
  refuseMethods(agentClass);
  if (guardrails.length > 0) throw cannotHold(owner, "@guardrail", "a guardrail is code");
  if (output !== undefined) throw cannotHold(owner, "@returns", "what the agent returns may be a class");
  if (toolSearch !== undefined) throw cannotHold(owner, "@toolSearch", "a search is code");
  if (history?.countTokens !== undefined) throw cannotHold(owner, "@history", "countTokens is a function");
  if (typeof instructions === "function") throw cannotHold(owner, "@instructions", "they are a function of the context");
  const { fallback, retries, timeout } = model.settings;
  const settings = {
    ...(retries !== undefined && { retries }),
    ...(timeout !== undefined && Number.isFinite(timeout) && { timeout }),
    ...(fallback !== undefined && {
      fallback: isList(fallback) ? fallback.map((one) => modelText(owner, one)) : modelText(owner, fallback),
    }),
  };
  const specification: AgentSpecification = {
    name,
    ...(description !== undefined && { description }),
    model: modelText(owner, model.reference),
    ...(Object.keys(settings).length > 0 && { modelSettings: settings }),
    ...(modelOptions !== undefined && { modelOptions }),
    ...(instructions !== undefined && { instructions }),
    tools: toolsOf(agentClass),
    maxSteps: Number.isFinite(maxSteps) ? maxSteps : null,
    ...(budget !== undefined && { budget: finiteLimits(budget, classesBehind(agentClass)) }),
    ...(history !== undefined && { history }),
  };
  refuseSecrets(specification, owner);
  return specification;
}

function toolsOf(agentClass: AgentClass): readonly ToolSpecification[] {
  const specified = (toolClass: ToolClass): ToolSpecification => {
    if (toolClass.definition.deferred !== originalOf(toolClass).definition.deferred) throw deferredInList(agentClass, toolClass);
    return specificationOf(toolClass);
  };
  return declaredTools(agentClass).flatMap((entry) => (isToolSpecification(entry) ? entry : classesOf(entry).map(specified)));
}

const deferredInList = ({ name }: AgentClass, { name: tool }: ToolClass): SpecificationError =>
  new SpecificationError(
    `${name}: deferred(...) around ${tool} can't be part of a specification. Write @deferred() above the tool's class, which the library has.`,
  );

const classesBehind = (agentClass: AgentClass): readonly ToolClass[] =>
  declaredTools(agentClass).flatMap((entry) => (isToolSpecification(entry) ? [] : classesOf(entry)));

function declaredTools(agentClass: AgentClass): readonly SpecifiedTools[number][] {
  const declared = specifiedToolsOf(agentClass) ?? agentClass.definition.tools;
  if (typeof declared !== "function") return declared;
  throw cannotHold(agentClass.name, "@usesSpecifications or @usesTools", "the tools are a function of the context");
}

function classesOf(entry: Exclude<SpecifiedTools[number], ToolSpecification>): readonly ToolClass[] {
  if (isToolClass(entry)) return [entry];
  return isAgentClass(entry) ? [subAgentTool(entry)] : openToolList(entry, entry.name);
}

function modelText(owner: string, reference: unknown): string {
  if (typeof reference === "string") return reference;
  const reason = typeof reference === "function" ? "the model is a function of the context" : "the model is an object";
  throw cannotHold(owner, "@model", `${reason}, not a text such as "openai/gpt-5-mini"`);
}

/** A limit that limits nothing needs no word, and JSON has none for it, nor for classes. */
function finiteLimits(budget: Budget, tools: readonly ToolClass[]): Budget {
  const { callsPerTool } = limitsOf(Number.POSITIVE_INFINITY, budget, (limited) => {
    const names = tools.flatMap(({ definition }) => (isMeant(limited, definition) ? definition.name : []));
    return names.length === 0 ? [nameIn(limited)] : names;
  });
  const finite = Object.entries(budget).filter(([name, limit]) => name !== "callsPerTool" && limit !== Number.POSITIVE_INFINITY);
  return { ...Object.fromEntries(finite), ...(callsPerTool !== null && { callsPerTool }) };
}

/** A subclass may do anything; these decide what a run does. */
const deciding = ["tools", "prepareStep"] as const;

function refuseMethods(agentClass: AgentClass): void {
  const method = deciding.find((one) => (agentClass.prototype as Agent)[one] !== Agent.prototype[one]);
  if (method !== undefined) throw cannotHold(agentClass.name, `its method ${method}`, "a method is code");
}

const cannotHold = (owner: string, what: string, reason: string): SpecificationError =>
  new SpecificationError(
    `${owner}: ${what} can't be part of a specification: ${reason}. Leave it to a subclass of the agent that is specified.`,
  );

/** Looks at what the application wrote of the agent: names of parameters may well be "password". */
function refuseSecrets({ tools, ...specification }: AgentSpecification, owner: string): void {
  for (const [member, value] of Object.entries({
    ...specification,
    "description of a tool": tools.map(({ description }) => description),
  })) {
    if (canonicalJson(redact(value)) === canonicalJson(value)) continue;
    throw new SpecificationError(
      `${owner}: its ${member} holds what looks like a secret, which is never written into a specification. Read it from the environment, where it is used.`,
    );
  }
}

// `Array.isArray` doesn't narrow readonly arrays out of a union.
