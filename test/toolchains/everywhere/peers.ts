import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Injectable, Module } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { RunContext } from "@openai/agents";
import { trace } from "@opentelemetry/api";
import * as tracing from "@opentelemetry/sdk-trace-base";
import {
  Agent,
  createTool,
  description,
  identifier,
  model,
  required,
  Tool,
  ToolDefinitionError,
  type ToolContext,
  usesTools,
} from "toolwright";
import { toAiSdkTools } from "toolwright/ai-sdk";
import { explicitTypes } from "toolwright/bundler";
import { openApiToolbox } from "toolwright/http";
import { toLangChainTools } from "toolwright/langchain";
import { mcpToolbox, serveMcp } from "toolwright/mcp";
import { ToolwrightModule } from "toolwright/nest";
import { openTelemetry } from "toolwright/observability";
import { toOpenAiAgentsTools } from "toolwright/openai-agents";
import { FileStorage, MemoryStorage, PostgresStorage, SqliteStorage, StorageError } from "toolwright/storage";
import { invokeTool, storageTests } from "toolwright/testing";
import { webScraper } from "toolwright/tools";
import { z } from "zod";
import { nodeChecks } from "./node-checks.js";
import { type Check, outcomesOf, refusal } from "./readme.js";

const echo = createTool({
  name: "echo",
  description: "Repeats a text. Use in tests.",
  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] } as const,
  execute: ({ text }) => `heard ${text}`,
});

@Injectable()
class Stations {
  at(city: string) {
    return `Sunny in ${city}.`;
  }
}

@identifier("weather")
@description("Gets the current weather for a city. Use when the user asks about weather now.")
class WeatherTool extends Tool {
  @required(String)
  city!: string;

  constructor(private readonly stations: Stations) {
    super();
  }

  call(_: ToolContext) {
    return this.stations.at(this.city);
  }
}

@model("embedded/keyword")
@usesTools([WeatherTool])
class WeatherAgent extends Agent {}

@Module({
  imports: [ToolwrightModule.forRoot({}), ToolwrightModule.forFeature({ tools: [WeatherTool], agents: [WeatherAgent] })],
  providers: [Stations],
})
class AppModule {}

const check = (title: string, run: () => Promise<unknown>): Check => ({ title, run: () => run().then(() => undefined) });

async function runsAll(storage: Parameters<typeof storageTests>[0]) {
  for (const { title, run } of storageTests(storage)) {
    await run().catch((error: unknown) => {
      throw new Error(title, { cause: error });
    });
  }
}

const openApiDocument = `
openapi: 3.1.0
info: { title: Weather, version: 1 }
servers: [{ url: https://api.example.com }]
paths:
  /weather:
    get:
      operationId: getWeather
      summary: Gets the weather.
      responses:
        200: { description: OK }
`;

const shoutTool = `
import { description, identifier, required, Tool } from "toolwright";

@identifier("shout")
@description("Shouts a text. Use in tests.")
export class ShoutTool extends Tool {
  @required()
  text!: string;

  call() {
    return this.text.toUpperCase();
  }
}
`;

const directory = mkdtempSync(join(tmpdir(), "toolwright-peers-"));
process.on("exit", () => rmSync(directory, { recursive: true, force: true }));

