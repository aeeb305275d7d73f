/**
 * A call of one tool through the adapter of each framework, and through a tool of the framework's own that makes the same call of the
 * executor by hand: what the adapter adds is their difference.
 */
import { tool as langChainTool } from "@langchain/core/tools";
import { RunContext, tool as agentsTool } from "@openai/agents";
import { createRunScope, modelText, ToolExecutor } from "toolwright/execution";
import { toAiSdkTools } from "toolwright/ai-sdk";
import { toLangChainTools } from "toolwright/langchain";
import { toOpenAiAgentsTools } from "toolwright/openai-agents";
import { description, name, validArguments, validText } from "./fixture.mjs";

const id = "call0";
const open = { type: "object", properties: {}, required: [], additionalProperties: true };

/** By framework: `[adapted, byHand]`, each a function that makes a call and gives its text. */
export function adapterCallers(toolClass) {
  const executor = new ToolExecutor({ tools: [toolClass] });
  const scope = createRunScope();
  const byHand = async (input) => modelText(await executor.call({ id, name, arguments: input }, scope));
  const options = { scope: {} };
  return {
    aiSdk: aiSdk(toolClass, options, byHand),
    langChain: langChain(toolClass, options, byHand),
    openAiAgents: openAiAgents(toolClass, options, byHand),
  };
}

/** The SDK calls `execute` of a tool, and nothing around it that belongs to the tool. */
function aiSdk(toolClass, options, byHand) {
  const { execute } = toAiSdkTools([toolClass], options)[name];
  const context = { toolCallId: id, messages: [] };
  return [() => execute(validArguments, context), () => byHand(validArguments)];
}

function langChain(toolClass, options, byHand) {
  const [adapted] = toLangChainTools([toolClass], options);
  const own = langChainTool(byHand, { name, description, schema: open });
  const call = { id, name, args: validArguments, type: "tool_call" };
  return [adapted, own].map((tool) => async () => (await tool.invoke(call)).content);
}

function openAiAgents(toolClass, options, byHand) {
  const [adapted] = toOpenAiAgentsTools([toolClass], options);
  const own = agentsTool({ name, description, parameters: open, strict: false, execute: byHand });
  const context = new RunContext();
  const details = { toolCall: { type: "function_call", callId: id, name, arguments: validText } };
  return [adapted, own].map((tool) => () => tool.invoke(context, validText, details));
}
