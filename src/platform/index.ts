export { hmacSha256, isEqualInConstantTime, randomUuid, sha256 } from "./crypto.js";
