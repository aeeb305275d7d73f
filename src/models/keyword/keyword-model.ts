import type { JsonSchema } from "../../schema/index.js";
import type { ChatModel, ChatRequest, ChatResponse, ModelTool } from "../chat-model.js";
import { type AssistantMessage, type Message, messageText, type ToolCall, type ToolMessage } from "../message.js";
import { searchToolName } from "../found-tools.js";
import { streamInPieces } from "../stream-in-pieces.js";
import { noUsage } from "../usage.js";
import { readDocument } from "./argument-reading.js";
import { type PlannedCall, planCalls } from "./call-planning.js";
import { correctArguments } from "./correction.js";
import type { Parameter } from "./tool-parameters.js";
import { checkOptionNames } from "../../tool/internal.js";

/** What is read of a text, in characters: a request is short, and the work grows with the square of its length. */
const longestText = 2_000;

/** What `search_tools` takes, in characters. */
const longestQuery = 500;

/**
 * A stand-in for a language model, for trials, examples and tests: it runs in the process, without a key, network or download. Its
 * name is `"embedded/keyword"`.
 *
 * ```ts
 * const model = new KeywordModel();
 * const response = await model.generate({
 *   messages: [{ role: "user", content: "What is the weather in Paris?" }],
 *   tools: [{
 *     name: "get_weather",
 *     description: "Gets the current weather for a city.",
 *     parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
 *   }],
 * });
 * response.toolCalls; // [{ id: "call_1", name: "get_weather", arguments: '{"city":"Paris"}' }]
 * ```
 *
 * It is **not** a language model. It compares the words of the last user message with the tools and calls the one that fits best.
 * It fills the arguments with values from the sentence: listed values, numbers, dates, names, quoted texts. If a required argument
 * is missing it asks for it; if the tool has answered it repeats the answer. If no tool fits, it searches the deferred ones.
 *
 * It follows `toolChoice` and `responseFormat`, and streams word by word if the request has `onDelta`. The same request always
 * gives the same response, except for "today" and dates without a year, which depend on `now`. See docs/benchmarks.md.
 */
export class KeywordModel implements ChatModel {
  readonly id = "embedded/keyword";
  readonly #now: () => Date;

  constructor(options: { readonly now?: () => Date } = {}) {
    checkOptionNames(options, { now: true }, "KeywordModel");
    this.#now = options.now ?? (() => new Date());
  }

  /** Answers the request. */
  async generate(request: ChatRequest): Promise<ChatResponse> {
    request.abortSignal?.throwIfAborted();
    const response = this.#respond(request);
    const { responseFormat } = request;
    const isAnswer = response.toolCalls.length === 0;
    const text = responseFormat && isAnswer ? this.#toJson(response.text, request.messages, responseFormat.schema) : response.text;
    return streamInPieces({ ...response, text }, request);
  }

  #respond({ messages, tools, toolChoice = "auto" }: ChatRequest): ChatResponse {
    const results = resultsAtEnd(messages);
    const hasSearched = results.length > 0 && results.every(({ toolName }) => toolName === searchToolName);
    if (results.length > 0 && !hasSearched) return answer(messages, results);
    const allowed = tools.filter((tool) => toolChoice !== "none" && (typeof toolChoice === "string" || tool.name === toolChoice.tool));
    const usable = allowed.filter(({ name }) => name !== searchToolName);
    const { text, offered } = readRequest(messages, usable);
    const isForced = typeof toolChoice === "object" || toolChoice === "required";
    const planned = planCalls(text.slice(0, longestText), offered, this.#now(), isForced);
    const incomplete = planned.find(({ reading }) => reading.missing.length > 0);
    if (incomplete !== undefined && !isForced) return respond(questionFor(incomplete));
    if (planned.length === 0 && usable.length < allowed.length && !hasSearched) {
      return respondWithCalls(messages, [{ name: searchToolName, arguments: { query: text.slice(-longestQuery).toWellFormed() } }]);
    }
    if (planned.length === 0) return respond(noToolFits(usable));
    return respondWithCalls(
      messages,
      planned.map(({ tool, reading }) => ({ name: tool.name, arguments: reading.arguments })),
    );
  }

