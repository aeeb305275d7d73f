import type { Steps } from "../../../../timing/index.js";
import { type Declaration, mostDeclarations, readDeclaration } from "./css-declarations.js";
import { type Selector, tooComplicated } from "./matching.js";
import { mediaHolds } from "./media.js";
import { sanitized } from "./sanitize.js";
import { readSelectors } from "./selector.js";

/** A rule that may hide something, or show it. */
export interface StyleRule {
  readonly selectors: readonly Selector[];
  readonly declarations: readonly Declaration[];
  /** The place of its layer among all; `Infinity` outside of layers. */
  readonly layer: number;
  readonly order: number;
}

/** Around a place of a sheet: a rule, a group of rules, or what is passed over. */
interface Block {
  readonly kind: "rule" | "group" | "passed";
  readonly selectors: readonly Selector[] | undefined;
  readonly layer: string;
  readonly declarations: Declaration[];
}

const deepest = 30;
const mostSelectors = 5_000;

/** Characters before a brace; a longer selector or condition isn't read. */
const longestPrelude = 100_000;

const passedOver =
  /^@(?:-[a-z]+-)?(?:keyframes|font-face|page|property|counter-style|font-feature-values|font-palette-values|starting-style|view-transition|position-try|color-profile|function)/i;

/** The rules of the sheets of one page, in their order. */
export class StyleSheets {
  readonly rules: StyleRule[] = [];
  readonly #layers = new Map<string, number>();

  /** Reads one more sheet. Throws `WebError` for endless selectors, blocks or nesting. */
  *read(css: string): Steps<void> {
    const text = yield* sanitized(css);
    const blocks: Block[] = [{ kind: "group", selectors: undefined, layer: "", declarations: [] }];
    const marks = /[{};]/g;
    let start = 0;
    for (let found = marks.exec(text); found !== null; found = marks.exec(text)) {
      yield;
      const part = text.slice(start, found.index);
      start = found.index + 1;
      const block = blocks.at(-1) as Block;
      if (found[0] === "{") {
        if (part.length > longestPrelude) throw tooComplicated();
        if (blocks.push(this.#open(part.replace(/<!--|-->/g, " ").trim(), block)) > deepest) throw tooComplicated();
        continue;
      }
      if (block.kind === "rule") add(part, block);
      else if (/^\s*@layer\s/i.test(part)) for (const name of part.trim().slice(7).split(",", mostSelectors)) this.#layer(name, block);
      if (found[0] === "}" && blocks.length > 1) this.#close(blocks.pop() as Block);
    }
    // What isn't closed is closed by the end.
    const rest = blocks.at(-1) as Block;
    if (rest.kind === "rule") add(text.slice(start), rest);
    while (blocks.length > 0) this.#close(blocks.pop() as Block);
  }

  #open(prelude: string, around: Block): Block {
    const same = { selectors: around.selectors, layer: around.layer, declarations: [] };
    if (around.kind === "passed" || passedOver.test(prelude)) return { ...same, kind: "passed" };
    if (!prelude.startsWith("@")) {
      if (prelude.split(",", mostSelectors + 1).length > mostSelectors) throw tooComplicated();
      return { ...same, kind: "rule", selectors: readSelectors(prelude, around.selectors) };
    }
    const [, rule = "", condition = ""] = /^@([-a-z]+)([\s\S]*)$/i.exec(prelude) ?? [];
    // Declarations in a group within a rule are the rule's.
    const kind = around.selectors === undefined ? "group" : "rule";
    switch (rule.toLowerCase()) {
      case "media":
        return { ...same, kind: mediaHolds(condition) ? kind : "passed" };
      case "supports":
        return { ...same, kind: /^\s*not\b/i.test(condition) ? "passed" : kind };
      case "layer":
        return { ...same, kind, layer: this.#layer(condition, around) };
      case "scope": {
        const root = /^\s*\(([\s\S]*?)\)\s*(?:to\b|$)/i.exec(condition)?.[1];
        return { ...same, kind, selectors: root === undefined ? around.selectors : readSelectors(root, around.selectors) };
      }
      case "container":
      case "document":
      case "-moz-document":
        return { ...same, kind };
      default:
        return { ...same, kind: "passed" };
    }
  }

  #layer(name: string, around: Block): string {
    const full = `${around.layer}${name.trim() || `(${this.#layers.size})`}.`;
    if (!this.#layers.has(full)) this.#layers.set(full, this.#layers.size);
    return full;
  }

  #close({ kind, selectors = [], declarations, layer }: Block): void {
    if (kind !== "rule" || declarations.length === 0 || selectors.length === 0) return;
    const place = layer === "" ? Number.POSITIVE_INFINITY : (this.#layers.get(layer) ?? 0);
    this.rules.push({ selectors, declarations, layer: place, order: this.rules.length });
  }
}

function add(text: string, { declarations }: Block): void {
  const declaration = readDeclaration(text);
  if (declaration === undefined) return;
  if (declarations.push(declaration) > mostDeclarations) throw tooComplicated();
}
