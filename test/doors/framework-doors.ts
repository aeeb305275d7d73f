import { AIMessage, HumanMessage, type ToolMessage } from "@langchain/core/messages";
import { parseToolCall } from "@langchain/core/output_parsers/openai_tools";
import { fakeModel } from "@langchain/core/testing";
import { Command, type Interrupt, MemorySaver } from "@langchain/langgraph";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { Agent as OpenAiAgent, run as runOpenAiAgent, setTracingDisabled } from "@openai/agents";
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents/testing";
import { generateText, type ModelMessage, stepCountIs } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { approve, deny } from "../../src/confirmation/index.js";
import { repairToolCall, toAiSdkTools } from "../../src/adapters/ai-sdk/index.js";
import { type ConfirmationRequest, toLangChainTools } from "../../src/adapters/langchain/index.js";
import { toOpenAiAgentsTools } from "../../src/adapters/openai-agents/index.js";
import type { Door, DoorCall, DoorOptions } from "./door.js";
import { scopeOf, settingsOf } from "./own-doors.js";

setTracingDisabled(true);

/** The signal is given to the framework, as its users do. */
const adapterOptions = ({ abortSignal: _, ...options }: DoorOptions) => ({ scope: scopeOf(options), ...settingsOf(options) });

const signalIn = ({ abortSignal }: DoorOptions) => (abortSignal === undefined ? {} : { signal: abortSignal });

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

const textOf = (input: DoorCall["arguments"]): string => (typeof input === "string" ? input : JSON.stringify(input));

export const aiSdkDoor: Door = {
  name: "AI SDK",
  told: async (tools, options = {}) => Object.keys(toAiSdkTools(tools, adapterOptions(options))).length,
  run: async (tools, calls, { answer, ...options } = {}) => {
    const aiTools = toAiSdkTools(tools, adapterOptions(options));
    const model = new MockLanguageModelV3({
      doGenerate: [
        ...calls.map(({ tool, arguments: input }, index) => ({
          content: [{ type: "tool-call" as const, toolCallId: `call_${index}`, toolName: tool.identifier, input: textOf(input) }],
          finishReason: { unified: "tool-calls" as const, raw: undefined },
          usage,
          warnings: [],
        })),
        { content: [{ type: "text", text: "done" }], finishReason: { unified: "stop", raw: undefined }, usage, warnings: [] },
      ],
    });
    const generate = (messages: ModelMessage[]) =>
      generateText({
        model,
        messages,
        tools: aiTools,
        stopWhen: stepCountIs(20),
        experimental_repairToolCall: repairToolCall,
        ...(options.abortSignal !== undefined && { abortSignal: options.abortSignal }),
      });
    const messages: ModelMessage[] = [{ role: "user", content: "go" }];
    for (;;) {
      const { content, response } = await generate(messages);
      messages.push(...response.messages);
      const requests = content.filter((part) => part.type === "tool-approval-request");
      if (requests.length === 0 || answer === undefined) break;
      messages.push({
        role: "tool",
        content: requests.map(({ approvalId }) => ({ type: "tool-approval-response", approvalId, approved: answer() === "yes" })),
      });
    }
    const { prompt } = model.doGenerateCalls.at(-1)!;
    return prompt
      .flatMap((message) => (message.role === "tool" ? message.content : []))
      .flatMap((part) =>
        part.type !== "tool-result"
          ? []
          : [part.output.type === "text" || part.output.type === "error-text" ? part.output.value : JSON.stringify(part.output)],
      );
  },
};

export const langChainDoor: Door = {
  name: "LangChain",
  told: async (tools, options = {}) => toLangChainTools(tools, adapterOptions(options)).length,
  run: async (tools, calls, { answer, ...options } = {}) => {
    const llm = fakeModel();
    for (const [index, { tool, arguments: input }] of calls.entries()) {
      const written = { id: `call_${index}`, type: "function", function: { name: tool.identifier, arguments: textOf(input) } };
      // As LangChain's models of OpenAI read what they are sent. Throws for what isn't JSON.
      llm.respondWithTools([parseToolCall(written, { returnId: true }) as { id: string; name: string; args: Record<string, unknown> }]);
    }
    llm.respond(new AIMessage("done"));
    const agent = createReactAgent({ llm, tools: toLangChainTools(tools, adapterOptions(options)), checkpointer: new MemorySaver() });
    const config = { configurable: { thread_id: "1" }, recursionLimit: 50, ...signalIn(options) };
    let state: GraphState = (await agent.invoke({ messages: [new HumanMessage("go")] }, config)) as never;
    for (let asked = askedIn(state); asked !== undefined && answer !== undefined; asked = askedIn(state)) {
      state = (await agent.invoke(new Command({ resume: answer() === "yes" ? approve(asked) : deny(asked) }), config)) as never;
    }
    return (state.messages as ToolMessage[]).filter((message) => message.getType() === "tool").map(({ text }) => text);
  },
};

interface GraphState {
  readonly messages: readonly unknown[];
  readonly __interrupt__?: readonly Interrupt<ConfirmationRequest>[];
}

const askedIn = ({ __interrupt__: asked = [] }: GraphState): ConfirmationRequest | undefined => asked[0]?.value;

export const openAiAgentsDoor: Door = {
  name: "OpenAI Agents",
  told: async (tools, options = {}) => {
    const model = new ScriptedModel([[assistantMessage("done")]]);
    await runOpenAiAgent(new OpenAiAgent({ name: "tester", model, tools: toOpenAiAgentsTools(tools, adapterOptions(options)) }), "go");
    return model.firstCall!.request.tools.length;
  },
  run: async (tools, calls, { answer, ...options } = {}) => {
    const model = new ScriptedModel([
      ...calls.map(({ tool, arguments: input }, index) => [functionCall(tool.identifier, input, { callId: `call_${index}` })]),
      [assistantMessage("done")],
    ]);
    const agent = new OpenAiAgent({ name: "tester", model, tools: toOpenAiAgentsTools(tools, adapterOptions(options)) });
    let result = await runOpenAiAgent(agent, "go", { maxTurns: 20, ...signalIn(options) });
    while (result.interruptions.length > 0 && answer !== undefined) {
      for (const one of result.interruptions) answer() === "yes" ? result.state.approve(one) : result.state.reject(one);
      result = await runOpenAiAgent(agent, result.state);
    }
    const { input } = model.lastCall!.request;
    return (input as { type: string; output: { text: string } }[])
      .filter(({ type }) => type === "function_call_result")
      .map(({ output }) => output.text);
  },
};
