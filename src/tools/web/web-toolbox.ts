import type { Toolbox } from "../../tool/index.js";
import { type ScraperOptions, WebScraperTool, webScraper } from "./web-scraper-tool.js";
import { type SearchOptions, webSearch } from "./web-search-tool.js";
import { type WikipediaOptions, WikipediaTool, wikipedia } from "./wikipedia-tool.js";

/** What each tool is configured by; `web_search` is there only with `search`, because no engine works without. */
export interface WebOptions {
  readonly search?: SearchOptions;
  readonly wikipedia?: WikipediaOptions;
  readonly scraper?: ScraperOptions;
}

/**
 * The tools of the web as a toolbox named `web`.
 *
 * ```ts
 * @usesTools(webToolbox({ search: { engine: brave, apiKey: process.env.BRAVE_KEY } }))
 * class ResearchAgent extends Agent {}
 * ```
 */
export const webToolbox = (options: WebOptions = {}): Toolbox => ({
  name: "web",
  tools: [
    ...(options.search === undefined ? [] : [webSearch(options.search)]),
    options.wikipedia === undefined ? WikipediaTool : wikipedia(options.wikipedia),
    options.scraper === undefined ? WebScraperTool : webScraper(options.scraper),
  ],
});
