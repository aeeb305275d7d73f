import { definitionHash, type PreparedCall } from "../execution/index.js";
import { approvalOf, canonicalHash } from "../execution/internal.js";
import { sha256 } from "../platform/index.js";
import type { Confirmation } from "./confirmation.js";
import type { Question } from "./question.js";

/**
 * What a decision holds for: this run, this call, the tool as it is defined now, and exactly these arguments. `begun`: how often the call
 * began and was cut off by the end of its process; a decision holds for one beginning.
 */
export function fingerprintOf(call: PreparedCall, begun = 0): string {
  let id = canonicalHash([call.scope.runId, call.id, ...decidedAbout(call)]);
  for (let times = 0; times < begun; times++) id = idAfterCrash(id);
  return id;
}

const idAfterCrash = (id: string): string => sha256(`${id} begun`);

/** What a person is asked again of a call that had begun when its process ended. */
export const confirmationAfterCrash = (confirmation: Confirmation): Confirmation => ({
  ...confirmation,
  id: idAfterCrash(confirmation.id),
  outcomeUnknown: true,
});

/** The tool as it is defined, and the arguments as they are used. */
export function decidedAbout({ definition, settled: { input, used } }: PreparedCall): readonly unknown[] {
  return used === undefined ? [definitionHash(definition), input] : [definitionHash(definition), input, used];
}

/** The name of one use of a decision. Each use starts the call once. `uses`: the number of earlier uses. */
export const useOf = ({ id }: Confirmation, uses: number): string => sha256(`${id} ${uses}`);

/** The id of what a sub-agent asks, as the calling run asks it: its decisions are used up apart from those of the sub-agent. */
export const idInCall = (id: string, callId: string): string => sha256(`${id} ${callId}`);

/** What a call that is answered elsewhere has besides what a person confirms; nothing of other calls. */
export function askedAnswer({
  definition: { answeredBy, outputSchema },
}: PreparedCall): Pick<Question, "answeredBy" | "answerSchema"> | undefined {
  return answeredBy === undefined || outputSchema === undefined ? undefined : { answeredBy, answerSchema: outputSchema };
}

/** What a person is asked of a call. `timeout`: milliseconds in which it may be approved. `begun`: see `fingerprintOf`. */
export function confirmationOf(call: PreparedCall, timeout: number, begun = 0): Confirmation | Question {
  const { name, description, category, consequenceLevel } = call.definition;
  const now = Date.now();
  return {
    id: fingerprintOf(call, begun),
    runId: call.scope.runId,
    callId: call.id,
    agent: call.scope.agent ?? "",
    tool: name,
    description,
    category,
    consequenceLevel,
    ...approvalOf(call),
    ...(begun > 0 && { outcomeUnknown: true }),
    requestedAt: new Date(now).toISOString(),
    expiresAt: new Date(Math.min(now + timeout, latestTime)).toISOString(),
    ...askedAnswer(call),
  };
}

/** The last time that ISO 8601 writes with a year of four digits. */
const latestTime = Date.UTC(9999, 11, 31);

export const isExpired = ({ expiresAt }: Confirmation): boolean => Date.now() > Date.parse(expiresAt);
