import { useState } from "preact/hooks";
import type { WaitingCall } from "../../api.js";
import { editableJson, visibleText } from "./hidden-characters.js";
import { readObject } from "./json-object.js";
import { Fault, Visible } from "./text.js";

/** A decision as the API takes it. */
export type SentDecision =
  | { readonly decision: "approve" }
  | { readonly decision: "deny"; readonly reason?: string }
  | { readonly decision: "approve_edited"; readonly arguments: object }
  | { readonly decision: "answer"; readonly value: unknown };

interface WaitingCardProps {
  readonly call: WaitingCall;
  readonly isBusy: boolean;
  readonly onDecide: (decision: SentDecision) => void;
}

/** What will be done, as it will be used, and the buttons of the decision. */
export function WaitingCard({ call, isBusy, onDecide }: WaitingCardProps) {
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
        {call.category}, consequence {call.consequenceLevel}. Valid until {new Date(call.expiresAt).toLocaleString()}.
      </p>
      {isExpired(call) && <p class="warning">It is too late to approve this call. Deny it: the model can make it again.</p>}
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
        <AnswerForm call={call} isBusy={isBusy} onDecide={onDecide} />
      ) : (
        <ApprovalForm call={call} isBusy={isBusy} onDecide={onDecide} />
      )}
    </section>
  );
}

const isExpired = ({ expiresAt, kind }: WaitingCall): boolean => kind === "confirmation" && Date.parse(expiresAt) < Date.now();

function ApprovalForm({ call, isBusy, onDecide }: WaitingCardProps) {
  const [reason, setReason] = useState("");
  const [edited, setEdited] = useState<string>();
  const read = edited === undefined ? undefined : readObject(edited);
  const approve = (): void => {
    if (read === undefined) onDecide({ decision: "approve" });
    else if (read.value !== undefined) onDecide({ decision: "approve_edited", arguments: read.value });
  };
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      {edited !== undefined && (
        <div class="field">
          <label for={`edit-${call.id}`}>Arguments to use</label>
          <textarea
            id={`edit-${call.id}`}
            class="mono"
            rows={6}
            spellcheck={false}
            value={edited}
            onInput={(event) => setEdited(event.currentTarget.value)}
          />
          <Fault message={read?.fault} />
        </div>
      )}
      <div class="field">
        <label for={`reason-${call.id}`}>Reason of a denial (the model reads it)</label>
        <input id={`reason-${call.id}`} value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
      </div>
      <div class="buttons">
        <button
          type="button"
          disabled={isBusy}
          onClick={() => onDecide(reason === "" ? { decision: "deny" } : { decision: "deny", reason })}
        >
          Deny
        </button>
        <button type="button" class="primary" disabled={isBusy || isExpired(call) || read?.fault !== undefined} onClick={approve}>
          {edited === undefined ? "Approve" : "Approve edited"}
        </button>
        {edited === undefined && call.hidden.length === 0 && (
          <button type="button" class="plain" disabled={isBusy} onClick={() => setEdited(editableJson(call.input))}>
            Edit arguments
          </button>
        )}
        {edited !== undefined && (
          <button type="button" class="plain" disabled={isBusy} onClick={() => setEdited(undefined)}>
            Drop the edits
          </button>
        )}
      </div>
    </form>
  );
}

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
