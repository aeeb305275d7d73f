import { createHmac, timingSafeEqual } from "node:crypto";
import { checkSigningSecret } from "../../../redaction/internal.js";

/** A message is refused whose time differs by more from the clock here. Seconds; Standard Webhooks leaves it to the receiver. */
const tolerance = 300;

/** The headers of an HTTP message, of `fetch` or of `node:http`. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** A received HTTP message, for `verifyWebhook`. */
export interface WebhookMessage {
  /** The headers of the request. */
  readonly headers: WebhookHeaders;
  /** The raw body, before any parsing. */
  readonly body: string | Uint8Array;
}

/** A webhook message without a valid, current signature. Ignore its content and respond with 401. See docs/04-confirmation.md. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
  /** What is wrong with the signature, for programs. */
  readonly reason: "no_signature" | "bad_signature" | "stale" | "unexpected";

  constructor(reason: WebhookVerificationError["reason"], message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * The bytes of a secret: base64 behind `whsec_`, as Standard Webhooks writes secrets, else the text itself. Throws `TypeError` and
 * `RangeError` for less than 32 bytes. `owner` begins the message.
 */
export function keyOf(secret: string, owner: string): Uint8Array {
  checkSigningSecret(secret, `${owner}: secret`, (text) => bytesIn(text).length);
  return bytesIn(secret);
}

const bytesIn = (secret: string): Uint8Array =>
  secret.startsWith("whsec_") ? Buffer.from(secret.slice("whsec_".length), "base64") : Buffer.from(secret);

/** The headers that sign a body (Standard Webhooks 1.0): HMAC-SHA256 over id, time and body. */
export function signedHeaders(id: string, body: string, key: Uint8Array): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  return {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${signatureOf(id, timestamp, body, key).toString("base64")}`,
  };
}

/** What a signed message says, and its id. Throws `WebhookVerificationError` for one that isn't to be trusted. */
export function openSigned({ headers, body }: WebhookMessage, key: Uint8Array): { readonly id: string; readonly payload: unknown } {
  const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => headerOf(headers, name));
  if (id === undefined || timestamp === undefined || signatures === undefined) {
    throw new WebhookVerificationError(
      "no_signature",
      "The message isn't signed: it needs the headers webhook-id, webhook-timestamp and webhook-signature.",
    );
  }
  const expected = signatureOf(id, timestamp, body, key);
  // Several may stand there while a secret is being replaced.
  if (!signatures.split(" ").some((signature) => isSame(signature, expected))) {
    throw new WebhookVerificationError(
      "bad_signature",
      "The signature doesn't fit the message: the secrets differ, or the body was changed on its way. Give the body as it came, not parsed and written again.",
    );
  }
  const age = Date.now() / 1_000 - Number(timestamp);
  if (!(Math.abs(age) <= tolerance)) {
    throw new WebhookVerificationError(
      "stale",
      `The message was signed ${Math.round(age)} s ago, and ${tolerance} s are allowed: it was sent again, or one of the clocks is wrong.`,
    );
  }
  try {
    return { id, payload: JSON.parse(typeof body === "string" ? body : Buffer.from(body).toString()) };
  } catch {
    throw new WebhookVerificationError("unexpected", "The message is signed, but its body isn't JSON.");
  }
}

const signatureOf = (id: string, timestamp: string, body: string | Uint8Array, key: Uint8Array): Buffer =>
  createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest();

function isSame(signature: string, expected: Buffer): boolean {
  if (!signature.startsWith("v1,")) return false;
  const given = Buffer.from(signature.slice("v1,".length), "base64");
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Some servers keep the capitals that a name was sent with. */
function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (isHeaders(headers)) return headers.get(name) ?? undefined;
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof value === "string" ? value : value?.join(" ");
}

/** Also those of another implementation of `fetch`. */
const isHeaders = (headers: WebhookHeaders): headers is Headers => typeof headers.get === "function";
