export { isPublicUrl } from "./check-url.js";
export { textTypes } from "./content-type.js";
export { explainStatus } from "./explain-status.js";
export { GuardedClient, type GuardedClientOptions } from "./guarded-client.js";
export { type GuardedRequest, readHeaders } from "./guarded-request.js";
export type { GuardedResponse } from "./guarded-response.js";
export { NetworkError, type NetworkErrorCode } from "./network-error.js";
export type { Resolve } from "./resolve.js";
export { fillUrl } from "./url-template.js";
