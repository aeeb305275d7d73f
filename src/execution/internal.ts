// What other rooms build on, and no application needs.
export { approvalOf } from "./approval.js";
export { canonicalHash } from "./canonical.js";
export { checkListeners, checkRun } from "./check-run.js";
export { currentContainer, isOneForAll, noContainer } from "./container/container.js";
export { copyJson } from "./result/copy-json.js";
export { checkProfile, isInProfile } from "./execution-profile.js";
export { type BoundTool, type CallOrigin, settledOf } from "./prepared-call.js";
export type { AskedArguments } from "./settled-arguments.js";
export { keepSettings, SharedSetting, type WithSettings } from "./container/shared-setting.js";
export { shield } from "./record/shield.js";
export { StubContainer, type ToolBody } from "./container/stub-container.js";
export { surround } from "./record/surround.js";
export { executeUnread } from "./tool-executor.js";
