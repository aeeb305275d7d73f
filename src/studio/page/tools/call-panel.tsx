import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { CallEvent, FaultLine, ToolDetail } from "../../api.js";
import { ContextEditor } from "../shared/context-editor.js";
import type { ContextState } from "../shared/context-state.js";
import { forgetDraft } from "../shared/decision-drafts.js";
import { editableJson } from "../shared/hidden-characters.js";
import { readObject } from "../shared/json-object.js";
import { events, messageOf } from "../shared/request.js";
import { Code, Fault, Visible } from "../shared/text.js";
import { useChecked } from "../shared/use-checked.js";
import { type SentDecision, WaitingCard } from "../shared/waiting-card.js";
import { ArgumentForm, isAt } from "./argument-form.js";
import { CallResult } from "./call-result.js";
import { callsAsCode } from "./calls-as-code.js";
import { type Draft, draftOf, fieldsOf, readDraft } from "./draft.js";

/** A form for the arguments, the call, and its result. */
export function CallPanel({ tool, context }: { readonly tool: ToolDetail; readonly context: ContextState }) {
  const fields = useMemo(() => fieldsOf(tool.parameters), [tool]);
  const [draft, setDraft] = useState<Draft>({});
  const [written, setWritten] = useState<string>();
  const call = useCall(tool.id);

  const typed = written === undefined ? readDraft(fields, draft) : undefined;
  const object = written === undefined ? undefined : readObject(written);
  const given = typed?.value ?? object?.value;
  const local: readonly FaultLine[] = Object.entries(typed?.faults ?? {}).map(([path, message]) => ({ path, message }));
  const isReadable = given !== undefined && local.length === 0;

  const { faults } = useChecked(tool.id, isReadable ? given : undefined);

  // An untouched form isn't wrong yet.
  const isTouched = written !== undefined || Object.values(draft).some((text) => text !== "");
  const all = isTouched || call.isAsked ? [...local, ...faults] : local;
  const elsewhere = all.filter(({ path }) => written !== undefined || !fields.some(({ name }) => isAt(path, name)));
  const run = (): void => {
    if (isReadable && context.read.value !== undefined) call.start(given, context.read.value);
  };
  return (
    <section aria-label="Call">
      <h3>Call it</h3>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        <fieldset class="switch" aria-label="Arguments as">
          <button type="button" aria-pressed={written === undefined} onClick={() => setWritten(undefined)}>
            Form
          </button>
          <button type="button" aria-pressed={written !== undefined} onClick={() => setWritten(editableJson(given ?? {}))}>
            JSON
          </button>
          {tool.examples.map((example, index) => (
            <button
              type="button"
              class="plain"
              key={JSON.stringify(example)}
              onClick={() => {
                setWritten(undefined);
                setDraft(draftOf(fields, example));
              }}
            >
              Example {index + 1}
            </button>
          ))}
        </fieldset>
        {written === undefined ? (
          <ArgumentForm fields={fields} draft={draft} faults={all} onChange={setDraft} />
        ) : (
          <div class="field">
            <label for="arguments">Arguments</label>
            <textarea
              id="arguments"
              class="mono"
              rows={8}
              spellcheck={false}
              value={written}
              aria-invalid={object?.fault !== undefined || elsewhere.length > 0}
              onInput={(event) => setWritten(event.currentTarget.value)}
            />
            {object?.fault !== undefined && <p class="fault">{object.fault}</p>}
          </div>
        )}
        {elsewhere.length > 0 && (
          <ul class="faults">
            {elsewhere.map(({ path, message }) => (
              <li class="fault" key={path + message}>
                <Visible text={`${path === "" ? "arguments" : path} ${message}`} />
              </li>
            ))}
          </ul>
        )}
        <ContextEditor id="context" label="Context" text={context.text} read={context.read} onChange={context.setText} />
        <div class="buttons">
          <button type="submit" class="primary" disabled={call.isRunning || !isReadable || context.read.fault !== undefined}>
            Run
          </button>
          {call.isRunning && (
            <button type="button" onClick={call.cancel}>
              Cancel
            </button>
          )}
        </div>
      </form>
      <CallProgress events={call.events} isRunning={call.isRunning} />
      {call.waiting !== undefined && <WaitingCard call={call.waiting} origin="page" isBusy={call.isRunning} onDecide={call.decide} />}
      <Fault message={call.fault} />
      {call.result !== undefined && <CallResult result={call.result} />}
      {given !== undefined && (
        <details>
          <summary>The call as code</summary>
          {callsAsCode(tool, given, context.read.value ?? {}).map(({ label, text }) => (
            <Code key={label} label={label} text={text} />
          ))}
        </details>
      )}
    </section>
  );
}

