/** Why a scenario, or a part of one, asks for something that a server of tools doesn't have. By the beginning of its name. */
export const notApplicable: Readonly<Record<string, string>> = {
  "completion-": "no prompts",
  "elicitation-": "tools ask for approval only",
  "input-required-result-basic-elicitation": "tools ask for approval only",
  "input-required-result-basic-list-roots": "no roots or sampling (deprecated)",
  "input-required-result-basic-sampling": "no roots or sampling (deprecated)",
  "input-required-result-capability-check": "no roots or sampling (deprecated)",
  "input-required-result-ignore-extra-params": "tools ask for approval only",
  "input-required-result-multi-round": "tools ask for approval only",
  "input-required-result-multiple-input-requests": "tools ask for approval only",
  "input-required-result-non-tool-request": "no prompts",
  "logging-": "no MCP logging (deprecated)",
  "prompts-": "no prompts",
  "resources-": "no resources",
  "sep-2164-": "no resources",
  "server-sse-polling": "streams can't be resumed",
  "tasks-": "no tasks (an extension)",
  "tools-call-audio": "tools return no sound",
  "tools-call-elicitation": "tools ask for approval only",
  "tools-call-sampling": "no roots or sampling (deprecated)",
  "tools-call-with-logging": "no MCP logging (deprecated)",
};

/** By the id of a check, in scenarios that are applicable otherwise. */
export const notApplicableChecks: Readonly<Record<string, string>> = {
  "sep-2549-prompts-list-caching-hints": "no prompts",
  "sep-2549-resources-list-caching-hints": "no resources",
  "sep-2549-resources-templates-list-caching-hints": "no resources",
  "sep-2575-missing-capability-http-400": "two checks use sampling",
  "sep-2575-server-rejects-undeclared-capability": "two checks use sampling",
};
