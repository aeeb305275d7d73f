import type { Toolbox } from "../../tool/index.js";
import { type ScraperOptions, WebScraperTool, webScraper } from "./web-scraper-tool.js";
import { type SearchOptions, webSearch } from "./web-search-tool.js";
import { type WikipediaOptions, WikipediaTool, wikipedia } from "./wikipedia-tool.js";
import { checkOptionNames, type OptionNames } from "../../tool/internal.js";

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
export function webToolbox(options: WebOptions = {}): Toolbox {
  checkOptionNames(options, optionNames, "webToolbox");
  const { search, wikipedia: encyclopedia, scraper } = options;
  return {
    name: "web",
    tools: [
      ...(search === undefined ? [] : [webSearch(search)]),
      encyclopedia === undefined ? WikipediaTool : wikipedia(encyclopedia),
      scraper === undefined ? WebScraperTool : webScraper(scraper),
    ],
  };
}

const optionNames: OptionNames<WebOptions> = { search: true, wikipedia: true, scraper: true };
