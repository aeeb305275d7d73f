import { useState } from "preact/hooks";
import type { Inbox as InboxAnswer, RunLine } from "../../api.js";
import { DecisionNote } from "../shared/decision-note.js";
import { chunksOf, useGrowing } from "../shared/growing.js";
import { Fault, Visible } from "../shared/text.js";
import { usePolled } from "../shared/use-polled.js";
import { RunPage } from "./run-page.js";
import { StatusMark } from "./status-mark.js";

const statuses = ["all", "waiting", "running", "ended"] as const;

export function RunsView({ hasStorage, selected }: { readonly hasStorage: boolean; readonly selected: string | undefined }) {
  if (!hasStorage) {
    return (
      <main id="main" tabIndex={-1}>
        <div class="empty">
          <h2>No storage</h2>
          <p>
            Start the studio with <code>--storage ./data</code>, or export a storage from a module, to see its runs and decide about them.
          </p>
        </div>
      </main>
    );
  }
  return <Runs selected={selected} />;
}

function Runs({ selected }: { readonly selected: string | undefined }) {
  const list = usePolled<{ readonly runs: readonly RunLine[] }>("/api/runs");
  const [status, setStatus] = useState<(typeof statuses)[number]>("all");
  const runs = (list.value?.runs ?? []).filter((run) => status === "all" || run.status === status);
  const chunks = chunksOf(runs);
  const { count, more } = useGrowing(chunks.length, status);
  return (
    <div class="split" data-open={selected !== undefined}>
      <nav class="list" aria-label="Runs">
        <div class="field">
          <label for="status">Status</label>
          <select id="status" value={status} onChange={(event) => setStatus(event.currentTarget.value as typeof status)}>
            {statuses.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </div>
        <p class="note">
          {runs.length} {runs.length === 1 ? "run" : "runs"}
        </p>
        <ul>
          {chunks
            .slice(0, count)
            .flat()
            .map((run) => (
              <li key={run.runId}>
                <a href={`#/runs/${encodeURIComponent(run.runId)}`} aria-current={run.runId === selected ? "page" : undefined}>
                  <span class="name">
                    <Visible text={run.runId} />
                  </span>
                  <StatusMark status={run.status} />
                  <span class="sub">
                    <Visible text={run.agent} />, {new Date(run.updatedAt).toLocaleString()}
                  </span>
                </a>
              </li>
            ))}
        </ul>
        {more}
      </nav>
      <main id="main" tabIndex={-1}>
        <Fault message={list.fault} />
        {selected === undefined ? <Inbox /> : <RunPage key={selected} runId={selected} />}
      </main>
    </div>
  );
}

/** All calls that wait for a person. */
function Inbox() {
  const { value, fault } = usePolled<InboxAnswer>("/api/inbox");
  const { waiting = [], decided = [] } = value ?? {};
  return (
    <article>
      <h2 class="plain-title">Inbox</h2>
      <Fault message={fault} />
      {value !== undefined && waiting.length === 0 && (
        <p class="description">No call waits for a decision. Choose a run to see what happened in it.</p>
      )}
      <ul class="inbox">
        {waiting.map((call) => (
          <li key={call.id}>
            <a href={`#/runs/${encodeURIComponent(call.runId)}`}>
              <b>
                <Visible text={call.tool} />
              </b>
              <span class="mark wait">{call.kind === "question" ? "needs an answer" : "needs approval"}</span>
              <span class="sub">
                <Visible text={`${call.runId}, ${call.agent}`} />
              </span>
              <span class="mono">
                <Visible
                  text={call.arguments
                    .map(({ name, text }) => `${name}: ${text}`)
                    .join(", ")
                    .slice(0, 300)}
                />
              </span>
            </a>
          </li>
        ))}
      </ul>
      {decided.length > 0 && (
        <section aria-label="Decided lately">
          <h3>Decided lately</h3>
          <ul class="inbox">
            {decided.map((one) => (
              <li key={`${one.runId} ${one.callId} ${one.decidedAt}`}>
                <a href={`#/runs/${encodeURIComponent(one.runId)}`}>
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
      )}
    </article>
  );
}
