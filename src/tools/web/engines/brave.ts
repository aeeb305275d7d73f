import type { SearchEngine } from "../search-engine.js";
import { listIn, memberOf } from "../service.js";

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

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

/** The text of a line of HTML with tags for highlights and the entities that engines write. Anything but a text stays as it is. */
export function withoutMarkup(value: unknown): unknown {
  if (typeof value !== "string") return value;
  return value
    .replace(/<\/?[a-z][^<>]*>/gi, "")
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,6}));/gi, (whole, decimal, hex, name: string) => {
      if (name !== undefined) return entities[name.toLowerCase()] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    });
}
