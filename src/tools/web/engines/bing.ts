import type { SearchEngine } from "../search-engine.js";
import { listIn, memberOf } from "../service.js";

/**
 * The search engine Bing Web Search 7, for `webSearch`. Microsoft retired it in August 2025. Use it for services with the same
 * protocol: `{ ...bing, url: "https://bing.example.com/v7.0/search" }`. See docs/07-built-in-tools.md.
 */
export const bing: SearchEngine = {
  name: "Bing",
  url: "https://api.bing.microsoft.com/v7.0/search",
  maxResults: 50,
  needsKey: true,
  whenRefused: "the application's apiKey isn't valid; Microsoft's own API was retired in August 2025.",
  request: ({ query, count, apiKey }) => ({
    query: { q: query, count: String(count), textFormat: "Raw" },
    headers: { "ocp-apim-subscription-key": apiKey },
  }),
  pages: (answer) =>
    listIn(answer, "webPages", "value").map((page) => ({
      title: memberOf(page, "name"),
      snippet: memberOf(page, "snippet"),
      url: memberOf(page, "url"),
    })),
};
