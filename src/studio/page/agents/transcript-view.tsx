import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import { Scrolling } from "../shared/scrolling.js";
import { Block, duration, Value, Visible } from "../shared/text.js";
import { ToolLink } from "../shared/tool-link.js";
import { type SentDecision, WaitingCard } from "../shared/waiting-card.js";
import { Pictures } from "../tools/call-result.js";
import { hrefOfReplay } from "../replay/replay-link.js";
import { DecisionNote } from "../shared/decision-note.js";
import type { CallEntry, Entry, StepEntry, Transcript } from "./transcript.js";

interface TranscriptViewProps {
  readonly transcript: Transcript;
  readonly isBusy: boolean;
  /** Absent: waiting calls are shown without buttons. */
  readonly onDecide?: (call: CallEntry, decision: SentDecision) => void;
}

/** The entries that are drawn in one piece of work, the last first. */
const chunkLength = 25;
/** The most rows of the table of model calls. */
const mostSteps = 40;

/** What was said and done, one below the other. */
export function TranscriptView({ transcript: { entries }, isBusy, onDecide }: TranscriptViewProps) {
  const [count, setCount] = useState(1);
  const first = Math.max(0, (Math.ceil(entries.length / chunkLength) - count) * chunkLength);
  const starts = Array.from({ length: Math.ceil((entries.length - first) / chunkLength) }, (_, index) => first + index * chunkLength);
  return (
    <>
      {first > 0 && (
        <button type="button" class="plain" onClick={() => setCount(count + 2)}>
          Show {Math.min(2 * chunkLength, first)} earlier of {first}
        </button>
      )}
      <ol class="transcript">
        {starts.map((start) => (
          <Rows
            key={start}
            start={start}
            entries={entries.slice(start, start + chunkLength)}
            isBusy={isBusy}
            {...(onDecide !== undefined && { onDecide })}
          />
        ))}
      </ol>
    </>
  );
}

interface RowsProps extends Omit<TranscriptViewProps, "transcript"> {
  readonly start: number;
  readonly entries: readonly Entry[];
}

/** Drawn again only if one of their entries changed: each piece of an answer would draw all of them. */
function Rows({ start, entries, isBusy, onDecide }: RowsProps) {
  const isWaiting = entries.some((entry) => entry.kind === "call" && entry.waiting !== undefined);
  return useMemo(
    () => (
      <>
        {entries.map((entry, index) => (
          <Row key={start + index} entry={entry} isBusy={isBusy} {...(onDecide !== undefined && { onDecide })} />
        ))}
      </>
    ),
    [...entries, isWaiting && isBusy, isWaiting && onDecide],
  );
}

/** Drawn again only if its own entry changed. */
function Row({ entry, isBusy, onDecide }: { readonly entry: Entry } & Omit<TranscriptViewProps, "transcript">) {
  const isWaiting = entry.kind === "call" && entry.waiting !== undefined;
  return useMemo(
    () => (
      <li class={entry.kind}>
        <EntryView entry={entry} isBusy={isBusy} {...(onDecide !== undefined && { onDecide })} />
      </li>
    ),
    [entry, isWaiting && isBusy, isWaiting && onDecide],
  );
}

function EntryView({ entry, isBusy, onDecide }: { readonly entry: Entry } & Omit<TranscriptViewProps, "transcript">) {
  switch (entry.kind) {
    case "user":
      return (
        <>
          <Said by="User" text={entry.text} />
          {entry.context !== undefined && <SentContext context={entry.context} />}
        </>
      );
    case "answer":
      return <Said by="Agent" text={entry.text} />;
    case "reasoning":
      return (
        <details>
          <summary>Reasoning</summary>
          <Block text={entry.text} label="Reasoning" />
        </details>
      );
    case "step":
      return (
        <>
          Step {entry.step} <a href={hrefOfReplay(entry.runId, entry.step)}>Replay from step {entry.step}</a>
        </>
      );
    case "note":
      return (
        <p class={entry.isFault ? "fault" : "note"}>
          <Visible text={entry.text} />
        </p>
      );
    case "call":
      return <CallCard call={entry} isBusy={isBusy} {...(onDecide !== undefined && { onDecide })} />;
  }
}

const Said = ({ by, text }: { readonly by: string; readonly text: string }) => (
  <>
    <span class="by">{by}</span>
    <div class="said">
      <Visible text={text} />
    </div>
  </>
);

/** The most characters of a context that are shown at once. */
const longestContext = 200;

const SentContext = ({ context }: { readonly context: string }) =>
  context.length <= longestContext ? (
    <p class="note">
      Context: <Visible text={context} />
    </p>
  ) : (
    <details>
      <summary>Context</summary>
      <Value value={JSON.parse(context)} label="Context of the prompt" />
    </details>
  );

