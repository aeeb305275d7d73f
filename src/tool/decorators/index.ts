export type { ToolClassDecorator, ToolOrAgentClassDecorator } from "./class-decorator.js";
export { answeredBy } from "./answered-by.js";
export { type DescriptionDecorator, description } from "./description.js";
export { type ExampleDecorator, example } from "./example.js";
export { deferred } from "./deferred.js";
export { identifier } from "./identifier.js";
export { type IsolationOptions, isolated } from "./isolated.js";
export { input } from "./input.js";
export type { EnumOption, ParameterOptions } from "./parameter-options.js";
export {
  type CallParameterDecorator,
  type FieldDecorator,
  optional,
  type ParameterDecoratorFactory,
  required,
  type TextDecorator,
} from "./required-and-optional.js";
export { type ReturnsDecorator, type ReturnsOption, returns } from "./returns.js";
export type { RuleDecorator } from "./compile-time/rule-problem.js";
export { type ToolOptions, type ToolOptionsDecorator, tool } from "./tool-options.js";
// `export *`, so that an application can add to it.
export * from "./types-left-out.js";
export {
  category,
  concurrency,
  consequenceLevel,
  dependsOn,
  effect,
  exclusive,
  rateLimit,
  access,
  requiresConfirmation,
  retryable,
  tags,
  timeout,
  version,
} from "./policy-decorators.js";
