// What other rooms build on, and no application needs.
export { keywordSearch } from "./keyword-search.js";
export { namesFoundIn, searchTool } from "./search-tool.js";