const states: Readonly<Record<CallEntry["state"], string>> = {
  written: "",
  running: "running",
  waiting: "waits",
  decided: "decided",
  done: "done",
  failed: "failed",
};

function CallCard({ call, isBusy, onDecide }: { readonly call: CallEntry } & Omit<TranscriptViewProps, "transcript">) {
  const {
    tool,
    state,
    input,
    content,
    data,
    errorType,
    attachments,
    progress,
    stack,
    repairs,
    waiting,
    decided,
    inside,
    fromRecord,
    note,
  } = call;
  const mark = state === "failed" ? "bad" : state === "done" ? "good" : state === "waiting" ? "wait" : "";
  return (
    <section class={`card ${state}`} aria-label={`Call of ${tool}`}>
      <h4>
        <span class="name">
          <ToolLink name={tool} />
        </span>
        <span class="time">
          {call.duration !== undefined && duration(call.duration)}{" "}
          {states[state] !== "" && <span class={`mark ${mark}`}>{errorType ?? states[state]}</span>}
        </span>
      </h4>
      {fromRecord === true && <p class="note">Answered from the record: nothing ran.</p>}
      {note !== undefined && (
        <p class="difference">
          ≠ <Visible text={note} />
        </p>
      )}
      {progress !== undefined && state === "running" && (
        <p class="note">
          {Math.round(progress.fraction * 100)} % <Visible text={progress.message} />
        </p>
      )}
      {waiting !== undefined && onDecide !== undefined ? (
        <WaitingCard call={waiting} origin="chat" isBusy={isBusy} onDecide={(decision) => onDecide(call, decision)} />
      ) : (
        <Part title="Arguments" isOpen={state !== "done" || note !== undefined}>
          {input === undefined ? <Block text={call.arguments} label="Arguments" /> : <Value value={input} label="Arguments" />}
          {repairs.map(({ path, from, to }) => (
            <p class="note" key={path}>
              <Visible text={`Repaired ${path}: the model wrote ${JSON.stringify(from)}, the tool got ${JSON.stringify(to)}`} />
            </p>
          ))}
        </Part>
      )}
      {decided !== undefined && <DecisionNote decided={decided} />}
      {decided?.arguments !== undefined && call.arguments !== "" && (
        <Part title="Arguments as the model wrote them" isOpen={false}>
          <Block text={call.arguments} label="Arguments as the model wrote them" />
        </Part>
      )}
      {inside !== undefined && (
        <Part title="Sub-agent" isOpen={state === "running"}>
          <TranscriptView transcript={inside} isBusy={isBusy} />
        </Part>
      )}
      {content !== undefined && (
        <Part title={state === "failed" ? "Error" : "Result"} isOpen={true}>
          <Value value={state === "failed" || data === undefined ? (stack ?? content) : data} label="Result" />
          <Pictures attachments={attachments} />
          {stack !== undefined && (
            <p class="note">
              The model reads: <Visible text={content} />
            </p>
          )}
        </Part>
      )}
    </section>
  );
}

const Part = ({ title, isOpen, children }: { readonly title: string; readonly isOpen: boolean; readonly children: ComponentChildren }) => (
  <details open={isOpen}>
    <summary>{title}</summary>
    {children}
  </details>
);

/** A column of the table of model calls. */
const columns: readonly (readonly [title: string, cell: (step: StepEntry) => string | number | undefined])[] = [
  ["tools offered", ({ tools }) => tools?.join(", ")],
  ["model", ({ model }) => model],
  ["time", ({ duration: taken }) => (taken === undefined ? undefined : duration(taken))],
  ["tokens in", ({ usage }) => usage?.inputTokens],
  ["cached", ({ usage }) => usage?.cachedInputTokens],
  ["out", ({ usage }) => usage?.outputTokens],
];

export function Steps({ steps }: { readonly steps: readonly StepEntry[] }) {
  if (steps.length === 0) return null;
  // A record doesn't have all of them.
  const known = columns.filter(([, cell]) => steps.some((step) => cell(step) !== undefined));
  return (
    <section aria-label="Model calls">
      <h3>Model calls</h3>
      <Scrolling class="wide steps" label="Tokens by step">
        <table>
          <thead>
            <tr>
              <th scope="col">step</th>
              {known.map(([title]) => (
                <th scope="col" key={title}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {steps.slice(-mostSteps).map((step, index) => (
              <tr key={index}>
                <th scope="row">{step.step}</th>
                {known.map(([title, cell]) => (
                  <td key={title}>
                    <Visible text={String(cell(step) ?? "")} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolling>
    </section>
  );
}
