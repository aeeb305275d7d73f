import type { BodyIntake } from "../../web/internal.js";
import { WebRequestError } from "../../web/index.js";
import { JsonWeight, mostLevels, mostValues } from "../json-weight.js";
import { refusal } from "./refusal.js";

/** The most bytes of a request, as in the SDK. */
export const largestBody = 4 * 1024 * 1024;

/** Messages of one batch (revisions before 2025-06-18): each is checked and answered by itself. */
const largestBatch = 100;

/** A message as the SDK takes it. */
export interface ReadMessage {
  readonly parsedBody?: unknown;
}

/** The message of a request, or the answer to one that can't be read. `user`: the sender; empty if unknown. */
export async function readMessage(bodies: BodyIntake, request: Request, user: string): Promise<ReadMessage | Response> {
  let text: string;
  try {
    text = await bodies.read(request, user === "" ? undefined : user);
  } catch (error) {
    if (!(error instanceof WebRequestError)) throw error;
    return refusal(error.status, -32_000, error.message, error.headers);
  }
  if (isTooHeavy(text)) {
    return refusal(413, -32_600, `The message holds more than ${mostValues} values, or is nested more than ${mostLevels} levels deep.`);
  }
  let parsedBody: unknown;
  try {
    parsedBody = JSON.parse(text);
  } catch {
    return refusal(400, -32_700, "Parse error: Invalid JSON");
  }
  if (Array.isArray(parsedBody) && parsedBody.length > largestBatch) {
    return refusal(413, -32_600, `The batch holds ${parsedBody.length} messages; ${largestBatch} are the most that are read at once.`);
  }
  return { parsedBody };
}

function isTooHeavy(text: string): boolean {
  const weight = new JsonWeight();
  for (let index = 0; index < text.length; index += 1) weight.add(text.charCodeAt(index));
  return weight.isTooHeavy;
}
