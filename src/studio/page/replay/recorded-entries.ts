import type { RecordedCallLine, StepLine } from "../../api.js";
import type { CallEntry, Entry } from "../agents/transcript.js";

/** A step of a record as a transcript shows it. */
export const recordedEntries = ({ step, text, calls }: StepLine): readonly Entry[] => [
  ...(text === "" ? [] : [{ kind: "answer", text, step, isDone: true } as const]),
  ...calls.map((call) => callEntry(call, step)),
];

function callEntry({ callId, tool, arguments: written, result, state, inside }: RecordedCallLine, step: number): CallEntry {
  const { content, data, errorType, fromRecord } = result ?? {};
  return {
    ...{ kind: "call", callId, tool, step, arguments: written, attachments: [], repairs: [], start: 0 },
    state: result === undefined ? (state === "begun" ? "running" : "waiting") : errorType === undefined ? "done" : "failed",
    ...(content !== undefined && { content, data }),
    ...(errorType !== undefined && { errorType }),
    ...(fromRecord === true && { fromRecord }),
    ...(inside !== undefined && { inside: { entries: inside.flatMap(recordedEntries), steps: [] } }),
  };
}
