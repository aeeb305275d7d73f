import { Injectable, Module } from "@nestjs/common";
import { Agent, type AgentListener, model, usesTools } from "../../src/agent/index.js";
import type { RunState } from "../../src/loop/index.js";
import { AgentFactory, ToolwrightModule } from "../../src/nest/index.js";
import { ScriptedModel } from "../../src/models/index.js";
import { description, identifier, requiresConfirmation, Tool, type ToolContext } from "../../src/tool/index.js";
import { happened } from "../web/support.js";
import { until } from "../support/until.js";
import { agentThatCalls, boot, closeApplications } from "./support.js";

afterEach(closeApplications);
beforeEach(() => happened.splice(0));

@identifier("echo")
@description("Tells the context.")
class EchoTool extends Tool {
  call(context: ToolContext) {
    return { ...context };
  }
}

class EchoAgent extends agentThatCalls(EchoTool) {}

const listener = (name: string): AgentListener => ({ runStarted: () => void happened.push(`${name} heard`) });

/** The context that the tool of a run saw. */
async function contextOf(agent: Agent, options: Parameters<Agent["generate"]>[1]): Promise<unknown> {
  return (await agent.generate("Go", options)).steps[0]?.toolCalls[0]?.data;
}

describe("what forRoot says holds for all runs", () => {
  it("but a context given to generate replaces its own, and listeners given to generate are added to its own", async () => {
    const toolContext = (request: { user: string }) => ({ user: request.user, tenant: "acme" });
    const root = ToolwrightModule.forRoot({ listeners: [listener("root")], toolContext });
    const application = await boot({ imports: [root, ToolwrightModule.forFeature({ agents: [EchoAgent] })] });
    const agent = await application.get(AgentFactory).create(EchoAgent, { user: "ada" });
    expect(await contextOf(agent, { toolContext: { user: "bob" }, listeners: [listener("own")] })).toEqual({ user: "bob" });
    expect(happened).toEqual(["root heard", "own heard"]);
  });

  it("and its toolContext is asked when a run begins, not when the agent is made", async () => {
    const toolContext = async (request: { user?: string }) => ({ user: request.user ?? "nobody yet" });
    const application = await boot({
      imports: [ToolwrightModule.forRoot({ toolContext }), ToolwrightModule.forFeature({ agents: [EchoAgent] })],
    });
    const request: { user?: string } = {};
    const agent = await application.get(AgentFactory).create(EchoAgent, request);
    request.user = "ada";
    expect(await contextOf(agent, {})).toEqual({ user: "ada" });
  });

  it("but its toolContext isn't called if there is no request", async () => {
    const root = ToolwrightModule.forRoot({ toolContext: (request: { user: string }) => ({ user: request.user }) });
    const application = await boot({ imports: [root, ToolwrightModule.forFeature({ agents: [EchoAgent] })] });
    const agent = await application.get(AgentFactory).create(EchoAgent);
    expect(await contextOf(agent, { toolContext: { user: "the night job" } })).toEqual({ user: "the night job" });
  });

  it("also when a run is resumed, by another agent in another request", async () => {
    @identifier("refund")
    @description("Refunds an order.")
    @requiresConfirmation()
    class RefundTool extends EchoTool {}

    class RefundAgent extends agentThatCalls(RefundTool) {}

    const application = await boot({
      imports: [
        ToolwrightModule.forRoot({ toolContext: ({ user }: { user: string }) => ({ user }) }),
        ToolwrightModule.forFeature({ agents: [RefundAgent] }),
      ],
    });
    const agents = application.get(AgentFactory);
    const asked = await (await agents.create(RefundAgent, { user: "ada" })).generate("Go");
    const state = JSON.parse(JSON.stringify(asked.state)) as RunState;
    const { callId, id: confirmationId } = asked.confirmations![0]!;
    const resumed = await (await agents.create(RefundAgent, { user: "bob" })).resume(state, {
      decisions: [{ callId, confirmationId, decision: "approve" }],
    });
    expect(resumed.steps[0]?.toolCalls[0]?.data).toEqual({ user: "bob" });
  });

  it("may come from injected services: forRootAsync", async () => {
    @Injectable()
    class AuditListener implements AgentListener {
      readonly runStarted = () => void happened.push("audited");
    }
    @Module({ providers: [AuditListener], exports: [AuditListener] })
    class AuditModule {}

    const root = ToolwrightModule.forRootAsync({
      imports: [AuditModule],
      inject: [AuditListener],
      useFactory: async (audit: AuditListener) => ({ listeners: [audit] }),
    });
    const application = await boot({ imports: [root, ToolwrightModule.forFeature({ agents: [EchoAgent] })] });
    await (await application.resolve(EchoAgent)).generate("Go");
    expect(happened).toEqual(["audited"]);
  });

  it("and one conversation still answers one prompt at a time", async () => {
    const root = ToolwrightModule.forRoot({ toolContext: async () => ({ user: "ada" }) });
    const application = await boot({ imports: [root, ToolwrightModule.forFeature({ agents: [EchoAgent] })] });
    const agent = await application.get(AgentFactory).create(EchoAgent, {});
    const settled = await Promise.allSettled([agent.generate("Go"), agent.generate("Go too")]);
    expect(settled).toMatchObject([{ status: "fulfilled" }, { status: "rejected", reason: { name: "AgentBusyError" } }]);
  });

  it("fails the run if its toolContext fails", async () => {
    const toolContext = () => Promise.reject(new Error("No session store."));
    const application = await boot({
      imports: [ToolwrightModule.forRoot({ toolContext }), ToolwrightModule.forFeature({ agents: [EchoAgent] })],
    });
    const agent = await application.get(AgentFactory).create(EchoAgent, {});
    await expect(agent.generate("Go")).rejects.toThrow("No session store.");
    expect(await agent.stream("Go").response.catch((error: Error) => error.message)).toBe("No session store.");
  });
});

