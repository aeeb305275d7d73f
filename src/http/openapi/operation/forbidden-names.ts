/**
 * Names that carry the caller's identity, the origin or an override of the method, for proxies, frameworks and
 * the connection. They are the application's, whatever a document says: a model that writes one turns a GET into a DELETE, or
 * a stranger into an administrator.
 */

const headers: ReadonlySet<string> = new Set([
  ...["accept", "accept-charset", "accept-encoding", "authorization", "connection", "content-encoding", "content-length", "content-type"],
  ...["cookie", "cookie2", "date", "expect", "forwarded", "front-end-https", "host", "http2-settings", "keep-alive", "origin", "referer"],
  ...["set-cookie", "te", "trailer", "transfer-encoding", "upgrade", "via"],
  ...["client-ip", "true-client-ip", "x-client-ip", "x-real-ip", "x-remote-ip", "x-remote-addr", "x-host", "x-proxyuser-ip"],
  ...["remote-addr", "remote-user", "x-remote-user", "x-authenticated-user", "x-user", "x-webauth-user", "x-ssl-client-cert"],
  ...["x-custom-ip-authorization", "x-url-scheme", "x-scheme", "x-forwarded", "x-http-method", "x-method", "x-url", "x-arr-ssl"],
  ...["x-arr-log-id", "x-appengine-user-ip", "x-azure-clientip", "x-azure-socketip", "x-middleware-subrequest", "base-url", "request-uri"],
]);

const families: readonly string[] = [
  ...["proxy-", "sec-", "cf-", "fastly-", "x-forwarded-", "x-forward-", "x-original-", "x-rewrite-", "x-http-", "x-method-"],
  ...["x-cluster-client-", "x-envoy-", "x-auth-request-", "x-client-cert", "x-ssl-", "x-proxy-", "x-waf-", "x-accel-", "x-sendfile"],
  ...["access-control-", "ssl-client-", "x-remote-", "x-backend-", "http-", "x-vercel-", "x-nf-", "x-appengine-", "x-goog-authenticated-"],
  ...["x-goog-iap-", "x-amzn-oidc-", "x-ms-client-principal", "impersonate-", "x-impersonate-"],
  // The caller's identity, as gateways send it to the service behind them.
  ...["x-user-", "x-userid", "x-consumer-", "x-credential-", "x-authenticated-", "x-hasura-"],
];

/** RFC 9110, "token": no other name can be sent. */
const token = /^[\w!#$%&'*+.^`|~-]+$/;

/** Servers that hand names on as variables take `_` for `-` (CGI), and `.` for `_` (PHP). */
const written = (name: string): string => name.trim().toLowerCase().replace(/[_. ]/g, "-");

/** Whether no model may write the header. One that can't be sent counts too. */
export function isForbiddenHeader(name: string): boolean {
  const own = written(name);
  return !token.test(name) || headers.has(own) || families.some((family) => own.startsWith(family)) || isMethodOverride(name);
}

/** `_method`, `X-HTTP-Method-Override` and their forms: frameworks take the request for one of that method, also from a query or a body. */
export const isMethodOverride = (name: string): boolean =>
  /^(-+(x-)?(http-?)?method(-override)?|(x-)?(http-?)?method-?override|x-(http-?)?method)$/.test(written(name));

/** The members of an object by which a request would become one of another method are left out. */
export function withoutMethodOverride(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value) || !Object.keys(value).some(isMethodOverride)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !isMethodOverride(name)));
}
