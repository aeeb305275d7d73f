import { startDeadline } from "../../../timing/index.js";

/** The longest that one request may take. Milliseconds. */
const requestTimeout = 10_000;

/** The most bytes of an answer: arguments that a person edited have room in it. */
const largestBody = 512 * 1024;

/** An answer of the webhook, its body whole. */
export interface WebhookReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
  /** Milliseconds that the server asked to wait (`Retry-After`: seconds or a date; RFC 9110, 10.2.3); 0 if it didn't. */
  readonly retryAfter: number;
}

/** One request, which follows no redirect. Throws if there is no answer in time, or too large a one, or `ended` is aborted. */
export async function exchange(url: URL, request: RequestInit, ended: AbortSignal): Promise<WebhookReply> {
  const controller = new AbortController();
  const stop = (): void => controller.abort(ended.reason);
  const cancel = startDeadline(requestTimeout, () => controller.abort(new Error(`no answer within ${requestTimeout} ms`)));
  ended.addEventListener("abort", stop);
  try {
    const response = await fetch(url, { ...request, redirect: "manual", signal: controller.signal });
    const { status, headers } = response;
    return { status, headers, body: await readBody(response), retryAfter: retryAfterOf(headers) };
  } finally {
    cancel();
    ended.removeEventListener("abort", stop);
  }
}

async function readBody(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > largestBody) throw new Error(`an answer of more than ${largestBody} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function retryAfterOf(headers: Headers): number {
  const value = headers.get("retry-after")?.trim() ?? "";
  const wait = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isNaN(wait) ? 0 : Math.max(wait, 0);
}
