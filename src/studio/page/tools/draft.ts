import type { JsonSchemaLike } from "../../api.js";
import type { JsonObject } from "../shared/json-object.js";

/** How a parameter is asked for. */
export type FieldKind = "text" | "number" | "boolean" | "choice" | "json";

export interface Field {
  readonly name: string;
  readonly schema: JsonSchemaLike;
  readonly kind: FieldKind;
  readonly isRequired: boolean;
}

/** The fields of a tool's form. What is deeper than a scalar is written as JSON, recursive schemas too. */
export function fieldsOf({ properties = {}, required = [] }: JsonSchemaLike): readonly Field[] {
  return Object.entries(properties).map(([name, given]) => {
    const schema = typeof given === "object" ? given : {};
    return { name, schema, kind: kindOf(schema), isRequired: required.includes(name) };
  });
}

function kindOf({ type, enum: values }: JsonSchemaLike): FieldKind {
  if (values?.every((value) => typeof value === "string") === true) return "choice";
  if (type === "string") return "text";
  if (type === "number" || type === "integer") return "number";
  return type === "boolean" ? "boolean" : "json";
}

/** What stands in the fields, by name. An empty field is left out of the arguments. */
export type Draft = Readonly<Record<string, string>>;

/** A parameter may be called `constructor`. */
export const textIn = (draft: Draft, name: string): string => (Object.hasOwn(draft, name) ? (draft[name] ?? "") : "");

export interface ReadDraft {
  readonly value: JsonObject;
  /** What isn't JSON, by name. */
  readonly faults: Readonly<Record<string, string>>;
}

/** The arguments that a form means. Whether they are right is for the library to say. */
export function readDraft(fields: readonly Field[], draft: Draft): ReadDraft {
  const value: Record<string, unknown> = {};
  const faults: Record<string, string> = {};
  for (const { name, kind } of fields) {
    const text = textIn(draft, name);
    if (text === "") continue;
    if (kind === "text" || kind === "choice") set(value, name, text);
    else if (kind === "number") set(value, name, text.trim() === "" || Number.isNaN(Number(text)) ? text : Number(text));
    else if (kind === "boolean") set(value, name, text === "true");
    else {
      try {
        set(value, name, JSON.parse(text));
      } catch (error) {
        set(faults, name, `isn't JSON: ${(error as Error).message}`);
      }
    }
  }
  return { value, faults };
}

/** A parameter may be called `__proto__`. */
const set = (into: object, name: string, value: unknown): unknown =>
  Object.defineProperty(into, name, { value, enumerable: true, configurable: true, writable: true });

/** The fields that hold these arguments. */
export function draftOf(fields: readonly Field[], value: JsonObject): Draft {
  const entries = fields.flatMap(({ name, kind }) => {
    if (!Object.hasOwn(value, name)) return [];
    const given = value[name];
    return [[name, kind === "json" ? JSON.stringify(given, undefined, 2) : String(given)]];
  });
  return Object.fromEntries(entries) as Draft;
}
