import type { SchemaNode } from "../../keywords.js";
import { isRecord } from "../../type-guards.js";
import { UnfitError } from "../conversion.js";
import { Definitions } from "../definitions.js";
import { conjuncts } from "../merge-schemas.js";
import type { NarrowSchema, Written } from "./narrow-schema.js";
import type { Restore } from "../restore.js";
import { addsToReference } from "../effective-types.js";

/** Writes the parts of a schema that refers to others: by `$ref` if the rules have one, else written out in place. */
export class NarrowReferences {
  readonly #schema: NarrowSchema;
  readonly #definitions = new Definitions((target) => this.#writeTarget(target));
  readonly #restores = new Map<SchemaNode, Restore | undefined>();
  /** What is being written out, within itself. */
  readonly #open: Set<unknown>;

  constructor(schema: NarrowSchema, root: SchemaNode) {
    this.#schema = schema;
    this.#open = new Set([root]);
  }

  /** What belongs into `$defs`; undefined if nothing is referred to by name. */
  get definitions(): Readonly<Record<string, unknown>> | undefined {
    return this.#definitions.written;
  }

  write(node: SchemaNode): Written {
    const { document, rules } = this.#schema;
    const target = document.targets.get(node);
    if (target !== undefined && rules.references !== "none" && isRecord(target)) return this.#refer(node, target);
    const held = this.#heldBy(node);
    if ([...held].some((part) => this.#open.has(part))) return this.#schema.writeText(node, "it holds itself");
    for (const part of held) this.#open.add(part);
    const written = this.#schema.writeFlat(node);
    for (const part of held) this.#open.delete(part);
    return written;
  }

  #refer(node: SchemaNode, target: SchemaNode): Written {
    const { document, rules } = this.#schema;
    const { $ref: reference, $defs: _definitions, definitions: _older, ...siblings } = node;
    if (!document.draft07 && Object.keys(siblings).some(addsToReference)) throw new UnfitError("something stands beside a $ref");
    if (rules.references === "plain" && this.#open.has(target)) throw new UnfitError("it holds itself");
    const wire = { $ref: this.#definitions.referTo(target, reference) };
    // What is to be undone within a recursive type isn't known before the type is written.
    const restore: Restore = (value) => {
      const within = this.#restores.get(target);
      return within === undefined ? value : within(value);
    };
    const description = document.draft07 ? undefined : siblings.description;
    return { wire: description === undefined ? wire : { anyOf: [wire], description }, restore };
  }

  #writeTarget(target: SchemaNode): unknown {
    this.#open.add(target);
    const { wire, restore } = this.#schema.writeFlat(target);
    this.#open.delete(target);
    this.#restores.set(target, restore);
    return wire;
  }

  /** The nodes whose meaning a node has taken over by `$ref` and `allOf`. Several ways may lead to one: it is visited once. */
  #heldBy(node: SchemaNode): ReadonlySet<unknown> {
    const { document } = this.#schema;
    const held = new Set<unknown>();
    const visited = new Set<unknown>([node]);
    const open: SchemaNode[] = [node];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const target = document.targets.get(next);
      const others = conjuncts(next, document);
      if (next === node && others.length === 0 && target !== undefined) held.add(target);
      for (const other of others) {
        if (!isRecord(other)) continue;
        if (other === target || document.targets.has(other)) held.add(other);
        if (!visited.has(other)) open.push(other);
        visited.add(other);
      }
    }
    return held;
  }
}
