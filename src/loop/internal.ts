// What other rooms build on, and no application needs.
export { sealState, openState } from "./run-state.js";
