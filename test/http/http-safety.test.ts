import { inspect } from "node:util";
import { context as openTelemetryContext } from "@opentelemetry/api";
import fc from "fast-check";
import { Agent, type AgentListener, model, usesTools } from "../../src/agent/index.js";
import { basic, bearer, type HttpHeaders, HttpTool, http, secret } from "../../src/http/index.js";
import { ScriptedModel } from "../../src/models/index.js";
import { keepEntries, openTelemetry, toolLog } from "../../src/observability/index.js";
import { invokeTool } from "../../src/testing/index.js";
import { description, identifier, optional, required, requiresConfirmation, type ToolClass } from "../../src/tool/index.js";
import { registerContext, telemetry } from "../observability/support.js";
import { type Api, startApi } from "./support.js";

let api: Api;

/** The secret word, or what stands for it in Base64, wherever it begins. Digits would be found in times and ids. */
const anyForm = /zebra|emVicm|YnJh|ZWJy/;

beforeAll(async () => {
  api = await startApi();
  process.env.ORDERS_TOKEN = "orders/zebra+token==";
});
beforeEach(() => api.requests.splice(0));
afterAll(async () => {
  delete process.env.ORDERS_TOKEN;
  await api.close();
});

describe('seed 004, "HttpImplementation": whatever the arguments are', () => {
  const hostile = fc.oneof(
    fc.string({ unit: "binary", maxLength: 40 }),
    fc.constantFrom(
      ...["../../admin", "..", ".", "%2e%2e", "%2e%2e%2fadmin", "..%2f..", "a?b#c", "a/b", "\\..\\admin", "..;/admin", "//evil.example/"],
      ...["https://evil.example/", "@evil.example", ":80", "a\r\nhost: evil.example", "\0", "\ud800", "%", "%zz", "{note}", " ", ""],
    ),
    fc.string({
      unit: fc.constantFrom("/", "\\", ".", "%", "2", "e", "f", "?", "#", "@", ":", "\r", "\n", "\ud800", ";", "&", "="),
      maxLength: 12,
    }),
  );

  const editTool = (): ToolClass => {
    @description("Edits a note of an order. Use when asked to.")
    @http({ method: "POST", url: `${api.url}/v1/orders/{orderNumber}/notes-{note}.json?fixed=1`, query: ["language"] })
    class EditTool extends HttpTool {
      @required(String) orderNumber!: string;
      @required(String) note!: string;
      @optional(String) language?: string;
      @optional(String) text?: string;
    }
    return EditTool;
  };

  it("the server that the application wrote gets a path of as many segments, and every value in its place", async () => {
    const EditTool = editTool();
    await fc.assert(
      fc.asyncProperty(hostile, hostile, hostile, hostile, async (orderNumber, note, language, text) => {
        api.requests.splice(0);
        const outcome = await invokeTool(EditTool, { orderNumber, note, language, text }).then(
          () => "sent",
          (error: Error) => error.message,
        );
        if (outcome !== "sent") {
          expect(outcome).toMatch(/part of the URL's path and needs a value|would lead to another path/);
          expect([orderNumber, note]).toContainEqual(expect.stringMatching(/^\.{0,2}$/));
          expect(api.requests).toEqual([]);
          return;
        }
        expect(api.requests).toHaveLength(1);
        const [{ method, url, headers, body }] = api.requests as [Api["requests"][number]];
        expect([method, headers.host]).toEqual(["POST", new URL(api.url).host]);
        // As a server that normalises sees it.
        const { pathname, searchParams } = new URL(url, api.url);
        expect(pathname).toBe(url.split("?")[0]);
        expect(pathname.split("/").map((segment) => decodeURIComponent(segment))).toEqual([
          ...["", "v1", "orders", orderNumber.toWellFormed(), `notes-${note.toWellFormed()}.json`],
        ]);
        expect([...searchParams]).toEqual([
          ["fixed", "1"],
          ["language", language.toWellFormed()],
        ]);
        expect(JSON.parse(body)).toEqual({ text: JSON.parse(JSON.stringify(text)) });
      }),
      { numRuns: 150 },
    );
  }, 60_000);

  it("no argument becomes a header", async () => {
    const EditTool = editTool();
    await invokeTool(EditTool, { orderNumber: "1\r\nx-evil: 1", note: "2\r\n\r\nGET /evil", language: "a\nx-evil: 1", text: "b" });
    expect(api.requests).toHaveLength(1);
    expect(api.requests[0]?.headers).not.toHaveProperty("x-evil");
  });
});

describe("no request header reaches anybody but the service", () => {
  const echoTool = (headers: HttpHeaders, confirmed = false): ToolClass => {
    @identifier("echo")
    @description("Gets an order. Use when asked to.")
    @requiresConfirmation(confirmed)
    @http({ method: "GET", url: `${api.url}/orders/{orderNumber}`, headers })
    class EchoTool extends HttpTool {
      @required(String) orderNumber!: string;
    }
    return EchoTool;
  };

  const headers: readonly (readonly [string, () => HttpHeaders])[] = [
    ["a secret", () => ({ "x-api-key": secret("ORDERS_TOKEN") })],
    ["a bearer token", () => ({ authorization: bearer(secret("ORDERS_TOKEN")) })],
    ["a password", () => ({ authorization: basic("shop", secret("ORDERS_TOKEN")) })],
    [
      "a token of the user",
      () =>
        ({ auth }) => ({ authorization: `Bearer ${String(auth)}` }),
    ],
  ];
  const answers: readonly (readonly [string, Api["answer"]])[] = [
    [
      "echoes it",
      ({ headers: got }, response) => void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(got)),
    ],
    [
      "refuses it",
      ({ headers: got }, response) =>
        void response
          .writeHead(401, { "content-type": "application/json" })
          .end(JSON.stringify({ detail: `no such key: ${got.authorization} ${got["x-api-key"]}` })),
    ],
    [
      "echoes it in an error",
      ({ headers: got }, response) => void response.writeHead(422, { "content-type": "text/plain" }).end(JSON.stringify(got)),
    ],
    [
      "breaks off",
      (_, response) =>
        void response.writeHead(200, { "content-type": "application/json", "content-length": "9" }).write("{", () => response.destroy()),
    ],
    [
      "makes a type of it",
      ({ headers: got }, response) =>
        void response.writeHead(200, { "content-type": `${got["x-api-key"] ?? got.authorization?.split(" ")[1]}` }).end("x"),
    ],
    [
      "makes a host of it",
      ({ headers: got }, response) =>
        void response.writeHead(302, { location: `http://${encodeURIComponent(`${got["x-api-key"] ?? got.authorization}`)}.lan/` }).end(),
    ],
    ["redirects", (_, response) => void response.writeHead(302, { location: "http://10.0.0.1/" }).end()],
  ];

  beforeAll(registerContext);
  afterAll(() => openTelemetryContext.disable());

  it.each(headers.flatMap(([kind, make]) => answers.map(([doing, answer]) => [kind, doing, make, answer] as const)))(
    "%s, where the service %s: not model, messages, log, spans, state or error",
    async (_kind, _doing, make, answer) => {
      api.answer = answer;
      const told = telemetry();
      const entries = keepEntries();
      const events: unknown[] = [];
      const listener: AgentListener = { toolFinished: (event) => void events.push(event), toolStarted: (event) => void events.push(event) };
      const listeners = [
        toolLog({ handlers: [entries] }),
        openTelemetry({ tracer: told.tracer, meter: told.meter, captureContent: true }),
        listener,
      ];
      const scripted = new ScriptedModel([{ toolCalls: [{ name: "echo", arguments: { orderNumber: "7" } }] }, "Done."]);
      const tool = echoTool(make());

      @model(scripted)
      @usesTools([tool])
      class EchoAgent extends Agent {}

      const agent = new EchoAgent();
      const toolContext = { auth: "user/zebra+token==" };
      const response = await agent.generate("Go", { toolContext, listeners });
      expect(response.text).toBe("Done.");
      expect(JSON.stringify(api.requests[0]?.headers)).toMatch(anyForm);
      const error: unknown = await invokeTool(tool, { orderNumber: "7" }, { context: toolContext }).catch((reason: unknown) => reason);

      const shown = [
        response,
        agent.messages,
        entries.entries(),
        told.spans().map(({ attributes, events, status }) => [attributes, events, status]),
        events,
        error,
        (error as Error).cause,
      ]
        .map((value) => `${inspect(value, { depth: 20, showHidden: true })} ${JSON.stringify(value)} ${String(value)}`)
        .join("\n");
      expect(shown).toContain("orderNumber");
      expect(shown).not.toMatch(anyForm);
      await told.stop();
    },
  );

  it("not the state of a run that waits for a person", async () => {
    @model(new ScriptedModel([{ toolCalls: [{ name: "echo", arguments: { orderNumber: "7" } }] }, "Done."]))
    @usesTools([echoTool({ authorization: bearer(secret("ORDERS_TOKEN")) }, true)])
    class EchoAgent extends Agent {}

    const response = await new EchoAgent().generate("Go");
    expect(response.outcome.reason).toBe("awaiting_confirmation");
    expect(JSON.stringify(response)).not.toContain("zebra");
    expect(inspect(response, { depth: 20, showHidden: true })).not.toContain("zebra");
  });
});