function CallProgress({ events: seen, isRunning }: { readonly events: readonly CallEvent[]; readonly isRunning: boolean }) {
  const progress = seen.findLast((event) => event.type === "progress");
  const logs = seen.filter((event) => event.type === "log");
  return (
    <div aria-live="polite">
      {isRunning && (
        <p class="running">
          <span class="spinner" aria-hidden="true" /> Running
          <Visible text={progress === undefined ? "..." : `: ${Math.round(progress.fraction * 100)} % ${progress.message ?? ""}`} />
        </p>
      )}
      {logs.length > 0 && (
        <details>
          <summary>
            Log: {logs.length} {logs.length === 1 ? "entry" : "entries"}
          </summary>
          <ul class="log">
            {logs.slice(-200).map(({ level, message, details }, index) => (
              <li key={index}>
                <b>{level}</b> <Visible text={`${message}${details === undefined ? "" : ` ${JSON.stringify(details)}`}`} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

/** The most events of a call that are kept: a tool may report for hours. */
const mostEvents = 1_000;

/** Of the progress, only the last is shown. */
function withEvents(before: readonly CallEvent[], taken: readonly CallEvent[]): readonly CallEvent[] {
  const all = [...before, ...taken];
  const progress = all.findLast(({ type }) => type === "progress");
  return all.filter((event) => event.type !== "progress" || event === progress).slice(-mostEvents);
}

/** Milliseconds between two drawings: a tool may report thousands of times in a second. */
const betweenDrawings = 50;

/** A call of a tool, from its start over a decision to its result. */
function useCall(toolId: string) {
  const [seen, setSeen] = useState<readonly CallEvent[]>([]);
  const [isRunning, setRunning] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const [fault, setFault] = useState<string>();
  const leaving = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => leaving.current?.abort(), []);

  /** `decided`: the confirmation that is decided about. */
  const follow = async (path: string, body: object, decided?: string): Promise<void> => {
    const abort = new AbortController();
    leaving.current = abort;
    setRunning(true);
    setFault(undefined);
    let unread: CallEvent[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const take = (): void => {
      const taken = unread;
      [unread, timer] = [[], undefined];
      setSeen((before) => withEvents(before, taken));
    };
    try {
      for await (const event of events<CallEvent>(path, body, abort.signal)) {
        if (event.type === "failed") setFault(event.message);
        else {
          if (decided !== undefined) forgetDraft(decided);
          unread.push(event);
          timer ??= setTimeout(take, betweenDrawings);
        }
      }
    } catch (error) {
      setFault(abort.signal.aborted ? "Cancelled: the tool's signal was aborted, and what it returns is dropped." : messageOf(error));
    } finally {
      clearTimeout(timer);
      take();
      setRunning(false);
    }
  };
  const last = seen.at(-1);
  const waiting = last?.type === "waiting" ? last.call : undefined;
  return {
    isRunning,
    isAsked,
    fault,
    waiting,
    events: seen,
    result: last?.type === "result" ? last : undefined,
    start: (given: object, context: object) => {
      setAsked(true);
      setSeen([]);
      void follow(`/api/tools/${encodeURIComponent(toolId)}/calls`, { arguments: given, context });
    },
    decide: (decision: SentDecision) => {
      if (waiting !== undefined) void follow(`/api/calls/${encodeURIComponent(waiting.id)}/decision`, decision, waiting.id);
    },
    cancel: () => leaving.current?.abort(),
  };
}
