import { AgentDefinitionError } from "../agent/index.js";
import { isAgentClass } from "../agent/internal.js";
import { ToolDefinitionError } from "../tool/index.js";
import { isToolClass, checkOptionNames, type OptionNames } from "../tool/internal.js";
import type { ToolwrightFeatureOptions, ToolwrightModuleAsyncOptions, ToolwrightModuleOptions } from "./module-options.js";

const rootNames: OptionNames<ToolwrightModuleOptions> = { toolContext: true, listeners: true, shutdownDeadline: true };
const asyncNames: OptionNames<ToolwrightModuleAsyncOptions> = { useFactory: true, inject: true, imports: true };
const featureNames: OptionNames<ToolwrightFeatureOptions> = { tools: true, agents: true };

/** Throws `TypeError` for options of `forRoot`, or of a factory, that would make guests of all users. */
export function checkRootOptions(options: ToolwrightModuleOptions, owner: string): ToolwrightModuleOptions {
  checkOptionNames(options, rootNames, owner);
  const { toolContext, listeners, shutdownDeadline = 0 } = options;
  if (toolContext !== undefined && typeof toolContext !== "function") {
    throw new TypeError(`${owner}: toolContext must be a function of the request: toolContext: ({ user }) => ({ userId: user.id }).`);
  }
  if (listeners !== undefined && !Array.isArray(listeners)) {
    throw new TypeError(`${owner}: listeners must be a list: listeners: [listener].`);
  }
  if (!(typeof shutdownDeadline === "number" && shutdownDeadline >= 0)) {
    throw new RangeError(`${owner}: shutdownDeadline is ${shutdownDeadline}, but is a number of milliseconds: give at least 0.`);
  }
  return options;
}

export function checkAsyncOptions(options: ToolwrightModuleAsyncOptions): void {
  const owner = "ToolwrightModule.forRootAsync";
  checkOptionNames(options, asyncNames, owner);
  if (typeof options.useFactory !== "function") {
    throw new TypeError(`${owner}: useFactory must be a function that gives the options of forRoot.`);
  }
}

export function checkFeatureOptions(options: ToolwrightFeatureOptions): void {
  checkOptionNames(options, featureNames, owner);
  const { tools = [], agents = [] } = options;
  checkClasses("tools", tools, isToolClass, "Tool", ToolDefinitionError);
  checkClasses("agents", agents, isAgentClass, "Agent", AgentDefinitionError);
}

const owner = "ToolwrightModule.forFeature";

function checkClasses(
  list: string,
  given: unknown,
  isRight: (entry: unknown) => boolean,
  base: string,
  Refusal: new (message: string) => Error,
): void {
  if (!Array.isArray(given)) throw new Refusal(`${owner}: ${list} must be a list, got ${shown(given)}.`);
  const index = given.findIndex((entry) => !isRight(entry));
  if (index === -1) return;
  const circle = given[index] === undefined ? " Two files import each other: move one of the classes." : "";
  throw new Refusal(`${owner}: entry ${index} of ${list} is ${shown(given[index])}, but must be a class that extends ${base}.${circle}`);
}

const shown = (value: unknown): string => (typeof value === "function" ? value.name : String(value));
