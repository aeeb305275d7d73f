import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { type LocalServer, serve } from "../net/support.js";

/** A request as a server saw it. */
export interface SeenRequest {
  readonly method: string;
  /** Path and query as they were sent. */
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** A loopback API that keeps what it was asked; a test writes its next answers. */
export interface Api extends LocalServer {
  readonly requests: SeenRequest[];
  answer: (request: SeenRequest, response: ServerResponse) => void;
}

export async function startApi(): Promise<Api> {
  const requests: SeenRequest[] = [];
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      const seen: SeenRequest = { method, url, headers, body: Buffer.concat(chunks).toString() };
      requests.push(seen);
      api.answer(seen, response);
    });
  };
  const api: Api = { requests, answer: answerWith({}), ...(await serve(listener)) };
  return api;
}

/** Answers with JSON, or with another text. */
export const answerWith =
  (body: unknown, { status = 200, type = "application/json", headers = {} }: AnswerOptions = {}): Api["answer"] =>
  (_, response) =>
    void response.writeHead(status, { "content-type": type, ...headers }).end(typeof body === "string" ? body : JSON.stringify(body));

interface AnswerOptions {
  readonly status?: number;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}
