import { useState } from "preact/hooks";
import type { RunLine } from "../../api.js";
import { chunksOf, useGrowing } from "../shared/growing.js";
import { Visible } from "../shared/text.js";
import { usePolled } from "../shared/use-polled.js";
import { Inbox } from "./inbox.js";
import { RunPage } from "./run-page.js";
import { StatusMark } from "./status-mark.js";

const statuses = ["all", "waiting", "running", "ended"] as const;

export function RunsView({ hasStorage, selected }: { readonly hasStorage: boolean; readonly selected: string | undefined }) {
  if (!hasStorage) {
    return (
      <main id="main" class="alone" tabIndex={-1}>
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
          {list.value === undefined ? (list.fault ?? "Loading...") : `${runs.length} ${runs.length === 1 ? "run" : "runs"}`}
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
        {selected === undefined ? <Inbox /> : <RunPage key={selected} runId={selected} />}
      </main>
    </div>
  );
}
