import { useState } from "preact/hooks";
import { codeOf, unseen } from "./hidden-characters.js";
import { Scrolling } from "./scrolling.js";

/** Longer texts are opened by the reader. */
const mostShown = 20_000;

/** A text from outside, with each invisible character as its code. Line breaks and tabs stay. */
export function Visible({ text }: { readonly text: string }) {
  const parts = text.split(unseen);
  if (parts.length === 1) return <>{text}</>;
  return (
    <>
      {parts.map((part, index) =>
        index % 2 === 0 || part === "\n" || part === "\t" ? (
          part
        ) : (
          <span class="unseen" title="A character that can't be seen">
            {codeOf(part)}
          </span>
        ),
      )}
    </>
  );
}

/** A longer text, in its own lines. */
export function Block({ text, label }: { readonly text: string; readonly label?: string }) {
  const [isWhole, setWhole] = useState(false);
  const isCut = text.length > mostShown && !isWhole;
  return (
    <div class="block">
      <Scrolling class="scrolling" label={label ?? "Text"}>
        <pre>
          <Visible text={isCut ? text.slice(0, mostShown) : text} />
        </pre>
      </Scrolling>
      {isCut && (
        <button type="button" class="plain" onClick={() => setWhole(true)}>
          Show all {text.length.toLocaleString("en")} characters
        </button>
      )}
    </div>
  );
}

/** A value as JSON; a text as itself. */
export const Value = ({ value, label }: { readonly value: unknown; readonly label?: string }) => (
  <Block
    text={typeof value === "string" ? value : (JSON.stringify(value, undefined, 2) ?? "null")}
    {...(label !== undefined && { label })}
  />
);

export function Fault({ message }: { readonly message: string | undefined }) {
  return message === undefined ? null : (
    <p class="fault" role="alert">
      <Visible text={message} />
    </p>
  );
}

export function duration(milliseconds: number): string {
  if (milliseconds < 1_000) return `${milliseconds < 10 ? Math.round(milliseconds * 10) / 10 : Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1_000).toFixed(2)} s`;
  const minutes = Math.round(milliseconds / 60_000);
  return minutes < 60
    ? `${Math.floor(milliseconds / 60_000)} min ${Math.floor((milliseconds / 1_000) % 60)} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Text to copy, with a button that copies it. */
export function Code({ text, label }: { readonly text: string; readonly label: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1_500);
  };
  return (
    <div class="code">
      <Block text={text} label={label} />
      <button type="button" class="plain" onClick={() => void copy()} aria-label={`Copy: ${label}`}>
        {isCopied ? "Copied" : "Copy"}
      </button>
    </div>
  );
}
