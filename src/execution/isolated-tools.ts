import { type ToolClass, ToolDefinitionError } from "../tool/index.js";
import type { ToolAttempt } from "./attempt/tool-attempt.js";
import { constructorOwner, services } from "./container/constructor-parameters.js";

/** Runs the code of an attempt in another thread or process, and returns what it returned. */
export type RunElsewhere = (attempt: ToolAttempt) => Promise<unknown>;

let load: (() => Promise<RunElsewhere>) | undefined;
let run: RunElsewhere | undefined;

/** Sets what runs isolated tools. It is loaded by the first call of one. */
export function setRunElsewhere(loader: () => Promise<RunElsewhere>): void {
  load = loader;
}

/** Runs the code of an attempt by what was set. */
export async function runElsewhere(attempt: ToolAttempt): Promise<unknown> {
  if (load === undefined) {
    throw new ToolDefinitionError(`${attempt.call.name}: nothing here can run isolated tools. Import "toolwright" before the call.`);
  }
  run ??= await load();
  return run(attempt);
}

/** Services of an isolated tool are made beside its code, so the application's container has no part in it. */
export function refuseWithoutSetUp(toolClass: ToolClass): void {
  const owner = constructorOwner(toolClass);
  const { isolated } = toolClass.definition;
  if (owner === undefined || isolated === undefined || isolated.services !== undefined) return;
  throw new ToolDefinitionError(
    `${toolClass.name}: its constructor wants ${services(owner.length)}, but there is no container to take them from. ` +
      `The tool runs in a ${isolated.in}, so name a set-up module that exports one: ` +
      `@isolated("${isolated.in}", { module: ..., services: "./services.js" }).`,
  );
}
