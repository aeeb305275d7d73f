// What other rooms build on, and no application needs.
export { modelBeginnings } from "./model-beginnings.js";
export { leaveOut } from "./provider-tools/leave-out.js";
export { cutOffText, isCutOff, withheldText } from "./calls-not-run.js";
export { meaningfulStems } from "./keyword/sentence-words.js";
export { namesFoundIn, searchToolName } from "./found-tools.js";
export { retrying } from "./resilience/retries.js";
export { wrapped } from "./resilience/wrapped-model.js";
export { turnsOf } from "./resilience/retry-turns.js";
export { refuseUnfinished } from "./resilience/unfinished-answer.js";
export { isSameTool } from "./same-tool.js";
export { referenceTo } from "./ai-sdk/language-model.js";
export { toProviderTools } from "./provider-tools/to-provider-tools.js";
