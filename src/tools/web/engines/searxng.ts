import type { SearchEngine } from "../search-engine.js";
import { listIn, memberOf } from "../service.js";

/**
 * Makes a search engine for an instance of SearXNG, which needs no key.
 *
 * ```ts
 * webSearch({ engine: searxng("http://localhost:8080") });
 * ```
 *
 * The instance's `settings.yml` must allow JSON: `search: { formats: [html, json] }`. See docs/07-built-in-tools.md.
 */
export const searxng = (instance: string): SearchEngine => ({
  name: "SearXNG",
  url: `${instance}/search`.replace(/(?<!\/)\/+search$/, "/search"),
  // It gives a page of results, whatever was asked for.
  maxResults: 20,
  needsKey: false,
  whenRefused: "its settings.yml must name json among search.formats, and its limiter must let the application pass.",
  request: ({ query }) => ({ query: { q: query, format: "json" } }),
  pages: (answer) =>
    listIn(answer, "results").map((page) => ({
      title: memberOf(page, "title"),
      snippet: memberOf(page, "content"),
      url: memberOf(page, "url"),
    })),
});
