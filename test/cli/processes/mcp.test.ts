import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { until } from "../../support/until.js";
import { compileProgram, modules, program, ran, Running } from "./program.js";

const { version } = JSON.parse(readFileSync(join(__dirname, "../../../package.json"), "utf8")) as { readonly version: string };
beforeAll(compileProgram);

const clients: Client[] = [];
const running: Running[] = [];
afterEach(async () => {
  await Promise.all([...clients.splice(0).map((client) => client.close()), ...running.splice(0).map((one) => one.kill())]);
});

function newClient(): Client {
  const client = new Client({ name: "test", version: "1.0.0" });
  clients.push(client);
  return client;
}

function start(...given: string[]): Running {
  const started = new Running(given);
  running.push(started);
  return started;
}

describe("mcp over standard input and output", () => {
  it("serves the tools of a module, also if module and tool print to standard output", async () => {
    const client = newClient();
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [program, "mcp", "desk.js"], cwd: modules, stderr: "ignore" }),
    );
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["ask_colour", "greet", "refund"]);
    expect(await client.callTool({ name: "greet", arguments: { person: "Ada" } })).toMatchObject({
      content: [{ type: "text", text: "Good day, Ada." }],
    });
  });

  it("serves a module named by its absolute path from another folder", async () => {
    const client = newClient();
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [program, "mcp", join(modules, "desk.js")], cwd: "/", stderr: "ignore" }),
    );
    expect(client.getServerVersion()).toMatchObject({ name: "toolwright", version });
    expect((await client.listTools()).tools).toHaveLength(3);
  });

  it("ends with 0 when the client closes standard input", async () => {
    const served = start("mcp", "desk.js");
    await until(() => served.errors.includes("Serving"));
    served.process.stdin.end();
    expect(await served.exited).toBe(0);
    expect([served.output, served.errors]).toEqual([
      "",
      "The desk opens.\nServing 3 tools of toolwright over standard input and output. Ctrl-C ends it.\n",
    ]);
  });

  it("ends with 130 on Ctrl-C", async () => {
    const served = start("mcp", "desk.js");
    await until(() => served.errors.includes("Serving"));
    served.process.kill("SIGINT");
    expect(await served.exited).toBe(130);
  });
});

describe("mcp over HTTP", () => {
  it("serves the tools at the URL that it prints, until Ctrl-C", async () => {
    const served = start("mcp", "desk.js", "--port", "0", "--json");
    await until(() => served.output.endsWith("}\n"));
    const { url, tools } = JSON.parse(served.output) as { url: string; tools: string[] };
    expect(tools).toEqual(["ask_colour", "greet", "refund"]);
    const client = newClient();
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    expect(await client.callTool({ name: "greet", arguments: { person: "Ada" } })).toMatchObject({
      content: [{ type: "text", text: "Good day, Ada." }],
    });
    served.process.kill("SIGINT");
    expect(await served.exited).toBe(130);
  });

  it("fails if the port is taken, and says what to do", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as AddressInfo;
    const { exitCode, errors } = await ran(["mcp", "desk.js", "--port", String(port)]);
    other.close();
    expect(exitCode).toBe(1);
    expect(errors).toContain(`Error: --port: port ${port} is taken. Choose another one, or 0 for a free one.`);
  });

  it.each(["65536", "http", "-1"])("rejects --port %s", async (port) => {
    const { exitCode, errors } = await ran(["mcp", "desk.js", "--port", port]);
    expect(exitCode).toBe(2);
    expect(errors).toContain("--port must be a whole number from 0 to 65535");
  });
});
