import { redact, redactText } from "../../redaction/index.js";
import type { ToolListener, ToolLog } from "../../tool/index.js";
import type { PreparedCall } from "../preparation/prepared-call.js";
import { messageText } from "../result/failure.js";
import { normalise } from "../result/normalise.js";
import { callEvent, notify } from "./notify.js";

/** Reports what a tool says of its progress. It never fails the call: a fraction that is no number becomes a log entry. */
export function reportProgress(
  call: PreparedCall,
  listeners: readonly ToolListener[],
  fraction: number,
  message: string | undefined,
): void {
  if (listeners.length === 0) return;
  if (typeof fraction !== "number" || Number.isNaN(fraction)) {
    const warning = `progress takes a fraction from 0 to 1, got ${String(fraction)}. Was something divided by 0?`;
    reportLog(call, listeners, "warn", warning, undefined);
    return;
  }
  const event = { ...callEvent(call), fraction: Math.min(1, Math.max(0, fraction)) };
  notify(listeners, "toolProgress", message === undefined ? event : { ...event, message: shownText(message) });
}

export function reportLog(
  call: PreparedCall,
  listeners: readonly ToolListener[],
  level: keyof ToolLog,
  message: string,
  details: Record<string, unknown> | undefined,
): void {
  if (listeners.length === 0) return;
  const shown = details === undefined ? {} : { details: redact(normalise(details)) as Record<string, unknown> };
  notify(listeners, "log", { ...callEvent(call), level, message: shownText(message), ...shown });
}

const shownText = (message: unknown): string => redactText(messageText(message));
