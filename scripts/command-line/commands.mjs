/** Each command of the packed program, with an input that works and one that doesn't. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { dataFolder } from "../../test/support/data-folder.cjs";
import { expect, run } from "./program.mjs";
import { answer, question } from "./projects.mjs";

/** Tries all commands in a project of `init`, which has @swc/core. */
export async function tryCommands(project, step) {
  const bin = resolve(project, "node_modules/.bin/toolwright");
  const works = (parameters, part, options) => expect(run(bin, parameters, project, options), part, `toolwright ${parameters.join(" ")}`);
  const fails = (parameters, exitCode, part) =>
    expect(run(bin, parameters, project, { exitCode, both: true }), part, `toolwright ${parameters.join(" ")}`);
  const trials = makeTrials({ project, bin, works, fails });
  const commands = [...run(bin, ["--help"], project).matchAll(/^ {2}([a-z]+) .*[[<]/gm)].map(([, name]) => name);
  const untried = commands.filter((name) => trials[name] === undefined);
  if (commands.length === 0 || untried.length > 0) throw new Error(`Commands without a trial: ${untried.join(", ")}`);
  for (const [name, trial] of Object.entries(trials)) await step(name, trial);
}

const makeTrials = ({ project, bin, works, fails }) => ({
  init() {
    works(["init", "another", "--yes"], "npm install");
    fails(["init", "another", "--yes"], 2, "would be written over");
  },
  list() {
    works(["list"], "opening_hours");
    fails(["list", "src/agents.ts"], 2, "Did you mean src/agent.ts?");
  },
  show() {
    works(["show", "opening_hours"], "street");
    fails(["show", "opening_hour"], 2, 'Did you mean "opening_hours"?');
  },
  schema() {
    works(["schema", "--provider", "gemini"], "opening_hours");
    fails(["schema", "--provider", "gemeni"], 2, "Allowed choices");
  },
  check() {
    works(["check", "--strict"], "0 errors, 0 warnings");
    writeFileSync(join(project, "twins.mjs"), twins);
    fails(["check", "twins.mjs"], 1, 'Another tool is named "find_order"');
  },
  call() {
    works(["call", "opening_hours", "--street", "Main Street"], answer);
    fails(["call", "opening_hours"], 2, "street is required");
  },
  chat() {
    works(["chat", "shop_agent", question], answer);
    works(["chat", "shop_agent"], answer, { input: `${question}\n` });
    fails(["chat", "shop_agent", "Hello", "--context", "tsconfig.nothing.json"], 2, "there is no file tsconfig.nothing.json");
  },
  async mcp() {
    fails(["mcp"], 1, "npm install @modelcontextprotocol/server");
    run("npm", ["install", "--no-audit", "--no-fund", "@modelcontextprotocol/server", "@modelcontextprotocol/client"], project);
    const client = new Client({ name: "newcomer", version: "1" });
    await client.connect(new StdioClientTransport({ command: bin, args: ["mcp"], cwd: project, stderr: "ignore" }));
    const { content } = await client.callTool({ name: "opening_hours", arguments: { street: "Main Street" } });
    await client.close();
    expect(JSON.stringify(content), answer, "a call over MCP");
    fails(["mcp", "--port", "many"], 2, "--port must be a whole number");
  },
  async studio() {
    const studio = spawn(bin, ["studio", "--port", "0", "--json"], { cwd: project, stdio: ["ignore", "pipe", "ignore"] });
    const ended = once(studio, "exit");
    const { url } = JSON.parse((await once(studio.stdout, "data")).toString());
    const response = await fetch(url);
    studio.kill("SIGINT");
    const [exitCode] = await ended;
    if (!response.ok || exitCode !== 130) throw new Error(`toolwright studio answered ${response.status}, and ended with ${exitCode}.`);
    fails(["studio", "--port", "many"], 2, "--port must be a whole number");
  },
  eval() {
    const good = { prompt: question, expect: { calls: [{ tool: "opening_hours", arguments: { street: "Main Street" } }] } };
    writeFileSync(join(project, "cases.jsonl"), `${JSON.stringify(good)}\n`);
    works(["eval", "shop_agent", "cases.jsonl", "--threshold", "100%"], "Reached the threshold of 100.0 %");
    writeFileSync(join(project, "broken.jsonl"), `${JSON.stringify(good)}\n{"prompt": \n${JSON.stringify(good)}\n`);
    fails(["eval", "shop_agent", "broken.jsonl"], 2, "line 2");
  },
  runs() {
    writeFileSync(join(project, "waiting-run.mjs"), waitingRun);
    run(process.execPath, ["waiting-run.mjs"], project);
    works(["runs", "--storage", "data"], "order-7  clerk  waiting");
    fails(["runs", "--storage", "date"], 2, "--storage: there is no date");
  },
  decide() {
    fails(["decide", "order-7", "--storage", "data", "--edit", "{euros}"], 2, "--edit: this isn't JSON");
    works(["decide", "order-7", "--storage", "data", "--approve"], "Recorded.");
    fails(["decide", "order-7", "--storage", "data", "--approve"], 2, "No call of the run");
  },
  import() {
    importDocuments(project, bin);
    fails(["import", "openapi", "package.json"], 1, "package.json");
    writeFileSync(join(project, "tools.json"), run(bin, ["schema"], project));
    works(["import", "json-schema", "tools.json", "--out", "src/imported/schemas"], "Wrote 1 tool");
    fails(["import", "json-schema", "cases.jsonl.txt"], 2, "there is no file");
    works(["import", "mcp", "--name", "shop", "--out", "src/imported/server", "--", bin, "mcp"], "Wrote 1 tool");
    fails(["import", "mcp", "--name", "none", "--", process.execPath, "--eval", "process.exit(1)"], 1, 'The MCP server "none" ended');
    run("npx", ["tsc", "--noEmit"], project);
  },
});

/** The classes of every document compile with the others, and pass `check`. */
function importDocuments(project, bin) {
  const documents = resolve(dataFolder, "openapi");
  for (const file of readdirSync(documents).filter((name) => name.endsWith(".json"))) {
    const out = `src/imported/${basename(file, ".json")}`;
    run(bin, ["import", "openapi", join(documents, file), "--base-url", "https://api.example.com", "--out", out], project);
    const { errors, tools } = JSON.parse(run(bin, ["check", `${out}/index.ts`, "--json"], project));
    if (errors > 0 || tools === 0) throw new Error(`${file}: ${tools} tools, ${errors} errors.`);
  }
}

const twins = `import { createTool } from "toolwright";
const make = () => createTool("find_order", "Finds an order. Use when the user asks about an order.", { type: "object", properties: {} }, () => "");
export const twins = [make(), make()];
`;

/** A run in ./data that waits for approval. */
const waitingRun = `import { Agent, createTool, identifier, model, usesTools } from "toolwright";
import { InProcessRuntime } from "toolwright/durable";
import { FileStorage } from "toolwright/storage";

const refund = createTool({
  name: "refund",
  description: "Refunds euros. Use when the user wants money back.",
  inputSchema: { type: "object", properties: { euros: { type: "number" } }, required: ["euros"] },
  requiresConfirmation: true,
  execute: ({ euros }) => euros,
});
class Clerk extends Agent {}
identifier("clerk")(Clerk);
model("embedded/keyword")(Clerk);
usesTools([refund])(Clerk);

const storage = new FileStorage("data");
const runtime = new InProcessRuntime({ storage, agents: [Clerk] });
await runtime.start(Clerk, "Refund 20 euros", { runId: "order-7" });
for await (const { event } of runtime.events("order-7")) if (event.type === "confirmation_required") break;
await runtime.drain();
await storage.close();
`;
