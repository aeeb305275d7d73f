import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** Sends a web response by Node's. Resolves when it has ended, also where the client left before. */
export async function sendResponse(response: Response, target: ServerResponse): Promise<void> {
  // A time limit of the application's may have answered meanwhile: then nobody reads the body.
  if (target.headersSent) return response.body?.cancel();
  target.statusCode = response.status;
  for (const [name, value] of response.headers) if (name !== "set-cookie") target.setHeader(name, value);
  for (const cookie of response.headers.getSetCookie()) target.appendHeader("set-cookie", cookie);
  if (response.body === null) {
    target.end();
    return;
  }
  // The first event may be long in coming.
  target.flushHeaders();
  try {
    await pipeline(Readable.fromWeb(response.body), target);
  } catch {
    // The client left, which has cancelled the body.
  }
}
