export type { AdapterOptions } from "../adapter/adapter-options.js";
export { ToolFailureError } from "../adapter/tool-failure-error.js";
export type { ConfirmationRequest } from "./confirmation-request.js";
export { type LangChainToolOptions, toLangChainTools } from "./to-lang-chain-tools.js";
