import { join } from "node:path";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { confirmByWebhook } from "../../../src/confirmation/index.js";
import type { AgentClass } from "../../../src/agent/index.js";
import { evaluate } from "../../../src/evaluation/index.js";
import { ToolExecutor } from "../../../src/execution/index.js";
import {
  type AiSdkLanguageModel,
  AiSdkModel,
  ModelError,
  resolveModel,
  ScriptedModel,
  withFallback,
  withTimeout,
} from "../../../src/models/index.js";
import { recordedModel } from "../../../src/testing/index.js";
import { repositoryRoot } from "../../support/code-blocks.js";
import { ProviderServer } from "../../support/provider-servers.js";
import { type Examples, errorOf, type Met } from "./example.js";
import { mcpOptionErrors } from "./mcp-server.js";
import { agentWith, endOf, WeatherTool } from "./subjects.js";

const request = { messages: [{ role: "user", content: "Hi." }], tools: [] } as const;
const down = (id: string) =>
  new ScriptedModel([{ error: new ModelError(id, `${id}: HTTP 503: Overloaded`, { retryable: true, status: 503 }) }], { id });

/** What models meet. */
export const modelErrors: Examples<"ModelError"> = {
  ModelError: [
    () => errorOf(() => resolveModel("gpt-5-mini")),
    async () => {
      const error = await errorOf(() => resolveModel("azure/gpt-5-mini"));
      // Node 20 needs an older one, which the message then names.
      return { name: error.name, message: error.message.replace(/@\d+$/, "") };
    },
    async () => {
      const key = process.env.OPENAI_API_KEY;
      delete process.env.OPENAI_API_KEY;
      const error = await errorOf(async () => (await resolveModel("openai/gpt-5-mini")).generate(request));
      if (key !== undefined) process.env.OPENAI_API_KEY = key;
      return error;
    },
    async () => {
      const server = await ProviderServer.start();
      server.play({ status: 401, body: { error: { message: "Incorrect API key provided." } } });
      try {
        const model = await resolveModel(`${server.url}/v1#llama-3`);
        return await errorOf(() => model.generate(request));
      } finally {
        await server.close();
      }
    },
    async () => {
      const closed = await ProviderServer.start();
      const { url } = closed;
      await closed.close();
      const host = process.env.OLLAMA_HOST;
      process.env.OLLAMA_HOST = url;
      const error = await errorOf(async () => (await resolveModel("ollama/llama3.2")).generate(request));
      delete process.env.OLLAMA_HOST;
      if (host !== undefined) process.env.OLLAMA_HOST = host;
      return error;
    },
    () => errorOf(() => withTimeout({ id: "openai/gpt-5-mini", generate: () => new Promise(() => undefined) }, 20).generate(request)),
    () => {
      const tools = Array.from({ length: 150 }, (_, index) => ({ name: `t${index}`, description: "", parameters: {} }));
      const openai = new AiSdkModel(createOpenAI({ apiKey: "key" }).chat("gpt-5-mini"));
      return errorOf(() => openai.generate({ ...request, tools }));
    },
    () => {
      const tools = Array.from({ length: 10_001 }, (_, index) => ({ name: `t${index}`, description: "", parameters: {} }));
      const { messages } = request;
      const growing = { messages: [...messages, { role: "change", offered: tools } as const], tools: [] };
      const claude = new AiSdkModel(createAnthropic({ apiKey: "key" })("claude-opus-5-5") as AiSdkLanguageModel);
      return errorOf(() => claude.generate({ messages, tools, growing }));
    },
    () => errorOf(() => withFallback([down("openai/gpt-5-mini"), down("anthropic/claude-haiku-4-5")]).generate(request)),
  ],
};

const travel = "test/testing/recordings/travel.json";
const recorded = async (model: string, path = travel): Promise<Met> => {
  const error = await errorOf(() => recordedModel(model, join(repositoryRoot, path), { mode: "replay" }).generate(request));
  return { name: error.name, message: error.message.replace(`${repositoryRoot}/`, "") };
};

/** What tests meet. */
export const testingErrors: Examples<"RecordingError" | "EvaluationError" | "Error"> = {
  EvaluationError: [
    () => errorOf(() => evaluate({ agent: agentWith([]).constructor as AgentClass, cases: [{ prompt: "Hi.", expect: {} }] })),
  ],
  RecordingError: [
    () => recorded("openai/gpt-5-mini", "test/recordings/weather.json"),
    () => recorded("openai/gpt-5-mini"),
    () => recorded("embedded/keyword"),
  ],
  Error: [() => errorOf(() => agentWith([]).generate("Hi."))],
};

/** The errors of options that can't be meant. */
export const optionErrors: Examples<"TypeError" | "RangeError"> = {
  TypeError: [
    // As JavaScript would have it.
    () => errorOf(() => endOf(["Hello."], { maxStep: 3 } as object)),
    () => errorOf(() => endOf(["Hello."], { profile: { allowed: ["weather"] } as object })),
    () => errorOf(() => new ToolExecutor([WeatherTool] as never)),
    ...mcpOptionErrors,
  ],
  RangeError: [
    () => errorOf(() => confirmByWebhook({ url: "https://approvals.example.com", secret: "secret" })),
    () => errorOf(() => endOf(["Hello."], { budget: { token: 1_000 } as object })),
    () => errorOf(() => endOf(["Hello."], { budget: { callsPerTool: { wether: 1 } } }, [WeatherTool])),
    () => errorOf(() => endOf(["Hello."], { concurrency: 0 })),
  ],
};
