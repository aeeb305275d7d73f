/** What the built-in tools work on: a file, and a server in a process of its own, whose time isn't the client's. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Agent, createServer, get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const content = "0123456789abcdef".repeat(256);
const self = fileURLToPath(import.meta.url);

/** `file.txt` with 4 KB of text, in a directory of its own. */
export function temporaryFile() {
  const directory = mkdtempSync(join(tmpdir(), "toolwright-bench-"));
  const path = join(directory, "file.txt");
  writeFileSync(path, content);
  return { directory, path, content, remove: () => rmSync(directory, { recursive: true }) };
}

/** A loopback server that answers 4 KB of text. */
export async function textServer() {
  const server = fork(self, ["serve"]);
  const [port] = await once(server, "message");
  return { url: `http://127.0.0.1:${port}/`, content, stop: () => server.kill() };
}

const agent = new Agent({ keepAlive: true });

/** A GET as an application writes it by hand, on connections that are kept. */
export const nodeGet = (url) =>
  new Promise((resolve, reject) => {
    const request = get(url, { agent }, (response) => {
      const chunks = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("end", () => resolve(Buffer.concat(chunks).toString()));
      response.on("error", reject);
    });
    request.on("error", reject);
  });

if (process.argv[2] === "serve") {
  const server = createServer((_, response) => response.writeHead(200, { "content-type": "text/plain; charset=utf-8" }).end(content));
  server.listen(0, "127.0.0.1", () => process.send(server.address().port));
}
