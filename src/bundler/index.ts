export { explicitTypes } from "./explicit-types.js";
