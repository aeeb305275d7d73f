import { createContext } from "preact";
import { useContext, useRef, useState } from "preact/hooks";
import type { WaitingCall } from "../../api.js";
import { type DecisionDraft, keepDraft, keptDraft } from "./decision-drafts.js";
import { editableJson, visibleText } from "./hidden-characters.js";
import { isExpired } from "./is-expired.js";
import { type ReadObject, readObject } from "./json-object.js";
import { Fault, Visible } from "./text.js";
import { KnownTools } from "./tool-link.js";
import { useChecked } from "./use-checked.js";

/** A decision as the API takes it. */
export type SentDecision =
  | { readonly decision: "approve" }
  | { readonly decision: "deny"; readonly reason?: string }
  | { readonly decision: "approve_edited"; readonly arguments: object }
  | { readonly decision: "answer"; readonly value: unknown };

/** Why no call can be decided now; `undefined` if it can. */
export const Obstacle = createContext<string | undefined>(undefined);

interface WaitingCardProps {
  readonly call: WaitingCall;
  /** What waits: a call that was made in the page, a run of a chat, or a stored run of any application. */
  readonly origin: keyof typeof lateWords;
  readonly isBusy: boolean;
  readonly onDecide: (decision: SentDecision) => void;
}

/** What to do about a call that can't be approved any more. */
const lateWords = {
  page: "Deny it, and run it again.",
  chat: "Deny it, and send the prompt again: a new run asks again.",
  stored: "Deny it: the run goes on without the call. To be asked again, start a new run in your application.",
} as const;

