export { NetworkError, type NetworkErrorCode } from "../net/index.js";
export type { HttpMethod } from "./exchange.js";
export type { HeaderValues, HttpHeaders } from "./headers.js";
export { HttpError } from "./http-error.js";
export { basic, bearer, type Secret, secret } from "./secret.js";
