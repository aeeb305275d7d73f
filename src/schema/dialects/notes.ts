import { setOwn } from "../../redaction/internal.js";
import type { Conversion } from "./conversion.js";

/** Longer ones are cut: the tool's own schema is checked anyway, and says what is wrong. */
const longestNote = 2_000;

/** Collects the constraints that a provider has no keywords for, as text for a description. */
export class Notes {
  readonly #conversion: Conversion;
  #keywords: Record<string, unknown> | undefined;

  constructor(conversion: Conversion) {
    this.#conversion = conversion;
  }

  add(keyword: string, value: unknown): void {
    this.#conversion.moved.add(keyword);
    setOwn((this.#keywords ??= {}), keyword, value);
  }

  /** `JSON Schema: {"minLength":3}`; undefined if there is nothing to say. */
  get text(): string | undefined {
    return this.#keywords === undefined ? undefined : `JSON Schema: ${schemaText(this.#keywords, this.#conversion)}`;
  }
}

/** A part of a schema in one line, with what its references lead to. */
export function schemaText(part: object, { schema }: Conversion): string {
  const own = JSON.stringify(part);
  const text = own.includes('"$ref":') ? JSON.stringify({ ...part, $defs: schema.$defs, definitions: schema.definitions }) : own;
  return text.length > longestNote ? `${text.slice(0, longestNote)}...` : text;
}

/** Texts, one below the other; undefined if there is none. */
export function joinTexts(...texts: readonly unknown[]): string | undefined {
  let joined: string | undefined;
  for (const text of texts) {
    if (typeof text === "string" && text !== "") joined = joined === undefined ? text : `${joined}\n${text}`;
  }
  return joined;
}
