/**
 * Why an exchange wasn't made or failed.
 *
 * Refused by the guard: `invalid` (no URL), `scheme`, `credentials` (in the URL), `name` (of a private host), `address`
 * (private, or of a cloud's metadata), `port`, `header`, `template`, `redirects`, `content_type`, `content_encoding`,
 * `too_large`. Failed on the way: `dns`, `connection`, `timeout`, `body` (broken, or not what it says to be).
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
 * The guard refused an exchange, or it failed. The message may be told to a model: it names scheme, host and port at
 * most, no path, no query and no header, so it holds no secret; nothing of the request hangs on the error.
 */
export class NetworkError extends Error {
  override readonly name = "NetworkError";
  readonly code: NetworkErrorCode;

  constructor(code: NetworkErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
