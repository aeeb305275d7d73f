// For other rooms. No application needs these.
export { hasEffect, isHarmlessToRepeat } from "./attempt-ledger.js";

export { canonicalHash } from "./canonical-json.js";
export { type ContextOwner, createCallContext } from "./attempt/call-context.js";
export type { ToolAttempt } from "./attempt/tool-attempt.js";
export { constructorOf, currentContainer, inspectFirst, noContainer, type ToolConstructor } from "./container/container.js";
export { injectedProperties, unfilledProperty } from "./container/injected-properties.js";
export { keepSettings, SharedSetting, type WithSettings } from "./container/shared-setting.js";
export { StubContainer, type ToolBody } from "./container/stub-container.js";
export { isOneForAll } from "./container/typedi.js";
export { checkProfile, isInProfile } from "./execution-profile.js";
export { type RunElsewhere, setRunElsewhere } from "./isolated-tools.js";
export { Places } from "./limits/places.js";
export { type Rate, RateWindows } from "./limits/rate-windows.js";
export { type SharedTurns, shareTurns } from "./limits/shared-turns.js";
export { approvalOf } from "./preparation/approval.js";
export { type BoundTool, type CallOrigin, readyOf, settledOf } from "./preparation/prepared-call.js";
export { type AskedArguments, asSettled } from "./preparation/settled-arguments.js";
export { shield } from "./record/notify.js";
export { surround } from "./record/surround.js";
export { valueForCode } from "./result/attachments.js";
export { capText, defaultMaxResultBytes } from "./result/cap.js";
export { copyJson } from "./result/copy-json.js";
export { messageOfThrown, messageText } from "./result/failure.js";
export { normalise } from "./result/normalise.js";
export { toJson } from "./result/returned-value.js";
export { checkListeners, checkRun, startScope } from "./run-scope.js";
export { executeUnread } from "./tool-executor.js";
