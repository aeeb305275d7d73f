// What other rooms build on, and no application needs.
export { checkCase } from "./evaluation-case.js";
