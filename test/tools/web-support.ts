import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { type LocalServer, serve } from "../net/support.js";

/** A loopback server whose next answers a test writes. */
export interface AnsweringServer extends LocalServer {
  readonly requests: IncomingMessage[];
  answer: RequestListener;
}

export async function answeringServer(): Promise<AnsweringServer> {
  const requests: IncomingMessage[] = [];
  const server: AnsweringServer = {
    requests,
    answer: () => undefined,
    ...(await serve((request, response) => {
      requests.push(request);
      server.answer(request, response);
    })),
  };
  return server;
}

/** Answers with JSON, or with another text. */
export const answerWith =
  (body: unknown, { status = 200, type = "application/json", headers = {} }: AnswerOptions = {}) =>
  (_: IncomingMessage, response: ServerResponse): void =>
    void response
      .writeHead(status, { "content-type": type, ...headers })
      .end(typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body));

interface AnswerOptions {
  readonly status?: number;
  readonly type?: string;
  readonly headers?: Record<string, string>;
}
