/** The types of `toAiSdkTools` with `toolsContext` of AI SDK 7, which the compiler checks; and what a tool gets of it. */
import assert from "node:assert/strict";
import { generateText, isStepCount, streamText, type ToolSet, ToolLoopAgent } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { createTool } from "toolwright";
import { type AiSdkCall, type AiSdkToolSet, toAiSdkTools } from "toolwright/ai-sdk";

const users: unknown[] = [];
const audit = createTool({
  name: "audit",
  description: "Shows the audit log. Use when an auditor asks.",
  inputSchema: { type: "object" },
  execute: (_, context) => {
    users.push(context.userId);
    return "The log.";
  },
});

interface Caller {
  userId: string;
}
const tools = toAiSdkTools([audit], { scope: ({ context }: AiSdkCall<Caller>) => ({ toolContext: { ...context } }) });
const named: AiSdkToolSet<Caller> = toAiSdkTools<Caller>([audit], { scope: ({ context }) => ({ toolContext: { ...context } }) });
const plain: ToolSet = toAiSdkTools([audit]);
const both: ToolSet = { ...tools, ...named, ...plain };
assert.deepEqual(Object.keys(both), ["audit"]);

function scripted() {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  return new MockLanguageModelV4({
    doGenerate: async ({ prompt }) =>
      prompt.at(-1)?.role === "tool"
        ? { content: [{ type: "text", text: "Done." }], finishReason: { unified: "stop", raw: undefined }, usage, warnings: [] }
        : {
            content: [{ type: "tool-call", toolCallId: "call_1", toolName: "audit", input: "{}" }],
            finishReason: { unified: "tool-calls", raw: undefined },
            usage,
            warnings: [],
          },
  });
}
const request = { prompt: "Show the log.", stopWhen: isStepCount(2) };

await generateText({ ...request, model: scripted(), tools, toolsContext: { audit: { userId: "ada" } } });
await generateText({ ...request, model: scripted(), tools: named, toolsContext: { audit: { userId: "bob" } } });
await new ToolLoopAgent({ model: scripted(), tools, toolsContext: { audit: { userId: "eve" } } }).generate({ prompt: "Show the log." });
await generateText({ ...request, model: scripted(), tools });
await generateText({ ...request, model: scripted(), tools: plain });
assert.deepEqual(users, ["ada", "bob", "eve", undefined, undefined]);

/** Only compiled. */
export const typed = () => [
  streamText({ ...request, model: scripted(), tools: { ...tools }, toolsContext: { audit: { userId: "ada" } } }),
  // @ts-expect-error: not what the function reads.
  generateText({ ...request, model: scripted(), tools, toolsContext: { audit: { user: "ada" } } }),
  // @ts-expect-error: no function reads it.
  generateText({ ...request, model: scripted(), tools: plain, toolsContext: { audit: { userId: "ada" } } }),
];
console.log(`Node ${process.version}, AI SDK 7: toolsContext has its types and reaches the tools.`);
