import { PassThrough } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { approve, confirmByWebhook, confirmInTerminal } from "../../../src/confirmation/index.js";
import { Agent, history, instructions, model, usesTools } from "../../../src/agent/index.js";
import { type AiSdkLanguageModel, ModelError, ScriptedModel } from "../../../src/models/index.js";
import { toProviderTools } from "../../../src/models/provider-tools/index.js";
import { warnOfStray } from "../../../src/isolation/near/pool.js";
import { toolLog } from "../../../src/observability/index.js";
import { deferred } from "../../../src/tool/index.js";
import { confirmationWith, situationWith } from "../../support/confirmation.js";
import { ProviderServer } from "../../support/provider-servers.js";
import { type Examples, firstLine, type Met, warningOf } from "./example.js";
import { mcpToolWarnings } from "./mcp-client.js";
import { mcpWarnings } from "./mcp-server.js";
import { replaced } from "./registries.js";
import { runtimeWarnings } from "./runtimes.js";
import { disagreement } from "./specifications.js";
import { agentWith, call, endOf, pausedState, refund, toolThat } from "./subjects.js";
import { webWarnings } from "./web.js";

const overloaded = new ModelError("openai/gpt-5-mini", "openai/gpt-5-mini: HTTP 503: Overloaded", { retryable: true, status: 503 });

const fail = (): never => {
  throw new Error("disk full");
};

/** A webhook that refuses, whose address differs at each run. */
async function refusedByWebhook(onProblem?: () => never): Promise<Met> {
  const server = await ProviderServer.start();
  server.play({ status: 403, body: {} });
  const confirm = confirmByWebhook({ url: server.url, secret: "a secret of 32 bytes, or of more", ...(onProblem && { onProblem }) });
  const { name, message } = await warningOf(() => confirm(confirmationWith(), situationWith()));
  const shown = message.replace(server.url, "https://approvals.example.com");
  await server.close();
  return { name, message: shown };
}

class SchemaSensitiveModel extends ScriptedModel {
  refusesTool() {
    return "it takes no $ref, which recursive types need";
  }
}

/** A package that leaves changes of tools out of its requests. */
const oldPackage: AiSdkLanguageModel = {
  specificationVersion: "v3",
  provider: "anthropic.messages",
  modelId: "claude-opus-5-5",
  doGenerate: () =>
    Promise.resolve({ content: [{ type: "text", text: "Done." }], finishReason: "stop", usage: {}, request: { body: { messages: [] } } }),
};

async function twoToolLists(): Promise<void> {
  const tools = [toolThat(() => "done")];
  @model(oldPackage)
  @instructions("Be brief.")
  @usesTools(({ userId }) => (userId === undefined ? tools : []))
  class ChangingAgent extends Agent {}
  const agent = new ChangingAgent();
  await agent.generate("Hi.");
  await agent.generate("Hi.", { toolContext: { userId: "ada" } });
}

/** A package that leaves the search for deferred tools out of its requests. */
const packageWithoutSearch: AiSdkLanguageModel = { ...oldPackage, provider: "openai.responses", modelId: "gpt-5.4" };

function deferredTools(): Promise<unknown> {
  @model(packageWithoutSearch)
  @usesTools([deferred(toolThat(() => "done"))])
  class SearchingAgent extends Agent {}
  return new SearchingAgent().generate("Hi.");
}

/** The warnings of the process: nothing fails by what they tell of. */
export const warnings: Examples<"ToolwrightWarning" | "ToolListenerWarning" | "LogHandlerWarning"> = {
  ToolwrightWarning: [
    () => warningOf(() => agentWith(new SchemaSensitiveModel(["Hello."], { id: "google/gemini-2.5-flash" })).generate("Hi.")),
    () =>
      warningOf(() =>
        toProviderTools(
          Array.from({ length: 150 }, (_, index) => ({ name: `tool_${index}`, description: "d", parametersSchema: { type: "object" } })),
          "openai-chat",
        ),
      ),
    () => warningOf(twoToolLists),
    () => warningOf(deferredTools),
    async () => firstLine(await warningOf(() => endOf(["Hello."], { listeners: [{ runStarted: fail }] }))),
    () =>
      warningOf(() => {
        const agent = agentWith(["Hello."]);
        history({ maxTokens: 1_000, countTokens: () => Number.NaN })(agent.constructor as never);
        return agent.generate("Hi.");
      }),
    () => warningOf(() => endOf(["Hello."], { budget: { callsPerTool: { send_mail: 1 } } })),
    () => warningOf(() => endOf([refund], { confirm: fail })),
    () =>
      warningOf(() => {
        // Both are streams, as a pipe is, and no terminal.
        const stream = new PassThrough();
        return endOf([refund], { confirm: confirmInTerminal({ input: stream, output: stream }) });
      }),
    async () => {
      const state = await pausedState({ confirmationTimeout: 1 });
      await sleep(5);
      const { name, message } = await warningOf(() => agentWith(["Done."]).resume(state, { decisions: [approve("call_1")] }));
      return { name, message: message.replace(state.runId, "run_1") };
    },
    () => refusedByWebhook(),
    () => refusedByWebhook(fail),
    async () => firstLine(await warningOf(() => warnOfStray(new Error("disk full")))),
    async () => {
      const asksModel = toolThat(() => new ScriptedModel([{ error: overloaded }]).generate({ messages: [], tools: [] }));
      return firstLine(await warningOf(() => endOf([call("search"), "Done."], {}, [asksModel])));
    },
    ...webWarnings,
    ...mcpWarnings,
    ...mcpToolWarnings,
    replaced,
    disagreement,
    ...runtimeWarnings,
  ],
  ToolListenerWarning: [
    async () =>
      firstLine(await warningOf(() => endOf([call("weather", { city: "Paris" }), "Done."], { listeners: [{ toolFinished: fail }] }))),
  ],
  LogHandlerWarning: [
    () => warningOf(() => endOf(["Hello."], { listeners: [toolLog({ handlers: [{ logEntry: fail, flushLog: () => undefined }] })] })),
  ],
};
