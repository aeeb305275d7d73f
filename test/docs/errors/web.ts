import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, model, usesTools } from "../../../src/agent/index.js";
import { approve } from "../../../src/confirmation/index.js";
import type { RunState } from "../../../src/loop/index.js";
import {
  agentHandler,
  decideHandler,
  MemoryRunStateStore,
  type NodeHandler,
  toNodeHandler,
  type WebHandler,
} from "../../../src/web/index.js";
import { ModelError, ScriptedModel } from "../../../src/models/index.js";
import { description, identifier } from "../../../src/tool/index.js";
import { type Example, type Examples, firstLine, type Met, warningOf } from "./example.js";
import { agentWith, call, pausedState, refund } from "./subjects.js";

const chat = agentHandler({ agent: () => agentWith(["Hello."]), format: "json", bodyLimit: 100 });

const post = (body: unknown, type = "application/json"): Request =>
  new Request("https://shop.example.com/chat", { method: "POST", headers: { "content-type": type }, body: JSON.stringify(body) });

/** What the sender of a request reads: the status and the error. */
async function refusal(handler: WebHandler, request: Request): Promise<Met> {
  const response = await handler(request);
  const { error } = (await response.json()) as { readonly error: string };
  return { name: "WebRequestError", message: `${response.status} ${error}` };
}

/** What the sender of a decision reads. */
async function refusedDecision(state: RunState, runId = state.runId, authorise = () => true): Promise<Met> {
  const store = new MemoryRunStateStore();
  store.save(state.runId, state);
  const decide = decideHandler({ agent: () => agentWith(["Done."]), format: "json", pausedRuns: { store, authorise } });
  const { name, message } = await refusal(decide, post({ runId, decisions: [approve("call_1")] }));
  const untilWhen = /until \S+Z/;
  return { name, message: message.replace(state.runId, "run_1").replace(untilWhen, "until 2030-01-31T12:00:00.000Z") };
}

export const webErrors: Examples<"WebRequestError"> = {
  WebRequestError: [
    () => refusal(chat, post({ message: "Hi." })),
    async () => refusedDecision(await pausedState(), undefined, () => false),
    async () => refusedDecision(await pausedState(), "run_7"),
    () => refusal(chat, new Request("https://shop.example.com/chat")),
    async () => {
      const state = await pausedState({ confirmationTimeout: 1 });
      await sleep(5);
      return refusedDecision(state);
    },
    () => refusal(chat, post({ prompt: "Hi.".repeat(100) })),
    () => refusal(chat, post({ prompt: "Hi." }, "text/plain")),
  ],
};

const fail = (): never => {
  throw new Error("disk full");
};

/** Handlers warn if the application gave them no handler of errors. */
export const webWarnings: readonly Example[] = [
  async () => firstLine(await warningOf(() => agentHandler({ agent: fail, format: "json" })(post({ prompt: "Hi." })))),
  () =>
    warningOf(() => {
      const error = new ModelError("openai/gpt-5-mini", "openai/gpt-5-mini: HTTP 503: Overloaded", { retryable: true, status: 503 });

      @model(new ScriptedModel([{ error }]), { retries: 0 })
      @identifier("helper")
      @description("Helps. Use when the user needs help.")
      class HelperAgent extends Agent {}

      @model(new ScriptedModel([call("helper", { prompt: "Help." }), "Nobody is there."]))
      @usesTools([HelperAgent])
      class SupportAgent extends Agent {}
      return SupportAgent.generate("Help me.");
    }),
  async () => {
    const { name, message } = await warningOf(() =>
      agentHandler({ agent: () => agentWith([refund]), format: "json" })(post({ prompt: "Hi." })),
    );
    const runId = /run_\S+|[0-9a-f-]{36}/;
    return { name, message: message.replace(runId, "run_1") };
  },
  async () => firstLine(await warningOf(() => askServer(toNodeHandler(fail)))),
];

async function askServer(handler: NodeHandler): Promise<void> {
  const server = createServer(handler).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/chat`);
  await new Promise((resolve) => server.close(resolve));
}
