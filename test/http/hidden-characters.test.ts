import { createHttpTool, openApiToolbox } from "../../src/http/index.js";
import { addSecret } from "../../src/index.js";
import { invokeTool } from "../../src/testing/index.js";
import { documentOf, get, onlyTool } from "./openapi/support.js";
import { type Api, answerWith, startApi } from "./support.js";

const whispered = "fi\u200bn\u{e0049}\u{e0067}\u202ee";

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const ask = () =>
  invokeTool(
    createHttpTool({ name: "ask", description: "Asks.", inputSchema: { type: "object" }, method: "GET", url: `${api.url}/orders` }),
    {},
  );

describe("characters that people don't see", () => {
  it("are left out of a service's answer: texts, names of members, and what isn't JSON", async () => {
    api.answer = answerWith({ [whispered]: [{ a: whispered }] });
    expect(await ask()).toEqual({ fine: [{ a: "fine" }] });
    api.answer = answerWith(whispered, { type: "text/plain; charset=utf-8" });
    expect(await ask()).toBe("fine");
  });

  it("are left out of the reason of a failure", async () => {
    api.answer = answerWith({ message: `Not ${whispered}.` }, { status: 409 });
    await expect(ask()).rejects.toThrow("Not fine");
  });

  it("don't hide a secret from the redaction", async () => {
    const forget = addSecret("s3cret-4711");
    api.answer = answerWith({ a: "s3cr\u200bet-4711" });
    expect(await ask()).toEqual({ a: "[redacted]" });
    forget();
  });

  it("are left out of the texts of an OpenAPI document", () => {
    const { definition } = onlyTool(
      documentOf({
        "/a": {
          get: {
            operationId: "ask",
            summary: whispered,
            tags: [whispered],
            parameters: [{ name: "q", in: "query", description: whispered, schema: { type: "string", title: whispered } }],
          },
        },
      }),
    );
    expect(definition.description).toBe("fine");
    expect(JSON.stringify(definition)).not.toMatch(/[\u200b\u202e\u{e0049}]/u);
  });

  it("make an operation unusable whose names or values hold them, because the service needs these as they are", () => {
    const enumerated = { name: "q", in: "query", schema: { type: "string", enum: [`yes${whispered}`] } };
    const { tools, refused } = openApiToolbox(documentOf({ "/a": get(enumerated), "/b": { get: { operationId: "other" } } }));
    expect(tools.map(({ identifier }) => identifier)).toEqual(["other"]);
    expect(refused).toMatchObject([{ reason: 'its schema hides characters in "yesfine".' }]);
  });
});
