import { AIMessage, type ToolMessage } from "@langchain/core/messages";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { Agent, run, setTracingDisabled } from "@openai/agents";
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents/testing";
import { generateText, stepCountIs } from "ai";
import { toAiSdkTools, toMastraTools } from "../../src/adapters/ai-sdk/index.js";
import { toLangChainTools } from "../../src/adapters/langchain/index.js";
import { toOpenAiAgentsTools } from "../../src/adapters/openai-agents/index.js";
import { createTool, file, image } from "../../src/tool/index.js";
import { pdf, png } from "../support/pictures.js";
import { aiSdkModel } from "./frameworks.js";

setTracingDisabled(true);

const Draw = createTool({
  name: "draw",
  description: "Draws. Use to draw.",
  inputSchema: { type: "object", properties: {} },
  execute: () => ["Chart:", image(png(), "image/png"), file(pdf(), "application/pdf", "a.pdf")],
});
const data = (bytes: Buffer) => bytes.toString("base64");
const text = `Chart:\n[image/png, ${png().length} bytes]`;
const pdfNote = `[a.pdf: application/pdf, ${pdf().length} bytes]`;
const call = { id: "call_1", name: "draw", arguments: {} };

const content = [
  { type: "text", text },
  { type: "image-data", mediaType: "image/png", data: data(png()) },
  { type: "text", text: pdfNote },
  { type: "file-data", mediaType: "application/pdf", data: data(pdf()), filename: "a.pdf" },
];

describe("images and files of a tool, for an agent of", () => {
  it("the AI SDK: parts of the result, also after its messages were stored as JSON", async () => {
    const model = aiSdkModel([call]);
    const tools = toAiSdkTools([Draw]);
    const { response } = await generateText({ model, tools, prompt: "Draw.", stopWhen: stepCountIs(2) });
    const result = (JSON.parse(JSON.stringify(response.messages)) as { role: string; content: { output: unknown }[] }[]).find(
      ({ role }) => role === "tool",
    );

    expect(result?.content[0]?.output).toEqual({ type: "content", value: content });
    expect(model.doGenerateCalls[1]?.prompt.at(-1)).toMatchObject({
      role: "tool",
      content: [{ output: { type: "content", value: content } }],
    });
  });

  it("Mastra: parts of the result", async () => {
    const { draw } = toMastraTools([Draw]) as unknown as Record<
      "draw",
      { execute: (...given: object[]) => unknown; toModelOutput: (output: unknown) => unknown }
    >;
    const output: unknown = await draw.execute({}, {});

    expect(draw.toModelOutput(JSON.parse(JSON.stringify(output)))).toEqual({ type: "content", value: content });
  });

  it("LangGraph: content blocks of the ToolMessage", async () => {
    const node = new ToolNode(toLangChainTools([Draw]));
    const asked = new AIMessage({ content: "", tool_calls: [{ id: "call_1", name: "draw", args: {}, type: "tool_call" }] });
    const { messages } = (await node.invoke({ messages: [asked] })) as { messages: ToolMessage[] };

    expect(messages[0]?.content).toEqual([
      { type: "text", text },
      { type: "image", source_type: "base64", mime_type: "image/png", data: data(png()) },
      { type: "text", text: pdfNote },
      { type: "file", source_type: "base64", mime_type: "application/pdf", data: data(pdf()), metadata: { filename: "a.pdf" } },
    ]);
    expect(JSON.stringify(messages[0]?.artifact)).not.toContain(data(png()));
  });

  it("the OpenAI Agents SDK: items of the call's output", async () => {
    const model = new ScriptedModel([[functionCall("draw", {}, { callId: "call_1" })], [assistantMessage("done")]]);
    const agent = new Agent({ name: "Artist", model, tools: toOpenAiAgentsTools([Draw]) });
    const { history } = await run(agent, "Draw.");
    const output = JSON.stringify(history.find(({ type }) => type === "function_call_result"));

    expect(output).toContain('"input_image"');
    expect(output).toContain('"input_file"');
    expect(output).toContain(data(png()));
    expect(output).toContain(JSON.stringify(text).slice(1, -1));
  });
});
