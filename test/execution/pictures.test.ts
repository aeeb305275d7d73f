import fc from "fast-check";
import { createRunScope, modelText, ToolExecutor } from "../../src/execution/index.js";
import { imagePart } from "../../src/models/index.js";
import { addSecret, redact } from "../../src/redaction/index.js";
import { createTool, createToolDefinition, file, image, json, required, returns, text, Tool, tool } from "../../src/tool/index.js";
import { invokeTool } from "../../src/testing/index.js";
import { gif, jpeg, pdf, png, webp } from "../support/pictures.js";
import { caller, recordingListener } from "./support.js";
import { repeats } from "../support/repeats.js";

const drawing = (execute: () => unknown) =>
  createTool({ name: "draw", description: "Draws. Use to draw.", inputSchema: { type: "object" }, execute });

const resultOf = (value: unknown) => caller(drawing(() => value))();

const base64 = (bytes: Buffer) => bytes.toString("base64");

function patched(bytes: Buffer, place: number, values: readonly number[]): Buffer {
  const copy = Buffer.from(bytes);
  for (const [index, value] of values.entries()) copy[place + index] = value;
  return copy;
}

class Report {
  @required(String)
  title!: string;
}

describe("a tool that returns images and files", () => {
  it.each([
    ["image/png", png()],
    ["image/jpeg", jpeg()],
    ["image/gif", gif()],
    ["image/webp", webp()],
  ])("gives an image of type %s with its bytes apart from its text", async (mediaType, bytes) => {
    const result = await resultOf(image(bytes, mediaType));

    expect(result.attachments).toEqual([{ type: "image", mediaType, data: base64(bytes) }]);
    expect(modelText(result)).toBe(`[${mediaType}, ${bytes.length} bytes]`);
    expect(result.data).toBe(modelText(result));
  });

  it("gives a PDF with its name", async () => {
    const result = await resultOf(file(pdf(), "application/pdf", "report [1].pdf"));

    expect(result.attachments).toEqual([{ type: "file", mediaType: "application/pdf", filename: "report 1 .pdf", data: base64(pdf()) }]);
    expect(modelText(result)).toBe(`[report 1 .pdf: application/pdf, ${pdf().length} bytes]`);
  });

  it("keeps the order of texts, images and other data", async () => {
    const result = await resultOf(["Before:", image(png(1), "image/png"), text("After:"), image(png(2), "image/png"), { rows: 3 }]);

    expect(modelText(result)).toBe(`Before:\n[image/png, ${png(1).length} bytes]\nAfter:\n[image/png, ${png(2).length} bytes]\n{"rows":3}`);
    expect(result.attachments?.map(({ data }) => data)).toEqual([base64(png(1)), base64(png(2))]);
  });

  it.each<[string, () => unknown]>([
    ["what imagePart makes", () => imagePart(png())],
    ["base64", () => image(base64(png()), "image/png")],
    ["base64 with line breaks", () => image(base64(png()).replace(/.{20}/g, "$&\r\n"), "image/png")],
    ["base64url without padding", () => image(png().toString("base64url"), "image/png")],
    ["an ArrayBuffer", () => image(new Uint8Array(png()).buffer, "image/png")],
    ["a type in capitals with a parameter", () => image(png(), "Image/PNG; q=1")],
    ["file() with the type of an image", () => file(png(), "image/png", "a.png")],
    ["json() around it", () => json(image(png(), "image/png"))],
  ])("takes %s", async (_what, make) => {
    expect((await resultOf(await make())).attachments).toEqual([{ type: "image", mediaType: "image/png", data: base64(png()) }]);
  });

  it("gives a file of text as its text", async () => {
    const result = await resultOf(file(Buffer.from("a,b\n1,2"), "text/csv", "rows.csv"));

    expect(modelText(result)).toBe("[rows.csv: text/csv, 7 bytes]\na,b\n1,2");
    expect(result.attachments).toBeUndefined();
  });

  it.each<[string, unknown, string]>([
    ["damaged image", image(png().subarray(0, 60), "image/png"), "is damaged or incomplete."],
    ["JPEG that is cut off", image(jpeg().subarray(0, -2), "image/jpeg"), "is damaged or incomplete."],
    ["GIF that is cut off", image(gif().subarray(0, -3), "image/gif"), "is damaged or incomplete."],
    ["WebP that is cut off", image(webp().subarray(0, 30), "image/webp"), "is damaged or incomplete."],
    ["PDF that is cut off", file(pdf().subarray(0, 100), "application/pdf"), "is damaged or incomplete."],
    ["text that claims to be an image", image(Buffer.from("<html>Sign in</html>"), "image/png"), "its bytes aren't those of image/png."],
    ["few bytes", image(Buffer.from("a"), "image/png"), "its bytes aren't those of image/png."],
    ["wrong media type", image(jpeg(), "image/png"), "is image/jpeg by its bytes. Return it with that media type."],
    ["image of a type that no model reads", image(png(), "image/bmp"), "is of a type that models don't read. Return a PNG,"],
    ["file of a type that no model reads", file(png(), "application/zip"), "is of a type that models don't read."],
    ["PDF as an image", image(pdf(), "application/pdf"), "is no image. Return it with file(data, mediaType)."],
    ["empty image", image(Buffer.alloc(0), "image/png"), "[image/png, 0 bytes] is empty."],
    ["text that isn't base64", image("not base64!", "image/png"), "isn't base64."],
    ["binary text file", file(Buffer.from([0xff, 0xfe, 0]), "text/plain"), "isn't UTF-8 text."],
  ])("fails for a %s, in words", async (_what, part, fault) => {
    for (const value of [part, ["See:", part]]) {
      const result = await resultOf(value);

      expect(result).toMatchObject({ errorType: "output_validation_error" });
      expect(result.error).toContain(fault);
      expect(result.error).toMatch(/^Tool 'draw' gave an invalid result: \[/);
      expect(result.attachments).toBeUndefined();
    }
  });

  it("fails for an image of 20 MB with the limit, and not with the image", async () => {
    const result = await resultOf(image(png(0, 20_000_000), "image/png"));

    expect(result.error).toBe(
      "Tool 'draw' gave an invalid result: [image/png, 20 MB] is too large. At most 3.75 MB can be shown: make it smaller before.",
    );
  });

  it.each<[string, Buffer, string]>([
    ["PNG", png(0, 0, 8_001), "image/png"],
    ["JPEG", patched(jpeg(), jpeg().indexOf(Buffer.from([0xff, 0xc0])) + 7, [0x1f, 0x41]), "image/jpeg"],
    ["GIF", patched(gif(), 6, [0x41, 0x1f]), "image/gif"],
    ["WebP", patched(webp(), 26, [0x41, 0x1f]), "image/webp"],
  ])("fails for a %s that has more pixels on a side than providers take", async (_kind, bytes, mediaType) => {
    expect((await resultOf(image(bytes, mediaType))).error).toMatch(/has 8001 x [18] pixels\. At most 8000 on a side can be shown/);
  });

  it("fails for an image without pixels", async () => {
    expect((await resultOf(image(png(0, 0, 0), "image/png"))).error).toContain("is damaged or incomplete.");
  });

  it("takes an image of the largest size", async () => {
    const overhead = png(0, 1).length - 1;

    expect((await resultOf(image(png(0, 3_750_000 - overhead), "image/png"))).error).toBeUndefined();
    expect((await resultOf(image(png(0, 3_750_001 - overhead), "image/png"))).error).toContain("too large");
  });

  it("fails for too many images, or too many bytes together", async () => {
    expect((await resultOf(new Array(21).fill(image(png(), "image/png")))).error).toContain("It has 21 files. At most 20,");
    expect((await resultOf(new Array(5).fill(image(png(0, 3_400_000), "image/png")))).error).toContain("with 15 MB in total");
  });

  it("gives any changed or cut bytes as a file or as a failure in words", async () => {
    const samples: readonly (readonly [string, Buffer])[] = [
      ["image/png", png()],
      ["image/jpeg", jpeg()],
      ["image/gif", gif()],
      ["image/webp", webp()],
      ["application/pdf", pdf()],
    ];
    const changed = fc.tuple(
      fc.constantFrom(...samples),
      fc.array(fc.tuple(fc.nat(300), fc.nat(255)), { maxLength: 6 }),
      fc.option(fc.nat(300)),
    );
    await fc.assert(
      fc.asyncProperty(changed, async ([[mediaType, whole], changes, end]) => {
        const bytes = Buffer.from(whole.subarray(0, end ?? whole.length));
        for (const [place, value] of changes) if (place < bytes.length) bytes[place] = value;
        const result = await resultOf(file(bytes, mediaType));

        if (result.error === undefined) expect(result.attachments).toMatchObject([{ mediaType, data: base64(bytes) }]);
        else
          expect(result).toMatchObject({
            errorType: "output_validation_error",
            error: expect.stringMatching(/^Tool 'draw' gave .*: \[.*\.$/),
          });
      }),
      { numRuns: repeats(500) },
    );
  });

  it("names every file that is wrong", async () => {
    const { error } = await resultOf([image(png().subarray(0, 60), "image/png"), image(png(), "image/png"), image(gif(), "image/png")]);

    expect(error).toContain("is damaged or incomplete. [image/png, 42 bytes] is image/gif by its bytes.");
  });

  it("gets an error that names what to return if an image is nested", async () => {
    expect((await resultOf({ chart: image(png(), "image/png"), rows: 3 })).error).toBe(
      "Tool 'draw' returned a content part of type image/png at chart, which has no form in JSON. Return image(data, mediaType) or file(data, mediaType), by itself or in a list: [text, image(data, mediaType)].",
    );
  });

  it.each<[string, () => unknown, RegExp]>([
    [
      "a data: URL",
      () => image("data:image/png;base64,AAAA", "image/png"),
      /^image: the data is a data: URL\. Pass the base64 after its comma\.$/,
    ],
    ["a promise", () => image(Promise.resolve(png()) as never, "image/png"), /got object\. Is it awaited\?$/],
    [
      "no media type",
      () => image(png(), undefined as never),
      /^image: the second argument is the media type, such as "image\/png", got undefined\.$/,
    ],
    [
      "a media type in place of a name",
      () => file(pdf(), "application/pdf", 7 as never),
      /^file: the third argument is the name of the file/,
    ],
  ])("rejects %s", (_what, make, message) => {
    expect(make).toThrow(message);
  });

  it("cuts a long text and keeps the image", async () => {
    const call = caller(
      drawing(() => ["x".repeat(5_000), image(png(), "image/png")]),
      { maxResultBytes: 1_000 },
    );
    const result = await call();

    expect(Buffer.byteLength(result.data as string)).toBeLessThanOrEqual(1_000);
    expect(result.attachments).toHaveLength(1);
    expect(modelText(result)).toContain("[image/png, ");
  });

  it("removes a known secret from the texts, and looks for none in the bytes", async () => {
    const remove = addSecret(base64(png()).slice(0, 20));
    try {
      const result = await resultOf([`key ${base64(png()).slice(0, 20)}`, image(png(), "image/png")]);

      expect(modelText(result)).toContain("key [redacted]");
      expect(result.attachments?.[0]?.data).toBe(base64(png()));
    } finally {
      remove();
    }
  });

  it("shows listeners the type and size, and no bytes", async () => {
    const { listener, of } = recordingListener();
    await caller(
      drawing(() => ["Chart:", image(png(), "image/png")]),
      { listeners: [listener] },
    )();

    expect(of("toolFinished")[0].result.data).toBe(`Chart:\n[image/png, ${png().length} bytes]`);
    expect(of("toolFinished")[0].result.attachments).toEqual([
      { type: "image", mediaType: "image/png", data: `[image/png, ${png().length} bytes]` },
    ]);
    expect(JSON.stringify(of("toolFinished"))).not.toContain(base64(png()));
  });

  it("is shown by redact as its type and size, with its name redacted", () => {
    const parts = [
      image(png(), "image/png"),
      file(pdf(), "application/pdf", "token=abc123456789.pdf"),
      { type: "file", mediaType: "text/plain", data: "x" },
    ];

    expect(redact({ attachments: parts })).toEqual({
      attachments: [
        { type: "image", mediaType: "image/png", data: `[image/png, ${png().length} bytes]` },
        expect.objectContaining({ data: expect.stringMatching(/^\[token=.redacted.*: application\/pdf, \d+ bytes\]$/) }),
        { type: "file", mediaType: "text/plain", data: "x" },
      ],
    });
  });

  describe("with an output schema", () => {
    @tool({ description: "Reports. Use to report.", category: "read" })
    @returns(Report)
    class ReportTool extends Tool {
      call() {
        return [{ title: "Sales" }, image(png(), "image/png")];
      }
    }

    it("checks what stands beside the image, and gives it as the data", async () => {
      const result = await caller(ReportTool)();

      expect(result.data).toEqual({ title: "Sales" });
      expect(result.attachments).toHaveLength(1);
      expect(modelText(result)).toBe(`{"title":"Sales"}\n[image/png, ${png().length} bytes]`);
    });

    it("rejects data beside an image that breaks it", async () => {
      const broken = createTool({
        name: "report",
        description: "Reports. Use to report.",
        inputSchema: { type: "object" },
        outputSchema: { type: "object", required: ["title"], properties: { title: { type: "string" } } },
        execute: () => [{ name: "Sales" }, image(png(), "image/png")] as never,
      });

      expect((await caller(broken)()).error).toContain("title is required");
    });
  });

  describe("for code that calls it", () => {
    const returned = ["Chart:", { rows: 3 }, image(png(), "image/png")];
    const part = { type: "image", mediaType: "image/png", data: base64(png()) };

    it("gives what the tool returned", async () => {
      const executor = new ToolExecutor({ tools: [drawing(() => returned)] });

      expect(await executor.run("draw", {})).toEqual(["Chart:", { rows: 3 }, part]);
      expect(
        await invokeTool(
          drawing(() => image(png(), "image/png")),
          {},
        ),
      ).toEqual(part);
    });

    it("lets a tool return the image of another one", async () => {
      const Inner = drawing(() => image(png(), "image/png"));
      const outer = createTool({
        name: "outer",
        description: "Draws by another tool. Use to draw.",
        inputSchema: { type: "object" },
        execute: async (_input, context) => ["From the other:", await context.call(Inner, {})],
      });
      const executor = new ToolExecutor({ tools: [outer, Inner] });

      expect((await executor.call({ id: "call_1", name: "outer", arguments: "{}" }, createRunScope())).attachments).toEqual([part]);
    });
  });

  describe("behind middleware", () => {
    const executorOf = (change: (result: any) => any) =>
      new ToolExecutor({ tools: [drawing(() => ["Chart:", image(png(), "image/png")])] }).use(async (_call, next) => change(await next()));
    const call = (executor: ToolExecutor) => executor.call({ id: "call_1", name: "draw", arguments: "{}" }, createRunScope());

    it("keeps the image if the middleware changes the text", async () => {
      const result = await call(executorOf((given) => ({ ...given, data: "Changed" })));

      expect(modelText(result)).toBe(`Changed\n[image/png, ${png().length} bytes]`);
      expect(result.attachments).toHaveLength(1);
    });

    it("checks an image that a middleware adds", async () => {
      const good = await call(executorOf((given) => ({ ...given, attachments: [image(gif(), "image/gif")] })));
      const bad = await call(executorOf((given) => ({ ...given, attachments: [image(gif(), "image/png")] })));

      expect(good.attachments).toEqual([{ type: "image", mediaType: "image/gif", data: base64(gif()) }]);
      expect(bad.error).toContain("is image/gif by its bytes");
      expect((await call(executorOf((given) => ({ ...given, attachments: "chart.png" })))).error).toContain("attachments must be a list");
    });
  });

  it("passes the images of a universal definition on", async () => {
    const made = createToolDefinition({
      name: "draw",
      description: "Draws. Use to draw.",
      schema: { type: "object" },
      category: "read",
      consequenceLevel: "low",
      requiresConfirmation: false,
      execute: async () => ({
        tool: "draw",
        fetchedAt: new Date().toISOString(),
        data: "See the chart.",
        attachments: [image(png(), "image/png")],
      }),
    });

    expect(await caller(made)()).toMatchObject({ data: "See the chart.", attachments: [{ mediaType: "image/png" }] });
  });
});
