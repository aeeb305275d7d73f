interface ModelFieldProps {
  readonly id: string;
  readonly value: string;
  /** The agent's own model; `null` if a function chooses it. */
  readonly own: string | null;
  /** References, and beginnings of references. */
  readonly models: readonly string[];
  readonly disabled?: boolean;
  readonly onChange: (model: string) => void;
}

/** The choice of a model. Empty: the agent's own. */
export function ModelField({ id, value, own, models, disabled = false, onChange }: ModelFieldProps) {
  return (
    <div class="field">
      <label for={id}>Model</label>
      <input
        id={id}
        class="mono"
        list={`${id}-known`}
        value={value}
        disabled={disabled}
        spellcheck={false}
        autocomplete="off"
        placeholder={own ?? "the agent chooses it"}
        aria-describedby={`${id}-note`}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      <datalist id={`${id}-known`}>
        {models.map((model) => (
          <option key={model} value={model} />
        ))}
      </datalist>
      <p id={`${id}-note`} class="note">
        Empty for the agent's own, or a reference such as embedded/keyword or openai/gpt-5-mini.
      </p>
    </div>
  );
}
