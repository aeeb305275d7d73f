import { shortHash } from "./short-hash.js";

/** OpenAI, Anthropic, Bedrock and Mistral take `^[a-zA-Z0-9_-]{1,64}$`; Gemini and Ollama take these too. */
const legal = /^[a-zA-Z0-9_-]{1,64}$/;
const longestName = 64;

/**
 * The names under which tools go over the wire. `calendar.respondToEvent` becomes `calendar_respondToEvent`;
 * where two tools would share a name, or a name is too long, a hash of the tool's own name follows:
 * it is the same whatever the order of the tools.
 *
 * ```ts
 * const names = new WireNames(["a.b", "a_b"]);
 * names.toWire("a_b"); // "a_b"
 * names.toTool(names.toWire("a.b")); // "a.b"
 * ```
 */
export class WireNames {
  readonly #wireByTool = new Map<string, string>();
  readonly #toolByWire = new Map<string, string>();

  /** `tools`: the tools' own names, no name twice. */
  constructor(tools: readonly string[]) {
    const claims = new Map<string, string[]>();
    for (const tool of tools) {
      if (legal.test(tool)) this.#pair(tool, tool);
      else claims.set(legalForm(tool), [...(claims.get(legalForm(tool)) ?? []), tool]);
    }
    const crowded: string[] = [];
    for (const [form, claimants] of claims) {
      const [only, second] = claimants;
      const free = only !== undefined && second === undefined && only.length <= longestName && !this.#toolByWire.has(form);
      if (free) this.#pair(only, form);
      else crowded.push(...claimants);
    }
    for (const tool of crowded.sort()) this.#pair(tool, this.#freeForm(tool));
  }

  /** The wire name of a tool. A name that is no tool's gets a legal form that is no tool's either. */
  toWire(name: string): string {
    if (this.#toolByWire.has(name)) return name;
    const wire = this.#wireByTool.get(name);
    if (wire !== undefined) return wire;
    const form = legalForm(name);
    return this.#toolByWire.has(form) ? this.#freeForm(name) : form;
  }

  /** The tool's own name; a name that is no tool's comes back as it is. */
  toTool(wire: string): string {
    return this.#toolByWire.get(wire) ?? wire;
  }

  #pair(tool: string, wire: string): void {
    this.#wireByTool.set(tool, wire);
    this.#toolByWire.set(wire, tool);
  }

  #freeForm(name: string): string {
    const stem = legalForm(name).slice(0, longestName - 9);
    let wire = `${stem}_${shortHash(name)}`;
    // Only where somebody chose a name that ends in this very hash.
    for (let salt = 1; this.#toolByWire.has(wire); salt += 1) wire = `${stem}_${shortHash(`${name} ${salt}`)}`;
    return wire;
  }
}

const legalForm = (name: string): string => name.slice(0, longestName).replace(/[^a-zA-Z0-9_-]/g, "_") || "_";
