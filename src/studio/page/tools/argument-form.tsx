import type { FaultLine } from "../../api.js";
import { visibleText } from "../shared/hidden-characters.js";
import { Visible } from "../shared/text.js";
import { type Draft, type Field, textIn } from "./draft.js";

interface ArgumentFormProps {
  readonly fields: readonly Field[];
  readonly draft: Draft;
  readonly faults: readonly FaultLine[];
  readonly onChange: (draft: Draft) => void;
}

/** A field for each parameter, with what is wrong with it below. */
export function ArgumentForm({ fields, draft, faults, onChange }: ArgumentFormProps) {
  if (fields.length === 0) return <p class="note">This tool has no parameters.</p>;
  return (
    <>
      {fields.map((field) => (
        <ArgumentField
          key={field.name}
          field={field}
          text={textIn(draft, field.name)}
          faults={faults.filter(({ path }) => isAt(path, field.name))}
          onChange={(text) => onChange({ ...draft, [field.name]: text })}
        />
      ))}
    </>
  );
}

/** `address.street` and `items[0]` are at `address` and `items`. */
export const isAt = (path: string, name: string): boolean =>
  path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`) || path.startsWith(`["${name}"]`);

interface ArgumentFieldProps {
  readonly field: Field;
  readonly text: string;
  readonly faults: readonly FaultLine[];
  readonly onChange: (text: string) => void;
}

function ArgumentField({ field, text, faults, onChange }: ArgumentFieldProps) {
  const { name, schema, isRequired } = field;
  const id = `argument-${name}`;
  const described = [schema.description !== undefined ? `${id}-note` : "", faults.length > 0 ? `${id}-fault` : ""].join(" ").trim();
  const shared = {
    id,
    "aria-invalid": faults.length > 0,
    "aria-required": isRequired,
    ...(described !== "" && { "aria-describedby": described }),
  };
  return (
    <div class="field">
      <label for={id}>
        <Visible text={name} /> <span class="type">{typeOf(field)}</span>
        {isRequired && <span class="required">required</span>}
      </label>
      <Control field={field} text={text} onChange={onChange} shared={shared} />
      {schema.description !== undefined && (
        <p id={`${id}-note`} class="note">
          <Visible text={schema.description} />
        </p>
      )}
      {faults.length > 0 && (
        <p id={`${id}-fault`} class="fault">
          <Visible text={faults.map(({ path, message }) => (path === name ? message : `${path} ${message}`)).join("; ")} />
        </p>
      )}
    </div>
  );
}

interface ControlProps extends Pick<ArgumentFieldProps, "field" | "text" | "onChange"> {
  readonly shared: object;
}

function Control({ field: { kind, schema }, text, onChange, shared }: ControlProps) {
  const fallback = schema.default === undefined ? "" : `default: ${JSON.stringify(schema.default)}`;
  if (kind === "choice" || kind === "boolean") {
    const options = kind === "boolean" ? ["true", "false"] : (schema.enum as readonly string[]);
    return (
      <select {...shared} value={text} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">{fallback === "" ? "not given" : fallback}</option>
        {options.map((option) => (
          <option key={option} value={option}>
            {visibleText(option)}
          </option>
        ))}
      </select>
    );
  }
  if (kind === "json" || text.includes("\n")) {
    return (
      <textarea
        {...shared}
        class={kind === "json" ? "mono" : ""}
        rows={3}
        spellcheck={false}
        placeholder={kind === "json" ? fallback || "JSON" : fallback}
        value={text}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  return (
    <input
      {...shared}
      inputMode={kind === "number" ? "decimal" : "text"}
      autocomplete="off"
      placeholder={fallback}
      value={text}
      onInput={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function typeOf({ schema: { type, format, enum: values } }: Field): string {
  if (values !== undefined) return "choice";
  const name = type === undefined ? "any" : typeof type === "string" ? type : type.join(" or ");
  return format === undefined ? name : `${name}, ${format}`;
}
