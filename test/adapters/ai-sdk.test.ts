import {
  convertToModelMessages,
  generateText,
  isToolUIPart,
  type ModelMessage,
  readUIMessageStream,
  stepCountIs,
  streamText,
  type ToolSet,
  type UIMessage,
} from "ai";
import { convertArrayToReadableStream, MockLanguageModelV3 } from "ai/test";
import { repairToolCall, ToolFailureError, toAiSdkTools } from "../../src/adapters/ai-sdk/index.js";
import { description, Tool, type ToolInputValidationError, ToolInterrupt } from "../../src/tool/index.js";
import { aiSdkModel, readByAiSdkModel, type ScriptedCall, usage } from "./frameworks.js";
import { happened, RefundTool, WeatherTool } from "./support.js";

beforeEach(() => happened.splice(0));

const refund = (amount: number) => ({ id: "call_1", name: "refund", arguments: { order: "A-17", amount } });
const stopWhen = stepCountIs(3);
const user: ModelMessage = { role: "user", content: "Refund A-17" };

/** Asks for a refund of 200, and gives the messages with what a person answered. */
async function answered(tools: ToolSet, approved: boolean, reason?: string): Promise<ModelMessage[]> {
  const { content, response } = await generateText({ model: aiSdkModel([refund(200)]), messages: [user], tools, stopWhen });
  const request = content.find((part) => part.type === "tool-approval-request")!;
  const answer = {
    type: "tool-approval-response" as const,
    approvalId: request.approvalId,
    approved,
    ...(reason !== undefined && { reason }),
  };
  return [user, ...response.messages, { role: "tool", content: [answer] }];
}

/** Goes on with the messages, and gives what the model read of its calls. */
async function goOn(messages: ModelMessage[], tools: ToolSet, settings = {}): Promise<string[]> {
  const model = aiSdkModel([]);
  await generateText({ ...settings, model, messages, tools, stopWhen });
  return readByAiSdkModel(model);
}

/** A model that streams one call. */
const streamed = ({ id, name, arguments: input }: ScriptedCall): MockLanguageModelV3 =>
  new MockLanguageModelV3({
    doStream: {
      stream: convertArrayToReadableStream([
        { type: "tool-call", toolCallId: id, toolName: name, input: JSON.stringify(input) },
        { type: "finish", finishReason: { unified: "tool-calls", raw: undefined }, usage },
      ]),
    },
  });

describe("a tool that requires confirmation", () => {
  const tools = toAiSdkTools([RefundTool]);

  it("asks by the SDK's own request, and hasn't run", async () => {
    const { content } = await generateText({ model: aiSdkModel([refund(200)]), messages: [user], tools, stopWhen });
    expect(content.map(({ type }) => type)).toEqual(["tool-call", "tool-approval-request"]);
    expect(happened).toEqual([]);
  });

  it("runs once it is approved", async () => {
    expect(await goOn(await answered(tools, true), tools)).toEqual(["Refunded 200."]);
    expect(happened).toEqual(["refunded 200 for A-17"]);
  });

  it("doesn't run when it is denied, and the model reads the reason", async () => {
    expect(await goOn(await answered(tools, false, "too much"), tools)).toEqual(['{"type":"execution-denied","reason":"too much"}']);
    expect(happened).toEqual([]);
  });

  it("runs once it is approved on a page, with the SDK's secret over the approval", async () => {
    const settings = { tools, stopWhen, experimental_toolApprovalSecret: "of the server" };
    const page: UIMessage[] = [{ id: "1", role: "user", parts: [{ type: "text", text: "Refund A-17" }] }];
    const asked = streamText({ ...settings, model: streamed(refund(200)), messages: await convertToModelMessages(page, { tools }) });
    for await (const message of readUIMessageStream({ stream: asked.toUIMessageStream() })) page[1] = message;
    // What the page does when the user clicks.
    for (const part of page[1]!.parts) {
      if (isToolUIPart(part) && part.state === "approval-requested") {
        Object.assign(part, { state: "approval-responded", approval: { ...part.approval, approved: true } });
      }
    }
    expect(happened).toEqual([]);
    expect(await goOn(await convertToModelMessages(page, { tools }), tools, settings)).toEqual(["Refunded 200."]);
  });

  it("runs without a question if its rule needs none", async () => {
    const model = aiSdkModel([refund(20)]);
    await generateText({ model, messages: [user], tools, stopWhen });
    expect(readByAiSdkModel(model)).toEqual(["Refunded 20."]);
  });

  it("doesn't run without an approval, as in a version of the SDK that has none", async () => {
    const { needsApproval: _, ...unasked } = tools.refund!;
    const model = aiSdkModel([refund(200)]);
    const { steps } = await generateText({ model, messages: [user], tools: { refund: unasked as ToolSet[string] }, stopWhen });
    expect(readByAiSdkModel(model)[0]).toContain("waits for confirmation");
    expect(steps[0]!.content.find((part) => part.type === "tool-error")?.error).toBeInstanceOf(ToolInterrupt);
    expect(happened).toEqual([]);
  });

  describe("called with messages that don't approve it", () => {
    const execute = async (messages: readonly ModelMessage[], input: object, toolCallId = "call_1"): Promise<unknown> =>
      tools.refund!.execute!(input, { toolCallId, messages: [...messages] });

    it.each<[string, (messages: ModelMessage[]) => Promise<unknown>]>([
      ["approves other arguments (case 50)", (messages) => execute(messages, { order: "A-17", amount: 900 })],
      ["approves another call", (messages) => execute(messages, { order: "A-17", amount: 200 }, "call_2")],
      ["answers no request", (messages) => execute([user, messages.at(-1)!], { order: "A-17", amount: 200 })],
      [
        "comes after a no",
        async () => {
          const denied = await answered(tools, false);
          const [answer] = denied.at(-1)!.content as { approved: boolean }[];
          return execute([...denied, { role: "tool", content: [{ ...answer, approved: true } as never] }], { order: "A-17", amount: 200 });
        },
      ],
    ])("the answer %s", async (_what, call) => {
      await expect(call(await answered(tools, true))).rejects.toThrow(ToolInterrupt);
      expect(happened).toEqual([]);
    });
  });
});

