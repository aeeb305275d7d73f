import { useEffect, useState } from "preact/hooks";
import type { RunDetail, StoredEvent, WaitingCall } from "../../api.js";
import { after, emptyTranscript, type Transcript } from "../agents/transcript.js";
import { barsOf } from "../agents/transcript-bars.js";
import { Steps, TranscriptView } from "../agents/transcript-view.js";
import { DecisionNote, EditedArguments } from "../shared/decision-note.js";
import { Facts } from "../shared/facts.js";
import { PageTitle } from "../shared/page-title.js";
import { events, messageOf } from "../shared/request.js";
import { Fault, Value, Visible } from "../shared/text.js";
import { Timeline } from "../shared/timeline.js";
import { usePolled } from "../shared/use-polled.js";
import { RunClock } from "./run-clock.js";
import { StatusMark } from "./status-mark.js";
import { SteadyCard } from "./steady-card.js";
import { useDecisions } from "./use-decisions.js";
import { useSteady } from "./use-steady.js";

/** A run of the storage: how it stands, what waits, and what happened. */
export function RunPage({ runId }: { readonly runId: string }) {
  const path = `/api/runs/${encodeURIComponent(runId)}`;
  const decisions = useDecisions();
  const { isBusy, refused, revision } = decisions;
  const { value: run, fault } = usePolled<RunDetail>(path, revision);
  const { transcript, isTimed, fault: lost } = useRunEvents(path, runId);
  return (
    <article>
      <PageTitle title={runId} list="#/runs" back="All runs" />
      <Fault message={fault} />
      {run !== undefined && <Standing run={run} />}
      {run !== undefined && run.waiting.length > 0 && <WaitingCalls waiting={run.waiting} {...decisions} />}
      <Fault message={refused} />
      {run !== undefined && run.decided.length > 0 && <Decisions decided={run.decided} />}
      <div class="panel">
        <Timeline bars={barsOf(transcript)} isTimed={isTimed} />
      </div>
      <section aria-label="What happened">
        <h3>What happened</h3>
        {lost !== fault && <Fault message={lost} />}
        {transcript.entries.length === 0 && <p class="note">Nothing yet.</p>}
        <TranscriptView transcript={transcript} isBusy={isBusy} />
      </section>
      <div class="panel">
        <Steps steps={transcript.steps} />
      </div>
    </article>
  );
}

interface WaitingCallsProps extends Pick<ReturnType<typeof useDecisions>, "isBusy" | "decide" | "decidedHere"> {
  readonly waiting: readonly WaitingCall[];
}

/** What waits of the run. It is shown while any call does. */
function WaitingCalls({ waiting, isBusy, decide, decidedHere }: WaitingCallsProps) {
  const { shown } = useSteady(waiting);
  return (
    <section aria-label="Waiting calls">
      <h3>Waiting for a decision</h3>
      {shown.map(({ call, isGone }) => (
        <SteadyCard
          key={call.id}
          shown={{ call, isGone }}
          decidedHere={decidedHere}
          isBusy={isBusy}
          onDecide={(decision) => decide(call, decision)}
        />
      ))}
    </section>
  );
}

/** Who decided what, the latest last. */
const Decisions = ({ decided }: Pick<RunDetail, "decided">) => (
  <section aria-label="Decisions">
    <h3>Decisions</h3>
    <ul class="decisions">
      {decided.slice(-mostDecisions).map((one, index) => (
        <li key={index}>
          <b>
            <Visible text={one.tool} />
          </b>
          <DecisionNote decided={one} />
          <EditedArguments decided={one} />
        </li>
      ))}
    </ul>
  </section>
);

const mostDecisions = 50;

function Standing({ run: { agent, status, outcome, context, conversation, tags = {}, decided, isLeft } }: { readonly run: RunDetail }) {
  const denied = decided.filter(({ decision }) => decision === "deny").length;
  const facts: readonly (readonly [string, string])[] = [
    ["agent", agent],
    ...(conversation === undefined ? [] : [["conversation", conversation] as const]),
    ...Object.entries(tags),
  ];
  return (
    <>
      <p class="description">
        <StatusMark status={status} />{" "}
        <Visible text={outcome === undefined ? "" : `${outcome.reason}${outcome.detail === undefined ? "" : `: ${outcome.detail}`}`} />
        {denied > 0 && (
          <>
            {" "}
            <span class="mark bad">
              {denied} {denied === 1 ? "call" : "calls"} denied
            </span>
          </>
        )}
      </p>
      {isLeft && (
        <p class="warning" role="status">
          No process carries on this run now. A runtime with the agent <Visible text={agent} /> on this storage takes it up within its{" "}
          <code>leaseDuration</code>, 30 seconds by default. If none does, start your worker, check that the agent is in its{" "}
          <code>agents</code>, and read its warnings on stderr. If the storage is a <code>FileStorage</code>, stop the studio first.
        </p>
      )}
      <Facts facts={facts} />
      <details>
        <summary>Context</summary>
        <Value value={context} label="Context" />
      </details>
    </>
  );
}

/** A note about a process says when it was. */
const withTime = ({ event, at }: StoredEvent): StoredEvent["event"] =>
  event.type === "resumed" && at !== undefined ? { ...event, time: new Date(at).toLocaleTimeString() } : event;

/** Milliseconds in which events are taken in at once: the page stays quick with a run of thousands. */
const longestWork = 8;
/** Milliseconds between two drawings while more events are there. */
const betweenDrawings = 1_000;

/** The transcript of the run so far, and as it goes on. */
function useRunEvents(
  path: string,
  runId: string,
): { readonly transcript: Transcript; readonly isTimed: boolean; readonly fault: string | undefined } {
  const [transcript, setTranscript] = useState<Transcript>(emptyTranscript);
  const [isTimed, setTimed] = useState(true);
  const [fault, setFault] = useState<string>();
  useEffect(() => {
    const leaving = new AbortController();
    const unread: StoredEvent[] = [];
    let read: Transcript = { ...emptyTranscript, runId };
    const clock = new RunClock();
    let drawnAt = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const take = (): void => {
      const end = performance.now() + longestWork;
      for (let sent = unread.shift(); sent !== undefined; sent = performance.now() < end ? unread.shift() : undefined)
        read = after(read, withTime(sent), ...clock.timesOf(sent));
      const isDue = unread.length === 0 || performance.now() - drawnAt > betweenDrawings;
      if (isDue) {
        drawnAt = performance.now();
        setTranscript(read);
        setTimed(clock.isTimed);
      }
      timer = unread.length === 0 ? undefined : setTimeout(take);
    };
    const follow = async (): Promise<void> => {
      try {
        for await (const sent of events<StoredEvent | { readonly message: string }>(`${path}/events`, undefined, leaving.signal)) {
          if ("message" in sent) setFault(sent.message);
          else {
            unread.push(sent);
            timer ??= setTimeout(take, 20);
          }
        }
      } catch (error) {
        if (!leaving.signal.aborted) setFault(messageOf(error));
      }
    };
    void follow();
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [path]);
  return { transcript, isTimed, fault };
}
