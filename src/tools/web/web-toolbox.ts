import type { Toolbox } from "../../tool/index.js";
import { type ScraperOptions, WebScraperTool, webScraper } from "./web-scraper-tool.js";
import { type SearchOptions, webSearch } from "./web-search-tool.js";
import { type WikipediaOptions, WikipediaTool, wikipedia } from "./wikipedia-tool.js";
import { checkOptionNames, type OptionNames } from "../../tool/internal.js";

/** Options of `webToolbox`. See docs/07-built-in-tools.md. */
export interface WebOptions {
  /** Options of `web_search`. Without them, the tool is left out, because it needs a search engine. */
  readonly search?: SearchOptions;
  /** Options of `wikipedia`. */
  readonly wikipedia?: WikipediaOptions;
  /** Options of `web_scraper`. */
  readonly scraper?: ScraperOptions;
}

/**
 * Makes a toolbox named `web` with `wikipedia`, `web_scraper` and, if `search` is set, `web_search`.
 *
 * `@usesTools(webToolbox({ search: { engine: brave, apiKey: process.env.BRAVE_KEY } }))`. See docs/07-built-in-tools.md.
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
