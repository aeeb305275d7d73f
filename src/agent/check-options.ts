import { checkListeners, checkRun } from "../execution/internal.js";
import { checkOptionNames, checkSigningSecret, type OptionNames } from "../tool/internal.js";
import type { GenerateOptions, ResumeOptions } from "./options.js";
import type { InheritedOptions } from "./sub-agents/calling-run.js";

const generateNames: OptionNames<InheritedOptions> = {
  toolContext: true,
  abortSignal: true,
  maxSteps: true,
  budget: true,
  concurrency: true,
  toolChoice: true,
  profile: true,
  confirm: true,
  confirmationTimeout: true,
  stateSecret: true,
  tags: true,
  container: true,
  listeners: true,
  claims: true,
};

const resumeNames: OptionNames<InheritedOptions & ResumeOptions> = { decisions: true, ...generateNames };

export function checkGenerateOptions(options: GenerateOptions): void {
  checkOptionNames(options, generateNames, "generate");
  checkValues(options);
}

export function checkResumeOptions(options: ResumeOptions): void {
  checkOptionNames(options, resumeNames, "resume");
  checkValues(options);
  if (options.decisions !== undefined && !Array.isArray(options.decisions)) {
    throw new TypeError('The option decisions must be a list: resume(state, { decisions: [approve("call_1")] }).');
  }
}

/**
 * From JavaScript, or from a configuration, options may be what their types exclude. Throws `TypeError` for those that
 * would fail far from here, or hold for nothing.
 */
function checkValues(options: GenerateOptions): void {
  checkRun(options);
  checkListeners(options.listeners);
  const { confirm, stateSecret } = options;
  if (confirm !== undefined && ![confirm].flat().every((handler) => typeof handler === "function")) {
    throw new TypeError("The option confirm must be a function that gives a decision, such as confirmInTerminal(), or a list of them.");
  }
  if (stateSecret !== undefined) checkSigningSecret(stateSecret, "The option stateSecret");
}