describe("when the application is shut down", () => {
  @identifier("wait")
  @description("Waits for ever.")
  class WaitTool extends Tool {
    async call({ abortSignal }: ToolContext) {
      happened.push("waiting");
      await new Promise((resolve) => abortSignal.addEventListener("abort", resolve));
      happened.push((abortSignal.reason as Error).message);
    }
  }

  @model(() => new ScriptedModel([{ toolCalls: [{ name: "wait", arguments: {} }] }, "Done."]))
  @usesTools([WaitTool])
  class WaitAgent extends Agent {}

  it("runs that are under way are aborted, and can be resumed", async () => {
    const application = await boot({ imports: [ToolwrightModule.forFeature({ agents: [WaitAgent] })] });
    const agent = await application.resolve(WaitAgent);
    const running = agent.generate("Go");
    await until(() => happened.includes("waiting"));
    await application.close();
    const { outcome, state } = await running;
    expect([outcome.reason, outcome.detail]).toEqual(["aborted", "ApplicationEnds: The application is shutting down."]);
    expect(happened).toContain("The application is shutting down.");
    expect(state).toBeDefined();
  });

  it("runs have the shutdownDeadline to reach the end of their step", async () => {
    @identifier("slow")
    @description("Takes a moment.")
    class SlowTool extends Tool {
      async call() {
        happened.push("slow");
        await new Promise((resolve) => setTimeout(resolve, 30));
        return "Done.";
      }
    }

    @model(() => new ScriptedModel([{ toolCalls: [{ name: "slow", arguments: {} }] }, "Never."]))
    @usesTools([SlowTool])
    class SlowAgent extends Agent {}

    const root = ToolwrightModule.forRoot({ shutdownDeadline: 5_000 });
    const application = await boot({ imports: [root, ToolwrightModule.forFeature({ agents: [SlowAgent] })] });
    const running = (await application.resolve(SlowAgent)).generate("Go");
    await until(() => happened.includes("slow"));
    await application.close();
    const { outcome, steps } = await running;
    expect(outcome).toMatchObject({ reason: "interrupted", detail: "The application is shutting down." });
    expect(steps[0]?.toolCalls[0]?.content).toBe("Done.");
  });

  it("runs that don't reach it are aborted at the shutdownDeadline", async () => {
    const root = ToolwrightModule.forRoot({ shutdownDeadline: 20 });
    const application = await boot({ imports: [root, ToolwrightModule.forFeature({ agents: [WaitAgent] })] });
    const running = (await application.resolve(WaitAgent)).generate("Go");
    await until(() => happened.includes("waiting"));
    await application.close();
    expect((await running).outcome.reason).toBe("aborted");
  });

  it("what is given as signal still counts", async () => {
    const application = await boot({ imports: [ToolwrightModule.forFeature({ agents: [WaitAgent] })] });
    const controller = new AbortController();
    const running = (await application.resolve(WaitAgent)).generate("Go", { abortSignal: controller.signal });
    await until(() => happened.includes("waiting"));
    controller.abort(new Error("The user left."));
    expect((await running).outcome).toMatchObject({ reason: "aborted", detail: "Error: The user left." });
  });

  it("and nothing begins any more", async () => {
    const application = await boot({ imports: [ToolwrightModule.forFeature({ agents: [EchoAgent] })] });
    const agent = await application.resolve(EchoAgent);
    await application.close();
    expect((await agent.generate("Go")).outcome.reason).toBe("aborted");
  });
});

describe("a toolContext that never answers", () => {
  const hang = () => {
    happened.push("asked");
    return new Promise<never>(() => undefined);
  };

  async function hungAgent() {
    const root = ToolwrightModule.forRoot({ toolContext: hang });
    const application = await boot({ imports: [root, ToolwrightModule.forFeature({ agents: [EchoAgent] })] });
    return { application, agent: await application.get(AgentFactory).create(EchoAgent, { user: "ada" }) };
  }

  it("is left by an abort, the wall time and the end of the stream's reader, and no tool runs without a context", async () => {
    const { agent } = await hungAgent();
    const controller = new AbortController();
    const aborted = agent.generate("Go", { abortSignal: controller.signal });
    await until(() => happened.length === 1);
    controller.abort("enough");
    expect(await aborted).toMatchObject({ reason: "aborted", steps: [] });
    expect((await agent.generate("Go", { budget: { wallTime: 20 } })).outcome).toMatchObject({ budget: "wallTime" });
    const stream = agent.stream("Go");
    const reader = stream[Symbol.asyncIterator]();
    await until(() => happened.length === 3);
    await reader.return?.();
    expect(await stream.response).toMatchObject({ reason: "aborted", steps: [] });
  });

  it("doesn't hold up the end of the application", async () => {
    const { application, agent } = await hungAgent();
    const running = agent.generate("Go");
    await until(() => happened.length === 1);
    await application.close();
    expect((await running).outcome).toMatchObject({ reason: "aborted", detail: expect.stringContaining("shutting down") });
  });
});

it("a resolver that never answers doesn't hold up the end of the application", async () => {
  @model(new ScriptedModel(["Done."]))
  @usesTools(() => {
    happened.push("asked");
    return new Promise<never>(() => undefined);
  })
  class HungAgent extends Agent {}

  const application = await boot({ imports: [ToolwrightModule.forFeature({ agents: [HungAgent] })] });
  const running = (await application.get(AgentFactory).create(HungAgent)).generate("Go");
  await until(() => happened.length === 1);
  await application.close();
  expect((await running).reason).toBe("aborted");
});
