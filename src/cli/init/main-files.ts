import type { Files } from "../files/write-files.js";
import type { Choices } from "./choices.js";

/** What `npm start` runs, and the test. */
export function mainFiles(choices: Choices): Files {
  const { template } = choices;
  if (template === "plain") return { "src/main.ts": plainMain, "src/shop.test.ts": test(choices, "", plainTest) };
  if (template === "web")
    return { "src/main.ts": webMain, "src/server.ts": webServer, "src/shop.test.ts": test(choices, webImports, webTest) };
  return { "src/main.ts": nestMain, "src/app.module.ts": nestModule, "src/shop.test.ts": test(choices, nestImports, nestTest) };
}

const question = 'When is the shop in "Main Street" open?';

const plainMain = `import { ShopAgent } from "./agent.js";

const prompt = process.argv.slice(2).join(" ") || 'When is the shop in "Main Street" open?';
const response = await new ShopAgent().generate(prompt);
console.log(response.text ?? response.outcome.detail);
`;

const webServer = `import { createServer, type Server } from "node:http";
import { agentHandler, toNodeHandler } from "toolwright/web";
import { ShopAgent } from "./agent.js";

/** Answers POST /chat with { "prompt": "..." }. Use format "sse" to stream the answer to a browser. */
export function makeServer(): Server {
  const chat = toNodeHandler(agentHandler({ agent: () => new ShopAgent(), format: "json" }));
  return createServer((request, response) => {
    if (request.url === "/chat") chat(request, response);
    else response.writeHead(404).end();
  });
}
`;

const webMain = `import type { AddressInfo } from "node:net";
import { makeServer } from "./server.js";

const server = makeServer();
server.listen(Number(process.env.PORT ?? 3000), () => {
  const { port } = server.address() as AddressInfo;
  console.log(\`Ask: POST http://localhost:\${port}/chat {"prompt": "..."}\`);
});
`;

const nestModule = `import { Body, Controller, Module, Post } from "@nestjs/common";
import { AgentFactory, ToolwrightModule } from "toolwright/nest";
import { ShopAgent } from "./agent.js";
import { Shops } from "./shops.js";
import { OpeningHoursTool } from "./tools.js";

@Controller("chat")
export class ChatController {
  constructor(private readonly agents: AgentFactory) {}

  /** Each request has an agent, and so a conversation, of its own. */
  @Post()
  async chat(@Body("prompt") prompt: string) {
    const agent = await this.agents.create(ShopAgent);
    const { text, reason } = await agent.generate(prompt);
    return { text, reason };
  }
}

@Module({
  imports: [ToolwrightModule.forFeature({ tools: [OpeningHoursTool], agents: [ShopAgent] })],
  providers: [Shops],
  controllers: [ChatController],
})
class ShopModule {}

@Module({ imports: [ToolwrightModule.forRoot({}), ShopModule] })
export class AppModule {}
`;

const nestMain = `import "reflect-metadata";
import { NestFactory } from "@nestjs/core";
import { AppModule } from "./app.module.js";

const application = await NestFactory.create(AppModule);
await application.listen(Number(process.env.PORT ?? 3000));
console.log(\`Ask: POST \${await application.getUrl()}/chat {"prompt": "..."}\`);
`;

const plainTest = `
test("the agent answers with the tool", async () => {
  const { text } = await new ShopAgent().generate('${question}');
  assert.equal(text, "The shop in Main Street is open from 9 to 18.");
});
`;

const webImports = `import type { AddressInfo } from "node:net";
import { makeServer } from "./server.js";
`;

/** Asks a server that listens at `url`. */
const asking = `  const response = await fetch(\`\${url}/chat\`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ prompt: '${question}' }),
  });
  const { text } = (await response.json()) as { text: string };
`;

const webTest = `
test("the server answers with the tool", async () => {
  const server = makeServer();
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const url = \`http://localhost:\${(server.address() as AddressInfo).port}\`;
${asking}  assert.equal(text, "The shop in Main Street is open from 9 to 18.");
  server.close();
});
`;

const nestImports = `import "reflect-metadata";
import { NestFactory } from "@nestjs/core";
import { AppModule } from "./app.module.js";
`;

const nestTest = `
test("the application answers with the tool", async () => {
  const application = await NestFactory.create(AppModule, { logger: false, forceCloseConnections: true });
  await application.listen(0);
  const url = await application.getUrl();
${asking}  assert.equal(text, "The shop in Main Street is open from 9 to 18.");
  await application.close();
});
`;

function test({ template, decorators, hasInjection }: Choices, imports: string, ownTest: string): string {
  const isStandard = decorators === "standard" && hasInjection;
  const usesService = hasInjection && !isStandard;
  const lines = [
    imports.includes("node:") ? "" : "",
    'import assert from "node:assert/strict";',
    'import { test } from "node:test";',
    'import { invokeTool } from "toolwright/testing";',
    ...(template === "plain" ? ['import { ShopAgent } from "./agent.js";'] : []),
    ...(usesService ? ['import { Shops } from "./shops.js";'] : []),
    'import { OpeningHoursTool } from "./tools.js";',
  ].filter((line) => line !== "");
  const options = usesService ? ", { services: [new Shops()] }" : "";
  return `${imports}${lines.join("\n")}

test("the tool gets the opening hours", async () => {
  const answer = await invokeTool(OpeningHoursTool, { street: "Main Street" }${options});
  assert.equal(answer, "The shop in Main Street is open from 9 to 18.");
});

test("the tool rejects a call without a street", async () => {
  await assert.rejects(invokeTool(OpeningHoursTool, {}${options}), /street is required/);
});
${ownTest}`;
}
