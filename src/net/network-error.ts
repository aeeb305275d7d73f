/**
 * Why a request wasn't made, or failed.
 *
 * - rejected before it was sent, or because of its response: `invalid` (not a URL), `scheme`, `credentials` (in the URL), `name` (a
 *   private host), `address` (private, or of a cloud's metadata service), `port`, `header`, `template`, `redirects`,
 *   `content_type`, `content_encoding`, `too_large`
 * - failed: `dns`, `connection`, `timeout`, `body` (incomplete, or not of the declared encoding)
 */
export type NetworkErrorCode =
  | "invalid"
  | "scheme"
  | "credentials"
  | "name"
  | "address"
  | "port"
  | "header"
  | "template"
  | "redirects"
  | "content_type"
  | "content_encoding"
  | "too_large"
  | "dns"
  | "connection"
  | "timeout"
  | "body";

/**
 * The network guard rejected a request, or the request failed. See docs/security.md.
 *
 * The message can be sent to a model: it contains at most scheme, host and port, no path, query, header or other secret.
 */
export class NetworkError extends Error {
  override readonly name = "NetworkError";
  /** The reason, for programs. */
  readonly code: NetworkErrorCode;

  constructor(code: NetworkErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
