export { beside, loadedModules, nodeRequire } from "./beside.js";
export { builtin } from "./builtin.js";
export { hmacSha256, isEqualInConstantTime, randomUuid, sha256 } from "./crypto.js";
export { isMissingPackage } from "./missing-package.js";
export { sharedByCopies } from "./shared-by-copies.js";
// Optional peers that are loaded when they are first needed: `loadYaml(beside)`. Each is undefined if it isn't installed.
export { loadCheerio, loadHtmlParser } from "./peers/cheerio.js";
export { loadClassTransformer, loadTransformerStorages } from "./peers/class-transformer.js";
export { loadOpenTelemetryApi } from "./peers/opentelemetry-api.js";
export { loadYaml } from "./peers/yaml.js";
