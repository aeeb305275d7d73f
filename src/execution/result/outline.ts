import { setOwn } from "../../redaction/internal.js";
import type { Place } from "../../schema/internal.js";
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
import { NoJsonError, refuseContentPart, refuseMethod, refuseNoJson } from "./no-json.js";
import { outlineWork, wideObject, work } from "./result-work.js";

/** The member or item in place of all that are left out after it. */
const leftOut = "[left out: the result is too large]";
const leftOutName = "[left out]";

/** Deeper data becomes a note. An outline is read from its top. */
const deepest = 50;

/** An object whose members are shown later, in a copy that has its place in the outline already. */
interface OpenObject {
  readonly value: object;
  readonly reading: Exclude<JsonReading, { readonly kind: "value" }>;
  readonly copy: unknown[] | Record<string, unknown>;
  readonly spot: Spot;
  /** The class that a `@Type` names for its items. */
  readonly declared: unknown;
}

/** The position of a value. */
interface Spot {
  readonly depth: number;
  readonly place: Place | undefined;
  /** Whether values without a form in JSON are rejected there. */
  readonly isStrict: boolean;
}

const within = ({ depth, place, isStrict }: Spot, key: string | number): Spot => ({
  depth: depth + 1,
  place: { parent: place, key },
  isStrict,
});

/**
 * A value that is too large, in outline: each object once, at its place nearest to the top, then `[shown elsewhere]`. Entities of a
 * database refer to each other, so their tree has no end. Their outline has each entity once. `isStrict`: throws `NoJsonError` for
 * values without a form in JSON.
 */
export const outline = (value: unknown, formOf: FormOf = formOfResult, isStrict = false): unknown =>
  new Outline(formOf).of(value, isStrict);

class Outline {
  #room = outlineWork.room;
  readonly #seen = new Set<object>();
  readonly #open: OpenObject[] = [];
  readonly #formOf: FormOf;

  constructor(formOf: FormOf) {
    this.#formOf = formOf;
  }

  of(value: unknown, isStrict: boolean): unknown {
    const shown = this.#show(value, { depth: 0, place: undefined, isStrict }) ?? null;
    // The list grows as it is read: objects beside each other come before their members.
    for (const object of this.#open) this.#fill(object);
    return shown;
  }

  /** `undefined` for values that objects leave out. */
  #show(given: unknown, spot: Spot, declared?: unknown): unknown {
    const value = declared === undefined ? given : readDeclared(given, declared);
    this.#room -= work.copiedValue;
    if (typeof value === "string") return this.#text(value);
    if (typeof value !== "object" || value === null) return readPrimitive(value);
    if (this.#seen.has(value)) return "[shown elsewhere]";
    if (spot.depth >= deepest) return "[nested too deeply]";
    this.#seen.add(value);
    this.#room -= work.foreignObject;
    try {
      if (spot.isStrict) refuseNoJson(value);
      const reading = readObject(value, this.#room / outlineWork.character, this.#formOf, declared);
      if (reading.kind === "value") return this.#show(reading.value, { ...spot, depth: spot.depth + 1 });
      const copy = reading.kind === "items" ? [] : {};
      const isStrict = spot.isStrict && !(reading.kind === "members" && reading.ofError);
      this.#open.push({ value, reading, copy, spot: { ...spot, isStrict }, declared });
      return copy;
    } catch (error) {
      if (error instanceof NoJsonError) throw error.at(spot.place);
      return unreadable(error);
    }
  }

  #fill({ value, reading, copy, spot, declared }: OpenObject): void {
    try {
      if (reading.kind === "items") this.#fillItems(reading.items, copy as unknown[], spot, declared);
      else this.#fillMembers(value, reading.members, copy as Record<string, unknown>, spot);
    } catch (error) {
      if (error instanceof NoJsonError) throw error.at(spot.place);
      // An iterator or a list of keys that throws midway.
      if (Array.isArray(copy)) copy.push(unreadable(error));
      else setOwn(copy, leftOutName, unreadable(error));
    }
  }

  // Nothing takes more than half of the room left, so that its members and its successors are shown too.
  #fillItems(items: Iterable<unknown>, copy: unknown[], spot: Spot, declared: unknown): void {
    const end = this.#room / 2;
    for (const item of items) {
      if (this.#room <= end) {
        copy.push(leftOut);
        return;
      }
      copy.push(this.#show(item, within(spot, copy.length), declared) ?? null);
    }
  }

  #fillMembers(value: object, members: Iterable<Member>, copy: Record<string, unknown>, spot: Spot): void {
    const end = this.#room / 2;
    let count = 0;
    for (const [key, member, declared] of members) {
      this.#room -= key.length * outlineWork.character + ((count += 1) > wideObject ? work.wideMember : 0);
      if (this.#room <= end) {
        setOwn(copy, leftOutName, "the result is too large");
        return;
      }
      if (typeof member === "function" && spot.isStrict) refuseMethod(value, key);
      const shown = this.#show(member, within(spot, key), declared);
      if (shown !== undefined) setOwn(copy, key.toWellFormed(), shown);
    }
    if (spot.isStrict) refuseContentPart(copy);
  }

  #text(text: string): string {
    const shown = Math.min(text.length, Math.max(0, Math.floor(this.#room / outlineWork.character / 4)));
    this.#room -= shown * outlineWork.character;
    if (shown === text.length) return text.toWellFormed();
    return `${text.slice(0, shown)}[... ${text.length - shown} of ${text.length} characters left out here ...]`.toWellFormed();
  }
}
