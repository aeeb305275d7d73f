// Emitted types are lost for classes that are defined before this module is there.
import "reflect-metadata";

export { type Cancellable, orAborted, watchOf } from "./cancellation.js";
export * from "./create-tool.js";
export * from "./decorators/index.js";
export { definitionOf } from "./definition.js";
export * from "./errors.js";
export * from "./interrupt.js";
export * from "./listener.js";
export { settingListOf, settingOf, writeSettingInList, writeSettings } from "./metadata.js";
export { planOf } from "./plan.js";
export { redact, redactMalformed, redactText } from "./redact.js";
export { addSecret, hideSecrets } from "./secrets.js";
export * from "./tool.js";
export * from "./tool-class.js";
export * from "./tool-context.js";
export * from "./tool-definition.js";
export * from "./tool-name.js";
export * from "./tool-plan.js";
export * from "./tool-response.js";
export * from "./tool-result.js";
export * from "./validate-tool.js";
export { type ValueReader, valueReader } from "./value-reader.js";
