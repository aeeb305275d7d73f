// What other rooms build on, and no application needs.
export { DecidingRuntime } from "./deciding-runtime.js";
