import { Agent, model, usesTools } from "../../src/agent/index.js";
import { approve, deny } from "../../src/confirmation/index.js";
import { type Container, createRunScope, modelText, PreparedCall, type RunScope, ToolExecutor } from "../../src/execution/index.js";
import { ScriptedModel } from "../../src/models/index.js";
import { fromProviderCall, toProviderTools } from "../../src/models/provider-tools/index.js";
import { createRegistry, createWorkspace } from "../../src/registry/index.js";
import { type ToolClass, type ToolError, ToolInterrupt } from "../../src/tool/index.js";
import { isInterrupt } from "../../src/tool/internal.js";
import type { Door, DoorCall, DoorOptions } from "./door.js";

const textOf = (input: DoorCall["arguments"]): string => (typeof input === "string" ? input : JSON.stringify(input));

/** An agent of Toolwright. */
export const agentDoor: Door = {
  name: "Agent",
  told: async (tools, options) => {
    const { SomeAgent, scripted } = agentWith(tools, []);
    await converse(new SomeAgent(), options);
    return scripted.requests[0]!.tools.length;
  },
  run: async (tools, calls, options) => converse(new (agentWith(tools, calls).SomeAgent)(), options),
};

/** An agent class whose model makes the calls, one a step. */
export function agentWith(tools: readonly ToolClass[], calls: readonly DoorCall[]) {
  const steps = calls.map(({ tool, arguments: input }) => ({ toolCalls: [{ name: tool.identifier, arguments: textOf(input) }] }));
  const scripted = new ScriptedModel([...steps, "done"]);

  @model(scripted)
  @usesTools(tools)
  class SomeAgent extends Agent {}

  return { SomeAgent, scripted };
}

/** Runs an agent until no decision is open, and gives what its model read of its calls. */
export async function converse(agent: Agent, { answer, services, ...given }: DoorOptions = {}): Promise<readonly string[]> {
  const options = { ...given, ...(services !== undefined && { container: containerOf(services) }) };
  let response = await agent.generate("go", options);
  while (response.confirmations !== undefined && answer !== undefined) {
    const decisions = response.confirmations.map((confirmation) => (answer() === "yes" ? approve(confirmation) : deny(confirmation)));
    response = await agent.resume(response.state, { ...options, decisions });
  }
  return agent.messages.flatMap((message) => (message.role === "tool" ? [message.content] : []));
}

/** An executor by itself, as a loop of one's own uses it with a provider's SDK: tools in OpenAI's form, calls as OpenAI gives them. */
export const providerDoor: Door = {
  name: "provider's SDK",
  told: async (tools) => toProviderTools(tools, "openai-chat").length,
  run: async (tools, calls, { answer, ...options } = {}) => {
    const executor = new ToolExecutor({ tools, ...settingsOf(options) });
    const scope = createRunScope(scopeOf(options));
    const names = new Map(tools.map((tool) => [tool, toProviderTools([tool], "openai-chat")[0]!.function.name]));
    const texts: string[] = [];
    for (const [index, { tool, arguments: input }] of calls.entries()) {
      const sent = { id: `call_${index}`, type: "function", function: { name: names.get(tool), arguments: textOf(input) } };
      texts.push(await callThrough(executor, fromProviderCall(sent, tools, "openai-chat"), scope, answer));
    }
    return texts;
  },
};

async function callThrough(
  executor: ToolExecutor,
  call: Parameters<ToolExecutor["call"]>[0],
  scope: RunScope,
  answer: DoorOptions["answer"],
): Promise<string> {
  const prepared = await executor.prepare(call, scope);
  if (!(prepared instanceof PreparedCall)) return modelText(prepared);
  if (!prepared.requiresConfirmation || answer === undefined) {
    return executor.execute(prepared).then(modelText, (error: unknown) => {
      if (error instanceof ToolInterrupt) return error.message;
      throw error;
    });
  }
  if (answer() === "no") return "The person said no.";
  const decided = await executor.prepare(call, scope, { decided: true });
  return modelText(decided instanceof PreparedCall ? await executor.execute(decided) : decided);
}

/** `run` of a registry's executor, for code: it gives data, and throws errors. */
export const registryDoor: Door = {
  name: "registry",
  run: async (tools, calls, options = {}) => {
    const executor = registryOf(tools).executor({ allowedTools: ["*"] }, settingsOf(options));
    const texts: string[] = [];
    const scope = createRunScope(scopeOf(options));
    for (const { tool, arguments: input } of calls) {
      const answered = executor.run(tool.identifier, input as Record<string, unknown>, scope);
      texts.push(
        await answered.then(
          (data) => (typeof data === "string" ? data : JSON.stringify(data)),
          (error: ToolError) => {
            if (isInterrupt(error) && !(error instanceof ToolInterrupt)) throw error;
            return error.message;
          },
        ),
      );
    }
    return texts;
  },
};

const registryOf = (tools: readonly ToolClass[]) => {
  const workspace = createWorkspace();
  for (const tool of tools) workspace.addTool(tool);
  return createRegistry({ project: workspace.build(), internal: { name: "internal", tools: [] } });
};

export const settingsOf = ({ services, listeners }: DoorOptions) => ({
  ...(services !== undefined && { container: containerOf(services) }),
  ...(listeners !== undefined && { listeners }),
});

/** Makes every class with the same services. */
const containerOf = (services: NonNullable<DoorOptions["services"]>): Container => ({
  get: (wanted) => new (wanted as new (...services: object[]) => object)(...services.map((Service) => new Service())) as never,
});

export const scopeOf = ({ toolContext, abortSignal }: DoorOptions) => ({
  ...(toolContext !== undefined && { toolContext }),
  ...(abortSignal !== undefined && { abortSignal }),
});
