import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** Sends a web response by Node's. Resolves when it has ended, also if the client left before. */
export async function sendResponse(response: Response, target: ServerResponse): Promise<void> {
  // The client left, or a time limit of the application has answered: no one will read the body.
  if (target.headersSent || target.destroyed || target.writableEnded) return response.body?.cancel();
  target.statusCode = response.status;
  for (const [name, value] of response.headers) if (name !== "set-cookie") target.setHeader(name, value);
  for (const cookie of response.headers.getSetCookie()) target.appendHeader("set-cookie", cookie);
  if (response.body === null) {
    target.end();
    return;
  }
  // The first event may be long in coming.
  target.flushHeaders();
  const body = Readable.fromWeb(response.body);
  try {
    await pipeline(body, target);
  } catch {
    // The client left. A pipeline that never began leaves the body as it is, and a body that isn't read must end its run.
    body.destroy();
  }
}
