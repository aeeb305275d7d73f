// What other rooms build on, and no application needs.
export { keywordSearch } from "./keyword-search.js";
export { searchTool } from "./search-tool.js";
