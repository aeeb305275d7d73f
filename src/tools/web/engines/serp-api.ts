import type { SearchEngine } from "../search-engine.js";
import { listIn, memberOf } from "../service.js";
import { WebError } from "../web-error.js";

/**
 * The search engine SerpAPI, which queries Google, for `webSearch`: `webSearch({ engine: serpApi, apiKey })`. See
 * docs/07-built-in-tools.md.
 */
export const serpApi: SearchEngine = {
  name: "SerpAPI",
  url: "https://serpapi.com/search.json",
  maxResults: 100,
  needsKey: true,
  whenRefused: "the application's apiKey isn't valid.",
  request: ({ query, count, apiKey }) => ({ query: { engine: "google", q: query, num: String(count), api_key: apiKey } }),
  pages: (answer) => {
    // A search without results and one that failed both come as `error`, with status 200.
    const error = memberOf(answer, "error");
    if (typeof error === "string" && !/any results/i.test(error)) throw new WebError(`SerpAPI couldn't search: ${error}`);
    return listIn(answer, "organic_results").map((page) => ({
      title: memberOf(page, "title"),
      snippet: memberOf(page, "snippet"),
      url: memberOf(page, "link"),
    }));
  },
};
