export type { ToolSearch } from "./search-function.js";
