import type { Confirmation, ConfirmationSituation } from "../../src/confirmation/index.js";

/** A call that waits, as an agent's run asks for it. */
export const confirmationWith = (changes: Partial<Confirmation> = {}): Confirmation => ({
  id: "6e1f1a1fa9a1c86ab8c1a3b1c2d74a2ae0f3b44d8a2f5b1f6f0a3cf6d1f0b9aa",
  runId: "run_1",
  callId: "call_1",
  agent: "refund_agent",
  tool: "refund",
  description: "Refunds an order. Use when the user wants the money back.",
  category: "write",
  consequenceLevel: "high",
  input: { order: "A-17", euros: 250 },
  requestedAt: new Date().toISOString(),
  expiresAt: new Date(Date.now() + 60_000).toISOString(),
  ...changes,
});

export const situationWith = (abortSignal?: AbortSignal): ConfirmationSituation => ({ abortSignal, toolContext: {} });
