import { hidesCharacters, withoutHidden } from "./without-hidden.js";

/** Where a schema speaks to its reader. */
const texts: ReadonlySet<string | undefined> = new Set(["title", "description", "$comment"]);

/** The schema without hidden characters in its texts. Names and values must stay as the server knows them: throws where these hide some. */
export function withVisibleTexts(value: unknown, key?: string): unknown {
  if (typeof value === "string") {
    if (texts.has(key)) return withoutHidden(value);
    if (hidesCharacters(value)) throw new Error(`its schema hides characters in ${JSON.stringify(withoutHidden(value).slice(0, 60))}.`);
    return value;
  }
  if (Array.isArray(value)) return value.map((item) => withVisibleTexts(item, key));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [withVisibleTexts(name) as string, withVisibleTexts(member, name)]),
  );
}
