import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createHttpTool, type HttpOptions, secret } from "../../../src/http/index.js";
import type * as http from "../../../src/http/index.js";
import { invokeTool } from "../../../src/testing/index.js";
import { type ErrorsOf, type Example, type Examples, errorOf, type Met } from "./example.js";

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** What a tool's request to a service ends with, as the cause of the error of its caller. */
async function met(answer: Answer | undefined, options: HttpOptions = {}): Promise<Met> {
  const service = createServer((_, response) => {
    response.writeHead(answer?.status ?? 200, { "content-type": "application/json", ...answer?.headers });
    response.end(JSON.stringify(answer?.body ?? {}));
  });
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(service.address() as AddressInfo).port}`;
  if (answer === undefined) await new Promise((resolve) => service.close(resolve));
  const tool = createHttpTool({
    ...{ name: "order", description: "Gets an order. Use when asked for one.", inputSchema: { type: "object" } },
    ...{ method: "GET", url: `http://${host}/orders/7`, ...options },
  });
  try {
    const { name, message } = (await errorOf(() => invokeTool(tool, {}))).cause as Error;
    return { name, message: message.replaceAll(host, "api.example.com") };
  } finally {
    service.closeAllConnections();
    service.close();
  }
}

const missing: Example = () => met({ status: 200 }, { headers: { "x-api-key": secret("ORDERS_TOKEN") } });
const forbidden: Example = () => met({ status: 403 });
const notThere: Example = () => met({ status: 404, body: { message: "No order 7" } });
const refused: Example = () => met({ status: 422, body: { errors: { price: ["must be above 0"] } } }, { method: "PUT" });
const tooMany: Example = () => met({ status: 429, headers: { "retry-after": "30" } });
const outage: Example = () => met({ status: 502 }, { method: "POST" });
const unpicked: Example = () => met({ status: 200 }, { response: { pick: "data" } });

const unreachable: Example = () => met(undefined);
const elsewhere: Example = () => met({ status: 302, headers: { location: "http://10.0.0.1/" } });
const page: Example = () => met({ status: 200, headers: { "content-type": "text/html" } });

/** What a tool meets that makes requests; in the order of its rows. */
export const httpErrors: Examples<ErrorsOf<typeof http>> = {
  HttpError: [missing, forbidden, notThere, refused, tooMany, outage, unpicked],
  NetworkError: [unreachable, elsewhere, page],
};
