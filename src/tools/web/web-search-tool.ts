import { Integer } from "../../schema/index.js";
import { addSecret } from "../../redaction/index.js";
import { optional, required, returns, Tool, type ToolClass, type ToolContext, ToolDefinitionError, tool } from "../../tool/index.js";
import { checkOptionNames, type OptionNames } from "../../tool/internal.js";
import { withoutHidden } from "../../redaction/internal.js";
import type { FoundPage, SearchEngine } from "./search-engine.js";
import { readQuery } from "./search-query.js";
import { Service } from "./service.js";

/** Options of `webSearch`. See docs/07-built-in-tools.md. */
export interface SearchOptions {
  /** `brave`, `searxng(...)`, `serpApi`, `googleCustomSearch(...)`, `bing`, or your own. */
  readonly engine: SearchEngine;
  /** The key of the engine; SearXNG needs none. It is registered with `addSecret`, so that it is redacted everywhere. */
  readonly apiKey?: string | undefined;
  /** The number of results if the model doesn't send `num_results`. Default: 5. */
  readonly maxResults?: number;
}

class SearchResult {
  @required(String)
  title!: string;

  @required(String)
  snippet!: string;

  @required(String)
  url!: string;
}

class SearchResults {
  @required([SearchResult])
  results!: SearchResult[];
}

const defaultMaxResults = 5;

const optionNames: OptionNames<SearchOptions> = { engine: true, apiKey: true, maxResults: true };

/**
 * Makes the tool `web_search` for a search engine.
 *
 * ```ts
 * const WebSearchTool = webSearch({ engine: brave, apiKey: process.env.BRAVE_KEY, maxResults: 5 });
 * ```
 *
 * Throws `ToolDefinitionError` for an invalid engine, a missing or invalid key, and a `maxResults` that the engine doesn't support.
 * See docs/07-built-in-tools.md.
 */
export function webSearch(options: SearchOptions): ToolClass {
  checkOptionNames(options, optionNames, "webSearch");
  const { engine, apiKey } = options;
  checkEngine(engine);
  const { maxResults = Math.min(defaultMaxResults, engine.maxResults) } = options;
  if (!Number.isInteger(maxResults) || maxResults < 1 || maxResults > engine.maxResults) {
    throw new ToolDefinitionError(`webSearch: maxResults must be from 1 to ${engine.maxResults} for ${engine.name}, got ${maxResults}.`);
  }
  const key = readKey(engine, apiKey);
  const service = new Service(engine.name, engine.url, engine.whenRefused);

  @tool({
    identifier: "web_search",
    description:
      "Searches the web and gives titles, snippets and URLs of pages. Use when you need facts that are new, or that you aren't sure of.",
    category: "read",
    consequenceLevel: "low",
    effect: "none",
    timeout: 15_000,
  })
  @returns(SearchResults)
  class WebSearchTool extends Tool {
    @required(String, "What to look for, in a few words")
    query!: string;

    @optional(Integer, { description: "The most results to give", default: maxResults, minimum: 1, maximum: engine.maxResults })
    num_results!: number;

    async call({ abortSignal }: ToolContext): Promise<SearchResults> {
      const request = engine.request({ query: readQuery(this.query), count: this.num_results, apiKey: key });
      const pages = engine.pages(await service.ask(request, abortSignal));
      return { results: pages.flatMap(readResult).slice(0, this.num_results) };
    }
  }
  return WebSearchTool;
}

function checkEngine(engine: SearchEngine): void {
  // Its name is easily given in its place, and so is a function that was to be called with an address.
  if (typeof engine?.request === "function" && typeof engine.pages === "function" && Number.isInteger(engine.maxResults)) return;
  throw new ToolDefinitionError(
    'webSearch: the engine isn\'t one. Give brave, searxng("https://..."), serpApi, googleCustomSearch("..."), bing, or one of your own.',
  );
}

/** Errors never quote the key. */
function readKey({ name, needsKey }: SearchEngine, apiKey: string | undefined): string {
  if (apiKey === undefined || apiKey === "") {
    if (needsKey)
      throw new ToolDefinitionError(`webSearch: ${name} needs an apiKey. Pass one, and check that its environment variable is set.`);
    return "";
  }
  if (typeof apiKey !== "string" || /[^\x21-\x7e]/.test(apiKey) || apiKey.length < 8) {
    throw new ToolDefinitionError(
      `webSearch: the apiKey for ${name} isn't valid: it must be a string of 8 or more characters without spaces and line breaks.`,
    );
  }
  addSecret(apiKey);
  return apiKey;
}

/** What has no address of the web is no result; a page may lack the rest. An engine's markup may have spelt hidden characters. */
function readResult({ title, snippet, url }: FoundPage): SearchResult[] {
  if (typeof url !== "string" || !/^https?:\/\//i.test(url)) return [];
  return [{ title: textOf(title), snippet: textOf(snippet), url: withoutHidden(url) }];
}

const textOf = (value: unknown): string => (typeof value === "string" ? withoutHidden(value) : "");
