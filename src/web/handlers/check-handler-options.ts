import { checkClaims } from "../../storage/internal.js";
import { checkOptionNames, checkPlainOptionNames, type OptionNames } from "../../tool/internal.js";
import type { AgentHandlerOptions } from "./agent-handler.js";
import type { PausedRuns } from "./paused-runs.js";
import type { AnswerFormat } from "./handler-options.js";

const names: OptionNames<AgentHandlerOptions> = {
  agent: true,
  format: true,
  context: true,
  options: true,
  pausedRuns: true,
  onFinish: true,
  onError: true,
  bodyLimit: true,
  heartbeat: true,
  shutdown: true,
};

const formats: Readonly<Record<AnswerFormat, true>> = { sse: true, ui: true, json: true };

const pausedNames: OptionNames<PausedRuns> = { store: true, claims: true, authorise: true, decidedBy: true };

/** Throws `TypeError` for what would be found at the first request only, or never: a misspelt `context` makes a guest of every user. */
export function checkHandlerOptions(options: AgentHandlerOptions, owner: string): void {
  checkOptionNames(options, names, owner);
  if (typeof options.agent !== "function") {
    throw new TypeError(`${owner}: agent must be a function that gives the agent of a request: agent: () => new SupportAgent().`);
  }
  if (typeof options.format !== "string" || !Object.hasOwn(formats, options.format)) {
    throw new TypeError(`${owner}: format must be one of ${Object.keys(formats).join(", ")}.`);
  }
  for (const name of ["context", "options", "onFinish", "onError"] as const) {
    if (options[name] === undefined || typeof options[name] === "function") continue;
    throw new TypeError(`${owner}: ${name} must be a function.`);
  }
  const { bodyLimit, pausedRuns } = options;
  if (bodyLimit !== undefined && !(typeof bodyLimit === "number" && bodyLimit > 0)) {
    throw new TypeError(`${owner}: bodyLimit must be a number of bytes above 0, got ${String(bodyLimit)}.`);
  }
  if (options.shutdown !== undefined && !(options.shutdown instanceof AbortSignal)) {
    throw new TypeError(`${owner}: shutdown must be an AbortSignal: the signal of an AbortController.`);
  }
  if (pausedRuns !== undefined) checkPausedRuns(pausedRuns, `${owner}: pausedRuns`);
}

/** Throws `TypeError` for a name in place of a function: it would stand for each person. `owner` begins the message. */
export function checkDecidedBy(decidedBy: unknown, owner: string): void {
  if (decidedBy === undefined || typeof decidedBy === "function") return;
  throw new TypeError(`${owner}: decidedBy must be a function that gives the person who decides: (request) => userOf(request).name.`);
}

/** Throws `TypeError` for a store without its methods, and if anyone could decide. `owner` begins the message. */
export function checkPausedRuns(runs: PausedRuns, owner: string): void {
  checkPlainOptionNames(runs, pausedNames, owner);
  const { store, authorise, claims } = runs;
  for (const method of ["load", "save", "delete"] as const) {
    if (typeof store?.[method] === "function") continue;
    throw new TypeError(`${owner}: store must have load, save and delete, as new MemoryRunStateStore() does.`);
  }
  if (typeof authorise !== "function") {
    throw new TypeError(`${owner}: authorise must be a function that says whether the sender may decide: (request, state) => boolean.`);
  }
  checkDecidedBy(runs.decidedBy, owner);
  checkClaims(claims, owner);
}
