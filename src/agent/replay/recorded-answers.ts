import type { PreparedCall } from "../../execution/index.js";
import { readArguments, settledArguments } from "../../execution/internal.js";
import { canonicalText } from "../../schema/internal.js";
import type { RecordedCall, RecordedStep } from "./recording.js";

interface Entry {
  readonly call: RecordedCall;
  /** The calls of the sub-agent that it ran. */
  readonly inside: readonly Entry[];
  isUsed: boolean;
}

/** The recorded calls that answer those of a replay: each one once, in the order of the record. */
export class RecordedAnswers {
  readonly #byTool = new Map<string, Entry[]>();

  constructor(steps: readonly RecordedStep[]) {
    this.#add(steps);
  }

  #add(steps: readonly RecordedStep[]): readonly Entry[] {
    return steps.flatMap(({ calls }) =>
      calls.map((call) => {
        const known = this.#byTool.get(call.tool) ?? [];
        this.#byTool.set(call.tool, known);
        // The call has its place before the calls inside it.
        const place = known.length;
        const entry: Entry = { call, inside: call.subRun === undefined ? [] : this.#add(call.subRun.steps), isUsed: false };
        known.splice(place, 0, entry);
        return entry;
      }),
    );
  }

  /** Takes the first recorded call of the tool with these arguments, written or as the tool would get them; `undefined` if there is none. */
  async take(written: string, call: PreparedCall): Promise<RecordedCall | undefined> {
    for (const entry of this.#byTool.get(call.name) ?? []) {
      if (entry.isUsed || !(await isSame(entry.call.arguments, written, call))) continue;
      // Another sub-agent may have taken it meanwhile.
      if (entry.isUsed) continue;
      use(entry);
      return entry.call;
    }
    return undefined;
  }
}

/** What a sub-agent did for a call that is answered isn't done once more. A call without an answer runs, and its sub-agent needs the record. */
function use(entry: Entry): void {
  entry.isUsed = true;
  if (entry.call.state === "answered") for (const one of entry.inside) use(one);
}

async function isSame(recorded: string, written: string, call: PreparedCall): Promise<boolean> {
  if (recorded === written) return true;
  try {
    const reading = await readArguments(call.bound, recorded);
    return reading.ok && canonicalText(settledArguments(call.bound, reading.value).input) === canonicalText(call.input);
  } catch {
    // A rule of the tool fails for the recorded arguments: they can't be compared, and a person is asked.
    return false;
  }
}
