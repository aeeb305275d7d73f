import type { Confirmation } from "../../confirmation/index.js";

/** The id by which `useChat` answers a confirmation: it names the run that waits, too. */
export const approvalIdOf = ({ runId, id }: Confirmation): string => `${runId}.${id}`;

/** The parts of such an id; `undefined` for an id of somebody else. */
export function readApprovalId(approvalId: unknown): { readonly runId: string; readonly confirmationId: string } | undefined {
  const parts = typeof approvalId === "string" ? /^(.+)\.([0-9a-f]{64})$/s.exec(approvalId) : null;
  return parts === null ? undefined : { runId: parts[1] ?? "", confirmationId: parts[2] ?? "" };
}
