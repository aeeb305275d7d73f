import { createRunScope, modelText, ToolExecutor } from "../../src/execution/index.js";
import { createHttpTool, openApiToolbox } from "../../src/http/index.js";
import type { ToolClass } from "../../src/tool/index.js";
import { jpeg, pdf, png } from "../support/pictures.js";
import { type Api, startApi } from "./support.js";

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const answer = (body: Buffer, type: string) => {
  api.answer = (_, response) => void response.writeHead(200, { "content-type": type }).end(body);
};
const callOf = (tool: ToolClass) =>
  new ToolExecutor({ tools: [tool] }).call({ id: "call_1", name: tool.identifier, arguments: "{}" }, createRunScope());
const download = (path = "/charts/sales.png") =>
  createHttpTool({
    name: "download",
    description: "Downloads the chart. Use when asked.",
    inputSchema: { type: "object" },
    method: "GET",
    url: `${api.url}${path}`,
  });

describe("an HTTP tool whose service answers with a file", () => {
  it("shows the model an image", async () => {
    answer(png(), "image/png");
    const result = await callOf(download());

    expect(result.attachments).toEqual([{ type: "image", mediaType: "image/png", data: png().toString("base64") }]);
    expect(modelText(result)).toBe(`[image/png, ${png().length} bytes]`);
  });

  it("shows the model a PDF by the name in its URL", async () => {
    answer(pdf(), "application/pdf");

    expect((await callOf(download("/files/sales%20May.pdf?v=2"))).attachments).toEqual([
      { type: "file", mediaType: "application/pdf", filename: "sales May.pdf", data: pdf().toString("base64") },
    ]);
  });

  it("reads the old name of a type, with parameters", async () => {
    answer(jpeg(), "image/jpg; q=1");

    expect((await callOf(download())).attachments).toMatchObject([{ mediaType: "image/jpeg" }]);
  });

  it("fails for a damaged image, and for a page that claims to be one", async () => {
    answer(png().subarray(0, 60), "image/png");
    expect(await callOf(download())).toMatchObject({ errorType: "output_validation_error", error: expect.stringContaining("damaged") });

    answer(Buffer.from("<html>Sign in</html>"), "image/png");
    expect((await callOf(download())).error).toContain("its bytes aren't those of image/png");
  });

  it("shows the image that an OpenAPI operation answers with", async () => {
    answer(png(), "image/png");
    const document = {
      openapi: "3.1.0",
      info: { title: "Charts", version: "1" },
      paths: { "/chart": { get: { operationId: "chart", responses: { 200: { content: { "image/png": {} } } } } } },
    };
    const [tool] = openApiToolbox(document, { baseUrl: api.url }).tools as ToolClass[];

    expect((await callOf(tool as ToolClass)).attachments).toMatchObject([{ mediaType: "image/png" }]);
  });
});
