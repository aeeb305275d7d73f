import type { Answer } from "../../confirmation/index.js";
import { answerValue } from "../../confirmation/internal.js";
import { type Preparation, PreparedCall } from "../../execution/index.js";
import type { RunState } from "../../loop/index.js";
import type { ToolCall } from "../../models/index.js";
import { describeFaults } from "../../schema/index.js";
import type { ToolClass } from "../../tool/index.js";
import { planOf } from "../../tool/internal.js";
import { makeSubAgent } from "../sub-agents/run-sub-agent.js";
import { resumptionOf } from "../sub-agents/sub-run-gate.js";
import { type Approval, type DecisionObstacle, type ObstacleSearch, obstacleSearch } from "./decision-obstacle.js";
import type { RunParts } from "./run-parts.js";

/** Finds out whether calls of a run, and of its sub-agents' runs, can run as a person decided. */
export class ObstacleFinder {
  readonly #parts: RunParts;
  /** Prepares a call that a person decided about. */
  readonly #prepare: (call: ToolCall) => Preparation;
  /** By the states of sub-agents' runs: several decisions may be for one. */
  readonly #searches = new Map<RunState, Promise<ObstacleSearch>>();

  constructor(parts: RunParts, prepare: (call: ToolCall) => Preparation) {
    this.#parts = parts;
    this.#prepare = prepare;
  }

  /** Why a call, or one of its sub-agent's run, can't run as a person approved it. */
  async obstacleTo(call: ToolCall, subRun: RunState | undefined, decision: Approval): Promise<DecisionObstacle | undefined> {
    const { tools } = this.#parts;
    const name = tools.names.toTool(call.name);
    const toolClass = tools.classes.find(({ definition }) => definition.name === name);
    if (toolClass === undefined) return { reason: "not_available" };
    if (subRun !== undefined) return this.#inSubRun(call, subRun, decision);
    if (decision.decision === "approve") return undefined;
    if (decision.decision === "answer") return answerObstacle(toolClass, decision);
    const prepared = await this.#prepare({ ...call, arguments: JSON.stringify(decision.arguments) });
    return prepared instanceof PreparedCall ? undefined : { reason: "invalid_arguments", faults: prepared.error };
  }

  async #inSubRun(call: ToolCall, subRun: RunState, decision: Approval): Promise<DecisionObstacle | undefined> {
    const { tools, calling } = this.#parts;
    const name = tools.names.toTool(call.name);
    const agentClass = tools.agents.find(({ definition }) => definition.name === name);
    // If it is another tool by now, the model reads so.
    if (agentClass === undefined || calling === undefined) return undefined;
    const { state, decisions } = resumptionOf(call.id, subRun, [decision]);
    if (decisions[0] === undefined) return undefined;
    let search = this.#searches.get(subRun);
    if (search === undefined) {
      search = makeSubAgent(agentClass, calling).then((agent) => calling.settings(() => agent[obstacleSearch](state, calling.options)));
      this.#searches.set(subRun, search);
    }
    return (await search)(decisions[0]);
  }
}

/** A tool that changed since isn't given the answer: its call is asked about again. */
function answerObstacle(toolClass: ToolClass, { callId, value }: Answer): DecisionObstacle | undefined {
  if (toolClass.definition.answeredBy === undefined) return undefined;
  const read = planOf(toolClass).readOutput?.(answerValue(callId, value));
  return read === undefined || read.ok ? undefined : { reason: "invalid_answer", faults: describeFaults(read.error, "the answer") };
}
