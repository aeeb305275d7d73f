import { createRunScope, modelText, ToolExecutor } from "../../../src/execution/index.js";
import { createTool, file, image, type ToolResult } from "../../../src/index.js";
import { responseOf } from "../../../src/mcp/client/received-call-result.js";
import { serveMcp } from "../../../src/mcp/index.js";
import { gif, pdf, png } from "../../support/pictures.js";
import { closeAll, connect, revisions } from "../server/support.js";
import { atEnd, endAll, open } from "./support.js";

afterEach(closeAll);
afterAll(endAll);

const base64 = (bytes: Buffer) => bytes.toString("base64");
const picture = { type: "image", mimeType: "image/png", data: base64(png()) } as const;
const sound = { type: "audio", mimeType: "audio/wav", data: "UklGRm5vaXNl" } as const;
const report = {
  type: "resource",
  resource: { uri: "memo://files/report.pdf?v=1", mimeType: "application/pdf", blob: base64(pdf()) },
} as const;
const broken = { ...picture, data: base64(png().subarray(0, 60)) };
const large = { ...picture, data: base64(png(0, 4_000_000)) };
const note = `[image/png, ${png().length} bytes]`;
const shown = { type: "image", mediaType: "image/png", data: base64(png()) };

/** What a tool gives that got this result from its server. */
const received = (result: object, hasOutputSchema = false, leftOut: unknown[] = []): Promise<ToolResult> => {
  const tool = createTool({
    name: "remote",
    description: "Calls a server. Use when asked.",
    inputSchema: { type: "object" },
    execute: () => responseOf(result as never, hasOutputSchema, (parts) => void leftOut.push(...parts)),
  });
  return new ToolExecutor({ tools: [tool] }).call({ id: "call_1", name: "remote", arguments: "{}" }, createRunScope());
};

describe("an MCP server's result", () => {
  it("shows the model an image between texts", async () => {
    const result = await received({ content: [{ type: "text", text: "Before:" }, picture, { type: "text", text: "After." }] });

    expect(modelText(result)).toBe(`Before:\n${note}\nAfter.`);
    expect(result.attachments).toEqual([shown]);
  });

  it("shows the model a PDF that is an embedded resource, by its name", async () => {
    const result = await received({ content: [report] });

    expect(result.attachments).toEqual([{ type: "file", mediaType: "application/pdf", filename: "report.pdf", data: base64(pdf()) }]);
  });

  it("shows an image beside structured content, with and without an output schema", async () => {
    for (const hasOutputSchema of [true, false]) {
      const result = await received(
        { content: [{ type: "text", text: '{"rows":3}' }, picture], structuredContent: { rows: 3 } },
        hasOutputSchema,
      );

      expect(result).toMatchObject({ data: { rows: 3 }, attachments: [shown] });
      expect(modelText(result)).toBe(`{"rows":3}\n${note}`);
    }
  });

  it("leaves sound beside structured content out, and shows the image", async () => {
    const leftOut: unknown[] = [];
    const result = await received({ content: [picture, sound], structuredContent: { rows: 3 } }, true, leftOut);

    expect(result).toMatchObject({ data: { rows: 3 }, attachments: [shown] });
    expect(leftOut).toEqual([{ type: "audio", mimeType: "audio/wav", bytes: 9 }]);
  });

  it("names sound by type and size beside an image", async () => {
    expect(modelText(await received({ content: [picture, sound] }))).toBe(`${note}\n{"type":"audio","mimeType":"audio/wav","bytes":9}`);
  });

  it.each([
    ["a damaged image", broken, "is damaged or incomplete."],
    ["an image that is too large", large, "is too large. At most 3.75 MB can be shown"],
    ["an image of another type", { ...picture, data: base64(gif()) }, "is image/gif by its bytes."],
    ["an image of a type that no model reads", { ...picture, mimeType: "image/tiff" }, "is of a type that models don't read."],
  ])("says why %s isn't shown, and keeps what else there is", async (_what, part, why) => {
    const result = await received({ content: [{ type: "text", text: "Two views:" }, picture, part] });

    expect(result.attachments).toEqual([shown]);
    expect(modelText(result)).toContain(why);
    expect(modelText(result)).not.toContain(part.data.slice(0, 40));
  });

  it("fails if it has nothing but a damaged image", async () => {
    expect(await received({ content: [broken] })).toMatchObject({
      errorType: "execution_error",
      error: expect.stringContaining("damaged"),
    });
  });

  it("keeps the text of a failure, and describes its image by type and size", async () => {
    const result = await received({ content: [{ type: "text", text: "No chart: the disk is full." }, picture], isError: true });

    expect(result.error).toBe(`No chart: the disk is full.\n{"type":"image","mimeType":"image/png","bytes":${png().length}}`);
    expect(result.attachments).toBeUndefined();
  });

  it("from a server of this library arrives as its tool returned it", async () => {
    const tool = createTool({
      name: "chart",
      description: "Draws. Use to draw.",
      inputSchema: { type: "object" },
      execute: () => ["Before:", image(png(), "image/png"), "After:", file(pdf(), "application/pdf", "sales 1.pdf")],
    });
    const serving = await serveMcp({ name: "shop", version: "1.0.0", tools: [tool], transport: { port: 0 } });
    atEnd(() => serving.close());
    const box = await open({ url: serving.url ?? "" });
    const result = await new ToolExecutor({ tools: box.tools }).call(
      { id: "call_1", name: "box_chart", arguments: "{}" },
      createRunScope(),
    );

    expect(modelText(result)).toBe(`Before:\n${note}\nAfter:\n[sales 1.pdf: application/pdf, ${pdf().length} bytes]`);
    expect(result.attachments?.map(({ data }) => data)).toEqual([base64(png()), base64(pdf())]);
  });
});

describe.each(revisions)("a tool's images and files on a server, in %s", (revision) => {
  const call = async (value: unknown, more: object = {}) => {
    const tool = createTool({ name: "chart", description: "Draws.", inputSchema: { type: "object" }, execute: () => value, ...more });
    const { client } = await connect({ tools: [tool] }, revision);
    return client.callTool({ name: "chart", arguments: {} });
  };

  it("are content blocks in their order", async () => {
    const { content } = await call(["Before:", image(png(), "image/png"), "After:", file(pdf(), "application/pdf", "a.pdf")]);

    expect(content).toEqual([
      { type: "text", text: `Before:\n${note}` },
      picture,
      { type: "text", text: `After:\n[a.pdf: application/pdf, ${pdf().length} bytes]` },
      { type: "resource", resource: { uri: "attachment:///a.pdf", mimeType: "application/pdf", blob: base64(pdf()) } },
    ]);
  });

  it("stand beside structured content", async () => {
    const outputSchema = { type: "object", properties: { rows: { type: "number" } } };
    const { content, structuredContent } = await call([{ rows: 3 }, image(png(), "image/png")], { outputSchema });

    expect(structuredContent).toEqual({ rows: 3 });
    expect(content).toContainEqual(picture);
  });

  it("are an error if the output schema promises data that isn't there, with the image", async () => {
    const outputSchema = { type: "object", required: ["rows"], properties: { rows: { type: "number" } } };
    const { content, isError } = await call(image(png(), "image/png"), { outputSchema });

    expect(isError).toBe(true);
    expect(content).toContainEqual(picture);
  });
});
