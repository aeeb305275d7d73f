import { once } from "node:events";
import { createServer } from "node:http";

/** A server on the loopback that doesn't keep the process alive; `answer` gets request and response. Gives its `host:port`. */
export async function localServer(answer) {
  const server = createServer(answer);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  server.unref();
  return `127.0.0.1:${server.address().port}`;
}

/** The body of a request as text. */
export async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
