import fc from "fast-check";
import { Agent, model, usesTools } from "../../src/agent/index.js";
import { attachmentRulesOf } from "../../src/models/ai-sdk/attachments.js";
import { type AiSdkLanguageModel, AiSdkModel, type Message, type ModelTool, ScriptedModel } from "../../src/models/index.js";
import { type Attachment, createTool, image } from "../../src/tool/index.js";
import { noteOn } from "../../src/tool/internal.js";
import { loadPackages, modelsOn, type ProviderPackages } from "../support/histories/models.js";
import { wires } from "../support/histories/plans.js";
import { replyOn } from "../support/histories/replies.js";
import { historyFaults, type Wire } from "../support/histories/rules.js";
import { countOf, gif, jpeg, pdf, png } from "../support/pictures.js";

const draw: ModelTool = { name: "draw", description: "Draws. Use to draw.", parameters: { type: "object", properties: {} } };
const data = (bytes: Buffer) => bytes.toString("base64");
const imageOf = (bytes: Buffer, mediaType = "image/png") => ({ type: "image", mediaType, data: data(bytes) }) as const;
const note = (bytes: Buffer, mediaType = "image/png") => `[${mediaType}, ${bytes.length} bytes]`;

const called = (...ids: string[]): Message => ({
  role: "assistant",
  content: "",
  toolCalls: ids.map((id) => ({ id, name: "draw", arguments: "{}" })),
});
const drawn = (toolCallId: string, bytes: Buffer): Message => ({
  role: "tool",
  toolCallId,
  toolName: "draw",
  content: `Before:\n${note(bytes)}\nAfter.`,
  attachments: [imageOf(bytes)],
});
const report: Message = {
  role: "tool",
  toolCallId: "call_3",
  toolName: "draw",
  content: `[report.pdf: application/pdf, ${pdf().length} bytes]`,
  attachments: [{ type: "file", mediaType: "application/pdf", filename: "report.pdf", data: data(pdf()) }],
};
const plain: Message = { role: "tool", toolCallId: "call_2", toolName: "draw", content: "No image." };

/** A step with a picture and a text, one with a PDF, and the next question. */
const history: readonly Message[] = [
  { role: "user", content: "Draw." },
  called("call_1", "call_2"),
  drawn("call_1", png(1)),
  plain,
  called("call_3"),
  report,
  { role: "assistant", content: "Done." },
  { role: "user", content: "And again?" },
];

