import { WebRequestError } from "../web-request-error.js";
import type { BodyType } from "./read-body.js";

/**
 * Throws `WebRequestError` (403) for what a page of another origin sent without asking: a form, which a browser posts anywhere, with the
 * user's cookies. JSON of another origin is sent only after the application's CORS rules allowed it, so it passes unless the browser
 * says that it didn't ask. What no browser sent has neither header, and passes.
 *
 * By OWASP's "Cross-Site Request Forgery Prevention": fetch metadata first, then `Origin` against the host. A page of a sibling domain
 * (`same-site`) is foreign too.
 */
export function refuseForeignPage(request: Request, type: BodyType): void {
  if (type === "application/json" && request.headers.get("sec-fetch-mode") !== "no-cors") return;
  if (!isForeign(request)) return;
  throw new WebRequestError(
    403,
    "The form was sent by a page of another origin. Post it from a page of this server's own origin, or send JSON from a page that CORS allows.",
  );
}

function isForeign({ headers, url }: Request): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site !== "same-origin" && site !== "none";
  const origin = headers.get("origin");
  if (origin === null) return false;
  // A proxy may speak http with this server and https with the browser: the hosts are compared alone. Of "null" there is none.
  return !URL.canParse(origin) || hostOf(origin) !== hostOf(url);
}

const hostOf = (url: string): string => new URL(url).host.replace(/:(?:80|443)$/, "");
