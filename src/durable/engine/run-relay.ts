import type { AgentEvent } from "../../agent/index.js";
import type { PostgresNews } from "../../storage/internal.js";
import type { EventPlace } from "../event-id.js";
import type { RunCarrier } from "../run-carrier.js";

/** What processes tell each other about a run: pieces of what happens in it, that it was cancelled, or that there is something new to read. */
interface RunMessage {
  readonly pieces?: readonly (readonly [place: EventPlace, event: AgentEvent])[];
  readonly cancelled?: string;
}

/** Passes on what happens in a run that this process carries on. `cancelled`: called if it was cancelled elsewhere. Returns the end of it. */
export function relayRun(carrier: RunCarrier, news: PostgresNews, runId: string): () => void {
  const unlisten = carrier.feedOf(runId).listen((item) => {
    const message: RunMessage = item.type === "piece" ? { pieces: [[item.place, item.event]] } : {};
    news.tell(runId, message);
  });
  const leave = news.hear(runId, (message) => {
    const { cancelled } = (message ?? {}) as RunMessage;
    if (cancelled !== undefined) carrier.carriedRun(runId)?.cancel(cancelled);
  });
  return () => {
    unlisten();
    carrier.leaveFeed(runId);
    leave();
    // It has ended, or waits.
    news.tell(runId, {});
  };
}

/** Lets the readers of this process hear what happens in a run that another process carries on. Returns the end of it. */
export function hearRun(carrier: RunCarrier, news: PostgresNews, runId: string): () => void {
  return news.hear(runId, (message) => {
    const { pieces = [] } = (message ?? {}) as RunMessage;
    for (const [place, event] of pieces) carrier.pass(runId, place, event);
    carrier.news.wake(runId);
  });
}

/** Tells the process that carries on the run that it was cancelled. */
export function tellCancelled(news: PostgresNews, runId: string, reason: string): void {
  const message: RunMessage = { cancelled: reason };
  news.tell(runId, message);
}
