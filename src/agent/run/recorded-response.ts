import { openConfirmations, openQuestions } from "../../loop/index.js";
import { type RecordedRun, sealState } from "../../loop/internal.js";
import { ModelError } from "../../models/index.js";
import { type AgentResponse, describeStep, responseOf } from "../agent-response.js";
import { recordedNames } from "./recorded-run.js";
import type { AgentOutput } from "../output/index.js";

/** The response of a run that has ended, as its journal has it. `output`: what the agent's `@returns` describes. */
export async function recordedResponse(recorded: RecordedRun, output: AgentOutput | undefined): Promise<AgentResponse> {
  const { runId, agent, loop, messages, ledger, resumptions, steps, start, tags, givenUp } = recorded;
  const { outcome, usage } = loop;
  if (outcome === null) throw new Error(`The run "${runId}" has no response yet: a mistake in Toolwright.`);
  const text = steps.at(-1)?.text ?? "";
  const reading = outcome.reason === "success" ? await output?.read(text) : undefined;
  const names = recordedNames(recorded);
  return responseOf(
    {
      runId,
      steps: steps.map((step) => describeStep(step, names)),
      usage,
      output: reading?.ok === true ? reading.value : undefined,
      // The record has an error's public words alone.
      modelError: outcome.reason === "model_error" ? new ModelError("unknown", outcome.detail, { retryable: false }) : undefined,
      partialText: undefined,
      confirmations: openConfirmations(recorded),
      questions: openQuestions(recorded),
      givenUp,
      snapshot: () => sealState({ runId, agent, loop, messages, ledger, resumptions, ...(tags && { tags }), journaled: true }, undefined),
    },
    outcome,
    messages.slice(start),
  );
}