const peerChecks: readonly Check[] = [
  check("Nest", async () => {
    const application = await NestFactory.createApplicationContext(AppModule, { logger: ["error"], abortOnError: false });
    const { text } = await (await application.resolve(WeatherAgent)).generate("What is the weather in Paris?");
    assert.equal(text, "Sunny in Paris.");
    await application.close();
  }),
  check("OpenTelemetry", async () => {
    const spans: string[] = [];
    const ignore = async () => {};
    const processor = { onStart: ignore, onEnd: ({ name }: { name: string }) => spans.push(name), shutdown: ignore, forceFlush: ignore };
    // Version 3 of the SDK has another name for it.
    const { BasicTracerProvider, TracerProvider = BasicTracerProvider } = tracing as Record<string, any>;
    trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [processor] }));
    @model("embedded/keyword")
    @usesTools([echo])
    class EchoAgent extends Agent {}
    await new EchoAgent().generate('Repeat the text "tea".', { listeners: [openTelemetry()] });
    assert.ok(
      spans.some((name) => name.includes("echo")),
      spans.join(),
    );
  }),
  check("LangChain", async () => {
    const [tool] = toLangChainTools([echo]);
    assert.equal(await tool?.invoke({ text: "tea" }), "heard tea");
  }),
  check("OpenAI Agents", async () => {
    const [tool] = toOpenAiAgentsTools([echo]);
    assert.equal(await tool?.invoke(new RunContext({}), '{"text":"tea"}'), "heard tea");
  }),
  check("AI SDK", async () => {
    const execute = toAiSdkTools([echo]).echo?.execute as (input: unknown, call: object) => Promise<unknown>;
    assert.equal(await execute({ text: "tea" }, { toolCallId: "call_1", messages: [] }), "heard tea");
  }),
  {
    title: "zod",
    async run() {
      const inputSchema = z.object({ lines: z.array(z.string()).min(1) });
      try {
        const tool = createTool({ name: "pack", description: "Packs. Use in tests.", inputSchema, execute: ({ lines }) => lines.length });
        assert.equal(await invokeTool(tool, { lines: ["tea"] }), 1);
        await assert.rejects(invokeTool(tool, { lines: [] }), /lines/);
        return undefined;
      } catch (error) {
        if (!(error instanceof ToolDefinitionError)) throw error;
        return refusal(error, "Update zod to 4.2 or newer");
      }
    },
  },
  check("MCP over stdio", async () => {
    const server = join(dirname(fileURLToPath(import.meta.url)), "mcp-server.js");
    const flags = ["--pending-deprecation", "--throw-deprecation"];
    const toolbox = await mcpToolbox({ command: process.execPath, args: [...flags, server] }, { prefix: "remote" });
    assert.match(JSON.stringify(await invokeTool(toolbox.tools[0] as never, { text: "tea" } as never)), /heard tea/);
    await toolbox.close();
  }),
  check("MCP over HTTP", async () => {
    const serving = await serveMcp({ name: "everywhere", version: "1.0.0", tools: [echo], transport: { port: 0 } });
    const toolbox = await mcpToolbox({ url: serving.url ?? "" }, { prefix: "remote" });
    assert.match(JSON.stringify(await invokeTool(toolbox.tools[0] as never, { text: "tea" } as never)), /heard tea/);
    await toolbox.close();
    await serving.close();
  }),
  check("Storages in memory, files and SQLite", async () => {
    await runsAll({ open: () => new MemoryStorage(), persistent: false, shared: false });
    await runsAll({ open: (name) => new FileStorage(join(directory, name)), persistent: true, shared: false });
    if (Number(process.versions.node.split(".")[0]) < 22) return;
    await runsAll({ open: (name) => new SqliteStorage(join(directory, `${name}.sqlite`)), persistent: true, shared: true });
  }),
  check("An OpenAPI document in YAML", async () => {
    const file = join(directory, "weather.yaml");
    writeFileSync(file, openApiDocument);
    assert.deepEqual(
      openApiToolbox(file).tools.map(({ identifier }) => identifier),
      ["getWeather"],
    );
  }),
  check("A web page", async () => {
    const server = createServer((_, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end("<title>Tea</title><p>Green</p><p class=b>Black</p>");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const page = await invokeTool(webScraper({ allowedHosts: ["127.0.0.1"] }), { url, selector: ".b" });
    server.close();
    assert.deepEqual(page, { title: "Tea", text: "Black" });
  }),
  check("Types that the plug-in writes", async () => {
    const { transform } = explicitTypes.raw(undefined, { framework: "rollup", versions: {} }) as Record<string, any>;
    const code = 'import { required } from "toolwright";\nexport class CityTool { @required() city!: string }\n';
    const written = await transform.handler.call({ addWatchFile() {}, resolve: async () => null }, code, join(directory, "city.ts"));
    assert.match(written.code, /@required\(String\)/);
  }),
  check("The command line with TypeScript", async () => {
    writeFileSync("shout.ts", shoutTool);
    const program = join(dirname(fileURLToPath(import.meta.resolve("toolwright/package.json"))), "dist/esm/cli/main.js");
    const printed = execFileSync(process.execPath, [program, "list", "shout.ts", "--json"], { encoding: "utf8" });
    assert.match(printed, /"shout"/);
  }),
  check("Postgres that is away", async () => {
    const storage = new PostgresStorage({ connectionString: "postgres://user:password@127.0.0.1:1/app" });
    await assert.rejects(async () => storage.conversations.load("conversation"), StorageError);
    await storage.close();
  }),
];

void outcomesOf([...nodeChecks, ...peerChecks]).then((lines) => {
  console.log(lines);
  process.exit();
});