describe("images and files of results on the wire", () => {
  let packages: ProviderPackages;
  let bodies: any[];
  let current: Wire;
  beforeAll(async () => {
    packages = await loadPackages();
  });
  beforeEach(() => {
    bodies = [];
  });
  const answer: typeof fetch = async (_url, init) => {
    bodies.push(JSON.parse(String(init?.body)));
    return Response.json(replyOn(current, { text: "Seen.", calls: [] }));
  };
  const modelOn = (wire: Wire): AiSdkLanguageModel => modelsOn(answer, packages)[wire] as AiSdkLanguageModel;
  const sent = async (wire: Wire, messages: readonly Message[], languageModel = modelOn(wire)) => {
    current = wire;
    const { warnings = [] } = await new AiSdkModel(languageModel).generate({ messages, tools: [draw] });
    return { body: bodies.at(-1), warnings };
  };
  const listOf = (body: any): unknown[] => body.messages ?? body.input ?? body.contents;

  describe.each(wires)("%s", (wire) => {
    it("sends an image once, in a history that the provider takes", async () => {
      const { body, warnings } = await sent(wire, history);

      expect(historyFaults(wire, body)).toEqual([]);
      expect(countOf(JSON.stringify(body), data(png(1)))).toBe(1);
      expect(JSON.stringify(body)).toContain(note(png(1)));
      expect(JSON.stringify(warnings)).not.toContain("unsupported");
    });

    it("sends a PDF once, or a note that the model isn't shown it", async () => {
      const text = JSON.stringify((await sent(wire, history)).body);

      const isSent = countOf(text, data(pdf()));
      expect(isSent + countOf(text, "can't be shown to this model.")).toBe(1);
      expect(text).toContain("[report.pdf: application/pdf, ");
    });

    it("repeats the same bytes when the history has grown, also right after the results", async () => {
      const inStep = listOf((await sent(wire, history.slice(0, 4))).body);
      const later = listOf((await sent(wire, history)).body);
      const latest = listOf((await sent(wire, [...history, called("call_4"), { ...drawn("call_4", png(2)) } as Message])).body);

      expect(later.slice(0, inStep.length)).toEqual(inStep);
      expect(latest.slice(0, later.length)).toEqual(later);
    });

    it("sends no image of a failed result", async () => {
      const failed = { ...drawn("call_1", png(1)), errorType: "execution_error" } as Message;
      const { body } = await sent(wire, [...history.slice(0, 2), failed, plain]);

      expect(JSON.stringify(body)).not.toContain(data(png(1)));
      expect(historyFaults(wire, body)).toEqual([]);
    });

    it("sends an image whose note was lost from the text", async () => {
      const changed = { ...drawn("call_1", png(1)), content: "Changed." } as Message;
      const { body } = await sent(wire, [...history.slice(0, 2), changed, plain]);

      expect(countOf(JSON.stringify(body), data(png(1)))).toBe(1);
    });
  });

  describe("in the result itself", () => {
    it("stands between its texts for Claude", async () => {
      const { body } = await sent("anthropic", history);

      expect(body.messages[2].content[0].content).toEqual([
        { type: "text", text: `Before:\n${note(png(1))}` },
        { type: "image", source: { type: "base64", media_type: "image/png", data: data(png(1)) } },
        { type: "text", text: "After." },
      ]);
      expect(body.messages[4].content[0].content[1]).toMatchObject({ type: "document", source: { media_type: "application/pdf" } });
    });

    it("is an input_image or an input_file for OpenAI's Responses API", async () => {
      const outputs = (await sent("openai-responses", history)).body.input.filter(({ type }: any) => type === "function_call_output");

      expect(outputs[0].output[1]).toMatchObject({ type: "input_image", image_url: `data:image/png;base64,${data(png(1))}` });
      expect(outputs[1].output).toBe("No image.");
      expect(outputs[2].output[1]).toMatchObject({ type: "input_file", filename: "report.pdf" });
    });

    it("is a part of the function response for Gemini 3", async () => {
      const { functionResponse } = (await sent("google", history)).body.contents[2].parts[0];

      expect(functionResponse.parts).toEqual([{ inlineData: { mimeType: "image/png", data: data(png(1)) } }]);
      expect(functionResponse.response.content).toBe(`Before:\n${note(png(1))}\nAfter.`);
    });

    it("is an image or a document of the result for Claude on Bedrock", async () => {
      const { messages } = (await sent("amazon-bedrock", history)).body;

      expect(messages[2].content[0].toolResult.content[1]).toEqual({ image: { format: "png", source: { bytes: data(png(1)) } } });
      // Names of files with a dot or an underscore are rejected there.
      expect(messages[4].content[0].toolResult.content[1].document).toMatchObject({ format: "pdf", name: "document-1" });
    });
  });

  describe("in a user message after the results", () => {
    it.each<Wire>(["openai", "openai-compatible", "groq", "mistral"])("follows all results of the step for %s", async (wire) => {
      const { messages } = (await sent(wire, history.slice(0, 4))).body;
      const roles = messages.map(({ role }: any) => role);

      // Mistral takes no user message right after a result.
      expect(roles).toEqual(["user", "assistant", "tool", "tool", ...(wire === "mistral" ? ["assistant"] : []), "user"]);
      expect(messages[2].content).toBe(`Before:\n${note(png(1))}\nAfter.\nThe file follows in the next message.`);
      expect(messages[3].content).toBe("No image.");
      expect(messages.at(-1).content).toEqual([
        { type: "text", text: `From the result of the tool draw: ${note(png(1))}` },
        expect.objectContaining({ type: "image_url" }),
      ]);
    });

    it("follows for Gemini 2.5, whose function responses are texts", async () => {
      current = "google";
      const gemini = packages.createGoogleGenerativeAI({ apiKey: "k", baseURL: "http://provider.test/google", fetch: answer })(
        "gemini-2.5-flash",
      );
      const { body } = await sent("google", history, gemini);

      expect(historyFaults("google", body)).toEqual([]);
      expect(countOf(JSON.stringify(body), data(png(1)))).toBe(1);
      expect(body.contents[2].parts).toHaveLength(2);
    });

    it("sends both images of a step in one message", async () => {
      const { messages } = (await sent("openai", [...history.slice(0, 2), drawn("call_1", png(1)), drawn("call_2", png(2))])).body;

      expect(messages.filter(({ role }: any) => role === "user")).toHaveLength(2);
      expect(messages.at(-1).content.filter(({ type }: any) => type === "image_url")).toHaveLength(2);
    });
  });

  it("replaces a GIF by a note with its type and size for Gemini, which can't read it", async () => {
    const animated: Message = {
      role: "tool",
      toolCallId: "call_1",
      toolName: "draw",
      content: note(gif(), "image/gif"),
      attachments: [imageOf(gif(), "image/gif")],
    };
    const text = JSON.stringify((await sent("google", [history[0] as Message, called("call_1"), animated])).body);

    expect(text).toContain("[image/gif, 42 bytes] can't be shown to this model.");
    expect(text).not.toContain(data(gif()));
  });

  describe("in the form of the specification", () => {
    const promptOf = async (specificationVersion: string, provider: string) => {
      let prompt: any;
      const fake = {
        specificationVersion,
        provider,
        modelId: "claude",
        doGenerate: async (options: any) => {
          prompt = options.prompt;
          return { content: [], finishReason: "stop", usage: {}, warnings: [] };
        },
      };
      await new AiSdkModel(fake as never)
        .generate({ messages: [...history.slice(0, 4), called("call_3"), report], tools: [draw] })
        .catch(() => {});
      return prompt;
    };

    it.each([
      ["v2", { type: "media", mediaType: "image/png", data: data(png(1)) }, { type: "media" }],
      ["v3", { type: "image-data", mediaType: "image/png", data: data(png(1)) }, { type: "file-data", filename: "report.pdf" }],
      [
        "v4",
        { type: "file", mediaType: "image/png", data: { type: "data", data: data(png(1)) } },
        { type: "file", filename: "report.pdf", data: { type: "data" } },
      ],
    ])("%s", async (specification, ofImage, ofFile) => {
      const prompt = await promptOf(specification, "anthropic.messages");

      expect(prompt[2].content[0].output).toEqual({
        type: "content",
        value: [{ type: "text", text: `Before:\n${note(png(1))}` }, ofImage, { type: "text", text: "After." }],
      });
      expect(prompt[4].content[0].output.value[1]).toMatchObject(ofFile);
    });

    it.each([
      ["v2", data(png(1))],
      ["v3", data(png(1))],
      ["v4", { type: "data", data: data(png(1)) }],
    ])("%s, in a user message", async (specification, ofImage) => {
      const prompt = await promptOf(specification, "groq.chat");

      expect(prompt[3]).toMatchObject({
        role: "user",
        content: [{ type: "text" }, { type: "file", mediaType: "image/png", data: ofImage }],
      });
    });
  });

  it.each([
    ["google.generative-ai", "gemini-2.5-pro", "user message"],
    ["google.generative-ai", "gemini-pro", "user message"],
    ["google.generative-ai", "gemini-3.5-flash", "result"],
    ["google.vertex.chat", "gemini-3-pro-preview", "result"],
    ["google.generative-ai", "gemma-3", "user message"],
    ["google.vertex.anthropic.messages", "claude-opus-5", "result"],
    ["bedrock.anthropic.messages", "claude-opus-5", "result"],
    ["amazon-bedrock", "us.amazon.nova-pro-v1:0", "result"],
    ["amazon-bedrock", "meta.llama4-maverick", "user message"],
    ["azure.responses", "gpt-5", "result"],
    ["azure.chat", "gpt-5", "user message"],
    ["openrouter.chat", "anthropic/claude-opus-5", "user message"],
    ["gateway", "anthropic/claude-opus-5", "user message"],
    ["xai.responses", "grok-4", "result"],
  ])("%s/%s takes them in a %s", (provider, modelId, place) => {
    expect(attachmentRulesOf({ provider, modelId, specificationVersion: "v3" } as AiSdkLanguageModel).place).toBe(place);
  });

  it("goes on with another provider in the middle of a run", async () => {
    const Draw = createTool({
      name: "draw",
      description: "Draws. Use to draw.",
      inputSchema: { type: "object" },
      execute: () => image(jpeg(), "image/jpeg"),
    });
    const order: Wire[] = ["anthropic", "openai", "mistral", "google", "openai-responses", "groq"];
    @model(new ScriptedModel([{ toolCalls: [{ name: "draw", arguments: {} }] }, "Drawn."]))
    @usesTools([Draw])
    class Artist extends Agent {}
    const artist = new Artist();
    await artist.generate("Draw.");

    for (const wire of order) {
      const { body } = await sent(wire, artist.messages);
      expect(historyFaults(wire, body)).toEqual([]);
      expect(countOf(JSON.stringify(body), data(jpeg()))).toBe(1);
    }
  });

  /** Results of up to three calls in each step: texts, images, PDFs, several at once, failures; sometimes the user says something after it. */
  const anyResult = fc.record({
    kinds: fc.array(fc.constantFrom("text", "png", "jpeg", "gif", "pdf"), { maxLength: 4 }),
    fails: fc.boolean(),
    loses: fc.boolean(),
  });
  const anyStep = fc.record({ results: fc.array(anyResult, { minLength: 1, maxLength: 3 }), asks: fc.boolean() });

  it.each(wires)("takes any mixture in any step, sends each file once and repeats what it sent: %s", async (wire) => {
    const languageModel = modelOn(wire);
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 1, maxLength: 4 }), async (steps) => {
        const { messages, ends, files } = historyOf(steps);
        const bodies = [];
        for (const end of ends) bodies.push((await sent(wire, messages.slice(0, end), languageModel)).body);

        for (const [index, body] of bodies.entries()) {
          expect(historyFaults(wire, body)).toEqual([]);
          const before = listOf(bodies[index - 1] ?? { messages: [] });
          expect(listOf(body).slice(0, before.length)).toEqual(before);
        }
        const whole = JSON.stringify(bodies.at(-1));
        for (const { bytes, fails } of files) expect(countOf(whole, bytes)).toBeLessThanOrEqual(fails ? 0 : 1);
        for (const { bytes, note: named, fails, kind } of files) {
          if (!fails && kind !== "gif" && kind !== "pdf") expect(countOf(whole, bytes)).toBe(1);
          else if (!fails && countOf(whole, bytes) === 0) expect(whole).toContain(`${named}`);
        }
      }),
      { numRuns: 10 },
    );
  });
});

