export * from "./calculator/index.js";
export * from "./files/index.js";
