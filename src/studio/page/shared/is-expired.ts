import type { WaitingCall } from "../../api.js";

/** Whether it is too late to approve a call. A question has no such time. */
export const isExpired = ({ expiresAt, kind }: Pick<WaitingCall, "expiresAt" | "kind">): boolean =>
  kind === "confirmation" && Date.parse(expiresAt) < Date.now();
