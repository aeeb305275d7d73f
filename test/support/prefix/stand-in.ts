import { createHash } from "node:crypto";

/** A call that a model makes. */
export interface SaidCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** What the model says. */
export interface Said {
  readonly text?: string;
  readonly calls?: readonly SaidCall[];
  /** Whether it was cut off while it thought, before it said anything. */
  readonly isCutOff?: boolean;
}

/** The tools that a model can call, by their names, as it read them last. */
export type Definitions = ReadonlyMap<string, unknown>;

/**
 * Answers a request with these tools; "overloaded" if the provider can't. `keepsWithdrawn`: some may be withdrawn, and are rejected by the
 * executor alone.
 */
export type Answering = (declared: Definitions, keepsWithdrawn?: boolean) => Said | "overloaded";

/** How a request repeats the one before. */
export interface Repetition {
  /** The bytes of the request before. */
  readonly bytes: number;
  /** How many of them the request begins with. */
  readonly shared: number;
  /** Whether the tools at its beginning are the same. */
  readonly sameTools: boolean;
}

/** A provider as it is documented. It stands behind the real package, as its `fetch`. */
export interface StandIn {
  readonly fetch: typeof fetch;
  /** Why the first requests were rejected. */
  readonly rejected: readonly string[];
  /** Requests that lost reasoning or its signatures. */
  readonly dropped: number;
  readonly requests: number;
  /** Of each answered request but the first. */
  readonly repetitions: readonly Repetition[];
}

/** An answer in the events of a stream. */
export const streamed = ({ stream }: { readonly stream: string }): Response =>
  new Response(stream, { headers: { "content-type": "text/event-stream" } });

/** Texts of the system that aren't at the beginning: the conversation's instructions, and sentences of the library. Nothing else may be there. */
export function lateTextFaults(texts: readonly string[]): string[] {
  const known =
    /^(The instructions above don't apply any more\.|The instructions have changed\. These replace the earlier ones:\n\nBe (brief|kind|honest)\.|These tools can('t be called any more| be called again): [\w, ]+\.)$/;
  return texts.filter((text) => !known.test(text)).map((text) => `a late text of the system isn't among the instructions: ${text}`);
}

/** Compares each request with the one before. */
export class PrefixMeter {
  readonly repetitions: Repetition[] = [];
  #latest: readonly string[] | undefined;

  /** The parts of a request in their order, as JSON; the tools are the first. */
  measure(parts: readonly string[]): void {
    const before = this.#latest;
    this.#latest = parts;
    if (before === undefined) return;
    const bytes = lengthOf(before);
    let kept = 0;
    while (kept < before.length && before[kept] === parts[kept]) kept += 1;
    const shared = lengthOf(before.slice(0, kept)) + (kept < before.length ? sharedStart(before[kept] ?? "", parts[kept] ?? "") : 0);
    this.repetitions.push({ bytes, shared, sameTools: before[0] === parts[0] });
  }
}

const lengthOf = (parts: readonly string[]): number => parts.reduce((sum, { length }) => sum + length, 0);

function sharedStart(one: string, other: string): number {
  let shared = 0;
  while (shared < one.length && one[shared] === other[shared]) shared += 1;
  return shared;
}

/** Signs each place of a history for what comes before it. A history that has only grown is signed on from where it ended. */
export class PlaceSigner {
  #parts: readonly string[] = [];
  #signatures: readonly string[] = [];

  /**
   * The signatures behind each part, of which the first stands for what comes before the history. `signed`: what of a part counts, or
   * "" if nothing does.
   */
  sign(parts: readonly string[], signed: (index: number) => string): readonly string[] {
    let kept = 0;
    while (kept < parts.length && parts[kept] === this.#parts[kept]) kept += 1;
    const signatures = this.#signatures.slice(0, kept);
    for (let index = kept; index < parts.length; index += 1) {
      const before = signatures.at(-1) ?? "";
      const text = signed(index);
      signatures.push(text === "" ? before : hashOf(before + text));
    }
    this.#parts = parts;
    this.#signatures = signatures;
    return signatures;
  }
}

export const hashOf = (text: string): string => createHash("sha256").update(text).digest("base64");
