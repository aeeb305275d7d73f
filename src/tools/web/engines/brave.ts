import type { SearchEngine } from "../search-engine.js";
import { listIn, memberOf } from "../service.js";
import { withoutMarkup } from "./without-markup.js";

/**
 * The search engine Brave Search, for `webSearch`: `webSearch({ engine: brave, apiKey: process.env.BRAVE_KEY })`. See
 * docs/07-built-in-tools.md.
 */
export const brave: SearchEngine = {
  name: "Brave Search",
  url: "https://api.search.brave.com/res/v1/web/search",
  maxResults: 20,
  needsKey: true,
  whenRefused: "the application's apiKey isn't valid, or its plan doesn't include this.",
  request: ({ query, count, apiKey }) => ({
    query: { q: query, count: String(count), text_decorations: "false" },
    headers: { "x-subscription-token": apiKey },
  }),
  pages: (answer) =>
    listIn(answer, "web", "results").map((page) => ({
      title: withoutMarkup(memberOf(page, "title")),
      snippet: withoutMarkup(memberOf(page, "description")),
      url: memberOf(page, "url"),
    })),
};
