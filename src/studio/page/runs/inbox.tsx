import type { Inbox as InboxAnswer } from "../../api.js";
import { DecisionNote } from "../shared/decision-note.js";
import { chunksOf, useGrowing } from "../shared/growing.js";
import { Fault, Visible } from "../shared/text.js";
import { usePolled } from "../shared/use-polled.js";
import { SteadyCard } from "./steady-card.js";
import { useDecisions } from "./use-decisions.js";
import { useSteady } from "./use-steady.js";

/** All calls that wait for a person, to be decided here, and what was decided lately. */
export function Inbox() {
  const { isBusy, refused, revision, decidedHere, decide } = useDecisions();
  const { value, fault } = usePolled<InboxAnswer>("/api/inbox", revision);
  const { shown, clear } = useSteady(value?.waiting);
  const { decided = [] } = value ?? {};
  const chunks = chunksOf(shown);
  const { count, more } = useGrowing(chunks.length, undefined);
  const remove = (): void => {
    clear();
    // The button is disabled, and the focus goes with it.
    document.getElementById("main")?.focus({ preventScroll: true });
  };
  return (
    <article class="inbox-page">
      <h2 class="plain-title">Inbox</h2>
      <Fault message={fault} />
      <Fault message={refused} />
      {value !== undefined && shown.length === 0 && (
        <p class="description">No call waits for a decision. Choose a run to see what happened in it.</p>
      )}
      {shown.length > 0 && (
        <div class="buttons">
          <button type="button" class="plain" disabled={!shown.some(({ isGone }) => isGone)} onClick={remove}>
            Remove decided calls
          </button>
        </div>
      )}
      <ul class="waiting-calls">
        {chunks
          .slice(0, count)
          .flat()
          .map(({ call, isGone }) => (
            <li key={call.id}>
              <SteadyCard
                shown={{ call, isGone }}
                decidedHere={decidedHere}
                isBusy={isBusy}
                onDecide={(decision) => decide(call, decision)}
              />
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
