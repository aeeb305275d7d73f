export * from "./advance.js";
export * from "./gate.js";
export { type Budget, checkBudget, type LoopLimits, limitsOf } from "./limits.js";
export * from "./loop-event.js";
export * from "./loop-state.js";
export * from "./outcome.js";
export { reopen } from "./reopen.js";
