import { setOwn } from "../schema/internal.js";
import {
  type FormOf,
  formOfResult,
  type JsonReading,
  type Member,
  readDeclared,
  readObject,
  readPrimitive,
  unreadable,
} from "./json-reading.js";
import { outlineWork, work, wideObject } from "./result-work.js";

/** The member or item that stands for all that is left out after it. */
const leftOut = "[left out: the result is too large]";
const leftOutName = "[left out]";

/** Deeper data becomes a note. An outline is read from its top. */
const deepest = 50;

/** An object whose members are still to be shown, in a copy that has its place in the outline already. */
interface OpenObject {
  readonly reading: Exclude<JsonReading, { readonly kind: "value" }>;
  readonly copy: unknown[] | Record<string, unknown>;
  readonly depth: number;
  /** The class that a `@Type` names for what is in it. */
  readonly declared: unknown;
}

/**
 * What can be shown of a value that is too large: each object once, at its place nearest to the top, then `[shown elsewhere]`.
 * Entities of a database lead back to each other: their tree has no end, and their outline has each of them.
 */
export const outline = (value: unknown, formOf: FormOf = formOfResult): unknown => new Outline(formOf).of(value);

class Outline {
  #room = outlineWork.room;
  readonly #seen = new Set<object>();
  readonly #open: OpenObject[] = [];
  readonly #formOf: FormOf;

  constructor(formOf: FormOf) {
    this.#formOf = formOf;
  }

  of(value: unknown): unknown {
    const shown = this.#show(value, 0) ?? null;
    // The list grows as it is read: objects beside each other come before what is in them.
    for (const object of this.#open) this.#fill(object);
    return shown;
  }

  /** `undefined` stands for what objects leave out. */
  #show(given: unknown, depth: number, declared?: unknown): unknown {
    const value = declared === undefined ? given : readDeclared(given, declared);
    this.#room -= work.copiedValue;
    if (typeof value === "string") return this.#text(value);
    if (typeof value !== "object" || value === null) return readPrimitive(value);
    if (this.#seen.has(value)) return "[shown elsewhere]";
    if (depth >= deepest) return "[nested too deeply]";
    this.#seen.add(value);
    this.#room -= work.foreignObject;
    try {
      const reading = readObject(value, this.#room / outlineWork.character, this.#formOf, declared);
      if (reading.kind === "value") return this.#show(reading.value, depth + 1);
      const copy = reading.kind === "items" ? [] : {};
      this.#open.push({ reading, copy, depth, declared });
      return copy;
    } catch (error) {
      return unreadable(error);
    }
  }

  #fill({ reading, copy, depth, declared }: OpenObject): void {
    try {
      if (reading.kind === "items") this.#fillItems(reading.items, copy as unknown[], depth, declared);
      else this.#fillMembers(reading.members, copy as Record<string, unknown>, depth);
    } catch (error) {
      // An iterator or a list of keys that throws midway.
      if (Array.isArray(copy)) copy.push(unreadable(error));
      else setOwn(copy, leftOutName, unreadable(error));
    }
  }

  // Nothing takes more than half of what is left: what is in it, and what comes after it, is shown too.
  #fillItems(items: Iterable<unknown>, copy: unknown[], depth: number, declared: unknown): void {
    const end = this.#room / 2;
    for (const item of items) {
      if (this.#room <= end) {
        copy.push(leftOut);
        return;
      }
      copy.push(this.#show(item, depth + 1, declared) ?? null);
    }
  }

  #fillMembers(members: Iterable<Member>, copy: Record<string, unknown>, depth: number): void {
    const end = this.#room / 2;
    let count = 0;
    for (const [key, member, declared] of members) {
      this.#room -= key.length * outlineWork.character + ((count += 1) > wideObject ? work.wideMember : 0);
      if (this.#room <= end) {
        setOwn(copy, leftOutName, "the result is too large");
        return;
      }
      const shown = this.#show(member, depth + 1, declared);
      if (shown !== undefined) setOwn(copy, key.toWellFormed(), shown);
    }
  }

  #text(text: string): string {
    const shown = Math.min(text.length, Math.max(0, Math.floor(this.#room / outlineWork.character / 4)));
    this.#room -= shown * outlineWork.character;
    if (shown === text.length) return text.toWellFormed();
    return `${text.slice(0, shown)}[... ${text.length - shown} of ${text.length} characters left out here ...]`.toWellFormed();
  }
}
