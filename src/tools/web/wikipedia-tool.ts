import { required, returns, Tool, type ToolClass, type ToolContext, ToolDefinitionError, tool } from "../../tool/index.js";
import { readQuery } from "./search-query.js";
import { listIn, memberOf, Service } from "./service.js";
import { WebError } from "./web-error.js";
import { checkOptionNames, type OptionNames } from "../../tool/internal.js";

/** Options of `wikipedia`. See docs/07-built-in-tools.md. */
export interface WikipediaOptions {
  /**
   * The `api.php` of a Wikipedia, or of another MediaWiki with extracts: `https://de.wikipedia.org/w/api.php`. Default: the English
   * Wikipedia.
   */
  readonly url?: string;
  /** The name of your application with a contact address: `MyBot/1.0 (bot@example.com)`. Wikimedia may reject requests without one. */
  readonly userAgent?: string;
}

class WikipediaSummary {
  @required(String)
  summary!: string;

  @required(String)
  url!: string;
}

const optionNames: OptionNames<WikipediaOptions> = { url: true, userAgent: true };

/** The search looks at this many articles for one that isn't only a list of meanings. */
const articlesAsked = 3;

/**
 * Makes the tool `wikipedia` for another language or wiki, or with your own user agent.
 *
 * ```ts
 * const Wikipedia = wikipedia({ url: "https://de.wikipedia.org/w/api.php", userAgent: "MyBot/1.0 (bot@example.com)" });
 * ```
 *
 * See docs/07-built-in-tools.md.
 */
export function wikipedia(options: WikipediaOptions = {}): ToolClass {
  checkOptionNames(options, optionNames, "wikipedia");
  const { url = "https://en.wikipedia.org/w/api.php", userAgent } = options;
  if (userAgent !== undefined && !/^[\x20-\x7e]+$/.test(userAgent)) {
    throw new ToolDefinitionError("wikipedia: the userAgent is empty, or holds what a header can't: write it in ASCII, in one line.");
  }
  const service = new Service("Wikipedia", url, "the application should name itself and an address to write to: wikipedia({ userAgent }).");

  @tool({
    identifier: "wikipedia",
    description: "Searches Wikipedia and gives the summary of the best article. Use for people, places, events and concepts.",
    category: "read",
    consequenceLevel: "low",
    effect: "none",
    timeout: 15_000,
  })
  @returns(WikipediaSummary)
  class WikipediaTool extends Tool {
    @required(String, "What to look for: the name of a person, place, thing or idea")
    query!: string;

    async call({ abortSignal }: ToolContext): Promise<WikipediaSummary> {
      const query = requestFor(readQuery(this.query));
      const answer = await service.ask(
        { query, ...(userAgent === undefined ? {} : { headers: { "user-agent": userAgent } }) },
        abortSignal,
      );
      // MediaWiki says what is wrong with status 200.
      const complaint = memberOf(memberOf(answer, "error"), "info");
      if (complaint !== undefined) throw new WebError(`Wikipedia refused the search: ${String(complaint)}`);
      const article = bestArticle(answer);
      if (article === undefined) throw new WebError(`Wikipedia has no article on "${this.query}". Try other words, or fewer.`);
      return article;
    }
  }
  return WikipediaTool;
}

/** The tool `wikipedia`: searches the English Wikipedia and returns a summary. See docs/07-built-in-tools.md. */
export const WikipediaTool: ToolClass = wikipedia();

/** One request searches and gives the introductions: https://www.mediawiki.org/wiki/Extension:TextExtracts#API. */
const requestFor = (query: string): Readonly<Record<string, string>> => ({
  action: "query",
  format: "json",
  formatversion: "2",
  generator: "search",
  gsrsearch: query,
  gsrlimit: String(articlesAsked),
  prop: "extracts|info|pageprops",
  exintro: "1",
  explaintext: "1",
  exlimit: "max",
  inprop: "url",
  ppprop: "disambiguation",
  redirects: "1",
});

/** The first article with a text, by the order of the search; a list of meanings if there is nothing else. */
function bestArticle(answer: unknown): WikipediaSummary | undefined {
  const articles = listIn(answer, "query", "pages")
    .toSorted((one, other) => Number(memberOf(one, "index")) - Number(memberOf(other, "index")))
    .map((page) => ({ page, summary: memberOf(page, "extract"), url: memberOf(page, "fullurl") }))
    .filter(({ summary, url }) => typeof summary === "string" && summary.trim() !== "" && typeof url === "string");
  const best = articles.find(({ page }) => memberOf(memberOf(page, "pageprops"), "disambiguation") === undefined) ?? articles[0];
  return best === undefined ? undefined : { summary: String(best.summary).trim(), url: String(best.url) };
}
