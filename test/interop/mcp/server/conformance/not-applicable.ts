/** Why a scenario, or a part of one, asks for something that a server of tools doesn't have. By the beginning of its name. */
export const notApplicable: Readonly<Record<string, string>> = {
  "completion-": "nothing to complete: no prompts, no resource templates",
  "elicitation-": "tools ask for a confirmation, not for input of their own",
  "input-required-result-basic-elicitation": "tools ask for a confirmation, not for input of their own",
  "input-required-result-basic-list-roots": "roots are deprecated, and no tool asks for them",
  "input-required-result-basic-sampling": "sampling is deprecated, and no tool asks for it",
  "input-required-result-capability-check": "asks for sampling where the client has no elicitation; a confirmation is refused there",
  "input-required-result-ignore-extra-params": "answers a question that tools don't ask: see basic-elicitation",
  "input-required-result-multi-round": "one question a call: the confirmation",
  "input-required-result-multiple-input-requests": "one question a call: the confirmation",
  "input-required-result-non-tool-request": "no prompts",
  "logging-": "the log of tools is the application's; deprecated in 2026-07-28",
  "prompts-": "no prompts",
  "resources-": "no resources",
  "sep-2164-": "no resources",
  "server-sse-polling": "streams can't be resumed; clients call again",
  "tasks-": "tasks, an extension, are not offered",
  "tools-call-audio": "tools give text and JSON",
  "tools-call-elicitation": "tools ask for a confirmation, not for input of their own",
  "tools-call-embedded-resource": "tools give text and JSON",
  "tools-call-image": "tools give text and JSON",
  "tools-call-mixed-content": "tools give text and JSON",
  "tools-call-sampling": "sampling is deprecated, and no tool asks for it",
  "tools-call-with-logging": "the log of tools is the application's; deprecated in 2026-07-28",
};

/** By the id of a check, in scenarios that are applicable otherwise. */
export const notApplicableChecks: Readonly<Record<string, string>> = {
  "sep-2549-prompts-list-caching-hints": "no prompts",
  "sep-2549-resources-list-caching-hints": "no resources",
  "sep-2549-resources-templates-list-caching-hints": "no resources",
  "sep-2575-missing-capability-http-400": "the missing capability that two checks try is sampling",
  "sep-2575-server-rejects-undeclared-capability": "the missing capability that two checks try is sampling",
};
