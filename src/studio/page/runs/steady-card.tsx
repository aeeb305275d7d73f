import { Obstacle, type SentDecision, WaitingCard } from "../shared/waiting-card.js";
import type { SteadyCall } from "./steady-calls.js";

interface SteadyCardProps {
  readonly shown: SteadyCall;
  /** The ids of what was decided in this view. */
  readonly decidedHere: ReadonlySet<string>;
  readonly isBusy: boolean;
  readonly onDecide: (decision: SentDecision) => void;
}

/** A call of a stored run. Once it waits no longer, its buttons are disabled. */
export function SteadyCard({ shown: { call, isGone }, decidedHere, isBusy, onDecide }: SteadyCardProps) {
  const words = decidedHere.has(call.id) ? "Decided here." : isGone ? "Decided elsewhere, or its run has ended." : undefined;
  return (
    <Obstacle.Provider value={words}>
      <WaitingCard call={call} origin="stored" isBusy={isBusy} onDecide={onDecide} />
    </Obstacle.Provider>
  );
}
