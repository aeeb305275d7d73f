/** A run that begins on one provider and goes on with another one, with a picture in its history. */
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { Agent, model, usesTools } from "../../src/agent/index.js";
import { type AiSdkLanguageModel, AiSdkModel, withFallback } from "../../src/models/index.js";
import { createTool, image } from "../../src/tool/index.js";
import { countOf, png } from "../support/pictures.js";
import { anthropicMessage, openAiResponse, ProviderServer } from "../support/provider-servers.js";

const picture = png(3);
const Draw = createTool({
  name: "draw",
  description: "Draws. Use to draw.",
  inputSchema: { type: "object", properties: {} },
  execute: () => ["It looks like this:", image(picture, "image/png")],
});

describe("a picture in a run that another provider carries on", () => {
  let server: ProviderServer;
  beforeAll(async () => {
    server = await ProviderServer.start();
  });
  afterAll(() => server.close());

  it("reaches both, each in its form, and the first one again in the next run", async () => {
    const thought = { type: "thinking", thinking: "", signature: "signed" };
    const claudeSays = anthropicMessage([thought, { type: "tool_use", id: "toolu_1", name: "draw", input: {} }], "tool_use");
    const overloaded = { status: 529, body: { type: "error", error: { type: "overloaded_error", message: "Overloaded" } } };
    const text = { type: "message", role: "assistant", id: "msg_1", content: [{ type: "output_text", text: "Drawn.", annotations: [] }] };
    server.play(claudeSays, overloaded, openAiResponse([text]), anthropicMessage([{ type: "text", text: "A square." }]));
    const settings = { apiKey: "key", baseURL: server.url };
    const claude = new AiSdkModel(createAnthropic(settings)("claude-opus-5-5") as AiSdkLanguageModel);
    const gpt = new AiSdkModel(createOpenAI(settings).responses("gpt-5-mini") as AiSdkLanguageModel);
    @model(withFallback([claude, gpt]), { retries: 0 })
    @usesTools([Draw])
    class Artist extends Agent {}
    const artist = new Artist();

    expect((await artist.generate("Draw.")).text).toBe("Drawn.");
    expect((await artist.generate("What is it?")).text).toBe("A square.");
    const [, refused, other, again] = server.requests.map(({ body }) => body);
    const said = expect.stringContaining("It looks like this:");
    const data = picture.toString("base64");
    for (const body of [refused, other, again]) expect(countOf(JSON.stringify(body), data)).toBe(1);
    expect(refused.messages.at(-1).content[0].content).toEqual([
      { type: "text", text: said },
      { type: "image", source: { type: "base64", media_type: "image/png", data } },
    ]);
    expect(other.input.at(-1)).toMatchObject({
      type: "function_call_output",
      output: [
        { type: "input_text", text: said },
        { type: "input_image", image_url: `data:image/png;base64,${data}` },
      ],
    });
    expect(again.messages.slice(0, refused.messages.length)).toEqual(refused.messages);
  });
});
