import { hidesCharacters, withoutHidden } from "../redaction/internal.js";

/** The keywords of a schema with text for its reader. */
const texts: ReadonlySet<string> = new Set(["title", "description", "$comment"]);

/**
 * A copy of a schema without hidden characters in its texts. Names and values must stay as the server knows them: throws an `Error`
 * if these hide some.
 */
export function withVisibleTexts(schema: unknown): unknown {
  const copy: { root?: unknown } = {};
  const open: { readonly value: unknown; readonly key: string; put(value: unknown): void }[] = [
    { value: schema, key: "", put: (value) => (copy.root = value) },
  ];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    const { value, key, put } = part;
    if (typeof value === "string") put(texts.has(key) ? withoutHidden(value) : checked(value));
    else if (Array.isArray(value)) {
      const items: unknown[] = new Array(value.length);
      put(items);
      for (const [index, item] of value.entries()) open.push({ value: item, key, put: (made) => (items[index] = made) });
    } else if (typeof value === "object" && value !== null) {
      const members: Record<string, unknown> = Object.fromEntries(Object.keys(value).map((name) => [checked(name), undefined]));
      put(members);
      for (const [name, member] of Object.entries(value)) {
        const set = (made: unknown): unknown => Object.defineProperty(members, name, { value: made });
        open.push({ value: member, key: name, put: set });
      }
    } else put(value);
  }
  return copy.root;
}

function checked(text: string): string {
  if (hidesCharacters(text)) throw new Error(`its schema hides characters in ${JSON.stringify(withoutHidden(text).slice(0, 60))}.`);
  return text;
}
