import { failureReason } from "./failure-reason.js";
import type { GuardedResponse } from "./guarded-response.js";

/** The words of a failure's message. */
export interface StatusExplanation {
  /** Who answered: `Brave Search`, `api.example.com`. */
  readonly service: string;
  /** What it means that the service answers 401 or 403, as a sentence. */
  readonly whenRefused: string;
  /** Takes secrets out of what the service says. */
  readonly hide: (text: string) => string;
}

/** Longer reasons are pages of documentation. */
const longestReason = 300;

/**
 * Explains a response that isn't a success (2xx) to the model: the status, the reason that the service gives, and what to do next. For 429
 * and 503, when to retry.
 */
export function explainStatus(response: GuardedResponse, { service, whenRefused, hide }: StatusExplanation): string {
  const { status, headers } = response;
  const reason = hide(failureReason(response)).slice(0, longestReason).replace(/\.$/, "");
  const said = reason === "" ? "" : `: ${reason}`;
  switch (status) {
    case 401:
    case 403: {
      const detail = reason === "" ? "" : ` It says: ${reason}.`;
      return `${service} refused the request (${status}): ${whenRefused}${detail} Tell the user; trying again doesn't help.`;
    }
    case 404:
    case 410:
      return `${service} can't find it (${status})${said}. Check the arguments, or tell the user.`;
    case 409:
    case 412:
      return `${service} rejects this in its current state (${status})${said}. Read the current state before you try again.`;
    case 429:
      return `${service} takes no more requests for now (429). ${waitingTime(headers["retry-after"])}`;
  }
  if (status >= 500) return `${service} failed (${status})${said}. ${waitingTime(headers["retry-after"])}`;
  if (status < 400) return `${service} answered ${status}, which isn't what was asked for. Tell the user.`;
  return `${service} refused the request (${status})${said}. Change it, or tell the user.`;
}

/** RFC 9110, "Retry-After": seconds or a date. */
function waitingTime(retryAfter = ""): string {
  const seconds = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) : Math.ceil((Date.parse(retryAfter) - Date.now()) / 1_000);
  return seconds > 0 ? `Try again in ${seconds} seconds.` : "Try again later.";
}
