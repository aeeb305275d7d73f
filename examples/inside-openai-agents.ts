/**
 * A tool class inside the OpenAI Agents SDK. The model is the SDK's scripted one: it makes a right call, then a wrong one, and
 * reads what is wrong with it. With a real model nothing else changes: model: "gpt-5-mini".
 */
import { Agent, run, setTracingDisabled } from "@openai/agents";
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents/testing";
import { toOpenAiAgentsTools } from "toolwright/openai-agents";
import { WeatherTool } from "./shared/weather-tool.js";

// There is nobody to send traces to.
setTracingDisabled(true);

const model = new ScriptedModel([
  // "3" is no number, but can only mean one; 30 days are too many.
  [functionCall("weather", { city: "Paris", days: "3" }, { callId: "call_1" })],
  [functionCall("weather", { days: 30 }, { callId: "call_2" })],
  [assistantMessage("It will be sunny in Paris.")],
]);

const agent = new Agent({ name: "Weather", model, tools: toOpenAiAgentsTools([WeatherTool]) });
const result = await run(agent, "What will the weather be in Paris?");

for (const item of result.newItems) {
  if (item.type === "tool_call_item" && item.rawItem.type === "function_call") {
    console.log(`The model calls ${item.rawItem.name} with ${item.rawItem.arguments}`);
  } else if (item.type === "tool_call_output_item") console.log(`  answer: ${String(item.output)}`);
}
console.log(result.finalOutput);
