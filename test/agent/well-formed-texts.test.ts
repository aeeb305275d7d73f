import { Agent, instructions, model, usesTools } from "../../src/agent/index.js";
import { createRunScope, modelText, ToolExecutor } from "../../src/execution/index.js";
import { type ChatModel, type ChatRequest, noUsage } from "../../src/models/index.js";
import { createTool } from "../../src/tool/index.js";

const half = "\ud83d";
const hasHalf = (value: unknown): boolean => /(?<!\\)\\ud[89a-f]/i.test(JSON.stringify(value));

const tool = (name: string, execute: () => unknown) => createTool(name, "Looks something up.", { type: "object" }, execute);
const tools = [
  tool("text", () => `cut ${half}`),
  tool("data", () => ({ list: [{ [`key ${half}`]: `value ${half}` }], at: new Date(0) })),
  tool("plain", () => ({ [`key ${half}`]: 1 })),
  tool("thrown", () => {
    throw new Error(`no ${half}`);
  }),
];

it.each(["text", "data", "plain", "thrown"])("a result of the tool %s holds no half of a character", async (name) => {
  const result = await new ToolExecutor({ tools }).call({ id: "c1", name, arguments: {} }, createRunScope());

  expect(hasHalf(result)).toBe(false);
  expect(JSON.stringify(result)).toContain("\ufffd");
  expect(modelText(result).isWellFormed()).toBe(true);
});

it("no half of a character reaches the model: of instructions, prompts, results, and its own text and arguments", async () => {
  const requests: ChatRequest[] = [];
  const says: ChatModel = {
    id: "acme/test",
    generate: async (request) => {
      requests.push(structuredClone({ messages: request.messages, tools: [] }));
      const toolCalls = requests.length === 1 ? [{ id: "c1", name: "text", arguments: `{"city":"${half}"}` }] : [];
      return { text: `Said ${half}`, toolCalls, finishReason: toolCalls.length > 0 ? "tool_calls" : "stop", usage: noUsage };
    },
  };
  @model(says)
  @instructions(`Be brief ${half}`)
  @usesTools(tools)
  class Helper extends Agent {}

  const agent = new Helper();
  const first = await agent.generate(`Hello ${half}`);
  const restored = new Helper();
  restored.restore([
    { role: "user", content: `Before ${half}` },
    { role: "assistant", content: "Yes." },
  ]);
  await restored.generate([{ type: "text", text: `And ${half}` }]);

  expect(requests).toHaveLength(3);
  expect(requests.map(hasHalf)).toEqual([false, false, false]);
  expect(first.text).toBe("Said \ufffd");
});

it("a stream puts a character together that the provider sent in two pieces", async () => {
  const says: ChatModel = {
    id: "acme/test",
    generate: async ({ onDelta }) => {
      for (const text of ["Sun \ud83c", "\udf1e and", " half \ud83c"]) onDelta?.({ type: "text", text });
      return { text: "Sun 🌞 and half \ud83c", toolCalls: [], finishReason: "stop", usage: noUsage };
    },
  };
  @model(says)
  class Helper extends Agent {}

  const deltas: string[] = [];
  for await (const event of new Helper().stream("Weather?")) if (event.type === "text_delta") deltas.push(event.delta);

  expect(deltas).toEqual(["Sun ", "🌞 and", " half ", "\ufffd"]);
});
