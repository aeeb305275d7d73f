export { category } from "./category.js";
export type { ToolClassDecorator, ToolOrAgentClassDecorator } from "./class-decorator.js";
export { consequence } from "./consequence.js";
export { dependsOn } from "./depends-on.js";
export { type DescriptionDecorator, description } from "./description.js";
export { effect } from "./effect.js";
export { exclusive } from "./exclusive.js";
export { identifier } from "./identifier.js";
export { input } from "./input.js";
export type { EnumOption, ParameterOptions } from "./parameter-options.js";
export {
  type CallParameterDecorator,
  type FieldDecorator,
  optional,
  type ParameterDecoratorFactory,
  required,
  type TextDecorator,
} from "./parameters.js";
export { requires } from "./requires.js";
export { requiresConfirmation } from "./requires-confirmation.js";
export { retryable } from "./retryable.js";
export { type ReturnsDecorator, type ReturnsOption, returns } from "./returns.js";
export type { RuleDecorator } from "./call-rule-check.js";
export { tags } from "./tags.js";
export { timeout } from "./timeout.js";
export { type ToolSettings, type ToolSettingsDecorator, tool } from "./tool.js";
export { version } from "./version.js";
