export type { ToolSearch } from "./tool-search.js";
