export * from "./engines/index.js";
export type { FoundPage, Search, SearchEngine } from "./search-engine.js";
export type { ServiceRequest } from "./service.js";
export { type ScraperOptions, WebScraperTool, webScraper } from "./web-scraper-tool.js";
export { type SearchOptions, webSearch } from "./web-search-tool.js";
export { type WebOptions, webToolbox } from "./web-toolbox.js";
export { type WikipediaOptions, WikipediaTool, wikipedia } from "./wikipedia-tool.js";
