export { acceptSchema } from "./accept-schema.js";
export { validateToolArgs } from "./arguments/validate-tool-args.js";
export * from "./faults/fault.js";
export * from "./json-schema.js";
export * from "./result.js";
export * from "./schema-error.js";
export * from "./standard-schema.js";
export * from "./type-token.js";
