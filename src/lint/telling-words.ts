/** Words that say nothing of what a tool is for. */
const empty: ReadonlySet<string> = new Set(
  (
    "a an the this that these those it its of to for in on at by with from into as and or any some one is are be can will do does " +
    "you your use used using when whenever if via based specific specified given particular provided certain existing tool function " +
    "which who what their each per about data information info detail details content thing things stuff anything something " +
    "need needs needed necessary required appropriate applicable relevant"
  ).split(" "),
);

/** "Use when the user asks about orders" is about orders, not about users. */
const whoAsks = /\b(?:the )?(?:users?|customers?|callers?) (?:asks?|asked|wants?|needs?|says?|gives?|names?)\b/gi;

/** Verbs that a model can't distinguish. */
const sameVerbs: ReadonlyMap<string, string> = new Map(
  [
    ["get", "retrieve fetch obtain show read return give load"],
    ["find", "search lookup locate query"],
    ["create", "add make"],
    ["update", "modify change edit"],
    ["delete", "remove"],
  ].flatMap(([verb = "", others = ""]) => others.split(" ").map((other) => [other, verb] as const)),
);

/** The words of a text that say something, in one form each: `Retrieves the orders` is `get`, `order`. */
export function tellingWords(text: string): Set<string> {
  const words =
    text
      .replace(whoAsks, " ")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.filter((word) => !empty.has(word)).map(baseForm));
}

function baseForm(word: string): string {
  const singular = word.replace(/(?<=[^aeiou])ies$/, "y").replace(/(?<=[^su])s$/, "");
  return sameVerbs.get(singular) ?? singular;
}