describe("a call that fails", () => {
  it("is a tool-error with the typed error as its cause", async () => {
    const calls = [{ id: "call_1", name: "weather_now", arguments: { days: 30 } }];
    const { steps } = await generateText({ model: aiSdkModel(calls), prompt: "go", tools: toAiSdkTools([WeatherTool]), stopWhen });
    const error = steps[0]!.content.find((part) => part.type === "tool-error")?.error as ToolFailureError;
    expect(error).toBeInstanceOf(ToolFailureError);
    expect(error.result.errorType).toBe("validation_error");
    // AI SDK 7 tells the model this, and 6 the message.
    expect(String(error)).toBe(error.message);
    expect((error.cause as ToolInputValidationError).issues.map(({ path }) => path)).toEqual(["city", "days"]);
  });
});

describe("the output of a call", () => {
  it("is the tool's data for the application, and text for the model", async () => {
    const model = aiSdkModel([{ id: "call_1", name: "weather_now", arguments: { city: "Paris" } }]);
    const { steps } = await generateText({ model, prompt: "go", tools: toAiSdkTools([WeatherTool]), stopWhen });
    expect(steps[0]!.toolResults[0]!.output).toEqual({ city: "Paris", days: 1, sky: "sunny" });
    expect(readByAiSdkModel(model)).toEqual(['{"city":"Paris","days":1,"sky":"sunny"}']);
  });

  it("reaches the user interface as a part of its tool", async () => {
    const model = streamed({ id: "call_1", name: "weather_now", arguments: { city: "Paris" } });
    const chunks: unknown[] = [];
    for await (const chunk of streamText({ model, prompt: "go", tools: toAiSdkTools([WeatherTool]) }).toUIMessageStream())
      chunks.push(chunk);
    expect(chunks).toContainEqual({
      type: "tool-output-available",
      toolCallId: "call_1",
      output: { city: "Paris", days: 1, sky: "sunny" },
    });
  });
});

describe("arguments that are almost JSON", () => {
  const almost = { id: "call_1", name: "weather_now", arguments: "```json\n{'city': 'Paris',}\n```" };
  const tools = toAiSdkTools([WeatherTool]);

  it("are refused by the SDK itself", async () => {
    const model = aiSdkModel([almost]);
    await generateText({ model, prompt: "go", tools, stopWhen });
    expect(readByAiSdkModel(model)[0]).toContain("Invalid input for tool weather_now");
  });

  it("are read by repairToolCall as an agent reads them", async () => {
    const model = aiSdkModel([almost]);
    await generateText({ model, prompt: "go", tools, stopWhen, experimental_repairToolCall: repairToolCall });
    expect(readByAiSdkModel(model)).toEqual(['{"city":"Paris","days":1,"sky":"sunny"}']);
  });

  it.each(["null", "None", "undefined", "[]"])(
    "run a tool without parameters for %s, which servers send for no arguments",
    async (text) => {
      @description("Answers pong.")
      class PingTool extends Tool {
        override call() {
          return "pong";
        }
      }
      const model = aiSdkModel([{ id: "call_1", name: "ping_tool", arguments: text }]);
      const options = { model, prompt: "go", tools: toAiSdkTools([PingTool]), stopWhen, experimental_repairToolCall: repairToolCall };
      await generateText(options);
      expect(readByAiSdkModel(model)).toEqual(["pong"]);
    },
  );

  it.each([
    ["no JSON at all", { ...almost, arguments: "Paris, please" }],
    ["for a tool that isn't there", { ...almost, name: "forecast" }],
  ])("are left to the SDK if they are %s", async (_what, call) => {
    const model = aiSdkModel([call]);
    await generateText({ model, prompt: "go", tools, stopWhen, experimental_repairToolCall: repairToolCall });
    expect(readByAiSdkModel(model)).toHaveLength(1);
    expect(happened).toEqual([]);
  });
});

it("the context of generateText reaches the scope", async () => {
  const tools = toAiSdkTools([WeatherTool], {
    scope: ({ experimental_context }) => ({ runId: "run", toolContext: experimental_context as { userId: string } }),
  });
  const model = aiSdkModel([{ id: "call_1", name: "weather_now", arguments: { city: "Paris" } }]);
  await generateText({ model, prompt: "go", tools, stopWhen, experimental_context: { userId: "ada" } });
  expect(happened).toEqual(["run call_1 ada"]);
});
