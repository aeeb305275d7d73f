import type { Inbox as InboxAnswer } from "../../api.js";
import { DecisionNote } from "../shared/decision-note.js";
import { chunksOf, useGrowing } from "../shared/growing.js";
import { Fault, Visible } from "../shared/text.js";
import { usePolled } from "../shared/use-polled.js";
import { WaitingCard } from "../shared/waiting-card.js";
import { useDecisions } from "./use-decisions.js";

/** All calls that wait for a person, to be decided here, and what was decided lately. */
export function Inbox() {
  const { isBusy, refused, revision, decide } = useDecisions();
  const { value, fault } = usePolled<InboxAnswer>("/api/inbox", revision);
  const { waiting = [], decided = [] } = value ?? {};
  const chunks = chunksOf(waiting);
  const { count, more } = useGrowing(chunks.length, undefined);
  return (
    <article class="inbox-page">
      <h2 class="plain-title">Inbox</h2>
      <Fault message={fault} />
      <Fault message={refused} />
      {value !== undefined && waiting.length === 0 && (
        <p class="description">No call waits for a decision. Choose a run to see what happened in it.</p>
      )}
      <ul class="waiting-calls">
        {chunks
          .slice(0, count)
          .flat()
          .map((call) => (
            <li key={call.id}>
              <WaitingCard call={call} isBusy={isBusy} onDecide={(decision) => decide(call, decision)} />
              <p class="note">
                Run{" "}
                <a href={hrefOfRun(call.runId)}>
                  <Visible text={call.runId} />
                </a>{" "}
                of <Visible text={call.agent} />
              </p>
            </li>
          ))}
      </ul>
      {more}
      {decided.length > 0 && <DecidedLately decided={decided} />}
    </article>
  );
}

const hrefOfRun = (runId: string): string => `#/runs/${encodeURIComponent(runId)}`;

const DecidedLately = ({ decided }: Pick<InboxAnswer, "decided">) => (
  <section aria-label="Decided lately">
    <h3>Decided lately</h3>
    <ul class="inbox">
      {decided.map((one) => (
        <li key={`${one.runId} ${one.callId} ${one.decidedAt}`}>
          <a href={hrefOfRun(one.runId)}>
            <b>
              <Visible text={one.tool} />
            </b>
            <span class="sub">
              <Visible text={one.runId} />
            </span>
            <DecisionNote decided={one} />
          </a>
        </li>
      ))}
    </ul>
  </section>
);
