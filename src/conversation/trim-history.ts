import type { Message } from "../models/index.js";
import { checkOptionNames } from "../tool/internal.js";
import { type HistoryLimits, limitNames } from "./history-limits.js";
import { HistoryWindow } from "./history-window.js";

/**
 * What a model is sent of a history under `@history(limits)`: its last turns, behind the system message where it begins
 * with one. The history stays as it is.
 *
 * ```ts
 * const lastTurns = trimHistory(agent.messages, { maxTurns: 10 });
 * ```
 */
export function trimHistory(messages: readonly Message[], limits: HistoryLimits): readonly Message[] {
  checkOptionNames(limits, limitNames, "trimHistory");
  const window = new HistoryWindow(limits);
  const [first] = messages;
  if (first?.role === "system") window.instruct(first);
  for (const message of first?.role === "system" ? messages.slice(1) : messages) window.add(message, message.role === "user");
  return window.messages;
}
