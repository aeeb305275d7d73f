import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Agent, model, usesTools } from "../../src/agent/index.js";
import type { RunState } from "../../src/loop/index.js";
import { type ChatModel, ScriptedModel, type ScriptedStep } from "../../src/models/index.js";
import { description, identifier, required, requiresConfirmation, Tool, type ToolContext } from "../../src/tool/index.js";

/** What happened to tools, for tests to look at. */
export const happened: string[] = [];

@identifier("weather")
@description("Tells the weather. Use when the user asks about weather.")
export class WeatherTool extends Tool {
  @required(String) city!: string;

  call({ progress }: ToolContext) {
    progress(0.5, `asking ${this.city}`);
    if (this.city === "Atlantis") throw new Error("No station under water, at https://root:hunter2@station.example.");
    return { city: this.city, sky: "sunny" };
  }
}

@identifier("refund")
@description("Refunds an order. Use when the user wants the money back.")
@requiresConfirmation()
export class RefundTool extends Tool {
  @required(String) order!: string;

  call() {
    happened.push(`refunded ${this.order}`);
    return `Refunded ${this.order}.`;
  }
}

@identifier("wait")
@description("Waits for ever. Use never.")
export class WaitTool extends Tool {
  async call({ abortSignal }: ToolContext) {
    happened.push("waiting");
    await new Promise((resolve) => abortSignal.addEventListener("abort", resolve));
    happened.push("aborted");
  }
}

export const callOf = (name: string, input: Record<string, unknown> | string = {}) => ({ name, arguments: input });

export function agentOf(source: ChatModel | readonly ScriptedStep[]): Agent {
  @model("generate" in source ? source : new ScriptedModel(source), { retries: 0 })
  @usesTools([WeatherTool, RefundTool, WaitTool])
  @identifier("support")
  class SupportAgent extends Agent {}

  return new SupportAgent();
}

const servers: Server[] = [];

/** Gives the address of a server that listens on loopback until the test file ends. */
export async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  servers.push(server);
  await new Promise((resolve) => server.once("listening", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export function closeServers(): void {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
}

export const postJson = (url: string, body: unknown, init: RequestInit = {}): Promise<Response> =>
  fetch(url, { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" }, ...init });

export interface Frame {
  readonly id: string;
  readonly event: string;
  readonly data: any;
}

/** The server-sent events of a text; comments are left out. */
export const framesIn = (text: string): Frame[] =>
  text
    .split("\n\n")
    .filter((frame) => frame !== "" && !frame.startsWith(":"))
    .map((frame) => {
      const fields = Object.fromEntries(frame.split("\n").map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]));
      return { id: fields.id ?? "", event: fields.event ?? "", data: JSON.parse(fields.data ?? "null") };
    });

/** A state as a database gives it back. */
export const stored = (state: RunState): RunState => JSON.parse(JSON.stringify(state)) as RunState;
