import type * as LangGraph from "@langchain/langgraph";
import type { Decision } from "../../confirmation/index.js";
import { answerValue, checkDecision, checkKind, invalidAnswer } from "../../confirmation/internal.js";
import type { PreparedCall } from "../../execution/index.js";
import { describeFaults } from "../../schema/index.js";
import { type ConfirmationRequest, confirmationRequestOf } from "./confirmation-request.js";

/**
 * Asks for a decision by LangGraph's own `interrupt`, which throws to pause the graph, and gives the answer once it has been
 * resumed. An answer that decides nothing, or another call, is no answer: the person is asked again.
 */
export async function askInGraph(call: PreparedCall): Promise<Decision> {
  const interrupt = await loadInterrupt();
  const request = confirmationRequestOf(call);
  let problem: string | undefined;
  for (;;) {
    const answer = interrupt<ConfirmationRequest, Decision>(problem === undefined ? request : { ...request, problem });
    problem = problemOf(answer, request) ?? faultsOf(answer, call);
    if (problem === undefined) return answer;
  }
}

/** Inside a graph node, LangGraph is installed. Elsewhere it is optional: bundlers accept a missing package if the error is caught. */
async function loadInterrupt(): Promise<typeof LangGraph.interrupt> {
  try {
    return (await import("@langchain/langgraph")).interrupt;
  } catch (error) {
    const message = "A tool that requires confirmation pauses a graph by the package @langchain/langgraph, which can't be loaded here.";
    throw new Error(`${message} Run: npm install @langchain/langgraph`, { cause: error });
  }
}

/** Whatever resumes the graph may have come over a network. */
function problemOf(answer: Decision, request: ConfirmationRequest): string | undefined {
  const { callId, id } = request;
  try {
    checkDecision(answer);
    checkKind(answer, request);
  } catch (error) {
    return (error as Error).message;
  }
  if (answer.callId === callId && (answer.confirmationId ?? id) === id) return undefined;
  return `The answer was for the call "${answer.callId}", or for other arguments; this is the call "${callId}".`;
}

/** What is wrong with the value of an answer. */
function faultsOf(answer: Decision, { bound }: PreparedCall): string | undefined {
  if (answer.decision !== "answer") return undefined;
  const read = bound.plan.readOutput?.(answerValue(answer.callId, answer.value));
  return read === undefined || read.ok ? undefined : invalidAnswer(answer.callId, describeFaults(read.error, "the answer")).message;
}
