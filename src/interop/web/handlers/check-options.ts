import { checkOptionNames, type OptionNames } from "../../../tool/internal.js";
import type { AgentHandlerOptions } from "./agent-handler.js";
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
};

const formats: Readonly<Record<AnswerFormat, true>> = { sse: true, ui: true, json: true };

/** Throws `TypeError` for what would be found at the first request only, or never: a misspelt `context` makes a guest of every user. */
export function checkHandlerOptions(options: AgentHandlerOptions, owner: string): void {
  checkOptionNames(options, names, owner);
  if (typeof options.agent !== "function") {
    throw new TypeError(`${owner}: agent must be a function that gives the agent of a request: agent: () => new SupportAgent().`);
  }
  if (typeof options.format !== "string" || !Object.hasOwn(formats, options.format)) {
    throw new TypeError(`${owner}: format must be one of ${Object.keys(formats).join(", ")}.`);
  }
}
