import * as main from "../../src/index.js";
import * as gram from "../../src/specification/gram/index.js";
import * as http from "../../src/http/index.js";
import * as models from "../../src/models/index.js";
import * as providerTools from "../../src/models/provider-tools/index.js";
import * as observability from "../../src/observability/index.js";
import * as registry from "../../src/registry/index.js";
import * as specification from "../../src/specification/index.js";
import * as testing from "../../src/testing/index.js";
import * as tools from "../../src/tools/index.js";

const model = new models.ScriptedModel([]);
const document = { openapi: "3.1.0", servers: [{ url: "https://a.example" }], paths: { "/a": { get: {} } } };
const httpTool = {
  name: "get",
  description: "Gets. Use when asked.",
  inputSchema: { type: "object" },
  method: "GET",
  url: "https://a.example/",
} as const;
const Echo = main.createTool("echo", "Echoes. Use when asked.", { type: "object" }, () => "x");
const library = specification.createToolLibrary([Echo] as never);
const variants = { a: library, b: library };

/** What a function is called with that has the misspelt option, the option that is meant, and how the error names the function. */
type Row = readonly [owner: string, call: (options: never) => unknown, misspelt: string, meant: string, needed?: object];

const rows: readonly Row[] = [
  ["rootedAt", (options) => tools.rootedAt(".", options), "readonly", "readOnly"],
  ["fileToolbox", (options) => tools.fileToolbox(".", options), "readonly", "readOnly"],
  ["webToolbox", (options) => tools.webToolbox(options), "scrapper", "scraper"],
  ["webSearch", (options) => tools.webSearch(options), "apikey", "apiKey", { engine: tools.searxng("https://a.example") }],
  ["wikipedia", (options) => tools.wikipedia(options), "useragent", "userAgent"],
  ["webScraper", (options) => tools.webScraper(options), "allowedHost", "allowedHosts"],
  ["openApiToolbox", (options) => http.openApiToolbox(document, options), "includes", "include"],
  ["openApiToolbox", (options) => http.loadOpenApiToolbox(document, options), "header", "headers"],
  ["createHttpTool", (options) => http.createHttpTool(options), "requireConfirmation", "requiresConfirmation", httpTool],
  ["createHttpTool", (options) => http.createHttpTool({ ...httpTool, response: options }), "maxByte", "maxBytes"],
  ["createHttpTool", (options) => http.createHttpTool({ ...httpTool, paging: options }), "maxPage", "maxPages", { by: "link" }],
  ["createRegistry", (options) => registry.createRegistry(options), "projects", "project"],
  ["createWorkspace", (options) => registry.createWorkspace(options), "organization", "organisation"],
  ["experiment", (options) => specification.experiment("x", variants, options), "weight", "weights", { by: () => "x" }],
  ["parseGram", (options) => gram.parseGram("(a)", options), "typeSignature", "typeSignatures"],
  ["toolLog", (options) => observability.toolLog(options), "handler", "handlers", { handlers: [] }],
  ["openTelemetry", (options) => observability.openTelemetry(options), "captureContents", "captureContent"],
  ["keepEntries", (options) => observability.keepEntries(options), "limits", "limit"],
  ["filtered", (options) => observability.filtered(observability.keepEntries(), options), "minlevel", "minLevel"],
  ["filtered", (options) => observability.filtered(observability.keepEntries(), { timeRange: options }), "form", "from"],
  ["entries", (options) => observability.keepEntries().entries(options), "hasErrors", "hasError"],
  ["recordedModel", (options) => testing.recordedModel(model, "x.json", options), "modes", "mode"],
  ["storageTests", (options) => testing.storageTests(options), "persistant", "persistent", { open: () => ({}) }],
  ["invokeTool", (options) => testing.invokeTool(Echo, {}, options), "service", "services"],
  ["ScriptedModel", (options) => new models.ScriptedModel([], options), "ids", "id"],
  ["KeywordModel", (options) => new models.KeywordModel(options), "nows", "now"],
  ["ModelError", (options) => new main.ModelError("m", "x", options), "retriable", "retryable", { retryable: true }],
  ["withRetries", (options) => models.withRetries(model, options), "attempt", "attempts"],
  ["imagePart", (options) => models.imagePart(new Uint8Array([137, 80, 78, 71]), options), "mediatype", "mediaType"],
  ["filePart", (options) => models.filePart(new Uint8Array([1]), options), "fileName", "filename", { mediaType: "text/plain" }],
  ["toProviderTools", (options) => providerTools.toProviderTools([Echo], "openai-chat", options), "stricts", "strict"],
];

/** What a call throws, at once or by its promise. */
async function messageOf(call: () => unknown): Promise<string> {
  try {
    await call();
  } catch (error) {
    return (error as Error).message;
  }
  return "Nothing was thrown.";
}

describe("a misspelt option is an error that names the function, the option and the one that is meant", () => {
  for (const [owner, call, misspelt, meant, needed = {}] of rows) {
    it(`${owner}: ${misspelt}`, async () => {
      const message = await messageOf(() => call({ ...needed, [misspelt]: true } as never));
      expect(message).toContain(owner);
      expect(message).toContain(`unknown option "${misspelt}"`);
      expect(message).toContain(`Did you mean "${meant}"?`);
    });

    it(`${owner}: neither what the prototype has of ${misspelt} nor ${meant} without a value is refused`, async () => {
      const options = Object.assign(Object.create({ [misspelt]: true }) as object, { [meant]: undefined }, needed);
      expect(await messageOf(() => call(options as never))).not.toContain("unknown option");
    });
  }
});

describe("the table above", () => {
  /** Functions that take no options, or whose options are checked by the room that they belong to. */
  const without: ReadonlySet<string> = new Set([
    ...[
      "HttpTool",
      "HttpError",
      "NetworkError",
      "basic",
      "bearer",
      "http",
      "secret",
      "useRegistry",
      "fromRegistry",
      "colouredText",
      "jsonLines",
    ],
    ...[
      "stubTool",
      "withStubs",
      "RecordingError",
      "AskUserTool",
      "CalculatorTool",
      "standardToolbox",
      "WebScraperTool",
      "WikipediaTool",
      "googleCustomSearch",
    ],
    ...["searxng", "agentFromSpecification", "agentSpecificationFromJSON", "agentSpecificationOf", "bindAgent", "usesSpecifications"],
    ...["agentSpecificationFromGram", "agentSpecificationToGram", "toolSpecificationFromGram", "toolSpecificationsFromGram"],
    ...[
      "toolSpecificationToGram",
      "toolSpecificationFromJSON",
      "parseTypeSignature",
      "typeSignatureToJSONSchema",
      "implementSpecification",
    ],
    ...[
      "bindTool",
      "checkBinding",
      "BindingError",
      "createToolLibrary",
      "lookupTool",
      "registerTool",
      "SpecificationError",
      "specificationOf",
    ],
    ...["createToolSpecification"],
  ]);

  it("names every function of these entries", () => {
    const exported = [http, observability, registry, specification, testing, tools].flatMap((room) => Object.entries(room));
    const functions = exported.filter(([, value]) => typeof value === "function").map(([name]) => name);
    const known = new Set([...rows.map(([owner]) => owner), ...without, "loadOpenApiToolbox"]);
    expect(functions.filter((name) => !known.has(name))).toEqual([]);
  });
});
