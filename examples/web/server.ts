/** Serves the page and its runs: npm run example -- web/server, then open http://127.0.0.1:3000/ */
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Agent, description, effect, Integer, identifier, model, required, requiresConfirmation, Tool, usesTools } from "toolwright";
import { InProcessRuntime } from "toolwright/durable";
import { MemoryStorage } from "toolwright/storage";
import { runHandler, toNodeHandler } from "toolwright/web";

@identifier("count")
@description("Counts slowly. Use when the user wants something to be counted.")
class CountTool extends Tool {
  @required(Integer, { description: "The number to count to", minimum: 1, maximum: 9 })
  to!: number;

  async call() {
    await sleep(this.to * 100);
    return `Counted to ${this.to}.`;
  }
}

@identifier("reset")
@description("Resets the counter to zero. Use when the user wants to reset it.")
@effect("idempotent")
@requiresConfirmation()
class ResetTool extends Tool {
  call() {
    return "The counter is zero.";
  }
}

@model("embedded/keyword")
@usesTools([CountTool, ResetTool])
class CountAgent extends Agent {}

/** Listens on a port; 0 chooses a free one. SIGTERM leaves the runs to another process. */
export async function serve(port: number): Promise<{ readonly server: Server; readonly runtime: InProcessRuntime }> {
  const runtime = new InProcessRuntime({ storage: new MemoryStorage(), agents: [CountAgent] });
  // An application takes the user from its session, and compares it in authorise.
  const runs = toNodeHandler(runHandler({ runtime, start: () => ({ agent: CountAgent }), authorise: () => true }));
  const page = readFileSync(new URL("page.html", import.meta.url));
  const server = createServer((request, response) => {
    if (request.url?.startsWith("/runs") === true) return void runs(request, response);
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page);
  });
  process.once("SIGTERM", async () => {
    await runtime.drain({ deadline: 10_000 });
    server.close();
    server.closeAllConnections();
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return { server, runtime };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { server } = await serve(Number(process.env.PORT ?? 3000));
  console.log(`Open http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}
