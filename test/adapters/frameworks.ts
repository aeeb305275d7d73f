import { AIMessage, HumanMessage, type ToolMessage } from "@langchain/core/messages";
import { fakeModel } from "@langchain/core/testing";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { Agent, run, setTracingDisabled } from "@openai/agents";
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents/testing";
import { generateText, stepCountIs } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { toAiSdkTools } from "../../src/adapters/ai-sdk/index.js";
import { toLangChainTools } from "../../src/adapters/langchain/index.js";
import { toOpenAiAgentsTools } from "../../src/adapters/openai-agents/index.js";
import type { ToolClass } from "../../src/tool/index.js";

setTracingDisabled(true);

/** A call as the scripted model makes it. */
export interface ScriptedCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: Record<string, unknown>;
}

export type Options = Parameters<typeof toAiSdkTools>[1] &
  Parameters<typeof toLangChainTools>[1] &
  Parameters<typeof toOpenAiAgentsTools>[1];

export interface Framework {
  readonly name: string;
  /** Runs a model of the framework's own that makes the calls in one step, in the framework's own loop. Gives what it reads of them. */
  readonly run: (
    tools: readonly ToolClass[],
    calls: readonly ScriptedCall[],
    options?: Options,
    abortSignal?: AbortSignal,
  ) => Promise<string[]>;
  /** What the model is told of the tools, by name. */
  readonly told: (tools: readonly ToolClass[], options?: Options) => Promise<Record<string, unknown>>;
}

export const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** A model of the AI SDK that makes the calls, and then says that it is done. A call's arguments may be any text. */
export function aiSdkModel(calls: readonly (Omit<ScriptedCall, "arguments"> & { arguments: unknown })[]): MockLanguageModelV3 {
  const content = calls.map(({ id, name, arguments: input }) => ({
    type: "tool-call" as const,
    toolCallId: id,
    toolName: name,
    input: typeof input === "string" ? input : JSON.stringify(input),
  }));
  return new MockLanguageModelV3({
    doGenerate: [
      { content, finishReason: { unified: "tool-calls", raw: undefined }, usage, warnings: [] },
      { content: [{ type: "text", text: "done" }], finishReason: { unified: "stop", raw: undefined }, usage, warnings: [] },
    ],
  });
}

/** What the model read of its calls in its last request. */
export function readByAiSdkModel(model: MockLanguageModelV3): string[] {
  const { prompt } = model.doGenerateCalls.at(-1)!;
  return prompt
    .flatMap((message) => (message.role === "tool" ? message.content : []))
    .flatMap((part) => {
      if (part.type !== "tool-result") return [];
      const { output } = part;
      if (output.type === "text" || output.type === "error-text") return [output.value];
      return [JSON.stringify(output)];
    });
}

const aiSdk: Framework = {
  name: "the AI SDK",
  run: async (tools, calls, options, abortSignal) => {
    const model = aiSdkModel(calls);
    await generateText({
      model,
      prompt: "go",
      tools: toAiSdkTools(tools, options),
      stopWhen: stepCountIs(3),
      ...(abortSignal !== undefined && { abortSignal }),
    });
    return readByAiSdkModel(model);
  },
  told: async (tools, options) => {
    const model = aiSdkModel([]);
    await generateText({ model, prompt: "go", tools: toAiSdkTools(tools, options) });
    return Object.fromEntries(model.doGenerateCalls[0]!.tools!.map((tool) => [tool.name, tool.type === "function" && tool.inputSchema]));
  },
};

const langChain: Framework = {
  name: "LangChain",
  run: async (tools, calls, options, signal) => {
    const llm = fakeModel()
      .respondWithTools(calls.map(({ id, name, arguments: args }) => ({ id, name, args })))
      .respond(new AIMessage("done"));
    const agent = createReactAgent({ llm, tools: toLangChainTools(tools, options) });
    await agent.invoke({ messages: [new HumanMessage("go")] }, signal === undefined ? {} : { signal });
    const { messages } = llm.calls.at(-1)!;
    return messages.filter((message) => message.getType() === "tool").map((message) => (message as ToolMessage).text);
  },
  told: async (tools, options) => Object.fromEntries(toLangChainTools(tools, options).map(({ name, schema }) => [name, schema])),
};

const openAiAgents: Framework = {
  name: "the OpenAI Agents SDK",
  run: async (tools, calls, options, signal) => {
    const model = new ScriptedModel([
      calls.map(({ id, name, arguments: input }) => functionCall(name, input, { callId: id })),
      [assistantMessage("done")],
    ]);
    const agent = new Agent({ name: "tester", model, tools: toOpenAiAgentsTools(tools, options) });
    await run(agent, "go", signal === undefined ? {} : { signal });
    const { input } = model.lastCall!.request;
    return (input as { type: string; output: { text: string } }[])
      .filter(({ type }) => type === "function_call_result")
      .map(({ output }) => output.text);
  },
  told: async (tools, options) => {
    const model = new ScriptedModel([[assistantMessage("done")]]);
    await run(new Agent({ name: "tester", model, tools: toOpenAiAgentsTools(tools, options) }), "go");
    return Object.fromEntries(model.firstCall!.request.tools.map((tool) => [tool.name, tool.type === "function" && tool.parameters]));
  },
};

export const frameworks: readonly Framework[] = [aiSdk, langChain, openAiAgents];
