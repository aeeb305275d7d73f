import { signConfirmation } from "../../../src/confirmation/handlers/webhook/webhook-messages.js";
import {
  answer,
  approve,
  approveEdited,
  type Decision,
  type DecisionError,
  signDecision,
  verifyWebhook,
  type WebhookMessage,
  type WebhookVerificationError,
} from "../../../src/confirmation/index.js";
import { type ConversationStoreError, MemoryConversationStore, MemoryDecisionClaims, MemoryStorage } from "../../../src/storage/index.js";
import type { RunState, RunStateError } from "../../../src/loop/index.js";
import { sealState } from "../../../src/loop/run-state.js";
import { prepareReplay } from "../../../src/durable/index.js";
import { confirmationWith } from "../../support/confirmation.js";
import { type Examples, errorOf, type Met } from "./example.js";
import { AskUserTool } from "../../../src/tools/index.js";
import { expiredApproval } from "./runtimes.js";
import { agentWith, asked, pausedState } from "./subjects.js";

const resume = async (change: (state: RunState) => unknown): Promise<Met> => {
  const state = await pausedState();
  // What a store gives back may be anything.
  return errorOf(() => agentWith(["Done."]).resume(change(state) as RunState));
};

const decide = async (...decisions: readonly Decision[]): Promise<Met> => {
  const state = await pausedState();
  return errorOf(() => agentWith(["Done."]).resume(state, { decisions }));
};

const load = (conversation: unknown): Promise<Met> =>
  // A database of the application's, which gives what it has.
  errorOf(() => agentWith([]).load({ load: () => conversation as never, save: () => undefined }, "user-42"));

const secret = "a secret of 32 bytes, or of more";
const signed = signConfirmation(confirmationWith(), secret);
const verify = (message: WebhookMessage): Promise<Met> => errorOf(() => verifyWebhook(message, secret));

/** What goes on with stored runs and conversations meets. */
export const resumingErrors: Examples<
  | `RunStateError: ${RunStateError["reason"]}`
  | `DecisionError: ${DecisionError["reason"]}`
  | `ConversationStoreError: ${ConversationStoreError["reason"]}`
  | "ConversationConflictError"
  | `WebhookVerificationError: ${WebhookVerificationError["reason"]}`
> = {
  "RunStateError: no_state": [() => resume((state) => JSON.stringify(state))],
  "RunStateError: version": [() => resume((state) => ({ ...state, version: 2 }))],
  "RunStateError: other_agent": [() => resume((state) => ({ ...state, agent: "weather_agent" }))],
  "RunStateError: edited": [() => resume((state) => ({ ...state, resumptions: 1 }))],
  "RunStateError: finished": [
    () =>
      resume(({ version: _version, digest: _digest, loop, ...rest }) =>
        sealState({ ...rest, loop: { ...loop, status: "finished", outcome: { reason: "success" } } }, undefined),
      ),
  ],
  "RunStateError: given_up": [
    async () => {
      const claims = new MemoryDecisionClaims();
      const agent = agentWith([{ toolCalls: [{ name: "refund", arguments: { order: "A-17" } }] }, "As you like."]);
      const { state, runId } = await agent.generate("Refund A-17", { claims });
      await agent.generate("No, leave it.", { claims });
      const { name, message } = await errorOf(() => agentWith([]).resume(state as RunState, { claims }));
      return { name, reason: "given_up", message: message.replace(runId, "run_1") };
    },
  ],
  "RunStateError: replay": [
    async () => {
      const journal = new MemoryStorage();
      const refund = { toolCalls: [{ name: "refund", arguments: { order: "A-17" } }] };
      await agentWith(["Hello."]).generate("Hello", { journal, runId: "run_1" });
      const replay = await prepareReplay(agentWith([refund]), "run_1", { journal });
      const { state } = await replay.generate(undefined, { runId: "run_2" });
      return errorOf(() => agentWith([]).resume(state as RunState));
    },
  ],
  "RunStateError: journal": [
    async () => {
      const agent = agentWith([{ toolCalls: [{ name: "refund", arguments: { order: "A-17" } }] }]);
      const { state } = await agent.generate("Refund A-17", { journal: new MemoryStorage(), runId: "run_1" });
      return errorOf(() => agentWith([]).resume(state as RunState));
    },
  ],
  // As a client may send it.
  "DecisionError: unknown": [() => decide({ callId: "call_1", decision: "yes" } as unknown as Decision)],
  "DecisionError: unknown_call": [() => decide(approve("call_7"))],
  "DecisionError: decided_twice": [() => decide(approve("call_1"), approve("call_1"))],
  "DecisionError: decided_before": [
    async () => {
      const state = await pausedState();
      const options = { decisions: [approve("call_1")], claims: new MemoryDecisionClaims() };
      await agentWith(["Done."]).resume(state, options);
      const { name, message } = await errorOf(() => agentWith(["Done."]).resume(state, options));
      return { name, reason: "decided_before", message: message.replace(state.runId, "run_1") };
    },
  ],
  "DecisionError: other_confirmation": [() => decide(approve({ callId: "call_1", id: "of what was asked before" }))],
  "DecisionError: not_available": [
    async () => {
      const state = await pausedState();
      return errorOf(() => agentWith([], []).resume(state, { decisions: [approve("call_1")] }));
    },
  ],
  "DecisionError: expired": [expiredApproval],
  "DecisionError: other_kind": [() => decide(answer("call_1", "yes"))],
  "DecisionError: invalid_answer": [
    async () => {
      const { state } = await agentWith([asked], [AskUserTool]).generate("Help me.");
      return errorOf(() => agentWith([], [AskUserTool]).resume(state as RunState, { decisions: [answer("call_1", 7)] }));
    },
  ],
  "DecisionError: invalid_arguments": [() => decide(approveEdited("call_1", { order: 17, cents: 5 }))],
  "ConversationStoreError: broken": [() => load("{}")],
  "ConversationStoreError: version": [() => load({ version: 2, messages: [] })],
  ConversationConflictError: [
    async () => {
      const store = new MemoryConversationStore();
      await agentWith([]).save(store, "user-42");
      return errorOf(() => agentWith([]).save(store, "user-42"));
    },
  ],
  "WebhookVerificationError: no_signature": [() => verify({ headers: {}, body: signed.body })],
  "WebhookVerificationError: bad_signature": [() => verify({ ...signed, body: `${signed.body} ` })],
  "WebhookVerificationError: stale": [
    () => {
      const clock = jest.spyOn(Date, "now");
      clock.mockReturnValue(0);
      const old = signConfirmation(confirmationWith({ expiresAt: new Date(1_000_000).toISOString() }), secret);
      clock.mockReturnValue(600_000);
      return verify(old).finally(() => clock.mockRestore());
    },
  ],
  "WebhookVerificationError: unexpected": [() => verify(signDecision(approve(confirmationWith()), secret))],
};
