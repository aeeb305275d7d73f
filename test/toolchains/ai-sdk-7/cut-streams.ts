/** Streams that end early, read by the packages of AI SDK 7: each is a retryable error, by the model and by an agent, and never an answer. */
import assert from "node:assert/strict";
import { Agent, model } from "toolwright";
import { AiSdkModel, ModelError } from "toolwright/models";
import { loadPackages } from "../../support/histories/models.js";
import { ProviderServer, type ServerReply, type StreamReply } from "../../support/provider-servers.js";
import { anthropicStream, chatStream, geminiStream, openAiResponseStream, type StreamFault } from "../../support/provider-streams.js";

const text = "It is sunny in Paris";
const chat = (fault?: StreamFault) => chatStream({ text }, fault);
/** Mistral sends no chunk without choices. */
const mistral = (fault?: StreamFault) => {
  const { stream, ...ending } = chat(fault);
  return { stream: stream.replace(/^data: .*"choices":\[\].*\n\n/m, ""), ...ending };
};
const responses = (fault?: StreamFault) =>
  openAiResponseStream(
    [
      {
        type: "message",
        id: "message_1",
        status: "completed",
        role: "assistant",
        content: [{ type: "output_text", text, annotations: [] }],
      },
    ],
    fault,
  );
const anthropic = (fault?: StreamFault) => anthropicStream([{ type: "text", text }], "end_turn", fault);
const gemini = (fault?: StreamFault) => geminiStream([{ text }], fault);
/** Of wires that the support can't write, a stream that ends before its first event. */
const nothing = (): StreamReply => ({ stream: "" });

const server = await ProviderServer.start();
const packages = await loadPackages();
const make = (factory: string, settings = {}) => packages[factory]({ apiKey: "key", baseURL: server.url, ...settings });

const models: Readonly<Record<string, readonly [model: unknown, stream: (fault?: StreamFault) => StreamReply]>> = {
  "OpenAI, chat": [make("createOpenAI").chat("test"), chat],
  "OpenAI, responses": [make("createOpenAI").responses("test"), responses],
  Anthropic: [make("createAnthropic")("test"), anthropic],
  Google: [make("createGoogleGenerativeAI")("test"), gemini],
  Mistral: [make("createMistral")("test"), mistral],
  Groq: [make("createGroq")("test"), chat],
  DeepSeek: [make("createDeepSeek")("test"), chat],
  xAI: [make("createXai").responses("test"), responses],
  "OpenAI-compatible": [make("createOpenAICompatible", { name: "local" })("test"), chat],
  Cohere: [make("createCohere")("test"), nothing],
  Bedrock: [make("createAmazonBedrock", { region: "us-east-1" })("test"), nothing],
};
const faults: Readonly<Record<string, StreamFault>> = { "a clean end": {}, "a broken connection": { ending: "break" } };

let checked = 0;
for (const [name, [asked, stream]] of Object.entries(models)) {
  if (stream !== nothing) {
    server.play(stream());
    const whole = await new AiSdkModel(asked as never).generate({
      messages: [{ role: "user", content: "Hello" }],
      tools: [],
      onDelta: () => {},
    });
    assert.equal(whole.text, text, name);
  }
  for (const [ending, fault] of Object.entries(faults)) {
    const place = `${name}, ${ending}`;
    await rejects(place, asked, stream(fault));
    await failsTheRun(place, asked, stream(fault));
    checked += 1;
  }
}
await server.close();
console.log(`Node ${process.version}, AI SDK 7: ${checked} streams that end early are retryable errors.`);

async function rejects(place: string, asked: unknown, reply: ServerReply) {
  server.play(reply);
  const answer = new AiSdkModel(asked as never).generate({ messages: [{ role: "user", content: "Hello" }], tools: [], onDelta: () => {} });
  const error = await answer.then(
    (response) => assert.fail(`${place} counts as an answer: ${JSON.stringify(response)}`),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ModelError && error.retryable, `${place}: ${error}`);
}

async function failsTheRun(place: string, asked: unknown, reply: ServerReply) {
  server.play(reply);
  @model(asked as never, { retries: 0 })
  class CutAgent extends Agent {}
  const run = new CutAgent().stream("Hello");
  for await (const _ of run);
  const { outcome } = await run.response;
  assert.equal(outcome.reason, "model_error", `${place}: ${JSON.stringify(outcome)}`);
}
