import { timingSafeEqual } from "node:crypto";
import { WebRequestError } from "../../web/internal.js";

const localNames: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"]);

/**
 * Throws `WebRequestError` (403) for what no page of this studio sent. The name in `Host` is checked because a page of another site can
 * give its own name the address of this machine (DNS rebinding).
 */
export function refuseForeign(request: Request): void {
  const url = new URL(request.url);
  if (!localNames.has(url.hostname))
    throw new WebRequestError(403, `The studio answers at 127.0.0.1 and localhost, not at ${url.hostname}.`);
  const origin = request.headers.get("origin");
  if (origin !== null && origin !== url.origin) throw new WebRequestError(403, "The studio answers its own page only.");
}

/** Throws `WebRequestError` (403, 401) unless a page of this studio sent the request, with the token. */
export function refuseStranger(request: Request, token: string): void {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin" && site !== "none") throw new WebRequestError(403, "The studio answers its own page only.");
  const given = /^Bearer (.+)$/.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
  if (isSame(given, token)) return;
  throw new WebRequestError(401, "The token is missing or wrong. Open the address that the studio printed when it started.");
}

function isSame(given: string, token: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(token)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** No other origin is asked for anything, and no other page may frame or open this one. */
export const protectingHeaders: Readonly<Record<string, string>> = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};
