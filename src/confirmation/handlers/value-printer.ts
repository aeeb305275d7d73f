import { memberPathOf } from "../../tool/internal.js";
import { redacted } from "../../redaction/internal.js";
import { beginningOf, type Detail, notShown, wholeDetail } from "./detail.js";

/** More lines than any reader takes in: what is larger is shown in less detail. */
const mostLines = 2_000;

/** Writes JSON values as `JSON.stringify` with an indentation does, within the limits of a detail. */
export class ValuePrinter {
  readonly #detail: Detail;
  readonly #hidden: ReadonlySet<string> | undefined;
  #lines = 0;
  #isWhole = true;

  /** `hidden`: the paths at which `[redacted]` stands for something; `undefined` if they aren't known. */
  constructor(detail: Detail, hidden: ReadonlySet<string> | undefined) {
    this.#detail = detail;
    this.#hidden = hidden;
  }

  /** Whether nothing was left out so far. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** An argument. A text of several lines keeps them: a letter is read better than its escapes. */
  argument(name: string, value: unknown): string {
    if (typeof value !== "string") return this.#value(value, name, 0);
    const [text, left] = beginningOf(value, this.#detail);
    this.#lines += text.split("\n").length;
    const quoted = value.includes("\n") ? `"${text}"` : JSON.stringify(text);
    return this.#marked(quoted, name) + this.#rest(left, "character", "\n");
  }

  /** The name of an argument. One that could be taken for more than a name is quoted. */
  name(name: string): string {
    const isPlain = /^[^\s":]+$/.test(name) && !name.startsWith("...");
    return isPlain && name.length <= longestName ? this.#marked(name, name) : this.#quoted(name, name, longestName);
  }

  #value(value: unknown, path: string, depth: number): string {
    this.#lines += 1;
    if (typeof value === "string") return this.#quoted(value, path, this.#detail.characters);
    if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
    if (Array.isArray(value)) return this.#list(value, path, depth);
    return this.#object(value as Readonly<Record<string, unknown>>, path, depth);
  }

  #list(items: readonly unknown[], path: string, depth: number): string {
    const parts = (limit: number): readonly string[] =>
      items.slice(0, limit).map((item, index) => this.#value(item, memberPathOf(path, index), depth + 1));
    return this.#container(["[", "]"], "item", [items.length, this.#detail.items], depth, parts);
  }

  #object(members: Readonly<Record<string, unknown>>, path: string, depth: number): string {
    const names = Object.keys(members);
    const parts = (limit: number): readonly string[] =>
      names.slice(0, limit).map((name) => {
        const place = memberPathOf(path, name);
        return `${this.#quoted(name, place, longestName)}: ${this.#value(members[name], place, depth + 1)}`;
      });
    return this.#container(["{", "}"], "member", [names.length, this.#detail.members], depth, parts);
  }

  #container(
    [open, close]: readonly [string, string],
    what: string,
    [count, limit]: readonly [number, number],
    depth: number,
    parts: (limit: number) => readonly string[],
  ): string {
    if (count === 0) return open + close;
    const shown = this.#isFull || depth >= this.#detail.depth ? 0 : Math.min(count, limit);
    if (shown === 0) return `${open} ${this.#rest(count, what).replace(" more ", " ")} ${close}`;
    const [indent, outdent] = ["  ".repeat(depth + 1), "  ".repeat(depth)];
    const lines = parts(shown).map((part) => indent + part);
    return `${open}\n${lines.join(",\n")}${this.#rest(count - shown, what, `\n${indent}`)}\n${outdent}${close}`;
  }

  get #isFull(): boolean {
    return this.#lines > mostLines && this.#detail !== wholeDetail;
  }

  #rest(left: number, what: string, before = ""): string {
    if (left === 0) return "";
    this.#isWhole = false;
    return before + notShown(left, what);
  }

  #quoted(text: string, path: string, characters: number): string {
    const [beginning, left] = beginningOf(text, { characters, lines: Number.POSITIVE_INFINITY });
    return this.#marked(JSON.stringify(beginning), path) + this.#rest(left, "character", " ");
  }

  /** The mark of what is hidden means nothing else: a text that only looks like it is marked as such. */
  #marked(text: string, path: string): string {
    return this.#hidden === undefined || this.#hidden.has(path) ? text : text.replaceAll(redacted, `<U+005B>${redacted.slice(1)}`);
  }
}

/** Longer names aren't shown whole. */
const longestName = 60;
