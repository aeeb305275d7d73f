import { Worker } from "node:worker_threads";
import { Agent, model, usesTools } from "../../src/agent/index.js";
import { createRunScope, ToolExecutor } from "../../src/execution/index.js";
import { type ChatModel, noUsage, ScriptedModel, withTimeout } from "../../src/models/index.js";
import { GuardedClient } from "../../src/net/index.js";
import { startDeadline } from "../../src/timing/index.js";
import { createTool } from "../../src/tool/index.js";
import { until } from "../support/until.js";

/** How many requests have reached the server, and how many it has answered. */
const counts = new Int32Array(new SharedArrayBuffer(8));

/** A server in a thread of its own, which answers while this one is busy. */
const server = new Worker(
  `const { createServer } = require("node:http");
   const { parentPort, workerData: counts } = require("node:worker_threads");
   const text = require("node:crypto").randomBytes(10_000).toString("hex");
   const packed = require("node:zlib").gzipSync(text);
   const server = createServer((request, response) => {
     Atomics.add(counts, 0, 1);
     setTimeout(() => {
       response.setHeader("content-type", "text/plain");
       if (request.url === "/packed") response.setHeader("content-encoding", "gzip").end(packed);
       else response.end("x".repeat(Number(request.url.slice(1))));
       Atomics.add(counts, 1, 1);
     }, 50);
   });
   // An idle connection isn't closed while this thread's client is busy.
   server.keepAliveTimeout = 0;
   server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));`,
  { eval: true, workerData: counts },
);
let origin: string;
beforeAll(async () => {
  const port = await new Promise((resolve) => server.once("message", resolve));
  origin = `http://127.0.0.1:${port}`;
  // The first request of a process takes longer to leave, and its first packed answer to be read.
  await get();
  await unpacked();
});
beforeEach(() => counts.fill(0));
afterAll(() => server.terminate());

/** The time that what the tests begin has. It must not be over before a request reaches the server, however busy the machine is. */
const enough = 500;

/** Keeps the event loop busy, as code that computes does. */
const sleep = (milliseconds: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);

/** Keeps the event loop busy while the answer arrives, and far past the deadline: it has as much time again to be read. */
function block(): void {
  const end = performance.now() + 3 * enough;
  while (Atomics.load(counts, 0) > Atomics.load(counts, 1) || performance.now() < end) sleep(20);
  sleep(50);
}

/** Begins once the request has arrived, in the part of the event loop that comes right before the timers. */
async function blockSoon(): Promise<void> {
  await until(() => Atomics.load(counts, 0) > 0);
  await new Promise((resolve) => setImmediate(resolve));
  block();
}

const get = async (bytes = 10) => (await (await fetch(`${origin}/${bytes}`)).text()).length;

const unpacked = async () => (await (await fetch(`${origin}/packed`)).text()).length;

const toolOf = (name: string, execute: () => unknown) =>
  createTool({ name, description: "For tests. Use never.", inputSchema: { type: "object" }, timeout: enough, execute });

describe("a deadline that is late because code kept the event loop busy", () => {
  it.each([10, 100_000])("doesn't fail a tool whose answer of %s bytes arrived in time", async (bytes) => {
    const executor = new ToolExecutor({ tools: [toolOf("fetch", () => get(bytes))] });
    const call = executor.call({ id: "c1", name: "fetch", arguments: "{}" }, createRunScope());
    await blockSoon();

    expect(await call).toMatchObject({ data: bytes });
  });

  it("doesn't fail a tool whose packed answer arrived in time", async () => {
    const executor = new ToolExecutor({ tools: [toolOf("fetch", unpacked)] });
    const call = executor.call({ id: "c1", name: "fetch", arguments: "{}" }, createRunScope());
    await blockSoon();

    expect(await call).toMatchObject({ data: 20_000 });
  });

  it("doesn't fail a model whose answer arrived in time", async () => {
    const remote: ChatModel = {
      id: "test/remote",
      generate: async () => ({ text: String(await get()), toolCalls: [], finishReason: "stop", usage: noUsage }),
    };
    const answer = withTimeout(remote, enough).generate({ messages: [], tools: [] });
    await blockSoon();

    expect((await answer).text).toBe("10");
  });

  it("doesn't fail a guarded request whose answer arrived in time", async () => {
    const client = new GuardedClient({ allowedHosts: ["127.0.0.1"] });
    await client.fetch(`${origin}/10`);
    counts.fill(0);
    const answer = client.fetch(`${origin}/10`, { timeout: enough });
    await blockSoon();

    expect((await answer).status).toBe(200);
  });

  it("doesn't end a run by its wall time whose last answer arrived in time", async () => {
    @model({
      id: "test/remote",
      generate: async () => ({ text: String(await get()), toolCalls: [], finishReason: "stop", usage: noUsage }),
    })
    class RemoteAgent extends Agent {}
    const run = RemoteAgent.generate("Hi", { budget: { wallTime: enough } });
    await blockSoon();

    expect((await run).outcome.reason).toBe("success");
  });

  it("doesn't fail other runs by a tool that keeps the event loop busy", async () => {
    const script = (name: string) => new ScriptedModel([{ toolCalls: [{ name }] }, "Done."]);
    @model(script("fetch"))
    @usesTools([toolOf("fetch", () => get())])
    class FetchAgent extends Agent {}
    @model(script("block"))
    @usesTools([toolOf("block", blockSoon)])
    class BlockAgent extends Agent {}

    const [response] = await Promise.all([FetchAgent.generate("Go"), BlockAgent.generate("Go")]);
    expect(response.steps[0]?.toolCalls[0]).toMatchObject({ data: 10 });
  });

  it("still ends what has no answer, and calls that begin meanwhile keep their own deadline", async () => {
    const executor = new ToolExecutor({ tools: [toolOf("hang", () => new Promise(() => undefined))] });
    const hang = () => executor.call({ id: "c1", name: "hang", arguments: "{}" }, createRunScope());
    const first = hang();
    block();
    const second = hang();

    expect(await first).toMatchObject({ errorType: "timeout_error" });
    expect(await second).toMatchObject({ errorType: "timeout_error" });
  });

  it("gives a call that begins meanwhile time of its own for its answer", async () => {
    const hang = toolOf("hang", () => new Promise(() => undefined));
    const executor = new ToolExecutor({ tools: [hang, toolOf("fetch", () => unpacked())] });
    const hung = executor.call({ id: "c1", name: "hang", arguments: "{}" }, createRunScope());
    block();
    // The first deadline waits for input now.
    await new Promise((resolve) => setTimeout(resolve, 10));
    const call = executor.call({ id: "c2", name: "fetch", arguments: "{}" }, createRunScope());
    await blockSoon();

    expect(await call).toMatchObject({ data: 20_000 });
    expect(await hung).toMatchObject({ errorType: "timeout_error" });
  });

  it("can be cancelled while the input is read", async () => {
    const expire = jest.fn();
    const cancel = startDeadline(5, expire);
    sleep(50);
    await new Promise((resolve) => setImmediate(resolve));
    cancel();
    await new Promise((resolve) => setTimeout(resolve, 20));

    expect(expire).not.toHaveBeenCalled();
  });
});
