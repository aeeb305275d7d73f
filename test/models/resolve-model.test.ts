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

  it("takes the embedded model, which needs no package", async () => {
    expect(await resolveModel("embedded/keyword")).toBeInstanceOf(KeywordModel);
  });

  it("returns a ChatModel as it is, and wraps a language-model object of the AI SDK", async () => {
    const scripted = new ScriptedModel([]);

    expect(resolveModel(scripted)).toBe(scripted);
    expect((await resolveModel(createOpenAI({ apiKey: "test-key" })("gpt-5-mini"))).id).toBe("openai/gpt-5-mini");
  });

  it("names the line to run if the package is not installed: on Node 20 with the last version that runs there", async () => {
    const newest = Number.parseInt(process.versions.node, 10) >= 22;

    await expect(resolveModel("azure/gpt-5-mini")).rejects.toThrow(
      `azure/gpt-5-mini needs the package @ai-sdk/azure, which is not installed. Run: npm install @ai-sdk/azure${newest ? "" : "@3"}`,
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

describe("an Ollama model", () => {
  const hostOf = async (host: string | undefined): Promise<string> => {
    let asked = "";
    const fetch = jest.spyOn(globalThis, "fetch").mockImplementation(async (url) => {
      asked = String(url);
      return new Response("{}", { status: 400 });
    });
    try {
      await withEnvironment({ OLLAMA_HOST: host }, async () => {
        await (await resolveModel("ollama/llama3.2")).generate(question).catch(() => undefined);
      });
    } finally {
      fetch.mockRestore();
    }
    return asked.replace(/\/v1\/chat\/completions$/, "");
  };

  it.each([
    [undefined, "http://localhost:11434"],
    ["", "http://localhost:11434"],
    ["gpu-box", "http://gpu-box:11434"],
    ["gpu-box:8080", "http://gpu-box:8080"],
    ["gpu-box:80", "http://gpu-box"],
    [":8080", "http://localhost:8080"],
    ["0.0.0.0", "http://127.0.0.1:11434"],
    ["0.0.0.0:8080", "http://127.0.0.1:8080"],
    ["[::]:8080", "http://[::1]:8080"],
    ["::1", "http://[::1]:11434"],
    ["[::1]", "http://[::1]:11434"],
    ["http://gpu-box", "http://gpu-box"],
    ["https://ollama.example.com/", "https://ollama.example.com"],
    ["http://proxy.example.com:9000/ollama/", "http://proxy.example.com:9000/ollama"],
    [' "http://10.0.0.7:11434" ', "http://10.0.0.7:11434"],
  ])("is asked for at OLLAMA_HOST %j", async (setting, url) => {
    expect(await hostOf(setting)).toBe(url);
  });

  it.each(["http://user:secret@gpu-box", "gpu box", "gpu-box:99999", "http://gpu-box?key=secret", "ftp://gpu-box"])(
    "rejects OLLAMA_HOST %j without showing it",
    async (setting) => {
      await withEnvironment({ OLLAMA_HOST: setting }, async () => {
        const error: unknown = await Promise.resolve(resolveModel("ollama/llama3.2")).catch((thrown: unknown) => thrown);
        expect(error).toMatchObject({
          misconfigured: true,
          message: expect.stringMatching(/^OLLAMA_HOST isn't the address of a server\./),
        });
        expect(String(error)).not.toContain("secret");
      });
    },
  );

  it("asks whether Ollama is running if the connection is refused, streamed or not", async () => {
    const closed = await ProviderServer.start();
    const { host } = new URL(closed.url);
    await closed.close();
    await withEnvironment({ OLLAMA_HOST: host }, async () => {
      const model = await resolveModel("ollama/llama3.2");
      for (const request of [question, { ...question, onDelta: () => undefined }]) {
        await expect(model.generate(request)).rejects.toMatchObject({
          name: "ModelError",
          retryable: true,
          message: expect.stringMatching(/^ollama\/llama3\.2: .*Is Ollama running\? Start it with "ollama serve", or set OLLAMA_HOST/),
        });
      }
      const compatible = await resolveModel(`http://${host}/v1#llama3.2`);
      await expect(compatible.generate(question)).rejects.toThrow("Is the server running?");
    });
  });
});
