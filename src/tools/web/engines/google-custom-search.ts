import type { SearchEngine } from "../search-engine.js";
import { listIn, memberOf } from "../service.js";

/**
 * Makes a search engine for Google's Custom Search JSON API, which ends on 1 January 2027.
 *
 * ```ts
 * webSearch({ engine: googleCustomSearch("017576662512468239146:omuauf_lfve"), apiKey: process.env.GOOGLE_KEY });
 * ```
 *
 * See docs/07-built-in-tools.md.
 *
 * @param searchEngineId The id of the Programmable Search Engine, `cx`.
 */
export const googleCustomSearch = (searchEngineId: string): SearchEngine => ({
  name: "Google Custom Search",
  url: "https://customsearch.googleapis.com/customsearch/v1",
  maxResults: 10,
  needsKey: true,
  whenRefused: "the application's apiKey isn't valid, or may not be used for the Custom Search API.",
  request: ({ query, count, apiKey }) => ({ query: { key: apiKey, cx: searchEngineId, q: query, num: String(count) } }),
  pages: (answer) =>
    listIn(answer, "items").map((page) => ({
      title: memberOf(page, "title"),
      snippet: memberOf(page, "snippet"),
      url: memberOf(page, "link"),
    })),
});
