/**
 * A page that is reloaded in the middle of a run and shows its rest. `npm run example -- web` plays the page;
 * `npm run example -- web/server` serves it to a browser.
 */
import type { AddressInfo } from "node:net";
import { serve } from "./web/server.js";

const { server, runtime } = await serve(0);
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/runs`;

const body = JSON.stringify({ prompt: "Count to 5" });
const started = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
const { runId } = (await started.json()) as { readonly runId: string };

/** Reads events until `isEnough` says so. Gives the id of the last one, as a browser keeps it. */
async function read(after: string, isEnough: (type: string) => boolean): Promise<string> {
  const headers = after === "" ? {} : { "last-event-id": after };
  const { body: stream } = await fetch(`${url}?runId=${runId}`, { headers });
  let last = after;
  let text = "";
  for await (const piece of stream as unknown as AsyncIterable<Uint8Array>) {
    text += new TextDecoder().decode(piece);
    const frames = text.split("\n\n");
    text = frames.pop() ?? "";
    for (const frame of frames) {
      const [, id] = /^id: (.*)$/m.exec(frame) ?? [];
      const [, type] = /^event: (.*)$/m.exec(frame) ?? [];
      if (id === undefined || type === undefined) continue;
      last = id;
      if (!type.endsWith("_delta")) console.log(`   ${type}`);
      // Leaving the loop closes the connection.
      if (isEnough(type)) return last;
    }
  }
  return last;
}

console.log("-- The page reads until the tool begins, and is closed");
const last = await read("", (type) => type === "tool_started");

console.log("\n-- The page comes back with the id of the last event");
await read(last, (type) => type === "done");
console.log(`\nThe run: ${(await runtime.result(runId)).text}`);
await runtime.drain();
server.close();
server.closeAllConnections();
