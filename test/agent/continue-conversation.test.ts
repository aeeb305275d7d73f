import { Agent, model, type GenerateOptions } from "../../src/agent/index.js";
import { type Message, ScriptedModel } from "../../src/models/index.js";

const options: GenerateOptions = {};

function agentOf(history: readonly Message[]): { agent: Agent; scripted: ScriptedModel } {
  const scripted = new ScriptedModel([{ text: "Sunny." }]);
  @model(scripted)
  class WeatherAgent extends Agent {}
  return { agent: new WeatherAgent().restore(history), scripted };
}

const question: Message = { role: "user", content: "Weather in Paris?" };
const called: Message[] = [
  question,
  { role: "assistant", content: "", toolCalls: [{ id: "c1", name: "weather", arguments: "{}" }] },
  { role: "tool", toolCallId: "c1", toolName: "weather", content: "21 degrees" },
];

describe.each([
  ["a user message", [question]],
  ["results of tools", called],
])("a restored conversation that ends with %s", (_, history) => {
  it("is answered by generate without a prompt", async () => {
    const { agent, scripted } = agentOf(history);
    const response = await agent.generate(undefined, options);
    expect(response.text).toBe("Sunny.");
    expect(agent.messages).toMatchObject([...history, { role: "assistant", content: "Sunny." }]);
    expect(scripted.requests[0]?.messages).toMatchObject(history);
  });

  it("is answered by stream without a prompt", async () => {
    const { agent } = agentOf(history);
    let text = "";
    for await (const delta of agent.stream().textStream) text += delta;
    expect(text).toBe("Sunny.");
    expect(agent.messages).toHaveLength(history.length + 1);
  });
});

it("generate without a prompt rejects a conversation that has nothing to answer, and leaves it as it is", async () => {
  const answered: Message[] = [question, { role: "assistant", content: "Sunny." }];
  const { agent } = agentOf(answered);
  await expect(agent.generate()).rejects.toThrow(
    "There is nothing to continue: the conversation ends with an answer. Give generate a prompt, or restore messages that end with a user message or tool results.",
  );
  await expect(agentOf([]).agent.generate()).rejects.toThrow("There is nothing to continue: the conversation is empty.");
  expect(agent.messages).toEqual(answered);
});
