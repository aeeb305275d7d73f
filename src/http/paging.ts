import type { ToolContext } from "../tool/index.js";
import { withQuery } from "./build-request.js";
import { exchange, type HttpAnswer, type HttpRequest } from "./http-exchange.js";
import { HttpError } from "./http-error.js";
import type { HttpPaging } from "./http-options.js";
import { pick } from "./pick.js";

/** The result of a tool with `paging`: the items of all pages that were read. */
export interface HttpPages {
  /** The items, in the order of the pages. */
  readonly items: readonly unknown[];
  /** False if a limit was reached and there are more items. */
  readonly complete: boolean;
}

const defaultMaxPages = 10;
const defaultMaxItems = 1_000;

/** Reads page after page and joins the lists that `itemsOf` finds in them, until the last one or a limit. */
export async function readPages(
  first: HttpRequest,
  paging: HttpPaging,
  itemsOf: (answer: HttpAnswer) => unknown,
  context: ToolContext,
): Promise<HttpPages> {
  const { maxPages = defaultMaxPages, maxItems = defaultMaxItems } = paging;
  const items: unknown[] = [];
  const asked = new Set<string>();
  for (let url: string | undefined = first.url; url !== undefined; ) {
    // A service that names a page twice would be asked in a circle.
    if (asked.size >= maxPages || items.length >= maxItems || asked.has(url)) return { items, complete: false };
    asked.add(url);
    const answer = await exchange({ ...first, url }, context);
    const page = itemsOf(answer);
    if (!Array.isArray(page)) throw new HttpError(`${new URL(url).host} sent a page without a list of results. Tell the user.`);
    const left = maxItems - items.length;
    for (const item of page.slice(0, left)) items.push(item);
    if (page.length > left) return { items, complete: false };
    url = nextUrl(first, paging, answer);
  }
  return { items, complete: true };
}

function nextUrl(first: HttpRequest, paging: HttpPaging, answer: HttpAnswer): string | undefined {
  if (paging.by === "link") return nextLink(answer, first.origin);
  const cursor = pick(answer.data, paging.cursor);
  if (typeof cursor !== "string" && typeof cursor !== "number") return undefined;
  return cursor === "" ? undefined : withQuery(first.url, new URLSearchParams([[paging.parameter, String(cursor)]]));
}

/** RFC 8288: `<https://api.example.com/orders?page=2>; rel="next"`, several of them behind commas. */
const link = /<([^<>]*)>((?:\s*;\s*[\w*-]+(?:\s?=\s?(?:"[^"]*"|[^\s",;]*))?)*)/g;

const relation = /;\s*rel\s*=\s*(?:"([^"]*)"|next(?![^\s;]))/gi;

/** Whether the relations of a link hold "next", which may be one of several between quotes. */
const isNext = (parameters: string): boolean =>
  [...parameters.matchAll(relation)].some(([, names = "next"]) => names.toLowerCase().split(/\s+/).includes("next"));

/** The next page, if it is of the same origin: the headers are meant for no other. */
function nextLink({ headers, url }: HttpAnswer, origin: string): string | undefined {
  const written = [headers.link ?? []].flat().join(", ");
  for (const [, target = "", parameters = ""] of written.matchAll(link)) {
    if (!isNext(parameters) || !URL.canParse(target, url)) continue;
    const next = new URL(target, url);
    if (next.origin === origin) return next.href;
    throw new HttpError(`${new URL(origin).host} has its next page at another origin, and the request isn't sent there. Tell the user.`);
  }
  return undefined;
}
