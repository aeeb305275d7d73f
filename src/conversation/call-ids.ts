import type { ToolCall } from "../models/index.js";

/** The ids of the tool calls of one conversation. */
export class CallIds {
  readonly #claimed = new Set<string>();

  /**
   * Makes the ids of calls unique in the conversation: models leave them empty, or give the same one again.
   * The first call of an id keeps it. Ids with a slash are those of the calls within a call, which no model makes.
   */
  claim(calls: readonly ToolCall[]): readonly ToolCall[] {
    return calls.map((call) => {
      const wished = call.id.replaceAll("/", "_");
      const id = this.#claimed.has(wished) || wished === "" ? this.#freeId(wished) : wished;
      this.#claimed.add(id);
      return id === call.id ? call : { ...call, id };
    });
  }

  #freeId(id: string): string {
    const stem = id === "" ? "call" : id;
    let number = this.#claimed.size + 1;
    while (this.#claimed.has(`${stem}_${number}`)) number += 1;
    return `${stem}_${number}`;
  }
}
