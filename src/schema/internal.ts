// What other rooms build on, and no application needs.
export { acceptGenerated } from "./accept-schema.js";
export type { Restore } from "./dialects/restore.js";
export { openAiStrictKeywords, type ProviderDialect, providerDialects } from "./dialects/dialect-rules.js";
export { shortHash } from "./dialects/wire-names.js";
export { describedByExamples, fitWire, wireExamples, withoutExamples } from "./dialects/wire-examples.js";
export { wireDescription } from "./dialects/wire-schema.js";
export { identifierForm, WireNames } from "./dialects/wire-names.js";
export { type Refused, type WireForm, type WireSchema, wireSchema } from "./dialects/wire-schema.js";
export { saysNothing } from "./arguments/arguments-text.js";
export { inheritanceFault } from "./arguments/arguments-value.js";
export { type DeclaredValue, declaredValue } from "./declared-members.js";
export { describeValue } from "./faults/describe-value.js";
export { ArgumentsCopy, isPlain } from "./arguments/copy-arguments.js";
export { integerReadings, keepDigits, mayHoldLongIntegers, parseKeepingDigits } from "./arguments/long-integers.js";
export { canonicalText } from "./canonical-text.js";
export { type Difference, differencesOf, joinPath } from "./differences.js";
export { isEqual } from "./json-equality.js";
export { freezeDeep } from "./freeze.js";
export { pathOf, type Place } from "./place.js";
export {
  annotationKeywords,
  boundPairs,
  type Constraint,
  constraintOf,
  exclusiveBounds,
  type KeywordOf,
  subschemaKeywords,
} from "./keywords.js";
export { isList, isObject, isRecord, kindOf } from "./type-guards.js";
export type { ArgumentsError, ArgumentsErrorCode } from "./arguments/arguments-error.js";
export { type ParsedArguments, parseArgumentsText, parseJson } from "./arguments/arguments-text.js";
export { checkArgumentsValue } from "./arguments/arguments-value.js";
export { patternProblem } from "./pattern/pattern.js";
export * from "./validation/compile-schema.js";
export * from "./validation/validator.js";
