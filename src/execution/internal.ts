// What other rooms build on, and no application needs.
export { approvalOf } from "./approval.js";
export { canonicalHash } from "./canonical.js";
export { copyJson } from "./copy-json.js";
export { checkListeners, checkRun } from "./check-run.js";
export { currentContainer, noContainer } from "./container.js";
export { checkProfile, isInProfile } from "./execution-profile.js";
export { type BoundTool, type CallOrigin, settledOf } from "./prepared-call.js";
export { keepSettings, SharedSetting, type WithSettings } from "./shared-setting.js";
export type { AskedArguments } from "./settled-arguments.js";
export { StubContainer, type ToolBody } from "./stub-container.js";
export { surround } from "./surround.js";
export { executeUnread } from "./tool-executor.js";
