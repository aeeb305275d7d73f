// For other rooms. No application needs these.
export { hasEffect, isHarmlessToRepeat } from "./attempt-ledger.js";

export { canonicalHash } from "./canonical-json.js";
export { currentContainer, noContainer } from "./container/container.js";
export { injectedProperties, unfilledProperty } from "./container/injected-properties.js";
export { keepSettings, SharedSetting, type WithSettings } from "./container/shared-setting.js";
export { StubContainer, type ToolBody } from "./container/stub-container.js";
export { isOneForAll } from "./container/typedi.js";
export { checkProfile, isInProfile } from "./execution-profile.js";
export { Places } from "./limits/places.js";
export { type Rate, RateWindows } from "./limits/rate-windows.js";
export { approvalOf } from "./preparation/approval.js";
export { type BoundTool, type CallOrigin, settledOf } from "./preparation/prepared-call.js";
export type { AskedArguments } from "./preparation/settled-arguments.js";
export { shield } from "./record/notify.js";
export { surround } from "./record/surround.js";
export { valueForCode } from "./result/attachments.js";
export { capText, defaultMaxResultBytes } from "./result/cap.js";
export { copyJson } from "./result/copy-json.js";
export { checkListeners, checkRun, startScope } from "./run-scope.js";
export { executeUnread } from "./tool-executor.js";
