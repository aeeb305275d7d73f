export * from "./chat-model.js";
export * from "./message.js";
export * from "./model-error.js";
export * from "./scripted-model.js";
export * from "./usage.js";
