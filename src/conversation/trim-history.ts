import type { Message } from "../models/index.js";
import { checkOptionNames } from "../tool/internal.js";
import { type HistoryLimits, limitNames } from "./history-limits.js";
import { HistoryWindow } from "./history-window.js";

/**
 * Returns what `@history(limits)` would send to a model: the system message, if there is one, and the last turns. The input isn't
 * changed.
 *
 * ```ts
 * const lastTurns = trimHistory(agent.messages, { maxTurns: 10 });
 * ```
 *
 * See docs/03-agents.md.
 */
export function trimHistory(messages: readonly Message[], limits: HistoryLimits): readonly Message[] {
  checkOptionNames(limits, limitNames, "trimHistory");
  const window = new HistoryWindow(limits);
  const [first] = messages;
  if (first?.role === "system") window.instruct(first);
  for (const message of first?.role === "system" ? messages.slice(1) : messages) window.add(message, message.role === "user");
  return window.messages;
}
