/**
 * npm run bench:prefix
 *
 * How much of a request is the beginning of the next one, which providers read from their cache. A run of 50 steps: 10 KB of
 * instructions and tools, 1 KB a step, and three more tools, one after another. The packages are real, and a function plays the provider.
 * Fails below 99.9 % repeated and 95 % cached if changes are appended, and below 90 % cached or above one change per tool elsewhere.
 */
import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { Agent, createTool, deferred, instructions, model, usesTools } from "toolwright";

const steps = 50;
const toolOf = (name, bytes) =>
  createTool({
    name,
    description: "x".repeat(bytes),
    inputSchema: { type: "object", properties: {} },
    execute: () => "x".repeat(900),
  });
const first = [toolOf("work", 2_500), toolOf("search", 2_500)];
const later = [toolOf("extra_one", 800), toolOf("extra_two", 800), toolOf("extra_three", 800)];
const laterFrom = [10, 25, 40];

const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
const anthropic = {
  parts: ({ tools, system, messages }) => [tools, system, messages],
  answer: (step) => ({
    id: "msg",
    type: "message",
    role: "assistant",
    model: "claude",
    content: step < steps ? [{ type: "tool_use", id: `toolu_${step}`, name: "work", input: {} }] : [{ type: "text", text: "Done." }],
    stop_reason: step < steps ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage,
  }),
};
const openai = {
  parts: ({ tools, input }) => [tools, input],
  answer: (step) => ({
    id: "resp",
    object: "response",
    created_at: 1,
    status: "completed",
    model: "gpt",
    output: [
      step < steps
        ? { type: "function_call", id: `fc_${step}`, call_id: `call_${step}`, name: "work", arguments: "{}", status: "completed" }
        : { type: "message", role: "assistant", id: "msg", content: [{ type: "output_text", text: "Done.", annotations: [] }] },
    ],
    usage,
  }),
};
/** The model finds each of the later tools before it needs it. */
const openaiSearching = {
  ...openai,
  answer: (step) => {
    const index = laterFrom.indexOf(step);
    if (index < 0) return openai.answer(step);
    const call = { type: "tool_search_call", id: `tsc_${step}`, call_id: `call_${step}`, execution: "client", status: "completed" };
    return { ...openai.answer(step), output: [{ ...call, arguments: { query: later[index].identifier } }] };
  },
};
const google = {
  parts: ({ tools, systemInstruction, contents }) => [tools, systemInstruction, contents],
  answer: (step) => ({
    candidates: [
      {
        content: { role: "model", parts: [step < steps ? { functionCall: { name: "work", args: {} } } : { text: "Done." }] },
        finishReason: "STOP",
      },
    ],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  }),
};

/** The requests of a run, as texts in the order in which a cache reads them. */
async function requestsOf({ parts, answer }, modelOn, isDeferred = false) {
  const requests = [];
  const fetch = async (_url, { body }) => {
    const unmarked = JSON.parse(body, (key, value) => (key === "cache_control" ? undefined : value));
    requests.push(
      parts(unmarked)
        .map((part) => JSON.stringify(part))
        .join("")
        .slice(0, -1),
    );
    return Response.json(answer(requests.length));
  };
  class LongAgent extends Agent {
    prepareStep({ step }) {
      return isDeferred ? {} : { tools: [...first, ...later.slice(0, laterFrom.filter((from) => step > from).length)] };
    }
  }
  model(modelOn({ apiKey: "key", fetch }), { retries: 0 })(LongAgent);
  instructions("x".repeat(5_000))(LongAgent);
  usesTools([...first, ...(isDeferred ? later.map((tool) => deferred(tool)) : later)])(LongAgent);
  const { reason } = await new LongAgent().generate("Go on.", { maxSteps: steps });
  if (reason !== "success" || requests.length !== steps) throw new Error(`${requests.length} requests, then ${reason}`);
  return requests;
}

function sharesOf(requests, isAppended = false) {
  let [shared, before, sent, breaks] = [0, 0, 0, 0];
  for (const [index, text] of requests.entries()) {
    const previous = requests[index - 1];
    if (previous === undefined) continue;
    let length = 0;
    while (length < previous.length && previous[length] === text[length]) length += 1;
    shared += length;
    before += previous.length;
    sent += text.length;
    if (length < previous.length) breaks += 1;
  }
  const share = (part, whole) => `${((100 * part) / whole).toFixed(2)} %`;
  // A changed prefix per added tool at most; without any, nearly all of a request is repeated.
  const reached = breaks === 0 ? shared / before > 0.999 && shared / sent > 0.95 : breaks === laterFrom.length && shared / sent > 0.9;
  if (!reached || (isAppended && breaks > 0)) process.exitCode = 1;
  return { "repeated of the request before": share(shared, before), "read from a cache by bytes": share(shared, sent), breaks };
}

console.table({
  "Claude, changes appended": sharesOf(await requestsOf(anthropic, (settings) => createAnthropic(settings)("claude-opus-5-5")), true),
  "Claude, written anew": sharesOf(await requestsOf(anthropic, (settings) => createAnthropic(settings)("claude-sonnet-5"))),
  "OpenAI, Responses API": sharesOf(await requestsOf(openai, (settings) => createOpenAI(settings).responses("gpt-5-mini"))),
  "OpenAI, Responses API, later tools deferred": sharesOf(
    await requestsOf(openaiSearching, (settings) => createOpenAI(settings).responses("gpt-5.6"), true),
    true,
  ),
  Gemini: sharesOf(await requestsOf(google, (settings) => createGoogleGenerativeAI(settings)("gemini-3-pro-preview"))),
});
