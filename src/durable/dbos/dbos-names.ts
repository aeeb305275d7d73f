import { originalText, storableText } from "../../storage/internal.js";
import type { Segment } from "../engine/run-engine.js";

/** The names that Toolwright has in DBOS. */
export const application = "toolwright";
export const queue = "toolwright";
export const workflow = "toolwright.carry";

/** What the ids of a run's workflows begin with. */
export const prefixOf = (runId: string): string => `${storableText(runId)}/`;

/** The id of the workflow of a segment, such as `order-7/23.0`. */
export const idOf = ({ runId, position, attempt }: Segment): string => `${prefixOf(runId)}${position}.${attempt}`;

/** The segment of a workflow, by its id and the key that it has in the queue; `undefined` for another workflow. */
export function segmentOf(id: string, key: string | undefined): Segment | undefined {
  const [, runId, position, attempt] = /^(.*)\/(\d{1,15})\.(\d{1,15})$/s.exec(id) ?? [];
  if (runId === undefined) return undefined;
  return { runId: originalText(runId), position: Number(position), attempt: Number(attempt), key: key ?? originalText(runId) };
}
