// What other rooms build on, and no application needs.
export { keywordSearch } from "./keyword-search.js";
export { namesFoundIn, searchTool, searchToolName } from "./search-tool.js";
