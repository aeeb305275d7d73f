import { Agent, block, guardrail, model } from "../../../src/agent/index.js";
import type { RunOutcome } from "../../../src/loop/index.js";
import { ModelError, ScriptedModel } from "../../../src/models/index.js";
import { required, returns } from "../../../src/tool/index.js";
import { type Examples, errorOf } from "./example.js";
import { AskUserTool } from "../../../src/tools/index.js";
import { agentWith, asked, call, endOf, metIn, refund, toolThat, WeatherTool } from "./subjects.js";

export const runningErrors: Examples<"AgentBusyError"> = {
  AgentBusyError: [
    async () => {
      const agent = agentWith(["Hello."]);
      const first = agent.generate("Hi.");
      const error = await errorOf(() => agent.generate("Are you there?"));
      await first;
      return error;
    },
  ],
};

const weather = call("weather", { city: "Paris" });
const failing = toolThat(() => Promise.reject(new Error("API rate limit exceeded")));

/** The `reason` of a run's outcome. */
export const outcomes: Examples<RunOutcome["reason"]> = {
  success: [() => endOf(["Hello."])],
  truncated: [() => endOf([{ text: "It is", finishReason: "length" }])],
  content_filter: [() => endOf([{ finishReason: "content_filter" }])],
  guardrail_blocked: [
    async () => {
      @model(new ScriptedModel([]))
      @guardrail("before", { checkInput: () => block("The prompt holds a card number.") })
      class SupportAgent extends Agent {}
      return metIn((await SupportAgent.generate("My card is 4000 0000 0000 0000.")).outcome);
    },
  ],
  invalid_structured_output: [
    async () => {
      class Report {
        @required(String) title!: string;
      }

      @model(new ScriptedModel(["{}", "{}"]))
      @returns(Report)
      class ReportAgent extends Agent<Report> {}
      return metIn((await ReportAgent.generate("Report.")).outcome);
    },
  ],
  awaiting_confirmation: [() => endOf([refund])],
  awaiting_answer: [() => endOf([asked], {}, [AskUserTool])],
  interrupted: [
    async () => {
      const agent = agentWith([
        () => {
          agent.interrupt("The application is being restarted.");
          return weather;
        },
      ]);
      return metIn((await agent.generate("Weather in Paris?")).outcome);
    },
  ],
  max_steps: [() => endOf([weather], { maxSteps: 1 })],
  repeated_failure: [() => endOf([call("search"), call("search")], { budget: { identicalFailures: 2 } }, [failing])],
  budget_exhausted: [
    () => endOf([weather, weather], { budget: { callsPerTool: 1 } }),
    () => endOf([{ ...weather, usage: { inputTokens: 900, outputTokens: 200 } }], { budget: { tokens: 1_000 } }),
    () => endOf([weather], { budget: { resultBytes: 10 } }, [WeatherTool]),
    () => endOf([call("search")], { budget: { wallTime: 20 } }, [toolThat(() => new Promise(() => undefined))]),
  ],
  aborted: [() => endOf([weather], { abortSignal: AbortSignal.abort() })],
  model_error: [
    () =>
      endOf([{ error: new ModelError("openai/gpt-5-mini", "openai/gpt-5-mini: HTTP 503: Overloaded", { retryable: true, status: 503 }) }]),
  ],
};
