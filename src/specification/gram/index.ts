export { GramError, GramSyntaxError, TypeSignatureError } from "./gram-error.js";
export { type GramOptions, parseGram } from "./parse.js";
export { gramValueOf, plainRecord, plainValue } from "./plain-value.js";
export { printGram } from "./print.js";
export type * from "./tree.js";
