import { GuardedClient } from "../../net/index.js";
import { optional, required, returns, Tool, type ToolClass, type ToolContext, tool } from "../../tool/index.js";
import { checkOptionNames, type OptionNames } from "../../tool/internal.js";
import { withoutHidden } from "../../redaction/internal.js";
import { checkMaxBytes } from "../check-max-bytes.js";
import { type Page, readPage } from "./page/read-page.js";
import { WebError } from "./web-error.js";

/** Options of `webScraper`. See docs/07-built-in-tools.md. */
export interface ScraperOptions {
  /** Private hosts that may be read: `["intranet.example.com", "localhost:3000"]`. Default: none. */
  readonly allowedHosts?: readonly string[];
  /** The largest page to read, in bytes. Default: 2 MiB. */
  readonly maxBytes?: number;
}

class ScrapedPage {
  @required(String)
  text!: string;

  @required(String)
  title!: string;
}

const defaultMaxBytes = 2 * 1_024 * 1_024;

const optionNames: OptionNames<ScraperOptions> = { allowedHosts: true, maxBytes: true };

const htmlTypes: readonly string[] = ["text/html", "application/xhtml+xml"];

/**
 * Makes the tool `web_scraper` with options, such as private hosts that it may read.
 *
 * ```ts
 * const WebScraper = webScraper({ allowedHosts: ["intranet.example.com"] });
 * ```
 *
 * It needs the package `cheerio`. Throws `TypeError` for an invalid host in `allowedHosts`, and `ToolDefinitionError` for an
 * invalid `maxBytes`. See docs/07-built-in-tools.md.
 */
export function webScraper(options: ScraperOptions = {}): ToolClass {
  checkOptionNames(options, optionNames, "webScraper");
  const { allowedHosts = [], maxBytes = defaultMaxBytes } = options;
  checkMaxBytes(maxBytes, "webScraper");
  const client = new GuardedClient({ allowedHosts });

  @tool({
    identifier: "web_scraper",
    description:
      "Fetches a web page and gives its title and its text. Use when you know the URL and need what the page says. Scripts aren't run.",
    category: "read",
    consequenceLevel: "low",
    effect: "none",
    timeout: 15_000,
  })
  @returns(ScrapedPage)
  class WebScraperTool extends Tool {
    @required(String, { description: "The page's URL, beginning with https:// or http://", format: "uri" })
    url!: string;

    @optional(String, { description: "CSS selector (optional): the text of these elements alone" })
    selector?: string;

    async call({ abortSignal }: ToolContext): Promise<Page> {
      const response = await client.fetch(this.url, { abortSignal, maxBytes });
      if (!response.ok) throw new WebError(explain(response.status));
      const { contentType } = response;
      // A model may write an empty text for what it leaves out.
      const selector = this.selector?.trim() || undefined;
      if (htmlTypes.includes(contentType)) return await readPage(response.text(), contentType !== "text/html", selector, abortSignal);
      if (selector !== undefined)
        throw new WebError(`The page is ${contentType}, which has no elements to select. Leave the selector out.`);
      const text = withoutHidden(response.text());
      if (text.trim() === "") throw new WebError("The page is empty. Use another page.");
      return { text, title: "" };
    }
  }
  return WebScraperTool;
}

/**
 * The tool `web_scraper`: fetches a public page and returns its title and text. It needs the package `cheerio`. See
 * docs/07-built-in-tools.md.
 */
export const WebScraperTool: ToolClass = webScraper();

function explain(status: number): string {
  if (status === 404 || status === 410) return `There is no such page (${status}). Check the URL, or search for the page.`;
  if (status === 401 || status === 403) return `The site restricts this page (${status}). Use another page.`;
  if (status === 429) return "The site takes no more requests for now (429). Try again later, or use another page.";
  return status >= 500 ? `The site failed (${status}). Try again later.` : `The site gave no page (${status}). Use another page.`;
}
