const longestName = 64;

/**
 * Legal for every provider: OpenAI, Anthropic, Bedrock and Mistral take `^[a-zA-Z0-9_-]{1,64}$`, Gemini wants a letter or `_`
 * at the start. One form for all, because a conversation may go on with a model of another provider.
 */
const toolForm = (name: string): string => formOf(name, /[^a-zA-Z0-9_-]/g);

/** As `[a-zA-Z_][a-zA-Z0-9_]{0,63}`. */
export const identifierForm = (name: string): string => formOf(name, /[^a-zA-Z0-9_]/g);

const formOf = (name: string, illegal: RegExp): string => {
  const begun = /^[a-zA-Z_]/.test(name) ? name : `_${name}`;
  return begun.slice(0, longestName).replace(illegal, "_");
};

/**
 * The names of tools or properties for a provider. `calendar.respondToEvent` becomes `calendar_respondToEvent`. If two would share a name,
 * or a name is too long, a hash of the own name follows, which doesn't depend on their order.
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
  readonly #legalForm: (name: string) => string;

  /**
   * `names`: the own names, no name twice. `legalForm` gives the legal form of a name, of at most 64 characters, which is the
   * name itself if it is legal; by default that of tools.
   */
  constructor(names: readonly string[], legalForm: (name: string) => string = toolForm) {
    this.#legalForm = legalForm;
    const claims = new Map<string, string[]>();
    for (const name of names) {
      const form = legalForm(name);
      // Its wire name is looked for among the wire names first.
      if (form === name) this.#toolByWire.set(name, name);
      else claims.set(form, [...(claims.get(form) ?? []), name]);
    }
    const crowded: string[] = [];
    for (const [form, claimants] of claims) {
      const [only, second] = claimants;
      const free = only !== undefined && second === undefined && only.length <= longestName && !this.#toolByWire.has(form);
      if (free) this.#pair(only, form);
      else crowded.push(...claimants);
    }
    for (const name of crowded.sort()) this.#pair(name, this.#freeForm(name));
  }

  /** The wire name of a tool. A name that is no tool's gets a legal form that is no tool's either. */
  toWire(name: string): string {
    if (this.#toolByWire.has(name)) return name;
    const wire = this.#wireByTool.get(name);
    if (wire !== undefined) return wire;
    const form = this.#legalForm(name);
    return this.#toolByWire.has(form) ? this.#freeForm(name) : form;
  }

  /** The tool's own name; a name that is no tool's comes back as it is. */
  toTool(wire: string): string {
    return this.#toolByWire.get(wire) ?? wire;
  }

  #pair(name: string, wire: string): void {
    this.#wireByTool.set(name, wire);
    this.#toolByWire.set(wire, name);
  }

  #freeForm(name: string): string {
    const stem = this.#legalForm(name).slice(0, longestName - 9);
    let wire = `${stem}_${shortHash(name)}`;
    // Only if a tool's own name ends in this hash.
    for (let salt = 1; this.#toolByWire.has(wire); salt += 1) wire = `${stem}_${shortHash(`${name} ${salt}`)}`;
    return wire;
  }
}

/** Eight hexadecimal digits that depend on the text alone (FNV-1a, 32 bits): for names and comparisons, not for secrets. */
export function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, "0");
}
