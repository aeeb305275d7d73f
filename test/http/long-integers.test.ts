import { createRunScope, ToolExecutor } from "../../src/execution/index.js";
import { createHttpTool, openApiToolbox } from "../../src/http/index.js";
import { type Api, answerWith, startApi } from "./support.js";

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const body =
  '{"id":9007199254740993,"list":[-12345678901234567890,9007199254740991],"rate":0.12345678901234567890,"big":1e25,"text":"9007199254740993 \\" 12345678901234567","s":"\\\\"}';
const read = {
  id: "9007199254740993",
  list: ["-12345678901234567890", 9007199254740991],
  rate: 0.12345678901234568,
  big: 1e25,
  text: '9007199254740993 " 12345678901234567',
  s: "\\",
};

it("an HTTP tool keeps the digits of integers beyond 2^53, and leaves other numbers alone", async () => {
  api.answer = answerWith(body);
  const tool = createHttpTool({
    name: "order",
    description: "Gets an order.",
    inputSchema: { type: "object" },
    method: "GET",
    url: `${api.url}/order`,
  });

  expect(await new ToolExecutor({ tools: [tool] }).call({ id: "c1", name: "order", arguments: {} }, createRunScope())).toMatchObject({
    data: read,
  });
});

it("an integer of the output schema may be the text of its digits", async () => {
  api.answer = answerWith('{"id":9007199254740993}');
  const outputSchema = { type: "object", properties: { id: { type: "integer" } }, required: ["id"] } as const;
  const tool = createHttpTool({
    name: "order",
    description: "Gets an order.",
    inputSchema: { type: "object" },
    outputSchema,
    method: "GET",
    url: `${api.url}/order`,
  });

  expect(await new ToolExecutor({ tools: [tool] }).call({ id: "c1", name: "order", arguments: {} }, createRunScope())).toMatchObject({
    data: { id: "9007199254740993" },
  });
});

it("an OpenAPI tool keeps the digits of integers beyond 2^53", async () => {
  api.answer = answerWith(body);
  const document = {
    openapi: "3.1.0",
    info: { title: "Orders", version: "1" },
    servers: [{ url: api.url }],
    paths: { "/order": { get: { operationId: "order", summary: "Gets an order.", responses: {} } } },
  };
  const { tools } = openApiToolbox(document, { baseUrl: api.url });

  expect(await new ToolExecutor({ tools }).call({ id: "c1", name: "order", arguments: {} }, createRunScope())).toMatchObject({
    data: read,
  });
});

it("a schema of integers and texts keeps the digits of both", async () => {
  api.answer = answerWith('{"id":9007199254740993,"code":"9007199254740995","either":[9007199254740997,"9007199254740999",7]}');
  const outputSchema = {
    type: "object",
    properties: { id: { type: "integer" }, code: { type: "string" }, either: { type: "array", items: { type: ["integer", "string"] } } },
    required: ["id", "code", "either"],
  } as const;
  const tool = createHttpTool({
    name: "order",
    description: "Gets an order.",
    inputSchema: { type: "object" },
    outputSchema,
    method: "GET",
    url: `${api.url}/order`,
  });

  expect(await new ToolExecutor({ tools: [tool] }).call({ id: "c1", name: "order", arguments: {} }, createRunScope())).toMatchObject({
    data: { id: "9007199254740993", code: "9007199254740995", either: ["9007199254740997", "9007199254740999", 7] },
  });
});
