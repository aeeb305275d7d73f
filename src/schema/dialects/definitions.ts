import type { SchemaNode } from "../keywords.js";
import { setOwn } from "../../redaction/internal.js";

/** The `$defs` of a schema on the wire: what is referred to, under short names, each written once. */
export class Definitions {
  readonly #names = new Map<SchemaNode, string>();
  readonly #taken = new Set<string>();
  /** Of each name that several want, the last number that was tried. */
  readonly #numbers = new Map<string, number>();
  readonly #written: Record<string, unknown> = {};
  readonly #write: (target: SchemaNode) => unknown;

  constructor(write: (target: SchemaNode) => unknown) {
    this.#write = write;
  }

  /** The reference that leads to a target. `reference` is the one by which the author's schema leads there. */
  referTo(target: SchemaNode, reference: unknown): string {
    let name = this.#names.get(target);
    if (name === undefined) {
      name = this.#freeName(String(reference).split(/[/#]/).at(-1) || "root");
      this.#names.set(target, name);
      setOwn(this.#written, name, {});
      setOwn(this.#written, name, this.#write(target));
    }
    return `#/$defs/${name}`;
  }

  /** What belongs into `$defs`; undefined if nothing is referred to. */
  get written(): Readonly<Record<string, unknown>> | undefined {
    return this.#names.size === 0 ? undefined : this.#written;
  }

  #freeName(wanted: string): string {
    const stem = wanted.replace(/[^a-zA-Z0-9_-]/g, "_");
    let name = stem;
    while (this.#taken.has(name)) {
      const number = (this.#numbers.get(stem) ?? 1) + 1;
      this.#numbers.set(stem, number);
      name = `${stem}_${number}`;
    }
    this.#taken.add(name);
    return name;
  }
}
