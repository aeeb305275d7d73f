/**
 * A tool class inside a LangGraph agent. The model is LangChain's fake: it makes a right call, then a wrong one, and reads what
 * is wrong with it. With a real model nothing else changes: llm: new ChatOpenAI({ model: "gpt-5-mini" }).
 */
import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { fakeModel } from "@langchain/core/testing";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { toLangChainTools } from "toolwright/langchain";
import { WeatherTool } from "./shared/weather-tool.js";

const llm = fakeModel()
  // "3" is no number, but can only mean one; 30 days are too many.
  .respondWithTools([{ name: "weather", args: { city: "Paris", days: "3" } }])
  .respondWithTools([{ name: "weather", args: { days: 30 } }])
  .respond(new AIMessage("It will be sunny in Paris."));

const agent = createReactAgent({ llm, tools: toLangChainTools([WeatherTool]) });
const { messages } = await agent.invoke({ messages: [new HumanMessage("What will the weather be in Paris?")] });

for (const message of messages) {
  if (message instanceof ToolMessage) console.log(`  ${message.status}: ${message.text}`);
  else if (message instanceof AIMessage && message.tool_calls?.length)
    for (const { name, args } of message.tool_calls) console.log(`The model calls ${name} with ${JSON.stringify(args)}`);
}
console.log(messages.at(-1)?.text);
