import type { Answer, Decision } from "../../confirmation/index.js";
import { answerValue, isQuestion } from "../../confirmation/internal.js";
import type { RunState } from "../../loop/index.js";
import { callAskedAbout, waitingCalls } from "../../loop/internal.js";
import type { ConversationPrefix, ModelTool } from "../../models/index.js";
import { acceptSchema, describeFaults } from "../../schema/index.js";
import { compileSchema } from "../../schema/internal.js";
import { resumptionOf } from "../sub-agents/sub-run-gate.js";
import type { DecisionObstacle, ObstacleSearch } from "./decision-obstacle.js";

/**
 * Why calls of a stored run can't go on as a person decided, for a process that doesn't have the agent: what the person wrote is compared
 * with the schemas in the record. The process that carries on the run checks what only the agent knows.
 */
export const recordedObstacles =
  (state: RunState): ObstacleSearch =>
  async (decision) =>
    obstacleTo(decision, state);

function obstacleTo(decision: Decision, state: RunState): DecisionObstacle | undefined {
  if (decision.decision === "answer") return answerObstacle(decision, state);
  return decision.decision === "approve_edited" ? editObstacle(decision, state) : undefined;
}

function answerObstacle({ callId, value }: Answer, state: RunState): DecisionObstacle | undefined {
  const question = waitingCalls(state).find((one) => one.callId === callId);
  if (question === undefined || !isQuestion(question)) return undefined;
  const read = compileSchema(question.answerSchema).validate(answerValue(callId, value), { owned: true, repair: false });
  return read.ok ? undefined : { reason: "invalid_answer", faults: describeFaults(read.error, "the answer") };
}

function editObstacle(
  decision: Extract<Decision, { decision: "approve_edited" }>,
  { loop, prefix }: RunState,
): DecisionObstacle | undefined {
  const asked = callAskedAbout(loop, decision.callId);
  if (asked?.gate.subRun !== undefined) {
    const { state, decisions } = resumptionOf(asked.call.id, asked.gate.subRun, [decision]);
    return decisions[0] && obstacleTo(decisions[0], state);
  }
  const tool = asked && offeredTool(prefix, asked.call.name);
  // A strict schema asks for all parameters, and a person leaves out the optional ones.
  if (tool === undefined || tool.strict === true) return undefined;
  const read = compileSchema(acceptSchema(tool.parameters)).validate(decision.arguments, { owned: false, repair: true });
  return read.ok ? undefined : { reason: "invalid_arguments", faults: describeFaults(read.error) };
}

/** As the model was offered it last. */
function offeredTool(prefix: ConversationPrefix | undefined, name: string): ModelTool | undefined {
  const offers = [prefix?.tools ?? [], ...(prefix?.changes ?? []).map(({ offered = [] }) => offered)];
  return offers.flat().findLast((tool) => tool.name === name);
}
