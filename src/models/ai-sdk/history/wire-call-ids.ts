import { createHash } from "node:crypto";

/** What an id of a call may look like for a provider. */
export interface CallIdForm {
  readonly legal: RegExp;
  /** A legal id, as good as unique for the text. */
  readonly make: (text: string) => string;
}

const makeLong = (text: string): string => `call_${createHash("sha256").update(text).digest("hex").slice(0, 32)}`;

/** Any characters. */
export const upTo = (length: number): CallIdForm => ({ legal: new RegExp(`^.{1,${length}}$`, "su"), make: makeLong });

/** For servers that are compatible with OpenAI. Models of Moonshot read the form of their own ids, `functions.search:0`, in the prompt. */
export const compatible: CallIdForm = { legal: /^(functions\.[a-zA-Z0-9_-]+:\d+|.{1,40})$/su, make: makeLong };

/** Letters, digits, `_` and `-`. */
export const dashed = (length: number): CallIdForm => ({ legal: new RegExp(`^[a-zA-Z0-9_-]{1,${length}}$`), make: makeLong });

/** Nine letters and digits. */
export const nineCharacters: CallIdForm = {
  legal: /^[a-zA-Z0-9]{9}$/,
  make: (text) =>
    createHash("sha256")
      .update(text)
      .digest("base64")
      .replace(/[^a-zA-Z0-9]/g, "")
      .slice(0, 9),
};

/**
 * The ids of a history as they go out. An id that the provider takes stays; any other becomes one that depends on it alone, so it is
 * the same in each request. If two ids would become the same, the later one changes, so ids that were already sent stay.
 */
export class WireCallIds {
  readonly #form: CallIdForm;
  readonly #sent = new Map<string, string>();
  readonly #taken = new Set<string>();

  constructor(form: CallIdForm) {
    this.#form = form;
  }

  toWire(id: string): string {
    let wire = this.#sent.get(id);
    if (wire === undefined) {
      wire = this.#form.legal.test(id) ? id : this.#form.make(id);
      for (let attempt = 1; this.#taken.has(wire); attempt += 1) wire = this.#form.make(`${attempt} ${id}`);
      this.#sent.set(id, wire);
      this.#taken.add(wire);
    }
    return wire;
  }
}
