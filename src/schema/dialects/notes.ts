import { setOwn } from "../keywords.js";
import type { Conversion } from "./conversion.js";

/** Longer ones are cut: the tool's own schema is checked anyway, and says what is wrong. */
const longestNote = 2_000;

/** What a schema says and its provider can't be told in keywords, gathered as text for a description. */
export class Notes {
  readonly #conversion: Conversion;
  readonly #keywords: Record<string, unknown> = {};
  #isEmpty = true;

  constructor(conversion: Conversion) {
    this.#conversion = conversion;
  }

  add(keyword: string, value: unknown): void {
    this.#conversion.moved.add(keyword);
    this.#isEmpty = false;
    setOwn(this.#keywords, keyword, value);
  }

  /** `JSON Schema: {"minLength":3}`; undefined where there is nothing to say. */
  get text(): string | undefined {
    return this.#isEmpty ? undefined : `JSON Schema: ${schemaText(this.#keywords, this.#conversion)}`;
  }
}

/** A part of a schema in one line, with what its references lead to. */
export function schemaText(part: object, { schema: { $defs, definitions } }: Conversion): string {
  const own = JSON.stringify(part);
  const text = own.includes('"$ref":') ? JSON.stringify({ ...part, $defs, definitions }) : own;
  return text.length > longestNote ? `${text.slice(0, longestNote)}...` : text;
}

/** Texts, one below the other; undefined where there is none. */
export function joinTexts(...texts: readonly unknown[]): string | undefined {
  const told = texts.filter((text) => typeof text === "string" && text !== "");
  return told.length === 0 ? undefined : told.join("\n");
}
