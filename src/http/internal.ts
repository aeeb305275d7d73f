// What other rooms build on, and no application needs.
export { type PlannedOperation, planOpenApi } from "./openapi/open-api-toolbox.js";
export { Refusal } from "./openapi/operation/operation-refusal.js";
export type { SchemePlace } from "./openapi/operation/security.js";
