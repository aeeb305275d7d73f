// What other rooms build on, and no application needs.
export { type Cancellable, orAborted, watchOf } from "./cancellation.js";
export { nameOf } from "./class-fields.js";
export { classDecorator, type ClassDecoratorFor } from "./decorators/class-decorator.js";
export { type DefinitionCompletion, definitionOf } from "./definition.js";
export { timeoutMessage } from "./errors.js";
export { longestTimer } from "./longest-timer.js";
export { settingListOf, settingOf, writeSettingInList, writeSettings } from "./metadata.js";
export { planOf } from "./plan.js";
export { policyNames, type ToolPolicy } from "./policy.js";
export { redactMalformed } from "./redact.js";
export { originalOf, renamedTool } from "./renamed-tool.js";
export { hiderOf, redacted } from "./secrets.js";
export { checkName, deriveName, snakeCase } from "./tool-name.js";
export type { InputReading, ReadyInput, ToolPlan } from "./tool-plan.js";
export type { FieldName } from "./tool-types.js";
export { isToolResponse } from "./tool-response.js";
export { type ValueReader, valueReader } from "./value-reader.js";
export { insteadOfName } from "./unknown-name.js";
