import { request as send } from "node:http";
import { type Studio, type StudioOptions, startStudio } from "../../src/studio/index.js";
import { createTool } from "../../src/index.js";
import { RefundTool, ShopAgent, WeatherTool } from "../cli/fixtures/shop.js";

/** Waits until its signal is aborted, as a tool that never ends. */
export const endless = { aborted: false };
export const endlessTool = createTool({
  name: "endless",
  description: "Never ends. Use to wait.",
  timeout: Number.POSITIVE_INFINITY,
  inputSchema: { type: "object", properties: {} },
  execute: (_, { abortSignal }) =>
    new Promise((_, reject) => {
      abortSignal.addEventListener("abort", () => {
        endless.aborted = true;
        reject(abortSignal.reason);
      });
    }),
});

export const subjects: Omit<StudioOptions, "page"> = {
  tools: [WeatherTool, RefundTool, endlessTool].map((tool) => ({ tool, module: "shop.ts" })),
  agents: [{ agent: ShopAgent, module: "shop.ts", choosesTools: false, make: async () => new ShopAgent() }],
  findings: [],
  context: { userId: "42" },
  changedFiles: () => [],
};

export const openStudio = (options: Partial<StudioOptions> = {}): Promise<Studio> =>
  startStudio({ ...subjects, page: __dirname, port: 0, ...options });

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly json: any;
  /** The server-sent events. */
  readonly events: readonly any[];
}

/** Sends a request as the page does; `headers` replace those of the page. */
export function ask(
  studio: Pick<Studio, "port" | "token">,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const request = send(
      {
        ...{ host: "127.0.0.1", port: studio.port, path, method: body === undefined ? "GET" : "POST" },
        headers: { authorization: `Bearer ${studio.token}`, "content-type": "application/json", ...headers },
      },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
        response.on("end", () => {
          const isStream = response.headers["content-type"]?.startsWith("text/event-stream") === true;
          const frames = text.split("\n\n").filter((frame) => frame.startsWith("data: "));
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            json: !isStream && text.startsWith("{") ? JSON.parse(text) : undefined,
            events: frames.map((frame) => JSON.parse(frame.slice("data: ".length))),
          });
        });
      },
    );
    request.on("error", reject);
    request.end(typeof body === "string" ? body : JSON.stringify(body));
  });
}
