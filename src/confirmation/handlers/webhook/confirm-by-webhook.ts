import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { checkOptionNames, longestTimer, type OptionNames } from "../../../tool/internal.js";
import { warnProcess } from "../../../redaction/internal.js";
import type { Confirmation } from "../../confirmation.js";
import type { ConfirmationHandler } from "../../confirmation-handler.js";
import type { Decision } from "../../decision.js";
import { isQuestion } from "../../question.js";
import { SettledDecisions } from "./settled-decisions.js";
import { expirySignal } from "./expiry-signal.js";
import { exchange, type WebhookReply } from "./webhook-exchange.js";
import { readDecision, signConfirmation } from "./webhook-messages.js";
import { keyOf, WebhookVerificationError } from "./webhook-signature.js";

/** Options of `confirmByWebhook`. */
export interface WebhookOptions {
  /** Where confirmations are posted. Use `https:`; plain `http:` exposes the arguments to the network. */
  readonly url: string | URL;
  /** The secret that both sides share: at least 32 bytes, as text or as base64 after `whsec_`. */
  readonly secret: string;
  /**
   * Milliseconds between two requests for the decision, if `Retry-After` doesn't ask for more (a random delay of up to a half is
   * then added). Default: 2,000.
   */
  readonly pollInterval?: number;
  /** Called for each kind of problem, once per confirmation. Default: a process warning. */
  readonly onProblem?: (problem: WebhookProblem) => void;
}

const optionNames: OptionNames<WebhookOptions> = { url: true, secret: true, pollInterval: true, onProblem: true };

/** A problem of `confirmByWebhook` that left the call undecided. */
export interface WebhookProblem {
  /**
   * - `unreachable`: no response, or 408, 425, 429, 5xx. The request is repeated.
   * - `untrusted`: the response isn't signed correctly or is about something else. The request is repeated.
   * - `refused`: any other status, or no URL to poll. The run pauses.
   * - `contradicted`: a second, different decision for the same confirmation. The first one counts.
   * - `expired`: no decision in time.
   */
  readonly reason: "unreachable" | "untrusted" | "refused" | "contradicted" | "expired";
  /** A description for people. */
  readonly message: string;
  /** The confirmation that is undecided. */
  readonly confirmation: Confirmation;
}

/** No wait between two attempts grows beyond this by itself. Milliseconds. */
const longestBackoff = 60_000;

/**
 * Asks a server of your application: posts the confirmation, then polls until a person has decided.
 *
 * ```ts
 * const confirm = confirmByWebhook({ url: "https://approvals.example.com/confirmations", secret });
 * await agent.generate("Refund order A-17", { confirm });
 * ```
 *
 * 1. It posts `{ type: "confirmation.requested", timestamp, data: Confirmation }`, signed as Standard Webhooks 1.0 (`webhook-id`,
 * `webhook-timestamp`, `webhook-signature`). The post may be repeated; `webhook-id` is the confirmation's id and stays the same.
 *
 * 2. It polls the URL that the response names (`Location`, or `statusUrl` in its JSON; same origin) until it returns 200 with a
 * signed decision. 202 and 204 mean that there is no decision yet. The first decision for a confirmation counts.
 *
 * The server uses `verifyWebhook` and `signDecision`. The run pauses if the confirmation expires, the server refuses, or the run is
 * aborted.
 *
 * Throws `TypeError` for a URL that isn't http(s) or contains a password, and for an invalid interval; `RangeError` for a secret of
 * less than 32 bytes. See docs/04-confirmation.md.
 */
export function confirmByWebhook(options: WebhookOptions): ConfirmationHandler {
  checkOptionNames(options, optionNames, "confirmByWebhook");
  const { url, secret, pollInterval = 2_000, onProblem = warn } = options;
  const settings = { url: checkUrl(url), secret, key: keyOf(secret, "confirmByWebhook"), pollInterval: checkInterval(pollInterval) };
  const settled = new SettledDecisions();
  return async (confirmation, { abortSignal }) => {
    // The server is asked for approvals alone.
    if (isQuestion(confirmation)) return undefined;
    const reported = new Set<string>();
    const report: Report = (reason, message, kind = message) => {
      if (reported.size === reported.add(`${reason} ${kind}`).size) return;
      inform(onProblem, { reason, message: `The webhook at ${settings.url.origin} ${message}`, confirmation });
    };
    const ended = expirySignal(confirmation, abortSignal);
    try {
      const decision = await askWebhook(confirmation, settings, ended.signal, report);
      if (decision === undefined) return undefined;
      const first = settled.first(confirmation, decision);
      if (!isDeepStrictEqual(first, decision)) {
        report(
          "contradicted",
          `decided "${first.decision}" before, and gives another decision ("${decision.decision}") now. The first holds.`,
        );
      }
      return first;
    } catch (error) {
      if (!ended.signal.aborted) throw error;
      if (abortSignal?.aborted !== true)
        report("expired", `gave no decision before the confirmation expired at ${confirmation.expiresAt}.`);
      return undefined;
    } finally {
      ended.end();
    }
  };
}

