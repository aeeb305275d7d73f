export { type FileOptions, type FileTools, fileToolbox, rootedAt } from "./rooted-at.js";
