import { gateOf, type LoopStep, RunStateError, undecided } from "../../loop/index.js";
import type { Confirmation } from "../../confirmation/index.js";
import { sha256 } from "../../platform/index.js";
import type { DecisionClaims } from "../../storage/index.js";
import { useOf } from "../../confirmation/internal.js";

/** One thing that could still let a call of a waiting run begin: a decision, or a decided call that has not begun. */
interface OpenUse {
  /** The call of the run itself. */
  readonly callId: string;
  /** What is claimed by who decides, or begins the call. */
  readonly id: string;
  readonly confirmation: Confirmation;
  /** Whether the run itself asked it, and not the sub-agent that waits in its call. */
  readonly isOwn: boolean;
}

export interface GivenUp {
  /** They can't be approved any more. */
  readonly confirmations: readonly Confirmation[];
  /** The ids of calls that were decided in another place meanwhile: they may have run. */
  readonly decidedElsewhere: readonly string[];
}

/** Uses up what waits in a step, so that nothing of it can run after the model read that it was not run. */
export async function giveUp(step: LoopStep, claims: DecisionClaims): Promise<GivenUp> {
  const confirmations: Confirmation[] = [];
  const decidedElsewhere = new Set<string>();
  // One by one: of several, some may have been decided elsewhere.
  for (const { callId, id, confirmation, isOwn } of openUses(step)) {
    if (!(await claims.claim([id, givenUpId(confirmation)], confirmation.expiresAt))) decidedElsewhere.add(callId);
    else if (isOwn) confirmations.push(confirmation);
  }
  return { confirmations, decidedElsewhere: [...decidedElsewhere] };
}

/** What waits in a step, as its run asked it. */
export const waitingIn = (step: LoopStep): readonly Confirmation[] =>
  openUses(step).flatMap(({ confirmation, isOwn }) => (isOwn ? [confirmation] : []));

/** If the claims didn't answer before the run was aborted: they may have been made, or somebody decided before. */
export const unknownIn = (step: LoopStep): GivenUp => ({
  confirmations: [],
  decidedElsewhere: [...new Set(openUses(step).map(({ callId }) => callId))],
});

/** The first confirmation of a step that was given up, if the claims record it. */
export async function givenUpIn(step: LoopStep | null, claims: DecisionClaims): Promise<Confirmation | undefined> {
  if (step === null || claims.has === undefined) return undefined;
  for (const { confirmation } of openUses(step)) if (await claims.has(givenUpId(confirmation))) return confirmation;
  return undefined;
}

function openUses({ calls, results, gates }: LoopStep): readonly OpenUse[] {
  return calls.flatMap(({ id: callId }, index): readonly OpenUse[] => {
    const gate = results[index] === null ? gateOf(gates, callId) : undefined;
    if (gate === undefined) return [];
    const waiting = undecided(gate);
    const uses = gate.confirmations.flatMap((confirmation): readonly OpenUse[] => {
      if (waiting.includes(confirmation)) return [{ callId, id: confirmation.id, confirmation, isOwn: true }];
      // The sub-agent's run uses up the decisions about its calls.
      return gate.subRun === undefined ? [{ callId, id: useOf(confirmation, gate.uses ?? 0), confirmation, isOwn: true }] : [];
    });
    const inner = gate.subRun?.loop.current ?? null;
    return inner === null ? uses : [...uses, ...openUses(inner).map((use) => ({ ...use, callId, isOwn: false }))];
  });
}

/** Marks, among the claims, that a confirmation was used up by a conversation that went on without it. */
const givenUpId = ({ id }: Confirmation): string => sha256(`${id} given up`);

/** `confirmation`: the one that the claims say was given up. */
export const givenUpError = (runId: string, confirmation: Confirmation | undefined): RunStateError =>
  new RunStateError(
    "given_up",
    `The conversation went on without the run ${runId}, and the model read that ${confirmation === undefined ? "what waited in it" : `the call "${confirmation.callId}" (${confirmation.tool})`} was not run: it can't be approved any more. Call generate to go on; if the call is still wanted, the model can make it again.`,
  );
