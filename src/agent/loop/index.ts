export * from "./advance.js";
export * from "./loop-event.js";
export * from "./loop-state.js";
export * from "./outcome.js";
