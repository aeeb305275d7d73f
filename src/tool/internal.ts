// What other rooms build on, and no application needs.
export { type ApprovalInput, approvalInput, memberPathOf } from "./approval-input.js";
export { type Cancellable, follow, orAborted, unlessAborted, untilAborted, watchOf } from "./cancellation.js";
export { asDeclared, type PlainForm, plainFormOf } from "./bridges/plain-form.js";
export {
  essenceOfMediaType,
  fileNameInUrl,
  type GivenPart,
  isShownToModels,
  noteOn,
  readAttachment,
  splitAtNotes,
  withNotes,
} from "./content/read-attachment.js";
export { isMadePart } from "./content/make-part.js";
export { knownExtensions, mediaTypeOfBytes, mediaTypeOfName } from "./content/media-type.js";
export { decoratedFields, inputFields, nameOf } from "./definition/class-fields.js";
export { classDecorator, type ClassDecoratorFor } from "./decorators/class-decorator.js";
export { type DefinitionCompletion, definitionOf, isCreatedTool } from "./definition/resolve-definition.js";
export { timeoutMessage } from "./tool-errors.js";
export { isPromiseLike } from "./is-promise-like.js";
export { longestTimer } from "./cancellation.js";
export { settingListOf, settingOf, writeSettingInList, writeSettings } from "./metadata.js";
export { planOf } from "./definition/make-tool-plan.js";
export { checkOptionNames, checkPlainOptionNames, isOptions, type OptionNames } from "./option-names.js";
export { policyNames, type ToolPolicy } from "./definition/policy.js";
export { isMeant, type NamedClass, nameIn, setStandIn, standInOf, type ToolReference } from "./meant-tool.js";
export { type DeferringToolbox, deferredTool, deferringToolbox } from "./renamed-tool.js";
export { isSameTool, originalOf, registeredTool, registrationOf, renamedTool } from "./renamed-tool.js";
export { asTool, asToolList, openToolList, toolsIn } from "./tool-list.js";
export { refuseHeldProviderTool } from "./definition/provided.js";
export { checkName, deriveName, looksMinified, refuseHiddenParameters, snakeCase } from "./definition/tool-name.js";
export type { InputReading, ReadyInput, ToolPlan } from "./definition/tool-plan.js";
export type { FieldName } from "./tool-types.js";
export { isToolResponse, jsonWith } from "./tool-response.js";
export { type ValueReader, valueReader } from "./definition/value-reader.js";
export { insteadOfName, nearestName } from "./unknown-name.js";
export { withVisibleTexts } from "./visible-schema.js";
export { isInterrupt, markAsInterrupt } from "./interrupt.js";
export { isToolClass } from "./tool.js";
export { validateToolInput, validateToolInputAsync } from "./validate-tool.js";
export type { AcceptedContext } from "./application-context.js";
