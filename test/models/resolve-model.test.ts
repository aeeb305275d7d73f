import { createOpenAI } from "@ai-sdk/openai";
import {
  AiSdkModel,
  type ChatRequest,
  KeywordModel,
  ModelError,
  type ModelReference,
  resolveModel,
  ScriptedModel,
} from "../../src/models/index.js";
import { chatCompletion, ProviderServer } from "../support/provider-servers.js";

const question: ChatRequest = { messages: [{ role: "user", content: "Hello" }], tools: [] };

/** Sets variables of the environment for one test; `undefined` takes one away. */
async function withEnvironment(variables: Record<string, string | undefined>, run: () => Promise<void>): Promise<void> {
  const before = { ...process.env };
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  try {
    await run();
  } finally {
    process.env = before;
  }
}

describe("resolveModel", () => {
  it.each(["openai/gpt-5-mini", "anthropic/claude-sonnet-4-5", "google/gemini-3-flash"])(
    "loads the AI SDK's package for %s",
    async (reference) => {
      const model = await resolveModel(reference);

      expect(model).toBeInstanceOf(AiSdkModel);
      expect(model.id).toBe(reference);
    },
  );

  it("keeps slashes in the model's own name", async () => {
    expect((await resolveModel("ollama/hf.co/acme/model:8b")).id).toBe("ollama/hf.co/acme/model:8b");
  });

  it("takes the embedded model, which needs no package", () => {
    expect(resolveModel("embedded/keyword")).toBeInstanceOf(KeywordModel);
  });

  it("returns a ChatModel as it is, and wraps a language-model object of the AI SDK", async () => {
    const scripted = new ScriptedModel([]);

    expect(resolveModel(scripted)).toBe(scripted);
    expect((await resolveModel(createOpenAI({ apiKey: "test-key" })("gpt-5-mini"))).id).toBe("openai/gpt-5-mini");
  });

  it("names the line to run where the package is not installed: on Node 20 with the last version that runs there", async () => {
    const newest = Number.parseInt(process.versions.node, 10) >= 22;

    await expect(resolveModel("mistral/mistral-large-latest")).rejects.toThrow(
      "mistral/mistral-large-latest needs the package @ai-sdk/mistral, which is not installed. " +
        `Run: npm install @ai-sdk/mistral${newest ? "" : "@3"}`,
    );
  });

  it("says at the first call which variable is missing", async () => {
    await withEnvironment({ OPENAI_API_KEY: undefined }, async () => {
      const model = await resolveModel("openai/gpt-5-mini");

      await expect(model.generate(question)).rejects.toMatchObject({
        name: "ModelError",
        retryable: false,
        misconfigured: true,
        message: expect.stringContaining("OPENAI_API_KEY"),
      });
    });
  });

  it.each(["gpt-5-mini", "acme/large", "openai/", "/gpt", "", "embedded/other", "ollama/", "constructor/x"])(
    "refuses the unknown model %j and lists what is known",
    (reference) => {
      expect(() => resolveModel(reference)).toThrow(ModelError);
      expect(() => resolveModel(reference)).toThrow(
        `Model "${reference}" is not known. Write provider/model, such as "openai/gpt-5-mini", with one of these providers: openai, anthropic, google,`,
      );
    },
  );

  it.each([undefined, null, 7, {}])("refuses %p, which is no model", (value) => {
    expect(() => resolveModel(value as unknown as ModelReference)).toThrow("A model is a text such as");
  });
});

describe("the URL of an OpenAI-compatible server as a model", () => {
  let server: ProviderServer;
  beforeAll(async () => {
    server = await ProviderServer.start();
  });
  afterAll(() => server.close());

  it("is called under its path with the model after the #", async () => {
    server.play(chatCompletion({ text: "Hello." }));
    const model = await resolveModel(`${server.url}/v1/#acme/large:8b`);

    expect(model.id).toBe("openai-compatible/acme/large:8b");
    expect((await model.generate(question)).text).toBe("Hello.");
    expect(server.requests[0]).toMatchObject({ path: "/v1/chat/completions", body: { model: "acme/large:8b" } });
  });

  it("gets OPENAI_COMPATIBLE_API_KEY, and never the key of OpenAI", async () => {
    await withEnvironment({ OPENAI_API_KEY: "for-openai-only", OPENAI_COMPATIBLE_API_KEY: undefined }, async () => {
      server.play(chatCompletion({ text: "Hello." }));
      await (await resolveModel(`${server.url}/v1#large`)).generate(question);
      expect(server.requests[0]!.headers).not.toHaveProperty("authorization");
    });
    await withEnvironment({ OPENAI_COMPATIBLE_API_KEY: "for-this-server" }, async () => {
      server.play(chatCompletion({ text: "Hello." }));
      await (await resolveModel(`${server.url}/v1#large`)).generate(question);
      expect(server.requests[0]!.headers.authorization).toBe("Bearer for-this-server");
    });
  });

  it.each([
    "http://localhost:1234/v1",
    "http://user:hunter2@localhost:1234/v1#large",
    "http://localhost:1234/v1?key=hunter2#large",
    "http://[hunter2#large",
  ])("is refused as %s, without showing what may be a secret", (reference) => {
    expect(() => resolveModel(reference)).toThrow(/must be a base URL, "#" and the model's name/);
    expect(() => resolveModel(reference)).not.toThrow(/hunter2/);
  });
});
