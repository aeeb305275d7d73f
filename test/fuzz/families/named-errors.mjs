/** What a JavaScript engine says of a mistake in the library's own code, wherever it ends up. */
const engineFault =
  /Maximum call stack|Invalid (string|array) length|out of memory|Cannot (read|set|convert|destructure|access)|is not (a function|iterable|defined|a constructor)|Cannot mix BigInt|circular structure|object null prototype/;

const namedErrors = new Set([
  ...["SchemaError", "ToolDefinitionError", "ToolError", "ToolNotFoundError", "ToolValidationError", "ToolInputValidationError"],
  ...[
    "ToolOutputValidationError",
    "ToolExecutionError",
    "ToolAuthorizationError",
    "ToolTimeoutError",
    "NetworkError",
    "WebError",
    "HttpError",
  ],
  ...["GramError", "GramSyntaxError", "TypeSignatureError", "SpecificationError", "BindingError", "McpError", "ToolFailureError"],
]);

/** Why an error isn't one that the library names; `undefined` if it is one. */
export function unnamed(error) {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return error instanceof Error && namedErrors.has(error.name) && !engineFault.test(error.message) ? undefined : text.slice(0, 300);
}

/** Throws if a text for a model or a client holds an engine's own words. */
export function checkWords(text) {
  const fault = engineFault.exec(text);
  if (fault) throw new Error(`An engine's error reached the caller: ${text.slice(Math.max(0, fault.index - 80), fault.index + 120)}`);
}
