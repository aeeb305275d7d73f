import { confirmInTerminal, type Decision } from "../../confirmation/index.js";
import { answerValue, confirmationOf } from "../../confirmation/internal.js";
import { PreparedCall, type ToolCallRequest, type ToolExecutor } from "../../execution/index.js";
import type { ToolFailure } from "../../tool/index.js";
import { CommandError, exitCodes } from "../exit-codes.js";
import { canAsk, type Host } from "../host.js";

/** Milliseconds in which the person may decide: the question stands in the terminal as long as they want. */
const timeToDecide = 24 * 3_600_000;

/** Asks the person about a call that needs approval or an answer, and returns the call that may run. */
export async function askAboutCall(
  prepared: PreparedCall,
  request: ToolCallRequest,
  { executor, isApproved, host }: { readonly executor: ToolExecutor; readonly isApproved: boolean; readonly host: Host },
): Promise<PreparedCall | ToolFailure> {
  const { name, answeredBy } = prepared.definition;
  if (answeredBy === undefined && isApproved) return approved(prepared);
  if (!canAsk(host)) {
    const fix = answeredBy === undefined ? "Pass --yes to approve it, or run the command in a terminal." : "Run the command in a terminal.";
    const need = answeredBy === undefined ? "needs approval" : "is answered by a person";
    throw new CommandError(`The tool "${name}" ${need}, and there is no terminal to ask in. ${fix}`, exitCodes.waiting);
  }
  const { abortSignal, toolContext = {} } = prepared.scope;
  const ask = confirmInTerminal({ input: host.input, output: host.errors });
  const situation = { abortSignal, definition: prepared.definition, toolContext: { ...toolContext } };
  const decision = await ask(confirmationOf(prepared, timeToDecide), situation);
  return carryOut(decision, prepared, request, executor);
}

async function carryOut(
  decision: Decision | undefined,
  prepared: PreparedCall,
  request: ToolCallRequest,
  executor: ToolExecutor,
): Promise<PreparedCall | ToolFailure> {
  const { name } = prepared.definition;
  switch (decision?.decision) {
    case undefined:
      throw new CommandError(`Nothing was decided: "${name}" didn't run.`, exitCodes.interrupted);
    case "approve":
      return approved(prepared);
    case "deny":
      throw new CommandError(`"${name}" was denied${decision.reason === undefined ? "." : `: ${decision.reason}`}`);
    case "answer":
      prepared.answer = { value: answerValue(prepared.id, decision.value) };
      return prepared;
    case "approve_edited": {
      const edited = await executor.prepare({ ...request, arguments: decision.arguments }, prepared.scope, {
        decided: true,
        asked: undefined,
      });
      return edited instanceof PreparedCall ? approved(edited) : (edited as ToolFailure);
    }
  }
}

/** What was shown is what runs. */
function approved(prepared: PreparedCall): PreparedCall {
  prepared.requiresConfirmation = false;
  return prepared;
}
