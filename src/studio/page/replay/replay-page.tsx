import { useEffect, useRef, useState } from "preact/hooks";
import type { AgentLine, AgentTools, Overview, RunSteps } from "../../api.js";
import { useChat } from "../agents/chat.js";
import { ModelField } from "../agents/model-field.js";
import type { CallEntry, Entry, Transcript } from "../agents/transcript.js";
import { TranscriptView } from "../agents/transcript-view.js";
import { ContextEditor } from "../shared/context-editor.js";
import { readObject } from "../shared/json-object.js";
import { ask, messageOf } from "../shared/request.js";
import { Fault, Visible } from "../shared/text.js";
import { Obstacle, type SentDecision } from "../shared/waiting-card.js";
import { type ComparedStep, compareSteps } from "./compare-steps.js";
import { recordedEntries } from "./recorded-entries.js";
import { hrefOfReplay } from "./replay-link.js";

interface ReplayPageProps {
  readonly overview: Overview;
  readonly runId: string;
  readonly step: number;
  /** The context of chats, for runs whose record has none. */
  readonly context: string;
}

/** A recorded run from a step on, and beside it a replay with another model or other instructions. */
export function ReplayPage({ overview, runId, step, context }: ReplayPageProps) {
  const [record, setRecord] = useState<RunSteps>();
  const [fault, setFault] = useState<string>();
  const path = `/api/runs/${encodeURIComponent(runId)}`;
  const load = (): void => void ask<RunSteps>(`${path}/steps`).then(setRecord, (error: unknown) => setFault(messageOf(error)));
  useEffect(load, [path]);
  const agent = overview.agents.find(({ name }) => name === record?.agent);
  return (
    <main id="main" class="alone" tabIndex={-1}>
      <article>
        <h2 class="plain-title">
          Replay from step {step} of <Visible text={runId} />
        </h2>
        <p class="description">
          The model is asked anew from step {step} on. A call with the tool and the arguments of a recorded one is answered from the record.
          Any other call asks you first.
        </p>
        {record?.context !== undefined && (
          <p class="to-run">
            <a href={`#/runs/${encodeURIComponent(runId)}`}>Back to the run</a>
          </p>
        )}
        <Fault message={fault} />
        {record !== undefined && <Replay {...{ overview, record, agent, step, path, context }} onBegin={load} />}
      </article>
    </main>
  );
}

interface ReplayProps extends Pick<ReplayPageProps, "overview" | "step" | "context"> {
  readonly record: RunSteps;
  /** `undefined`: the studio doesn't have it, and the replay says so. */
  readonly agent: AgentLine | undefined;
  readonly path: string;
  /** The run may have gone on since its record was read. */
  readonly onBegin: () => void;
}

function Replay({ overview, record, agent, step, path, context, onBegin }: ReplayProps) {
  const [text, setText] = useState(() => (record.context === undefined ? context : JSON.stringify(record.context, undefined, 2)));
  const [model, setModel] = useState("");
  const [instructions, setInstructions] = useOwnInstructions(agent, text);
  const comparison = useRef<HTMLHeadingElement>(null);
  const read = readObject(text);
  const chat = useChat(async (signal) => {
    const asked = {
      step,
      ...(model.trim() !== "" && { model: model.trim() }),
      ...(instructions.isChanged && { instructions: instructions.text }),
    };
    return (await ask<{ readonly chat: string }>(`${path}/replays`, asked, signal)).chat;
  });
  const start = (): void => {
    if (read.value === undefined || chat.isRunning) return;
    onBegin();
    chat.begin(read.value);
    comparison.current?.focus();
  };
  const decide = (call: CallEntry, decision: SentDecision): void => {
    if (read.value === undefined) return;
    chat.decide(call, decision, read.value);
    // The buttons go, and the focus with them.
    comparison.current?.focus({ preventScroll: true });
  };
  const steps = compareSteps(
    new Map(record.steps.filter((one) => one.step >= step).map((one) => [one.step, recordedEntries(one)])),
    stepsOf(chat.transcript, step),
    chat.transcript.reason !== undefined && !chat.transcript.reason.startsWith("awaiting_"),
  );
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          start();
        }}
      >
        <div class="field">
          <label for="replay-instructions">Instructions</label>
          <textarea
            id="replay-instructions"
            rows={4}
            value={instructions.text}
            onInput={(event) => setInstructions(event.currentTarget.value)}
          />
        </div>
        <ModelField id="replay-model" value={model} own={agent?.model ?? null} models={overview.models} onChange={setModel} />
        <ContextEditor id="replay-context" label="Context" text={text} read={read} onChange={setText} />
        <div class="buttons">
          <button type="submit" class="primary" disabled={chat.isRunning || read.value === undefined}>
            {chat.chatId === undefined ? "Start the replay" : "Replay again"}
          </button>
          {chat.isRunning && (
            <button type="button" onClick={chat.cancel}>
              Stop
            </button>
          )}
        </div>
      </form>
      <Fault message={chat.fault} />
      <section aria-labelledby="replay-comparison">
        <h3 id="replay-comparison" ref={comparison} tabIndex={-1}>
          Side by side
        </h3>
        <p class="note" role="status">
          {statusOf(chat.transcript, chat.isRunning)}
        </p>
        <Obstacle.Provider value={read.value === undefined ? "To decide, correct the context: it isn't a JSON object." : undefined}>
          {steps.map((one) => (
            <StepRow
              key={one.step}
              compared={one}
              offered={offeredIn(chat.transcript, one.step - step + 1)}
              first={step}
              runId={chat.transcript.runId}
              isBusy={chat.isRunning}
              onDecide={decide}
            />
          ))}
        </Obstacle.Provider>
      </section>
    </>
  );
}

