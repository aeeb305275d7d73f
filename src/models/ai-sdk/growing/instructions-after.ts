import type { Message } from "../../message.js";
import type { ChangeEntry } from "../../prefix.js";

type Entry = Message | ChangeEntry;

/** The instructions after the first entries of a conversation; `undefined` if there are none. `first`: its very first entry. */
export function instructionsAfter(sent: readonly Entry[], first: Entry | undefined): string | undefined {
  const last = sent.findLast((entry) => entry.role === "change" && entry.instructions !== undefined);
  if (last?.role === "change") return last.instructions ?? undefined;
  return first?.role === "system" ? first.content : undefined;
}
