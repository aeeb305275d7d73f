export * from "./ask-user/index.js";
export * from "./calculator/index.js";
export * from "./files/index.js";
export { standardToolbox } from "./standard-toolbox.js";
export * from "./web/index.js";