interface AnyStep {
  readonly results: readonly { readonly kinds: readonly string[]; readonly fails: boolean; readonly loses: boolean }[];
  readonly asks: boolean;
}

/** Each file has bytes of its own. `ends`: the lengths of the history at which a model is asked. */
function historyOf(steps: readonly AnyStep[]) {
  const messages: Message[] = [{ role: "user", content: "Draw." }];
  const ends: number[] = [];
  let count = 0;
  const files: { bytes: string; note: string; fails: boolean; kind: string }[] = [];
  for (const [step, { results, asks }] of steps.entries()) {
    const ids = results.map((_, index) => `call_${step}_${index}`);
    messages.push(called(...ids));
    for (const [index, { kinds, fails, loses }] of results.entries()) {
      const made = kinds.filter((kind) => kind !== "text").map((kind) => fileOf(kind, (count += 1)));
      for (const [place, attachment] of made.entries()) {
        const kind = kinds.filter((each) => each !== "text")[place] ?? "";
        files.push({ bytes: attachment.data, note: noteOn(attachment), fails, kind });
      }
      const notes = made.map(noteOn);
      const lines = kinds.map((kind) => (kind === "text" ? "A text." : (notes.shift() ?? "")));
      const content = loses ? "Changed." : lines.join("\n") || "Nothing.";
      messages.push({
        role: "tool",
        toolCallId: ids[index] ?? "",
        toolName: "draw",
        content,
        ...(made.length > 0 && { attachments: made }),
        ...(fails && { errorType: "execution_error" }),
      });
    }
    ends.push(messages.length);
    if (asks) {
      messages.push({ role: "assistant", content: "Done." }, { role: "user", content: "Again." });
      ends.push(messages.length);
    }
  }
  return { messages, ends, files };
}

/** Looks like a file of the kind, and like no other: packages don't decode it. */
function fileOf(kind: string, number: number): Attachment {
  const bytes = Buffer.from(`${kind} number ${number} of this history`).toString("base64");
  return kind === "pdf"
    ? { type: "file", mediaType: "application/pdf", filename: `file-${number}.pdf`, data: bytes }
    : { type: "image", mediaType: `image/${kind}`, data: bytes };
}
