import type { Container } from "../../execution/index.js";
import { injectedProperties } from "../../execution/internal.js";
import { addUsage, ModelError, noUsage } from "../../models/index.js";
import { failure, type ToolContext, type ToolResponse } from "../../tool/index.js";
import { isInterrupt } from "../../tool/internal.js";
import { redactText } from "../../redaction/index.js";
import { outsideText, warnProcess } from "../../redaction/internal.js";
import { type SubAgentClass, classNameOf, type SubAgent, runForCaller } from "../agent-class.js";
import { waitingCalls } from "../../loop/internal.js";
import { saysNothing } from "../../conversation/internal.js";
import { DecisionError } from "../../confirmation/index.js";
import { LeaseHeldError } from "../../storage/index.js";
import { seizeLease } from "../../storage/internal.js";
import { sharedAgent } from "../agent-errors.js";
import type { AgentResponse } from "../agent-response.js";
import type { AgentEvent } from "../stream/agent-event.js";
import type { GenerateOptions } from "../run-options.js";
import { type CallingCall, type CallingRun, callingCall } from "./calling-run.js";
import { setLineage } from "./lineage.js";
import { subRunId } from "./sub-run-id.js";
import { SubRunLeft } from "./sub-run-left.js";
import { SubRunPaused } from "./sub-run-paused.js";

/**
 * Runs an agent for another one: with the caller's context, listeners, profile, confirmation handlers and signal, in a
 * conversation of its own. Returns its structured output or its text. If it ends otherwise, it returns a failure that the
 * calling model reads. The failure contains neither the provider's error nor mistakes in the application's settings, because the
 * calling model could repeat them to anyone. They become process warnings.
 */
export async function runSubAgent(agentClass: SubAgentClass, prompt: string, context: ToolContext): Promise<unknown> {
  if (saysNothing(prompt)) return failure("The prompt is blank. Call again with the task, and everything that must be known to do it.");
  const call = callingCall(context.runId);
  const running = runIn(call, agentClass, prompt, context);
  if (call === undefined) return running;
  const { subRuns } = call.run;
  subRuns.add(running);
  const forget = (): unknown => subRuns.delete(running);
  running.then(forget, forget);
  return running;
}

async function runIn(call: CallingCall | undefined, agentClass: SubAgentClass, prompt: string, context: ToolContext): Promise<unknown> {
  const { abortSignal } = context;
  const agent = await makeSubAgent(agentClass, call?.run);
  const inherited = call?.run.options ?? { toolContext: { ...context } };
  const options = { ...inherited, abortSignal, ...(inherited.journal !== undefined && { runId: subRunId(context.runId, context.callId) }) };
  call?.run.running.add(agent);
  try {
    const { onEvent } = call ?? {};
    const emit = onEvent && ((event: AgentEvent): void => onEvent(agentClass.definition.name, event));
    const work = call?.resumption ?? (await recordedRun(options, subRunId(context.runId, context.callId))) ?? prompt;
    const ask = (): Promise<AgentResponse> => agent[runForCaller](work, options, emit);
    const asked = (): Promise<AgentResponse> => (call === undefined ? ask() : call.run.settings(ask));
    const response = await asked().catch(async (error: unknown) => {
      if (!(error instanceof LeaseHeldError) || options.journal === undefined) throw error;
      // Its holder has lost the calling run, which this process carries on: the lease would only outlive that process.
      await seizeLease(options.journal, error.key);
      return asked();
    });
    if (call?.run.isHandedOver === true && response.reason === "interrupted") throw new SubRunLeft();
    const result = resultOf(response, agentClass.definition.name);
    // Of a run that waits they are counted when it ends: it counts on.
    if (call !== undefined) call.used = addUsage(call.used ?? noUsage, response.usage);
    return result;
  } catch (error) {
    // What the sub-agent did before an interrupt isn't done again.
    if (call !== undefined && isInterrupt(error) && !(error instanceof SubRunPaused || error instanceof SubRunLeft))
      call.left = agent.state;
    if (error instanceof ModelError) return failed(agentClass.definition.name, error, error[outsideText]);
    if (error instanceof DecisionError) return failed(agentClass.definition.name, error, "It can't go on.");
    throw error;
  } finally {
    call?.run.running.delete(agent);
  }
}

async function recordedRun({ journal }: GenerateOptions, runId: string): Promise<{ readonly recorded: string } | undefined> {
  const head = await journal?.journals.head(runId);
  return head === undefined ? undefined : { recorded: runId };
}

/** An agent as the calling run's, for a call of it. */
export async function makeSubAgent(agentClass: SubAgentClass, run: CallingRun | undefined): Promise<SubAgent> {
  const agent = await makeAgent(agentClass, run?.options.container ?? agentClass.definition.container);
  if (run !== undefined) setLineage(agent, run.lineage);
  return agent;
}

/** A new agent, by the container if it wants services. Throws `AgentDefinitionError` if the container gives the same instance again. */
export async function makeAgent(agentClass: SubAgentClass, container: Container | undefined): Promise<SubAgent> {
  const wantsServices = agentClass.length > 0 || injectedProperties(agentClass).length > 0;
  // Whatever else a container gives fails at its first use.
  const agent = container === undefined || !wantsServices ? new agentClass() : ((await container.get(agentClass)) as SubAgent);
  if (handedOut.has(agent)) throw sharedAgent(classNameOf(agentClass), "gave the same instance twice");
  handedOut.add(agent);
  return agent;
}

const handedOut = new WeakSet<object>();

function resultOf(response: AgentResponse, name: string): unknown {
  if (response.reason === "success") return response.output ?? response.text;
  if (response.reason === "awaiting_confirmation" || response.reason === "awaiting_answer")
    throw new SubRunPaused(name, response.state, waitingCalls(response.state));
  if (response.error !== undefined) return failed(name, response.error, response.error[outsideText]);
  const { reason, detail } = response.state?.loop.outcome ?? response.outcome;
  // What a guardrail says is for the application.
  return failure(`The agent "${name}" gave no answer (${reason})${reason === "guardrail_blocked" ? "." : `: ${detail}`}`);
}

/** `message`: for the calling model. */
function failed(name: string, error: Error, message: string): ToolResponse {
  warnProcess(`The agent "${name}", called by another one, failed: ${redactText(`${error.name}: ${error.message}`)}`);
  return failure(`The agent "${name}" gave no answer: ${message}`);
}
