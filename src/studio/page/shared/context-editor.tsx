import type { ReadObject } from "./json-object.js";

interface ContextEditorProps {
  readonly id: string;
  readonly label: string;
  readonly text: string;
  readonly read: ReadObject;
  readonly onChange: (text: string) => void;
}

/** The context that a tool or an agent gets: who the user is, and what the user may do. */
export function ContextEditor({ id, label, text, read, onChange }: ContextEditorProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        class="mono"
        rows={Math.min(8, Math.max(2, text.split("\n").length))}
        spellcheck={false}
        value={text}
        placeholder='{ "userId": "42", "roles": ["admin"], "scopes": [] }'
        aria-invalid={read.fault !== undefined}
        aria-describedby={`${id}-note`}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      <p id={`${id}-note`} class={read.fault === undefined ? "note" : "fault"}>
        {read.fault ?? "The toolContext of the call, as JSON: userId, roles, scopes and your own members."}
      </p>
    </div>
  );
}