interface WebhookSettings {
  readonly url: URL;
  readonly secret: string;
  readonly key: Uint8Array;
  readonly pollInterval: number;
}

/** Problems of one kind are reported once. The kind is the message, unless that differs each time. */
type Report = (reason: WebhookProblem["reason"], message: string, kind?: string) => void;

/** `undefined` if the server refuses; rejects when `ended` is aborted. */
async function askWebhook(
  confirmation: Confirmation,
  settings: WebhookSettings,
  ended: AbortSignal,
  report: Report,
): Promise<Decision | undefined> {
  let status: URL | undefined;
  for (let failures = 0; ; ) {
    const reply = await reach(confirmation, settings, status, ended);
    ended.throwIfAborted();
    if ("failure" in reply || isPassing(reply.status)) {
      failures += 1;
      report("unreachable", "failure" in reply ? `can't be reached: ${reply.failure}.` : `answered ${reply.status}.`);
    } else if (reply.status < 200 || reply.status > 299) {
      report("refused", `answered ${reply.status}${reply.status < 400 ? "; redirects are not followed" : ""}.`);
      return undefined;
    } else if (status === undefined) {
      status = statusUrl(reply, settings.url);
      if (status !== undefined) continue;
      report("refused", "took the confirmation and named no place of its own origin to ask at: send a Location, or JSON with statusUrl.");
      return undefined;
    } else if (reply.status === 200) {
      try {
        return readDecision(reply, confirmation, settings.key);
      } catch (error) {
        if (!(error instanceof WebhookVerificationError)) throw error;
        failures += 1;
        report("untrusted", `gave an answer that counts for nothing. ${error.message}`, error.reason);
      }
    } else failures = 0;
    const asked = "failure" in reply ? 0 : reply.retryAfter * (1 + Math.random() / 2);
    const wait = Math.max(backoff(settings.pollInterval, failures), asked);
    await sleep(Math.min(wait, longestTimer), undefined, { signal: ended });
  }
}

/** Posts the confirmation, or requests the answer if its URL is known. */
async function reach(
  confirmation: Confirmation,
  { url, secret }: WebhookSettings,
  status: URL | undefined,
  ended: AbortSignal,
): Promise<WebhookReply | { readonly failure: string }> {
  try {
    if (status !== undefined) return await exchange(status, { headers: { accept: "application/json" } }, ended);
    return await exchange(url, { method: "POST", ...signConfirmation(confirmation, secret) }, ended);
  } catch (error) {
    return { failure: reasonOf(error) };
  }
}

/** What may be gone at the next attempt. */
const isPassing = (status: number): boolean => status >= 500 || [408, 425, 429].includes(status);

/** `fetch` throws "fetch failed" with the reason as `cause`; after several addresses, the cause has only a code. */
function reasonOf(error: unknown): string {
  const { cause, message } = Object(error) as { cause?: { message?: string; code?: string }; message?: string };
  return cause?.message || cause?.code || message || String(error);
}

/** Shortened by chance by up to a half, so that many runs that failed together don't come back together. */
const backoff = (interval: number, failures: number): number =>
  failures === 0 ? interval : Math.max(interval, Math.min(interval * 2 ** failures, longestBackoff) * (1 - Math.random() / 2));

/** The place of the answer: nothing of another origin, which the application never named. */
function statusUrl({ headers, body }: WebhookReply, url: URL): URL | undefined {
  const named = headers.get("location") ?? statusUrlOf(body);
  if (named === undefined) return undefined;
  const status = URL.canParse(named, url.href) ? new URL(named, url) : undefined;
  return status?.origin === url.origin && status.username === "" && status.password === "" ? status : undefined;
}

function statusUrlOf(body: Uint8Array): string | undefined {
  try {
    const { statusUrl } = Object(JSON.parse(Buffer.from(body).toString())) as { statusUrl?: unknown };
    return typeof statusUrl === "string" ? statusUrl : undefined;
  } catch {
    return undefined;
  }
}

/** A listener that fails disturbs nothing. */
function inform(onProblem: (problem: WebhookProblem) => void, problem: WebhookProblem): void {
  try {
    onProblem(problem);
  } catch (error) {
    warnProcess(`confirmByWebhook: onProblem failed: ${error instanceof Error ? error.message : String(error)}`);
    warn(problem);
  }
}

function warn({ message, confirmation }: WebhookProblem): void {
  warnProcess(`${message} Nothing was decided by it of the call "${confirmation.callId}" (${confirmation.tool}).`);
}

function checkUrl(given: string | URL): URL {
  const url = URL.canParse(String(given)) ? new URL(String(given)) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "") return url;
  throw new TypeError(
    `confirmByWebhook: url is an absolute http(s) URL without user and password, got ${url === undefined ? JSON.stringify(given) : `one of ${url.protocol}//`}.`,
  );
}

function checkInterval(milliseconds: number): number {
  if (milliseconds > 0 && milliseconds <= longestTimer) return milliseconds;
  throw new TypeError(`confirmByWebhook: pollInterval is a number of milliseconds above 0, got ${milliseconds}.`);
}