/** What will be done, as it will be used, and the buttons of the decision. */
export function WaitingCard({ call, origin, isBusy: isDeciding, onDecide }: WaitingCardProps) {
  const obstacle = useContext(Obstacle);
  const isBusy = isDeciding || obstacle !== undefined;
  return (
    <section class="waiting" aria-label={`Decision about ${call.tool}`}>
      <h4>
        {call.kind === "question" ? "An answer is needed: " : "Run "}
        <Visible text={call.tool} />
        {call.kind === "question" ? "" : "?"}
      </h4>
      <p>
        <Visible text={call.description} />
      </p>
      {call.warnings.map(({ text }) => (
        <p class="warning" key={text}>
          <Visible text={text} />
        </p>
      ))}
      <p class="note">
        {/* In the place of other words: nothing moves below a pointer. */}
        {obstacle !== undefined ? (
          <b role="status">{obstacle}</b>
        ) : (
          `${call.category}, consequence ${call.consequenceLevel}. Valid until ${new Date(call.expiresAt).toLocaleString()}.`
        )}
      </p>
      {isExpired(call) && <p class="warning">It is too late to approve this call. {lateWords[origin]}</p>}
      {call.arguments.length === 0 ? (
        <p class="note">No arguments.</p>
      ) : (
        <dl class="arguments">
          {call.arguments.map(({ name, text }) => (
            <div key={name}>
              <dt>
                <Visible text={name} />
              </dt>
              <dd>
                <Visible text={text} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {call.kind === "question" ? (
        <AnswerForm call={call} origin={origin} isBusy={isBusy} onDecide={onDecide} />
      ) : (
        <ApprovalForm call={call} origin={origin} isBusy={isBusy} onDecide={onDecide} />
      )}
    </section>
  );
}

function ApprovalForm({ call, origin, isBusy, onDecide }: WaitingCardProps) {
  const [draft, setDraft] = useState(() => keptDraft(call.id));
  const { reason, edited } = draft;
  const change = (changes: DecisionDraft): void => {
    const next = { ...draft, ...changes };
    setDraft(next);
    keepDraft(call.id, next);
  };
  const editor = useRef<HTMLTextAreaElement>(null);
  const editButton = useRef<HTMLButtonElement>(null);
  const read = edited === undefined ? undefined : readArguments(edited);
  const toolId = useContext(KnownTools).has(call.tool) ? call.tool : undefined;
  const { faults, isCurrent } = useChecked(toolId, read?.value);
  // The tool of this name in the run's application may be another one. It checks the arguments itself.
  const isAdvice = origin === "stored";
  const isRight = read === undefined || (read.value !== undefined && (isAdvice || (isCurrent && faults.length === 0)));
  const approve = (): void => {
    if (read === undefined) onDecide({ decision: "approve" });
    else if (read.value !== undefined) onDecide({ decision: "approve_edited", arguments: read.value });
  };
  const edit = (): void => {
    change({ edited: editableJson(call.input) });
    requestAnimationFrame(() => editor.current?.focus());
  };
  const leave = (): void => {
    change({ edited: undefined });
    requestAnimationFrame(() => editButton.current?.focus());
  };
  const isLate = isExpired(call);
  const isEdited = edited !== undefined && !isLate;
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      {isEdited && (
        <div class="field">
          <label for={`edit-${call.id}`}>Arguments to use</label>
          <textarea
            id={`edit-${call.id}`}
            ref={editor}
            class="mono"
            rows={6}
            spellcheck={false}
            value={edited}
            aria-invalid={read?.fault !== undefined || (!isAdvice && faults.length > 0)}
            aria-describedby={`faults-${call.id}`}
            onInput={(event) => change({ edited: event.currentTarget.value })}
            onKeyDown={(event) => event.key === "Escape" && leave()}
          />
          <div id={`faults-${call.id}`}>
            <Fault message={read?.fault} />
            {isAdvice && read?.value !== undefined && faults.length > 0 && (
              <p class="warning">
                The tool of this name in the studio finds faults. The run may have another version of it, which checks the arguments again.
              </p>
            )}
            {read?.value !== undefined &&
              faults.map(({ path, message }) => <Fault key={path + message} message={`${path === "" ? "arguments" : path} ${message}`} />)}
          </div>
        </div>
      )}
      <div class="field">
        <label for={`reason-${call.id}`}>Reason of a denial (the model reads it)</label>
        <input id={`reason-${call.id}`} value={reason ?? ""} onInput={(event) => change({ reason: event.currentTarget.value })} />
      </div>
      <div class="buttons">
        <button
          type="button"
          disabled={isBusy}
          onClick={() => onDecide(reason === undefined || reason === "" ? { decision: "deny" } : { decision: "deny", reason })}
        >
          Deny
        </button>
        <button type="button" class="primary" disabled={isBusy || isLate || !isRight} onClick={approve}>
          {isEdited ? "Approve edited" : "Approve"}
        </button>
        {isEdited ? (
          <button type="button" class="plain" disabled={isBusy} onClick={leave}>
            Cancel the edit
          </button>
        ) : (
          call.hidden.length === 0 &&
          !isLate && (
            <button ref={editButton} type="button" class="plain" disabled={isBusy} onClick={edit}>
              Edit arguments
            </button>
          )
        )}
      </div>
    </form>
  );
}

/** An empty text isn't taken for "no arguments": it may be half of an edit. */
const readArguments = (text: string): ReadObject =>
  text.trim() === "" ? { fault: "Write the arguments as a JSON object, such as {}, or cancel the edit." } : readObject(text);

function AnswerForm({ call, isBusy, onDecide }: WaitingCardProps) {
  const [text, setText] = useState("");
  const isText = call.answerSchema?.type === "string";
  const options = call.answerSchema?.enum?.filter((option) => typeof option === "string");
  let value: unknown = text;
  let fault: string | undefined;
  if (!isText && text !== "") {
    try {
      value = JSON.parse(text);
    } catch (error) {
      fault = `This isn't JSON: ${(error as Error).message}`;
    }
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (fault === undefined && text !== "") onDecide({ decision: "answer", value });
      }}
    >
      <div class="field">
        <label for={`answer-${call.id}`}>{isText ? "Answer" : "Answer, as JSON"}</label>
        {isText && options !== undefined ? (
          <select id={`answer-${call.id}`} value={text} onChange={(event) => setText(event.currentTarget.value)}>
            <option value="">Choose...</option>
            {options.map((option) => (
              <option key={option} value={option}>
                {visibleText(option)}
              </option>
            ))}
          </select>
        ) : (
          <textarea id={`answer-${call.id}`} rows={2} value={text} onInput={(event) => setText(event.currentTarget.value)} />
        )}
        <Fault message={fault} />
      </div>
      <div class="buttons">
        <button type="button" disabled={isBusy} onClick={() => onDecide({ decision: "deny" })}>
          Don't answer
        </button>
        <button type="submit" class="primary" disabled={isBusy || text === "" || fault !== undefined}>
          Answer
        </button>
      </div>
    </form>
  );
}
