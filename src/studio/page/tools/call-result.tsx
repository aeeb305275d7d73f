import type { AttemptLine, CallEvent, Picture } from "../../api.js";
import { Block, duration, Value, Visible } from "../shared/text.js";

type Result = Extract<CallEvent, { readonly type: "result" }>;

export function CallResult({ result }: { readonly result: Result }) {
  const { ok, data, error, errorType, lack, text, attachments, attempts } = result;
  return (
    <section class={`result ${ok ? "good" : "bad"}`} aria-label="Result" aria-live="polite">
      <h4>
        {ok ? "Result" : <>Failed: {errorType}</>}
        {attempts.length > 0 && <span class="time">{duration(attempts.reduce((sum, one) => sum + one.duration, 0))}</span>}
      </h4>
      {ok ? <Value value={data} label="Result" /> : <Block text={error ?? ""} label="Error" />}
      {lack !== undefined && (
        <p class="note">
          <Visible text={`No access: ${lack} A model with this context isn't offered the tool.`} />
        </p>
      )}
      <Pictures attachments={attachments} />
      <details>
        <summary>As a model reads it</summary>
        <Block text={text} label="As a model reads it" />
      </details>
      {attempts.length > 0 && (
        <details>
          <summary>
            {attempts.length} {attempts.length === 1 ? "attempt" : "attempts"}
          </summary>
          <ol class="attempts">
            {attempts.map((attempt) => (
              <Attempt key={attempt.attempt} attempt={attempt} />
            ))}
          </ol>
        </details>
      )}
    </section>
  );
}

function Attempt({ attempt }: { readonly attempt: AttemptLine }) {
  const { startedAt, duration: taken, input, error, errorType, stack, repairs } = attempt;
  return (
    <li>
      <p>
        {new Date(startedAt).toLocaleTimeString()}, {duration(taken)}
        {errorType !== undefined && `, ${errorType}`}
      </p>
      {error !== undefined && <Block text={stack ?? error} label="Error" />}
      <p class="note">Arguments as the tool got them</p>
      <Value value={input} label="Arguments" />
      {repairs.map(({ path, from, to }) => (
        <p class="note" key={path}>
          <Visible text={`Repaired ${path}: ${JSON.stringify(from)} became ${JSON.stringify(to)}`} />
        </p>
      ))}
    </li>
  );
}

export function Pictures({ attachments }: { readonly attachments: readonly Picture[] }) {
  if (attachments.length === 0) return null;
  return (
    <div class="pictures">
      {attachments.map(({ mediaType, data, filename }, index) =>
        /^image\/(png|jpeg|gif|webp)$/.test(mediaType) ? (
          <img key={index} src={`data:${mediaType};base64,${data}`} alt={filename ?? `Picture ${index + 1} of the result`} />
        ) : (
          <a key={index} download={filename ?? `file-${index + 1}`} href={`data:application/octet-stream;base64,${data}`}>
            Save {filename ?? mediaType}
          </a>
        ),
      )}
    </div>
  );
}
