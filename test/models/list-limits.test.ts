import { createOpenAI } from "@ai-sdk/openai";
import { AiSdkModel } from "../../src/models/index.js";
import { toProviderTools } from "../../src/models/provider-tools/index.js";
import { Agent, model, usesTools } from "../../src/agent/index.js";
import { createTool } from "../../src/tool/index.js";

const toolsOf = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    createTool({ name: `tool_${index}`, description: "Does it.", inputSchema: { type: "object" }, execute: () => index }),
  );

let warnings: jest.SpiedFunction<typeof process.emitWarning>;
beforeEach(() => {
  warnings = jest.spyOn(process, "emitWarning").mockImplementation(() => undefined);
});
afterEach(() => warnings.mockRestore());
const warned = (): readonly unknown[] => warnings.mock.calls.map(([warning]) => warning);

describe("a list of tools that is longer than the provider takes", () => {
  it.each([
    ["openai-chat", 128],
    ["openai-responses", 128],
    ["gemini", 512],
  ] as const)("is reported by toProviderTools: %s, %i", (dialect, most) => {
    toProviderTools(toolsOf(most), dialect);
    expect(warned()).toEqual([]);
    expect(JSON.stringify(toProviderTools(toolsOf(most + 1), dialect))).toContain(`tool_${most}`);
    expect(warned()).toEqual([
      `${most + 1} tools are too many for ${dialect}, which takes ${most} in a request and rejects longer lists. Offer fewer at a time: defer tools with @deferred(), or use a resolver of @usesTools, a profile, or prepareStep.`,
    ]);
  });

  it("is long for none of the others", () => {
    for (const dialect of ["anthropic", "bedrock", "mistral", "ollama"] as const) toProviderTools(toolsOf(600), dialect);
    expect(warned()).toEqual([]);
  });

  it("is reported by an agent before the request, once for its model", async () => {
    const reportedAtRequest: number[] = [];
    const openai = createOpenAI({
      apiKey: "none",
      fetch: async () => {
        reportedAtRequest.push(warned().length);
        return new Response(JSON.stringify({ error: { message: "Invalid 'tools': array too long.", code: "array_above_max_length" } }), {
          status: 400,
        });
      },
    });
    @model(new AiSdkModel(openai.chat("gpt-5-mini")))
    @usesTools(toolsOf(129))
    class CrowdedAgent extends Agent {}
    for (let run = 0; run < 2; run += 1) expect((await new CrowdedAgent().generate("Hello")).outcome.reason).toBe("model_error");
    expect(reportedAtRequest).toEqual([1, 1]);
    expect(warned()[0]).toContain("129 tools are too many for openai.chat, which takes 128 in a request");
  });
});
