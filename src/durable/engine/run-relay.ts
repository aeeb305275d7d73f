import type { AgentEvent } from "../../agent/index.js";
import type { PostgresNews } from "../../storage/internal.js";
import type { EventPlace } from "../event-id.js";
import type { RunCarrier } from "../run-carrier.js";

/** A message between processes about a run: pieces of what happens in it, its cancellation, or, if empty, that there is something new to read. */
interface RunMessage {
  readonly pieces?: readonly (readonly [place: EventPlace, event: AgentEvent])[];
  readonly cancelled?: string;
}

/** Passes on what happens in a run that this process carries on. `cancelled`: called if it was cancelled elsewhere. Returns the end of it. */
export function relayRun(carrier: RunCarrier, news: PostgresNews, runId: string): () => void {
  const unlisten = carrier.feedOf(runId).listen((item) => {
    const message: RunMessage = item.type === "piece" ? { pieces: [[item.place, item.event]] } : {};
    news.publish(runId, message);
  });
  const leave = news.subscribe(runId, (message) => {
    const { cancelled } = (message ?? {}) as RunMessage;
    if (cancelled !== undefined) carrier.carriedRun(runId)?.cancel(cancelled);
  });
  return () => {
    unlisten();
    carrier.leaveFeed(runId);
    leave();
    // It has ended, or waits.
    news.publish(runId, {});
  };
}

/** Passes what happens in a run that another process carries on to this process's readers. Returns the end of it. */
export function followRun(carrier: RunCarrier, news: PostgresNews, runId: string): () => void {
  return news.subscribe(runId, (message) => {
    const { pieces = [] } = (message ?? {}) as RunMessage;
    for (const [place, event] of pieces) carrier.pass(runId, place, event);
    carrier.news.wake(runId);
  });
}

/** Cancels a run that another process carries on. */
export function publishCancellation(news: PostgresNews, runId: string, reason: string): void {
  const message: RunMessage = { cancelled: reason };
  news.publish(runId, message);
}
