import { AttemptLedger } from "../../execution/index.js";
import type { Decision } from "../../confirmation/index.js";
import { refuseLate } from "../../confirmation/internal.js";
import { RunStateError, reopen, type RunState } from "../../loop/index.js";
import { openState, type RecordedRun, waitingCalls, withoutPartialAnswer } from "../../loop/internal.js";
import { MemoryDecisionClaims } from "../../storage/index.js";
import { processClaims } from "../../storage/internal.js";
import { unlessAborted, untilAborted } from "../../tool/internal.js";
import { agentDefinitionOf } from "../agent-definition.js";
import type { AgentResponse } from "../agent-response.js";
import type { GenerateOptions, ResumeOptions } from "../run-options.js";
import { checkApprovals, checkDecisions, claimDecisions, unrecorded, withoutObstacles } from "./check-decisions.js";
import type { ObstacleSearch } from "./decision-obstacle.js";
import type { LatestRun } from "./latest-run.js";
import { needsJournal } from "./leave-recorded.js";
import type { MadeRun } from "./new-run.js";
import { stateOf, toolNamesIn } from "./recorded-run.js";
import { maybeBegun, recoveryEvents } from "./recovered-calls.js";
import { recordedResponse } from "./recorded-response.js";
import { replaying } from "../replay/replaying.js";
import type { InheritedOptions } from "../sub-agents/calling-run.js";
import { type EarlierRun, type ResolvedRun, type RunSource, resolveRun } from "./resolve-run.js";
import { Run } from "./run.js";
import type { OpenedJournal } from "./run-journal.js";

/** The run that goes on: a state, and of a recorded run what its journal has. A text without a journal is rejected by name. */
export interface RunToResume {
  readonly from: RunState | string;
  readonly opened: RecordedJournal | undefined;
  /** Whether the decisions come from a calling run. */
  readonly isCalled: boolean;
}

/** The journal of a run that has begun. */
export interface RecordedJournal extends OpenedJournal {
  readonly recorded: RecordedRun;
}

/** A recorded run that has ended: nothing is left to do. */
export interface AnsweredRun {
  readonly response: AgentResponse;
  readonly resolved: ResolvedRun;
}

/** Makes a run go on from its state or its journal. The history of the conversation is replaced by the run's. */
export async function resumedRun(
  source: RunSource,
  latest: LatestRun,
  options: ResumeOptions,
  { from, opened, isCalled }: RunToResume,
): Promise<MadeRun | AnsweredRun> {
  const { conversation } = source;
  const { decisions = [], maxSteps, budget, abortSignal } = options;
  // The journal has each decision once.
  const claims = opened === undefined ? (options.claims ?? processClaims) : new MemoryDecisionClaims();
  const state = opened === undefined ? openedState(source, from as RunState, options) : stateOf(opened.recorded, options);
  if (state.journaled === true && opened === undefined) throw needsJournal(state.runId);
  if (state.replay === true && (options as InheritedOptions)[replaying] === undefined) throw needsReplay(state.runId);
  const { loop, messages, prefix } = state;
  await unlessAborted(() => latest.refuseGivenUp(state, claims), abortSignal);
  const given = opened !== undefined && isCalled ? unrecorded(decisions, state) : decisions;
  const taken = opened?.recorded.decisions ?? [];
  checkDecisions([...taken, ...given], state);
  // The model reads of a late approval that the call wasn't run; a late answer can be given again.
  refuseLate(
    given.filter(({ decision }) => decision === "answer"),
    waitingCalls(state),
  );
  const resolved = await resolveRun(source, { ...options, claims }, earlierRun(state));
  const { limits } = resolved;
  const isFresh = maxSteps !== undefined || budget !== undefined;
  const reopened = reopen(loop, limits, isFresh ? limits : undefined);
  if (reopened === undefined && opened !== undefined) {
    const response = await untilAborted(recordedResponse(opened.recorded, resolved.parts.output), abortSignal);
    conversation.restoreWith(messages, prefix);
    return { response, resolved };
  }
  if (reopened === undefined) {
    throw new RunStateError("finished", `The run ended with "${loop.outcome?.reason}": there is nothing to resume. Go on with generate.`);
  }
  const run = new Run(resolved.parts, reopened);
  const accept = async (): Promise<readonly Decision[]> => {
    const obstacleTo = (decision: Decision) => run.obstacleTo(decision);
    await checkApprovals(given, state, obstacleTo);
    const usable = [...(await withoutObstacles(taken, state, obstacleTo)), ...given];
    await claimDecisions(usable, state, claims).catch(async (error: unknown) => {
      await latest.refuseGivenUp(state, claims);
      throw error;
    });
    return usable;
  };
  const accepted = resolved.isResolved ? await unlessAborted(accept, abortSignal) : undefined;
  conversation.restoreWith(reopened.current === null ? withoutPartialAnswer(messages) : messages, prefix);
  const decided = taken.map(({ callId }) => callId);
  opened?.journal.add({
    kind: "resumed",
    limits,
    isFresh,
    ...(decided.length > 0 && { decided }),
    ...toolNamesIn(resolved.parts.tools, conversation.tools),
  });
  // A state without a prefix was stored before any request, or by a version that didn't keep what was offered.
  const wasOffered = (name: string): boolean => prefix === undefined || conversation.tools.some((tool) => tool.name === name);
  const recorded = opened?.recorded.begun;
  // An aborted run knows no tools: what its record has no mark of is left to a later process.
  const isLeft = recorded !== undefined && !resolved.isResolved;
  const begun = isLeft ? recorded : maybeBegun({ loop, begun: recorded, wasOffered }, resolved.parts.tools);
  for (const event of recoveryEvents(loop, begun)) run.take(event);
  if (accepted === undefined) run.endUnbegun();
  else {
    run.decisions = accepted;
    for (const decision of accepted) run.take({ type: "call_decided", decision });
  }
  return { run, resolved, start: conversation.length };
}

/** Why calls of a stored run can't run as a person decided. The run is resolved once, for all the decisions. */
export async function searchObstacles(source: RunSource, state: RunState, options: GenerateOptions): Promise<ObstacleSearch> {
  const opened = openedState(source, state, options);
  const { parts } = await resolveRun(source, options, earlierRun(opened));
  const run = new Run(parts, opened.loop);
  return (decision) => run.obstacleTo(decision);
}

const openedState = ({ agentClass }: RunSource, state: RunState, { stateSecret }: GenerateOptions): RunState =>
  openState(state, agentDefinitionOf(agentClass).name, stateSecret);

const needsReplay = (runId: string): RunStateError =>
  new RunStateError(
    "replay",
    `The run "${runId}" is a replay: its calls are answered from the record of another run, which this instance doesn't have. Resume it with the instance that prepareReplay returned, or replay the other run again.`,
  );

const earlierRun = ({ runId, ledger, resumptions, tags }: RunState): EarlierRun => ({
  runId,
  ledger: AttemptLedger.fromJSON(ledger),
  resumptions,
  ...(tags !== undefined && { tags }),
});