  #toJson(answer: string, messages: readonly Message[], schema: JsonSchema): string {
    const asked = messages.findLast((message) => message.role === "user")?.content ?? "";
    const words = `${answer}\n${messageText(asked)}`.slice(0, longestText);
    return JSON.stringify(readDocument(words, answer, schema, this.#now()));
  }
}

function resultsAtEnd(messages: readonly Message[]): ToolMessage[] {
  const first = messages.findLastIndex((message) => message.role !== "tool") + 1;
  return messages.slice(first).filter((message) => message.role === "tool");
}

/** What a tool answered, as it is; a fault as a sentence about the tool. */
function sentenceOf({ toolName, content, errorType }: ToolMessage): string {
  if (errorType === undefined) return content;
  const fault = content.replace(/^(?:Invalid arguments: |Error executing tool: |Tool execution )/, "");
  const verb = errorType === "validation_error" ? "refused the arguments" : "failed";
  return `${toolName} ${verb}: ${fault}${/[.!?]$/.test(fault) ? "" : "."}`;
}

/** Repeats what the tools said; a call that was refused for a value that isn't allowed is corrected once. */
function answer(messages: readonly Message[], results: readonly ToolMessage[]): ChatResponse {
  const steps = messages
    .slice(messages.findLastIndex((message) => message.role === "user") + 1)
    .filter((message) => message.role === "assistant");
  const refused = results.filter((result) => result.errorType === "validation_error");
  if (steps.length === 1 && refused.length > 0) {
    const corrected = refused.map((result) => correctedCall(steps[0]?.toolCalls ?? [], result));
    if (corrected.every((call) => call !== undefined)) return respondWithCalls(messages, corrected);
  }
  return respond(results.map(sentenceOf).join("\n"));
}

interface NewCall {
  readonly name: string;
  readonly arguments: Record<string, unknown>;
}

function correctedCall(calls: readonly ToolCall[], result: ToolMessage): NewCall | undefined {
  const call = calls.find(({ id }) => id === result.toolCallId);
  const corrected = call && correctArguments(call, result);
  return call && corrected && { name: call.name, arguments: corrected };
}

/** The last user message. If it answers a question of this model, the request that the question was about is included. */
function readRequest(messages: readonly Message[], tools: readonly ModelTool[]): { text: string; offered: readonly ModelTool[] } {
  const users = messages.filter((message) => message.role === "user");
  const last = messageText(users.at(-1)?.content ?? "");
  const before = messages[messages.findLastIndex((message) => message.role === "user") - 1];
  const asked = before?.role === "assistant" ? tools.find((tool) => before.content.startsWith(questionStart(tool))) : undefined;
  if (asked === undefined) return { text: last, offered: tools };
  const name = /^(\w+)/.exec((before as AssistantMessage).content.slice(questionStart(asked).length))?.[1];
  return { text: `${messageText(users.at(-2)?.content ?? "")}\n${name}: ${last}`, offered: [asked] };
}

const questionStart = (tool: ModelTool): string => `To call ${tool.name} I still need: `;

const questionFor = ({ tool, reading }: PlannedCall): string =>
  `${questionStart(tool)}${reading.missing.map(describeParameter).join("; ")}`;

const describeParameter = ({ path, description, values }: Parameter): string => {
  const details = [description.replace(/\.$/, ""), values.length > 0 ? `one of ${values.join(", ")}` : ""].filter(
    (detail) => detail !== "",
  );
  return path.join(".") + (details.length > 0 ? ` (${details.join("; ")})` : "");
};

const noToolFits = (tools: readonly ModelTool[]): string =>
  "I am the embedded keyword model, not a language model: I only match words with tools. " +
  (tools.length === 0 ? "There are no tools here." : `None of these fits: ${tools.map((tool) => tool.name).join(", ")}.`);

const respond = (text: string): ChatResponse => ({ text, toolCalls: [], finishReason: "stop", usage: noUsage });

/** Ids count on from the calls of the history, so that none repeats within a run. */
function respondWithCalls(messages: readonly Message[], calls: readonly NewCall[]): ChatResponse {
  const past = messages.reduce((count, message) => count + (message.role === "assistant" ? (message.toolCalls?.length ?? 0) : 0), 0);
  const toolCalls = calls.map((call, index) => ({
    id: `call_${past + index + 1}`,
    name: call.name,
    arguments: JSON.stringify(call.arguments),
  }));
  return { text: "", toolCalls, finishReason: "tool_calls", usage: noUsage };
}