const marks = { same: "= same", differs: "≠ differs", open: "" } as const;

interface StepRowProps {
  readonly compared: ComparedStep;
  /** The tools that the model was offered in the replay. The record doesn't have those of the run. */
  readonly offered: readonly string[] | undefined;
  /** The step that the replay began with, which is its own step 1. */
  readonly first: number;
  /** The id of the replay. */
  readonly runId: string | undefined;
  readonly isBusy: boolean;
  readonly onDecide: (call: CallEntry, decision: SentDecision) => void;
}

function StepRow({ compared: { step, recorded, replayed, differences, state }, offered, first, runId, isBusy, onDecide }: StepRowProps) {
  return (
    <section class={`compared ${state}`} aria-label={`Step ${step}`}>
      <h4>
        Step {step} {state !== "open" && <span class={`mark ${state === "same" ? "good" : "wait"}`}>{marks[state]}</span>}
      </h4>
      {differences.length > 0 && <p class="note">{differences.join(", ")}</p>}
      <div class="two">
        <div>
          <h5>Recorded</h5>
          <Entries entries={recorded} isBusy={false} />
        </div>
        <div>
          <h5>Replay</h5>
          {offered !== undefined && (
            <p class="note">
              Tools offered: <Visible text={offered.length === 0 ? "none" : offered.join(", ")} />
            </p>
          )}
          <Entries entries={replayed} isBusy={isBusy} onDecide={onDecide} />
          {runId !== undefined && replayed.length > 0 && !isBusy && !replayed.some(isWaiting) && (
            <p class="note">
              <a href={hrefOfReplay(runId, step - first + 1)}>Replay this replay from step {step - first + 1}</a>
            </p>
          )}
        </div>
      </div>
    </section>
  );
}

const offeredIn = ({ steps }: Transcript, step: number): readonly string[] | undefined => steps.findLast((one) => one.step === step)?.tools;

const isWaiting = (entry: Entry): boolean => entry.kind === "call" && entry.waiting !== undefined;

interface EntriesProps {
  readonly entries: readonly Entry[];
  readonly isBusy: boolean;
  readonly onDecide?: (call: CallEntry, decision: SentDecision) => void;
}

const Entries = ({ entries, isBusy, onDecide }: EntriesProps) =>
  entries.length === 0 ? (
    <p class="note">Nothing.</p>
  ) : (
    <TranscriptView transcript={{ entries, steps: [] }} isBusy={isBusy} {...(onDecide !== undefined && { onDecide })} />
  );

/** The entries of a replay by the steps of the record: its own step 1 is the one that it began with. */
function stepsOf({ entries }: Transcript, first: number): ReadonlyMap<number, readonly Entry[]> {
  const steps = new Map<number, Entry[]>();
  let current = first;
  for (const entry of entries) {
    if (entry.kind === "step") current = first + entry.step - 1;
    const known = steps.get(current) ?? [];
    steps.set(current, known);
    if (entry.kind !== "step") known.push(entry);
  }
  return steps;
}

function statusOf({ reason, entries }: Transcript, isRunning: boolean): string {
  if (isRunning) return "The replay goes on...";
  if (entries.some(isWaiting)) return "A call waits for your decision.";
  return reason === undefined ? "The replay hasn't begun." : `The replay has ended: ${reason}.`;
}

/** The instructions of the agent for the context, until the person changes them. */
function useOwnInstructions(agent: AgentLine | undefined, context: string) {
  const [own, setOwn] = useState("");
  const [written, setWritten] = useState<string>();
  useEffect(() => {
    const { value } = readObject(context);
    if (agent === undefined || value === undefined) return;
    const leaving = new AbortController();
    ask<AgentTools>(`/api/agents/${encodeURIComponent(agent.id)}/tools`, { context: value }, leaving.signal).then(
      ({ instructions }) => setOwn(instructions),
      () => undefined,
    );
    return () => leaving.abort();
  }, [agent?.id, context]);
  return [{ text: written ?? own, isChanged: written !== undefined && written !== own }, setWritten] as const;
}
