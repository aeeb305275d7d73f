/**
 * A tool class inside the Vercel AI SDK's own loop. The model is the SDK's mock: it makes a right call, then a wrong one, and
 * reads what is wrong with it. With a real model nothing else changes: model: "openai/gpt-5-mini".
 */
import { generateText, stepCountIs } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { toAiSdkTools } from "toolwright/ai-sdk";
import { WeatherTool } from "./shared/weather-tool.js";

const { steps, text } = await generateText({
  model: scriptedModel(),
  prompt: "What will the weather be in Paris?",
  tools: toAiSdkTools([WeatherTool]),
  stopWhen: stepCountIs(5),
});

for (const part of steps.flatMap(({ content }) => content)) {
  if (part.type === "tool-call") console.log(`The model calls ${part.toolName} with ${JSON.stringify(part.input)}`);
  else if (part.type === "tool-result") console.log(`  result: ${String(part.output)}`);
  else if (part.type === "tool-error") console.log(`  error:  ${String(part.error)}`);
}
console.log(text);

function scriptedModel(): MockLanguageModelV3 {
  const usage = {
    inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 0, text: 0, reasoning: 0 },
  };
  const call = (toolCallId: string, input: object) => ({
    content: [{ type: "tool-call" as const, toolCallId, toolName: "weather", input: JSON.stringify(input) }],
    finishReason: { unified: "tool-calls" as const, raw: undefined },
    usage,
    warnings: [],
  });
  const answer = {
    content: [{ type: "text" as const, text: "It will be sunny in Paris." }],
    finishReason: { unified: "stop" as const, raw: undefined },
    usage,
    warnings: [],
  };
  return new MockLanguageModelV3({
    // "3" is no number, but can only mean one; 30 days are too many.
    doGenerate: [call("call_1", { city: "Paris", days: "3" }), call("call_2", { days: 30 }), answer],
  });
}
