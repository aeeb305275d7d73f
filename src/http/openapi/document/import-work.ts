import { ToolDefinitionError } from "../../../tool/index.js";
import { Refusal } from "../operation/operation-refusal.js";

/** Work is counted in parts: a value of a document that is looked at or copied, and 64 characters of a text. */
const charactersOfPart = 64;

/** More than this makes one tool too large for a model, and would hold up the event loop. */
const mostOfOperation = 50_000;

/** Every operation may do so much, whatever the others did: a document that is hostile in one place keeps its simple operations. */
const leastOfOperation = 300;

/** Within one operation, how many times as much may be made of what it holds: aliases unfold without end otherwise. */
const mostUnfolding = 10;

/** Over the whole document, how many times as much may be made of it, so that the import is linear in the document. */
const mostSharing = 10;
const leastShared = 5_000;

/** What an import without pauses may do: about a tenth of a second. Beyond it, only operations as simple as this are taken. */
const mostAtOnce = 100_000;
const simpleOperation = 100;
const mostWithSimple = 1.5 * mostAtOnce;

/**
 * Bounds what an import does. A short document can mean a long one: each operation unfolds what it refers to, and a thousand
 * operations may refer to the same thousand schemas.
 */
export class ImportWork {
  /** Parts done by the whole import. */
  done = 0;
  readonly #pauses: boolean;
  #shared = leastShared;
  #own = 0;
  #distinct = 0;
  /** Of each object, the most parts that were counted of it. */
  readonly #seen = new Map<object, number>();
  readonly #seenByOperation = new Map<object, number>();
  /** Of large objects and lists, so that those of many operations aren't counted again for each. */
  readonly #large = new WeakMap<object, number>();

  /** `pauses`: whether other work runs between the operations. */
  constructor(pauses: boolean) {
    this.#pauses = pauses;
  }

  /** The next parts are done for another operation, which costs some by itself. */
  begin(parts = 0): void {
    this.#own = 0;
    this.#distinct = 0;
    this.#seenByOperation.clear();
    this.done += parts;
  }

  /** How many parts a value without references has. More than an operation may have aren't counted. */
  partsOf(value: unknown): number {
    if (typeof value === "string") return partsOfText(value);
    if (typeof value !== "object" || value === null) return 1;
    const known = this.#large.get(value);
    if (known !== undefined) return known;
    const parts = partsOf(value, mostOfOperation);
    if (parts > manyParts) this.#large.set(value, parts);
    return parts;
  }

  /** The names of an object's members. Throws `Refusal` if there are more than an operation may have. */
  keysOf(record: object): readonly string[] {
    if ((this.#large.get(record) ?? 0) > mostOfOperation) this.spend(mostOfOperation + 1);
    const keys = Object.keys(record);
    if (keys.length > mostOfOperation) this.#large.set(record, keys.length);
    return keys;
  }

  /** Counts parts, made of `source`, which counts as new once per operation and once per document. Throws `Refusal`. */
  spend(parts: number, source?: object): void {
    const own = this.#own + parts;
    if (source !== undefined) {
      this.#distinct += added(this.#seenByOperation, source, parts);
      this.#shared += added(this.#seen, source, parts) * mostSharing;
    }
    const most = Math.min(mostOfOperation, leastOfOperation + mostUnfolding * this.#distinct);
    // What is refused isn't done.
    if (own > most) {
      throw new Refusal(`its parameters and schemas unfold to more than ${most} parts. Simplify them, or write a tool of your own.`);
    }
    if (!this.#pauses && this.done > mostAtOnce && own > simpleOperation) {
      throw new Refusal(`the operations before it took as much as can be imported at once. ${laterOrFewer}`);
    }
    if (own > leastOfOperation && parts > this.#shared) {
      throw new Refusal(
        `the document's operations unfold to more than ${mostSharing} times what it holds. Choose fewer by include, or share less between them.`,
      );
    }
    if (own > leastOfOperation) this.#shared -= parts;
    this.#own = own;
    this.done += parts;
  }

  /**
   * Throws `ToolDefinitionError` if an import without pauses has held up the process for too long, or would once it has done the
   * parts `ahead`.
   */
  checkDuration(ahead = 0): void {
    if (this.#pauses || this.done + ahead <= mostWithSimple) return;
    throw new ToolDefinitionError(`openApiToolbox: the document has more operations than can be imported at once. ${laterOrFewer}`);
  }
}

const laterOrFewer = "Choose fewer by include, or write await loadOpenApiToolbox(...), which takes the same arguments.";

/** What an object's parts add to those that were counted of it already. */
function added(seen: Map<object, number>, source: object, parts: number): number {
  const known = seen.get(source) ?? 0;
  if (parts <= known) return 0;
  seen.set(source, parts);
  return parts - known;
}

const manyParts = 200;

export const partsOfText = (text: string): number => 1 + Math.floor(text.length / charactersOfPart);

/** How many parts a value without references has; no more than `most` are counted, nor of a few that repeat without end. */
export function partsOf(value: unknown, most: number): number {
  let parts = 0;
  let repeated = 0;
  const seen = new Set<object>();
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    parts += typeof next === "string" ? partsOfText(next) : 1;
    if (typeof next !== "object" || next === null) continue;
    if (seen.has(next)) repeated += 1;
    seen.add(next);
    if (parts > most || repeated > leastOfOperation + mostUnfolding * seen.size) return most + 1;
    for (const key in next) {
      if (parts + open.length > most) return most + 1;
      parts += Math.floor(key.length / charactersOfPart);
      open.push((next as Record<string, unknown>)[key]);
    }
  }
  return parts;
}

/** A value as errors quote it: its JSON if that is short, without looking at more. */
export function shownValue(value: unknown, longest = 80): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, longest));
  if (typeof value !== "object" || value === null) return String(value);
  if (partsOf(value, longest) > longest) return Array.isArray(value) ? "a long list" : "a large object";
  const text = JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest)}...` : text;
}
