import type { Refuse } from "../copy-schema.js";
import type { SchemaNode } from "../keywords.js";
import { isRecord } from "../type-guards.js";
import type { Place } from "../place.js";

const maxPatterns = 500;
const maxCharacters = 20_000;

/** Classes such as `\p{L}` stand for hundreds of ranges, which the platform's engine writes out. */
const unicodeClass = /\\[pP]\{/g;
const unicodeClassCharacters = 200;

/** Adds up the different patterns of one schema, because each is analysed and compiled before the first value comes. */
export class PatternTotal {
  private readonly seen = new Set<string>();
  private characters = 0;

  constructor(private readonly refuse: Refuse) {}

  add({ pattern, patternProperties }: SchemaNode, place: Place | undefined): void {
    if (typeof pattern === "string") this.count(pattern, { parent: place, key: "pattern" });
    if (!isRecord(patternProperties)) return;
    for (const source of Object.keys(patternProperties)) this.count(source, { parent: place, key: "patternProperties" });
  }

  private count(source: string, place: Place): void {
    if (this.seen.has(source)) return;
    this.seen.add(source);
    this.characters += source.length + unicodeClassCharacters * (source.match(unicodeClass)?.length ?? 0);
    if (this.seen.size > maxPatterns) this.refuse(place, `is one pattern too many: a schema may have ${maxPatterns} different ones.`);
    if (this.characters > maxCharacters) {
      this.refuse(
        place,
        `is too long: the patterns of a schema may have ${maxCharacters} characters in all, and each \\p{...} counts as ${unicodeClassCharacters}.`,
      );
    }
  }
}
